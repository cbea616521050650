// The result as a picture to send to friends: drawn here, from the same drawings as the page.
import { tileFace, wormSmall } from "./art.js";
import { bird } from "./birds.js";
import { btn, h, must, sheet } from "./dom.js";
import { t } from "./i18n.js";

/**
 * A player.
 * @typedef {object} Row
 * @property {import("./looks.js").Look} look
 * @property {string} name
 * @property {number} score
 * @property {boolean} won
 * @property {[number, number][]} tiles each with its worms
 */

const WIDTH = 1080;
const HEAD = 250;
const ROW = 170;
const FOOT = 90;

/**
 * Offer the result as a picture and as text.
 * @param {string} title @param {string} text @param {Row[]} rows @param {(text: string) => void} copyText
 */
export async function sharePicture(title, text, rows, copyText) {
  const canvas = await paint(title, rows);
  const address = canvas.toDataURL("image/png"); // the page's policy lets data be shown, not blobs
  const blob = await new Promise((/** @type {(made: Blob|null) => void} */ done) => canvas.toBlob(done));
  const file = new File(blob ? [blob] : [], "pickomino.png", { type: "image/png" });
  const send =
    navigator.canShare?.({ files: [file] }) === true
      ? btn(t("Send the picture"), () => navigator.share({ files: [file], text }).catch(() => undefined), {
          kind: "roll",
        })
      : h("a", { class: "btn roll", href: address, download: file.name }, h("b", {}, t("Save the picture")));
  sheet(
    t("Share"),
    h("img", { class: "shared", src: address, alt: text, width: WIDTH, height: canvas.height }),
    h(
      "div",
      { class: "two" },
      btn(t("Copy as text"), () => copyText(text)),
      send,
    ),
  );
}

/** @param {string} title @param {Row[]} rows */
async function paint(title, rows) {
  await document.fonts.ready;
  const canvas = h("canvas", { width: WIDTH, height: HEAD + rows.length * ROW + FOOT });
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const write = (
    /** @type {string} */ text,
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ size,
    /** @type {number} */ room,
    ink = "--text",
  ) => {
    pen.font = `700 ${size}px ${colour("--display")}`;
    pen.fillStyle = colour(ink);
    pen.fillText(text, x, y, room);
  };
  const glow = pen.createRadialGradient(WIDTH / 2, 0, 0, WIDTH / 2, 0, canvas.height);
  glow.addColorStop(0, colour("--sky"));
  glow.addColorStop(1, colour("--bg"));
  pen.fillStyle = glow;
  pen.fillRect(0, 0, WIDTH, canvas.height);
  pen.textBaseline = "middle";
  await stamp(pen, wormSmall(), 60, 62, 108, 74);
  write("Pickomino", 186, 100, 54, 800, "--muted");
  write(title, 60, 192, 64, WIDTH - 120);
  for (const [index, row] of rows.entries()) {
    const top = HEAD + index * ROW;
    const tint = tintOf(row.look.colour);
    pen.fillStyle = colour("--panel");
    pen.strokeStyle = row.won ? colour("--gold") : colour("--line");
    pen.lineWidth = row.won ? 8 : 3;
    pen.beginPath();
    pen.roundRect(40, top, WIDTH - 80, ROW - 20, 34);
    pen.fill();
    pen.stroke();
    pen.fillStyle = tint;
    pen.beginPath();
    pen.arc(130, top + 75, 60, 0, Math.PI * 2);
    pen.fill();
    await stamp(pen, bird(row.look.bird, row.won ? "happy" : "calm"), 68, top + 8, 124, 124, row.look.colour);
    write(row.name, 212, top + 75, 46, 250);
    const [left, right] = [480, 860];
    const wide = Math.min(72, (right - left) / Math.max(1, row.tiles.length));
    for (const [at, [tile, worms]] of row.tiles.entries())
      await stamp(pen, tileFace(tile, worms), left + at * wide, top + 75 - wide * 0.7, wide - 2, wide * 1.4);
    pen.textAlign = "right";
    write(String(row.score), 956, top + 77, 64, 90);
    pen.textAlign = "left";
    await stamp(pen, wormSmall(), 968, top + 56, 58, 40);
  }
  write(location.host, 60, canvas.height - FOOT / 2, 34, WIDTH - 120, "--muted");
  return canvas;
}

/** @param {string} letter */
function tintOf(letter) {
  const probe = h("i", { hidden: true, data: { colour: letter } });
  document.body.append(probe);
  const tint = getComputedStyle(probe).getPropertyValue("--c").trim();
  probe.remove();
  return tint;
}

/**
 * Put a drawing of the page onto the canvas. As an image it has neither style sheet nor typeface, so the style is written
 * into it and numerals are drawn by the pen.
 * @param {CanvasRenderingContext2D} pen @param {string} markup @param {number} x @param {number} y @param {number} width @param {number} height
 * @param {string} [colour] letter of a seat
 */
async function stamp(pen, markup, x, y, width, height, colour = "") {
  const box = h("div", { class: "hush", data: { colour }, html: markup });
  document.body.append(box);
  const svg = must(box.querySelector("svg"));
  const scale = width / svg.viewBox.baseVal.width;
  const numerals = [...svg.querySelectorAll("text")].map((text) => ({
    text: text.textContent ?? "",
    at: ["x", "y", "font-size"].map((name) => Number(text.getAttribute(name)) * scale),
    fill: getComputedStyle(text).fill,
  }));
  for (const element of [svg, ...svg.querySelectorAll("*")]) {
    const style = getComputedStyle(element);
    for (const name of ["fill", "stroke", "stroke-width", "opacity"])
      element.setAttribute(name, style.getPropertyValue(name));
  }
  for (const text of svg.querySelectorAll("text")) text.remove();
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  box.remove();
  await image.decode();
  pen.drawImage(image, x, y, width, height);
  pen.save();
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  for (const { text, at, fill } of numerals) {
    const [left = 0, top = 0, size = 0] = at;
    pen.font = `700 ${size}px ${getComputedStyle(document.documentElement).getPropertyValue("--display")}`;
    pen.fillStyle = fill;
    pen.fillText(text, x + left, y + top);
  }
  pen.restore();
}
