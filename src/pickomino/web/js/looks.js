// Which bird one plays as, in which colour: letters of the seats that have them by default.
import { call } from "./api.js";
import { bird } from "./birds.js";
import { birdName } from "./bots.js";
import { draw, h, sheet } from "./dom.js";
import { t } from "./i18n.js";
import { load, save } from "./store.js";

/** @typedef {{bird: string, colour: string}} Look */

export const LETTERS = [..."ABCDEFG"];

/** What a seat looks like where nobody has chosen. @param {string} seat @returns {Look} */
export const plain = (seat) => ({ bird: seat, colour: seat });

/**
 * What everybody looked like in a game of this server's, by seat; nothing of a game that it does not know.
 * @param {string} game
 * @returns {Promise<Map<string, Look>>}
 */
export async function looksIn(game) {
  /** @type {import("./messages").Summary|null} */
  const found = game ? await call("GET", `/games/${game}`).catch(() => null) : null;
  return new Map((found?.players ?? []).map(({ seat, bird: kind, colour }) => [seat, { bird: kind, colour }]));
}

/** What I play as, as far as this browser knows. @returns {Look} */
export function myLook() {
  const [kind = "A", colour = "A"] = String(load("look") ?? "");
  return { bird: kind, colour };
}

/** As the server wants it; undefined where I have chosen none. @returns {string|undefined} */
export const wishedLook = () => load("look") ?? undefined;

/**
 * The seats of a table that I make, before the server has laid it: mine first, the others as they come.
 * @param {number} count
 * @returns {Look[]}
 */
export function spread(count) {
  const mine = myLook();
  const other = (/** @type {string} */ letter, /** @type {string} */ taken) => (letter === taken ? "A" : letter);
  return LETTERS.slice(0, count).map((letter, index) =>
    index ? { bird: other(letter, mine.bird), colour: other(letter, mine.colour) } : mine,
  );
}

/**
 * A sheet with all birds and colours; what others have cannot be chosen.
 * @param {Look} now @param {Look[]} taken @param {(look: Look) => void} changed after every choice
 */
export function chooseLook(now, taken, changed) {
  const look = { ...now };
  const face = h("span", { class: "ava", data: { colour: look.colour } });
  const show = () => {
    face.dataset.colour = look.colour;
    face.replaceChildren(draw(bird(look.bird, "happy")));
  };
  const pick = (/** @type {"bird"|"colour"} */ part, /** @type {string} */ letter) => {
    look[part] = letter;
    save("look", look.bird + look.colour);
    show();
    changed(look);
  };
  const one = (/** @type {"bird"|"colour"} */ part, /** @type {string} */ letter) => {
    const label = part === "bird" ? birdName(letter) : t("colour {n}", { n: LETTERS.indexOf(letter) + 1 });
    const input = h("input", {
      type: "radio",
      name: part,
      value: letter,
      checked: letter === look[part],
      disabled: letter !== look[part] && taken.some((other) => other[part] === letter),
      "aria-label": label,
      onchange: () => pick(part, letter),
    });
    const shown = part === "bird" ? draw(bird(letter)) : null;
    return h("label", { title: label, data: { colour: part === "bird" ? "" : letter } }, input, h("span", {}, shown));
  };
  const group = (/** @type {string} */ legend, /** @type {"bird"|"colour"} */ part) =>
    h(
      "fieldset",
      { class: `pick ${part}` },
      h("legend", {}, legend),
      LETTERS.map((letter) => one(part, letter)),
    );
  show();
  sheet(
    t("Bird and colour"),
    h("div", { class: "looks" }, face),
    group(t("Bird"), "bird"),
    group(t("Colour"), "colour"),
  );
}
