// Everything by keyboard. Keys act only while no dialog is open and no field is being typed in.
import { keysHelp, menu } from "./menu.js";
import { skip } from "./motion.js";
import { showRules } from "./rules.js";
import { wake } from "./sound.js";

/**
 * What keys do on the screen that is shown.
 * @typedef {object} Keyboard
 * @property {() => string[]} [moves]
 * @property {(move: string) => void} [act]
 * @property {() => void} [hint]
 * @property {() => void} [react]
 * @property {() => void} [menu]
 * @property {() => import("./messages").EditionInfo|null} [house] the edition of a table with house rules
 * @property {(steps: number) => void} [step] through a replay
 */

/** @param {() => Keyboard|null} current */
export function listen(current) {
  addEventListener("pointerdown", () => {
    document.documentElement.dataset.input = "pointer";
    wake();
    skip();
  });
  addEventListener("keydown", (event) => {
    document.documentElement.dataset.input = "keys";
    wake();
    skip();
    const target = event.target;
    const typing =
      target instanceof HTMLInputElement ||
      target instanceof HTMLSelectElement ||
      target instanceof HTMLTextAreaElement;
    if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "h") void showRules(current()?.house?.());
    else if (key === "k" || key === "F1") keysHelp();
    else if (key === "m") (current()?.menu ?? menu)();
    else if (key === "s") /** @type {HTMLElement|null} */ (document.querySelector(".top [aria-pressed]"))?.click();
    else if (!atTable(key, current() ?? {})) return;
    event.preventDefault();
  });
}

/** @param {string} key @param {Keyboard} board */
function atTable(key, board) {
  const moves = board.moves?.() ?? [];
  const act = (/** @type {string|undefined} */ move) => {
    if (move) board.act?.(move);
    return Boolean(move);
  };
  const keep = moves.find((move) => move.toLowerCase() === `k${key}`);
  if (keep) return act(keep);
  if (key === "r") return act(moves.find((move) => ["roll", "r", "w", "n"].includes(move)));
  if (key === "g") return act(moves.find((move) => move === "g"));
  if (key === "t") return act(moves.find((move) => /^[xt]/.test(move)) ?? moves.find((move) => move === "s"));
  if (key === "?" && board.hint) board.hint();
  else if (key === "e" && board.react) board.react();
  else if ((key === "ArrowLeft" || key === "ArrowRight") && board.step) board.step(key === "ArrowLeft" ? -1 : 1);
  else return false;
  return true;
}
