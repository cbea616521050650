// Dice as elements.
import { dieFace, dieWaiting } from "./art.js";
import { h } from "./dom.js";
import { faceName } from "./words.js";

/** @typedef {[face: string, golden: boolean]} Die */

/** Dice of a text such as `1124+W`, the golden one last. @param {string} text @returns {Die[]} */
export function parse(text) {
  const [white = "", gold = ""] = text.split("+");
  return [
    ...[...white].map((face) => /** @type {Die} */ ([face, false])),
    ...[...gold].map((face) => /** @type {Die} */ ([face, true])),
  ];
}

/** Dice in words. @param {string} text */
export const sayDice = (text) =>
  parse(text)
    .map(([face]) => faceName(face))
    .join(" ");

/** @param {Die} die @param {string} [state] can, dead, kept */
export const dieOf = ([face, gold], state = "") =>
  h("span", { class: `die ${state}`, data: { face }, html: dieFace(face, gold ? "gold" : "") });

/** Small turns, so that waiting dice do not stand in rank and file. */
const TURNS = [-5, 3, 8, -2, 6, -8, 1, 4, -4];

/** Dice that keep their secret. @param {number} count @param {boolean} gold whether the last one is golden */
export const waitingDice = (count, gold) =>
  Array.from({ length: count }, (_, i) =>
    h("span", { class: "die wait", html: dieWaiting(TURNS[i % TURNS.length], gold && i === count - 1 ? "gold" : "") }),
  );

/**
 * The largest dice with which all that lies in a well fits into it; the style sheet says how large at most.
 * @param {HTMLElement} well
 */
export function fitDice(well) {
  if (!well.clientHeight) return;
  const waiting = /** @type {HTMLElement|null} */ (well.querySelector(".aside > .set"));
  if (waiting) waiting.style.maxWidth = "";
  let size = Number(getComputedStyle(well).getPropertyValue("--most")) || 50;
  do {
    well.style.setProperty("--die", `${size}px`);
    size *= 0.92;
  } while (size > 16 && (well.scrollHeight > well.clientHeight + 1 || well.scrollWidth > well.clientWidth + 1));
  if (waiting) evenRows(waiting);
}

/** Dice that need more than one row lie in rows of the same length, as far as they go up. @param {HTMLElement} set */
function evenRows(set) {
  const dice = /** @type {HTMLElement[]} */ ([...set.children]);
  const rows = new Set(dice.map((die) => die.offsetTop)).size;
  const [first, second] = dice;
  if (rows < 2 || !first || !second) return;
  set.style.maxWidth = `${Math.ceil(dice.length / rows) * (second.offsetLeft - first.offsetLeft)}px`;
}
