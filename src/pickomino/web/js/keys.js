// Everything by keyboard. Keys act only while no dialog is open and no field is being typed in.
import { keysHelp } from "./menu.js";
import { skip } from "./motion.js";
import { showRules } from "./rules.js";
import { wake } from "./sound.js";

/** @param {() => import("./table.js").Table|null} current */
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
    const typing = target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
    if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "h") showRules();
    else if (key === "k" || key === "F1") keysHelp();
    else if (!atTable(key, current())) return;
    event.preventDefault();
  });
}

/** @param {string} key @param {import("./table.js").Table|null} table */
function atTable(key, table) {
  if (!table) return false;
  const moves = table.stage?.moves ?? [];
  const act = (/** @type {string|undefined} */ move) => {
    if (!move) return false;
    table.act(move);
    return true;
  };
  if (/^[1-5]$/.test(key)) return act(moves.find((move) => move === `k${key}`));
  if (key === "w" || key === "6") return act(moves.find((move) => move === "kW"));
  if (key === "r") return act(moves.find((move) => ["roll", "r", "w", "n"].includes(move)));
  if (key === "g") return act(moves.find((move) => move === "g"));
  if (key === "t") return act(moves.find((move) => /^[xt]/.test(move)) ?? moves.find((move) => move === "s"));
  if (key === "?") table.hint();
  else if (key === "m") table.openMenu();
  else if (key === "e") table.react();
  else if (key === "s") /** @type {HTMLElement|null} */ (document.querySelector(".top [aria-pressed]"))?.click();
  else return false;
  return true;
}
