// Everything small that is drawn: worms, tiles, dice, signs. Markup only; colours that follow the theme are custom
// properties of the style sheet.
import { GUESTS } from "./figures.js";

/* --- worms --- */

/**
 * A worm's body: contour, skin, belly, rings. `d` runs from tail to head; the belly is shifted by bx, by.
 * @param {string} d @param {number} w @param {number} [bx] @param {number} [by]
 */
const wormBody = (d, w, bx = 0, by = w * 0.2) =>
  `<g fill="none" stroke-linecap="round" stroke-linejoin="round">
    <path d="${d}" stroke="var(--worm-out)" stroke-width="${w + 3.4}"/>
    <path d="${d}" stroke="var(--worm)" stroke-width="${w}"/>
    <path d="${d}" stroke="var(--worm-belly)" stroke-width="${w * 0.44}" transform="translate(${bx} ${by})"/>
    <path d="${d}" stroke="var(--worm-out)" stroke-width="${w}" stroke-linecap="butt" stroke-dasharray="1.1 5.2"
    stroke-dashoffset="-5" opacity=".42"/>
    </g>`;

/**
 * A worm's head with a face.
 * @param {number} x @param {number} y @param {number} r @param {"calm"|"awake"|"asleep"|"startled"|"happy"} face
 */
function wormHead(x, y, r, face) {
  const eye = (
    /** @type {number} */ dx,
    /** @type {number} */ s,
    /** @type {number} */ px,
    /** @type {number} */ py,
    k = 0.5,
  ) =>
    `<circle cx="${x + dx}" cy="${y - r * 0.18}" r="${s}" fill="#fff"/>
      <circle cx="${x + dx + px}" cy="${y - r * 0.18 + py}" r="${s * k}" fill="#2a1512"/>
      <circle cx="${x + dx + px + s * 0.15}" cy="${y - r * 0.18 + py - s * 0.22}" r="${s * 0.17}" fill="#fff"/>`;
  const arc = (/** @type {number} */ dx, /** @type {number} */ up) =>
    `<path d="M${x + dx - r * 0.26} ${y - r * 0.1}q${r * 0.26} ${up * r * 0.38} ${r * 0.52} 0" fill="none"
      stroke="#2a1512" stroke-width="${r * 0.17}" stroke-linecap="round"/>`;
  const mouth = {
    calm: `<path d="M${x - r * 0.22} ${y + r * 0.42}q${r * 0.26} ${r * 0.28} ${r * 0.52} 0" fill="none"
      stroke="#2a1512" stroke-width="${r * 0.15}" stroke-linecap="round"/>`,
    awake: `<path d="M${x - r * 0.1} ${y + r * 0.5}h${r * 0.3}" stroke="#2a1512" stroke-width="${r * 0.15}"
      stroke-linecap="round"/>`,
    asleep: `<path d="M${x - r * 0.08} ${y + r * 0.46}q${r * 0.12} ${r * 0.16} ${r * 0.26} 0" fill="none"
      stroke="#2a1512" stroke-width="${r * 0.14}" stroke-linecap="round"/>`,
    startled: `<ellipse cx="${x + r * 0.05}" cy="${y + r * 0.55}" rx="${r * 0.19}" ry="${r * 0.26}" fill="#5a1710"/>`,
    happy: `<path
      d="M${x - r * 0.32} ${y + r * 0.28}h${r * 0.72}q${-r * 0.08} ${r * 0.5} ${-r * 0.36} ${r * 0.5}t${-r * 0.36} ${-r * 0.5}z"
      fill="#5a1710"/>`,
  }[face];
  const look = {
    calm: eye(-r * 0.34, r * 0.31, r * 0.06, r * 0.02) + eye(r * 0.4, r * 0.31, r * 0.06, r * 0.02),
    awake: eye(-r * 0.34, r * 0.34, r * 0.14, -r * 0.02) + eye(r * 0.42, r * 0.34, r * 0.14, -r * 0.02),
    startled: eye(-r * 0.38, r * 0.42, 0, 0, 0.34) + eye(r * 0.46, r * 0.42, 0, 0, 0.34),
    asleep: arc(-r * 0.34, 1) + arc(r * 0.4, 1),
    happy: arc(-r * 0.34, -1.3) + arc(r * 0.42, -1.3),
  }[face];
  return `<circle cx="${x}" cy="${y}" r="${r}" fill="var(--worm)" stroke="var(--worm-out)" stroke-width="1.8"/>
    <path d="M${x - r * 0.62} ${y - r * 0.45}q${r * 0.2} ${-r * 0.3} ${r * 0.52} ${-r * 0.34}" fill="none"
    stroke="#fff" stroke-opacity=".5" stroke-width="${r * 0.17}" stroke-linecap="round"/>
    <ellipse cx="${x - r * 0.62}" cy="${y + r * 0.26}" rx="${r * 0.2}" ry="${r * 0.14}" fill="#ffb79c" opacity=".85"/>
    <ellipse cx="${x + r * 0.7}" cy="${y + r * 0.26}" rx="${r * 0.16}" ry="${r * 0.14}" fill="#ffb79c" opacity=".85"/>
    ${look}${mouth}`;
}

