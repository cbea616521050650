// Moments that lie over the table: a steal through the middle of the screen, worms that rain at the end.
import { tileFace, wormSmall } from "./art.js";
import { bird, feather } from "./birds.js";
import { draw, h } from "./dom.js";
import { t } from "./i18n.js";
import { move, pop, sleep, still } from "./motion.js";

/** @typedef {{look: import("./looks.js").Look, name: string, change: number}} Side */

/**
 * The robbed one above, the thief below, the tile between them.
 * @param {{tile: number, worms: number, thief: Side, victim: Side, text: string, from: DOMRect, to: DOMRect}} what
 */
export async function stealMoment({ tile, worms, thief, victim, text, from, to }) {
  if (still()) return;
  const tag = (/** @type {Side} */ side) =>
    h(
      "span",
      { class: `tag ${side.change < 0 ? "minus" : "plus"}` },
      `${side.name} ${side.change < 0 ? "−" : "+"}${Math.abs(side.change)}`,
      draw(wormSmall()),
    );
  const tags = [victim, thief].map((side) => (side.change ? tag(side) : null));
  const robbed = h(
    "div",
    { class: "disc robbed", data: { colour: victim.look.colour } },
    draw(bird(victim.look.bird, "shocked")),
    tags[0],
  );
  const robber = h(
    "div",
    { class: "disc robber", data: { colour: thief.look.colour } },
    draw(bird(thief.look.bird, "happy")),
    tags[1],
  );
  const loot = h("div", { class: "loot tile", html: tileFace(tile, worms) });
  const feathers = Array.from({ length: 6 }, () => h("span", { class: "plume", html: feather("#d9b88a") }));
  const words = h("div", { class: "head" }, h("p", { class: "big" }, t("Stolen")), h("p", {}, text));
  const veil = h("div", { class: "veil" });
  const moment = h("div", { class: "moment", "aria-hidden": "true" }, veil, robbed, robber, feathers, loot, words);
  document.body.append(moment);
  const middle = { x: innerWidth / 2, y: innerHeight * 0.47 };
  const size = loot.getBoundingClientRect().width;
  const at = (/** @type {DOMRect} */ rect) =>
    `translate(${rect.left + rect.width / 2 - middle.x}px, ${rect.top + rect.height / 2 - middle.y}px) scale(${rect.width / size})`;
  const all = [
    move(veil, [{ opacity: 0 }, { opacity: 1 }], { duration: 160 }),
    pop(robbed, 80),
    pop(robber, 160),
    pop(words, 420),
    ...tags.map((item) => (item ? pop(item, 900) : undefined)),
    ...feathers.map((plume, i) =>
      move(
        plume,
        [
          { transform: `translate(${(i - 2.5) * 8}px, -20px) rotate(${i * 50}deg)`, opacity: 0 },
          { opacity: 1, offset: 0.2 },
          {
            transform: `translate(${(i - 2.5) * 46}px, ${90 + (i % 3) * 50}px) rotate(${i * 50 + 200}deg)`,
            opacity: 0,
          },
        ],
        { duration: 1300, delay: 260 + i * 60, easing: "ease-out", fill: "both" },
      ),
    ),
    move(
      loot,
      [
        { transform: `${at(from)} rotate(0deg)`, easing: "cubic-bezier(.5,0,.2,1)" },
        { transform: "translate(0, 0) rotate(-11deg)", offset: 0.42, easing: "linear" },
        { transform: "translate(0, 0) rotate(-8deg)", offset: 0.7, easing: "cubic-bezier(.5,0,.2,1)" },
        { transform: `${at(to)} rotate(0deg)` },
      ],
      { duration: 1450, delay: 120, fill: "both" },
    ),
  ];
  await Promise.all(all);
  await sleep(60);
  moment.remove();
}

/** Worms rain for three seconds. @param {Element} host */
export function rain(host) {
  if (still()) return;
  for (let i = 0; i < 36; i += 1) {
    const drop = h("span", { class: `drop hue${i % 4}`, html: wormSmall() });
    const x = Math.random() * innerWidth;
    host.append(drop);
    const turn = (Math.random() - 0.5) * 720;
    void move(
      drop,
      [
        { transform: `translate(${x}px, -40px) rotate(0deg)` },
        { transform: `translate(${x + (Math.random() - 0.5) * 120}px, ${innerHeight + 40}px) rotate(${turn}deg)` },
      ],
      { duration: 2200 + Math.random() * 900, delay: i * 60, easing: "cubic-bezier(.3,.1,.8,1)", fill: "both" },
    ).then(() => drop.remove());
  }
}