/** The four poses, in a 64 by 56 field. */
const POSES = {
  relaxed: wormBody("M7 40c5 8 12 7 15 0s7-11 12-5 8 11 13 4c2-4 1-10 0-16", 10.5) + wormHead(46, 18, 12, "calm"),
  peeking:
    wormBody("M32 44V26", 15, 1.5, 0) +
    wormBody("M11 47c-3-8 3-13 9-9", 7.5) +
    wormHead(33, 20, 14, "awake") +
    `<rect x="3" y="45" width="58" height="10" rx="3.5" fill="#7a5338"/>
      <rect x="3" y="45" width="58" height="4" rx="2" fill="#a87a52"/>
      <path d="M10 52h13m8 0h18" stroke="#5b3b26" stroke-width="1.3" stroke-linecap="round"/>`,
  curled:
    wormBody("M59 47c-7 5-21 6-33 3C12 47 5 35 11 24s21-15 32-10 13 18 5 24", 10.5, 0, -1.5) +
    wormHead(33, 29, 12.5, "asleep"),
  startled:
    wormBody("M10 47c7 6 15 4 16-4s-3-9 2-14 8-5 8-9", 10) +
    wormHead(38, 19, 13, "startled") +
    '<path d="M54 5l4-4M57 13l6-1M22 5l-4-4" stroke="var(--gold)" stroke-width="2.6" stroke-linecap="round"/>',
  happy: wormBody("M8 47c4 6 11 5 14-1s6-9 11-4 8 6 12 1c3-4 2-10 1-15", 10.5) + wormHead(45, 21, 12.5, "happy"),
};

/** A worm in a pose, for 24 px and more. @param {keyof typeof POSES} [pose] */
export const worm = (pose = "relaxed") =>
  `<svg class="worm" viewBox="0 0 64 56" aria-hidden="true">${POSES[pose]}</svg>`;

/** The small form for scores, tiles and text: two strokes, one eye; stands at 14 px. */
const WORM_SMALL = `<path d="M4.6 14c2.4 4 5.6 2.8 7.2-.6s4.4-4 6-.4 4.6 2 4.7-4.8" fill="none"
  stroke="var(--worm-out)" stroke-width="7.6" stroke-linecap="round"/>
    <path d="M4.6 14c2.4 4 5.6 2.8 7.2-.6s4.4-4 6-.4 4.6 2 4.7-4.8" fill="none" stroke="var(--worm)" stroke-width="5"
    stroke-linecap="round"/>
    <circle cx="22.4" cy="6.8" r="5.2" fill="var(--worm)" stroke="var(--worm-out)" stroke-width="1.4"/>
    <circle cx="23.4" cy="6" r="2.5" fill="#fff"/><circle cx="24" cy="6.2" r="1.4" fill="#2a1512"/>`;
export const wormSmall = () => `<svg class="worm small" viewBox="0 0 29 20" aria-hidden="true">${WORM_SMALL}</svg>`;

/** The round worm of the deluxe edition: a wooden token with a sleeping worm. */
export const roundWorm = () =>
  `<svg class="token" viewBox="0 0 48 50" aria-hidden="true"><circle cx="24" cy="26" r="22" fill="#b98d52"/>
    <circle cx="24" cy="23" r="22" fill="#f3dcae"/>
    <circle cx="24" cy="23" r="18.6" fill="none" stroke="#c79d61" stroke-width="1.5"/>
    <g transform="translate(6.5 7.5) scale(.56)">${POSES.curled}</g></svg>`;

/* --- tiles --- */

/** Where worms lie on a tile: x, y, size, turn; the lower half is 72 by 50. @type {Record<number, number[][]>} */
const LAID = {
  1: [[15, 55, 1.45, 0]],
  2: [
    [20, 49.5, 1.06, -5],
    [22.5, 70.5, 1.06, 5],
  ],
  3: [
    [7, 49.5, 0.98, -6],
    [36.5, 59.5, 0.98, 5],
    [7, 71, 0.98, 6],
  ],
  4: [
    [6.5, 50, 0.96, -6],
    [37, 51, 0.96, 7],
    [6.5, 71, 0.96, 5],
    [37, 72, 0.96, -6],
  ],
};

/**
 * A numeral cut into ivory: light lower lip, dark upper wall, warm ground.
 * @param {number} x @param {number} y @param {number} size @param {number} text
 */
const engraved = (x, y, size, text) =>
  /** @type {[string, number][]} */ ([
    ["#fff", 1.7],
    ["#241710", 0],
    ["#57402d", 0.95],
  ])
    .map(([fill, dy]) => `<text x="${x}" y="${y + dy}" font-size="${size}" fill="${fill}">${text}</text>`)
    .join("");

/**
 * The domino: 72 wide, 96 of face and 6 of side. `guest` is a specialist that stands beside the numeral, never on the worms.
 * @param {number} value @param {number} worms @param {string} [guest]
 */
export function tileFace(value, worms, guest = "") {
  const many = worms > 4 ? `<text x="54" y="78" font-size="24" fill="#57402d">${worms}</text>` : ""; // house rules
  const laid = (LAID[worms] ?? (many ? [[8, 60, 1.2, 0]] : []))
    .map(
      ([x, y, size, turn]) =>
        `<g transform="translate(${x} ${y}) rotate(${turn} 14 10) scale(${size})">${WORM_SMALL}</g>`,
    )
    .join("");
  const number = guest ? engraved(21.5, 35.5, 28, value) : engraved(36, 37, 36, value);
  return `<svg class="face" viewBox="0 0 72 102" aria-hidden="true">
    <rect class="side" y="7" width="72" height="95" rx="7"/>
    <path class="side2" d="M0 92h72v3a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7z"/><rect class="top" width="72" height="96" rx="7"/>
    <path class="half" d="M0 45h72v44a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7z"/>
    <rect class="bevel" x="1.2" y="1.2" width="69.6" height="93.6" rx="6"/><path class="groove" d="M6 44.5h60"/>
    <path class="lip" d="M6 46.1h60"/><circle cx="36" cy="45" r="2.5" fill="#b98a3a"/>
    <circle cx="35.5" cy="44.4" r="1.2" fill="#f3d58c"/><g class="num" text-anchor="middle">${number}${many}</g>
    ${laid}${
      guest
        ? `<svg x="42" y="-3" width="32" height="46" viewBox="0 0 48 60" preserveAspectRatio="xMidYMax meet"
      overflow="visible"><ellipse cx="25" cy="57" rx="19" ry="3.5" fill="#2a190d"
      opacity=".28"/>${GUESTS[guest]}</svg>`
        : ""
    }
    </svg>`;
}

/** The back: wood charred by the grill, a worm in relief. */
export const tileBack = () =>
  `<svg class="face back" viewBox="0 0 72 102" aria-hidden="true">
    <rect y="7" width="72" height="95" rx="7" fill="#1d140f"/><rect width="72" height="96" rx="7" fill="#574033"/>
    <path d="M9 2c4 26-3 48 1 92M22 2c-3 30 5 60 0 92M37 2c5 28-4 64 2 92M51 2c-4 40 4 58 0 92M63 2c3 30-3 62 1 92"
    fill="none" stroke="#3d2b21" stroke-width="1.6"/>
    <path d="M0 24L26 0h12L0 36zM0 64L70 0h2v10L0 76zM8 96L72 38v12L22 96zM48 96l24-22v12L60 96z" fill="#2a1c15"
    opacity=".72"/>
    <rect x="1.2" y="1.2" width="69.6" height="93.6" rx="6" fill="none" stroke="#fff" stroke-opacity=".11"
    stroke-width="1.6"/>
    <g fill="none" stroke-linecap="round">
    <path d="M17 58c5 9 12 7 15-1s9-10 13-1 11 4 10-15" stroke="#201510" stroke-width="10"/>
    <path d="M17 59.5c5 9 12 7 15-1s9-10 13-1 11 4 10-15" stroke="#7d6352" stroke-width="8.5"/>
    <path d="M17 58.6c5 9 12 7 15-1s9-10 13-1 11 4 10-15" stroke="#654c3d" stroke-width="8"/></g>
    <circle cx="55" cy="40" r="7.5" fill="#654c3d" stroke="#201510" stroke-width="1.2"/>
    <path d="M53 38.5q2 2.4 5 0" fill="none" stroke="#201510" stroke-width="1.7" stroke-linecap="round"/></svg>`;

/* --- dice --- */

/** Where pips are, out of nine places row by row; house dice go up to nine. @type {Record<string, string>} */
const PLACES = {
  1: "4",
  2: "08",
  3: "048",
  4: "0268",
  5: "02468",
  6: "023568",
  7: "0234568",
  8: "01235678",
  9: "012345678",
};

/** @param {string} face */
const pips = (face) =>
  [...(PLACES[face] ?? "")].map((place) => [17 + 13 * (Number(place) % 3), 16 + 13 * Math.floor(Number(place) / 3)]);

/** A drilled pip: rim of light below, dark wall above. @param {number[]} at */
const pip = ([x = 0, y = 0]) =>
  `<rect class="rim" x="${x - 5.6}" y="${y - 4.6}" width="11.2" height="11.2" rx="5"/>
    <rect class="hole" x="${x - 5.6}" y="${y - 5.6}" width="11.2" height="11.2" rx="5"/>
    <path class="glint" d="M${x - 2.6} ${y + 3}a4.4 4.4 0 0 0 5.2 0"/>`;

/** The worm of the die: fewer bends, bolder, with a face. */
const DIE_WORM = wormBody("M13 40c4 9 12 9 16 1s10-8 14-1c4 6 10 1 9-11", 13) + wormHead(47, 20, 14.5, "calm");

/** A die with a thick edge. @param {string} face @param {string} [kind] empty or `gold` */
export const dieFace = (face, kind = "") =>
  `<svg class="dieface ${kind}" viewBox="0 0 60 66" aria-hidden="true">
    <ellipse class="contact" cx="30" cy="62" rx="27" ry="4"/>
    <rect class="edge" x="2" y="9" width="56" height="53" rx="12"/>
    <rect class="skin" x="2" y="1" width="56" height="56" rx="12"/><path class="shine" d="M8 14c0-5 3-8 8-8h26" />
    <rect class="bevel" x="3.2" y="2.2" width="53.6" height="53.6" rx="11"/>
    ${face === "W" ? `<g transform="translate(1.5 5) scale(.86)">${DIE_WORM}</g>` : pips(face).map(pip).join("")}
    </svg>`;

/** A die that waits to be rolled, seen from its corner. @param {number} [turn] degrees @param {string} [kind] */
export const dieWaiting = (turn = 0, kind = "") =>
  `<svg class="dieface waiting ${kind}" viewBox="0 0 60 66" aria-hidden="true">
    <ellipse class="contact" cx="30" cy="60" rx="22" ry="4.5"/><g transform="rotate(${turn} 30 33)">
    <path class="f1" d="M30 6l22 12.5a3 3 0 0 1 0 5L32 35a4 4 0 0 1-4 0L8 23.5a3 3 0 0 1 0-5L28 7z"
    stroke-linejoin="round"/>
    <path class="f2" d="M6.5 21.5L29 34.5v25L10 49a7 7 0 0 1-3.5-6z"/>
    <path class="f3" d="M53.5 21.5L31 34.5v25L50 49a7 7 0 0 0 3.5-6z"/><g class="dot">
    <ellipse cx="30" cy="20.5" rx="4.6" ry="2.9"/>
    <ellipse cx="12.8" cy="34" rx="2.5" ry="3.6" transform="rotate(-20 12.8 34)"/>
    <ellipse cx="22.5" cy="48" rx="2.5" ry="3.6" transform="rotate(-20 22.5 48)"/>
    <ellipse cx="47.5" cy="33" rx="2.4" ry="3.4" transform="rotate(20 47.5 33)"/>
    <ellipse cx="42.3" cy="41" rx="2.4" ry="3.4" transform="rotate(20 42.3 41)"/>
    <ellipse cx="37" cy="49" rx="2.4" ry="3.4" transform="rotate(20 37 49)"/></g></g></svg>`;

/* --- signs --- */

/** Faces of an ordinary die, to spin through. */
export const FACES = [..."12345W"];

/** @type {Record<string, string>} */
const SIGNS = {
  menu: '<path d="M4 6h16M4 12h16M4 18h16" class="l"/>',
  more: `<g class="s"><circle cx="5" cy="12" r="2.2"/><circle cx="12" cy="12" r="2.2"/><circle cx="19" cy="12" r="2.2"/>
    </g>`,
  sound: '<path d="M4 9h4l6-5v16l-6-5H4z" class="s"/><path d="M17 9a4 4 0 0 1 0 6M19.5 6a8 8 0 0 1 0 12" class="l"/>',
  talk: `<path d="M5 4h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-7l-5 5v-5H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z" class="l"/>
    <path d="M8 10h.01M12 10h.01M16 10h.01" class="l"/>`,
  help: '<path d="M9 9a3.2 3.2 0 1 1 4.7 2.8c-1 .6-1.7 1.2-1.7 2.7M12 18.5h.01" class="l"/>',
  again: '<path d="M19.5 12a7.5 7.5 0 1 1-2.3-5.4L20 9M20 4v5h-5" class="l"/>',
  review: '<path d="M4 20V5M4 20h16M8 16v-4M12.5 16V8M17 16v-6" class="l"/>',
  watch: `<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" class="l"/>
      <circle cx="12" cy="12" r="3" class="s"/>`,
  share: '<path d="M12 14V3.5M8 7l4-4 4 4M6 11H5v9h14v-9h-1" class="l"/>',
  mute: '<path d="M4 9h4l6-5v16l-6-5H4z" class="s"/><path d="M17 9.500l5 5m0-5l-5 5" class="l"/>',
  first: '<path d="M19 5l-9 7 9 7zM6 5v14" class="s l"/>',
  curve: '<path d="M4 4v16h16" class="l"/><path d="M7 15l4-5 3 3 5-8" class="l"/>',
  print: '<path d="M7 9V3h10v6M7 17H4V9h16v8h-3M7 14h10v7H7z" class="l"/>',
  back: '<path d="M17 5l-10 7 10 7z" class="s"/>',
  on: '<path d="M7 5l10 7-10 7z" class="s"/>',
  last: '<path d="M5 5l9 7-9 7zM18 5v14" class="s l"/>',
  close: '<path d="M6 6l12 12M18 6L6 18" class="l"/>',
  hint: '<path d="M9 18h6M10 21h4M8.500 14.500A6 6 0 1 1 15.500 14.500c-.7.6-1 1.200-1 2h-5c0-.8-.3-1.400-1-2z" class="l"/>',
  skip: '<path d="M4 5l8 7-8 7zM12 5l8 7-8 7z" class="s"/>',
  friends: `<circle cx="8.5" cy="8" r="3.5" class="s"/><circle cx="16.5" cy="9.5" r="2.8" class="s"/>
      <path d="M2 19c0-4 3-6 6.5-6s6.5 2 6.5 6zM16 19c0-2.4-.7-4.2-2-5.4 4-1.6 8 .6 8 5.4z" class="s"/>`,
  bolt: '<path d="M13 2L5 13.5h5.5L10 22l8.5-12H13z" class="s"/>',
  door: '<path d="M10 4H5v16h5M9.5 12H20M16 7.5l4.5 4.5-4.5 4.5" class="l"/>',
  dice: `<rect x="3" y="3" width="18" height="18" rx="5" class="s"/><g fill="var(--knock,#ff8346)">
    <circle cx="8" cy="8" r="2"/><circle cx="16" cy="8" r="2"/><circle cx="12" cy="12" r="2"/>
    <circle cx="8" cy="16" r="2"/><circle cx="16" cy="16" r="2"/></g>`,
  hand: `<rect x="5" y="2" width="14" height="20" rx="3" class="s"/>
    <path d="M7.5 11.5h9" stroke="var(--knock,#ffc84f)" stroke-width="1.6" stroke-linecap="round"/>
    <path d="M8.5 17.5c1.200 1.800 2.6 1.5 3.300 0s2.300-1.6 3.700-.8M9.5 7l1.800 1.800L15 5.200" fill="none"
    stroke="var(--knock,#ffc84f)" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`,
  thief: `<path d="M1.5 8.5C5 5 8.5 7 12 7s7-2 10.5 1.5c.5 6-2 10-6.5 10-2.300 0-2.700-3-4-3s-1.700 3-4 3c-4.5 0-7-4-6.5-10z"
    class="s"/>
      <ellipse cx="7.5" cy="12" rx="2.5" ry="2" fill="var(--knock,#ffc55a)"/>
      <ellipse cx="16.5" cy="12" rx="2.5" ry="2" fill="var(--knock,#ffc55a)"/>`,
  check: '<path d="M5 12.5l4.5 4.5L19 7.5" class="l"/>',
  flame: '<path d="M12 2c1 5 6 7 6 13a6 6 0 0 1-12 0c0-3 2-4 2.5-7C10.5 9 11.5 6 12 2z" class="s"/>',
};
/** A sign for buttons, 24 by 24, in the text's colour. @param {string} name */
export const sign = (name) => `<svg class="sign" viewBox="0 0 24 24" aria-hidden="true">${SIGNS[name] ?? ""}</svg>`;

/** What is drawn for a reaction; the others are words. @type {Record<string, string>} */
export const EMOTES = {
  worm: worm("relaxed"),
  laugh: worm("happy"),
  wow: worm("startled"),
  cry: worm("curled"),
  fire: `<svg class="worm" viewBox="0 0 64 56" aria-hidden="true">
    <path d="M33 2c2 14 17 18 17 34 0 11-8 19-18 19S14 47 14 36c0-9 6-12 8-21 5 3 7 7 8 11 3-6 4-14 3-24z"
    fill="#f2672b" stroke="#8f2f12" stroke-width="2.2" stroke-linejoin="round"/>
    <path d="M33 28c1 7 8 9 8 16 0 5-4 9-9 9s-9-4-9-9c0-5 3-6 4-10 2 1 3 3 4 5 1-3 2-7 2-11z" fill="#ffd166"/></svg>`,
  thanks: `<svg class="worm" viewBox="0 0 64 56" aria-hidden="true">
      <path d="M32 53C14 40 6 31 6 19 6 9 13 3 20 3c6 0 10 3 12 8 2-5 6-8 12-8 7 0 14 6 14 16 0 12-8 21-26 34z"
      fill="#df4a4a" stroke="#8d2424" stroke-width="2.2"/>
      <path d="M13 18c0-5 3-8 7-8" fill="none" stroke="#ffc9bd" stroke-width="3.6" stroke-linecap="round"/></svg>`,
};
