// What each choice is worth, from the server's analysis.
import { call, explain } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { decimal, percent, t } from "./i18n.js";
import { moveText } from "./words.js";

/** @param {import("./table.js").Table} table */
export async function showHint(table) {
  const stage = table.stage;
  const state = table.state;
  if (!stage || !state) return;
  const box = stage.tray.more;
  if (!box.hidden && box.dataset.v === String(state.v) && box.querySelector(".hint")) {
    box.hidden = true;
    return;
  }
  box.dataset.v = String(state.v);
  box.hidden = false;
  fill(box, h("div", { class: "hint" }, h("p", {}, t("Thinking…"))));
  try {
    /** @type {import("./types.js").Advice} */
    const advice = await call("GET", `/tables/${table.id}/advice`);
    if (advice.v !== table.state?.v) {
      box.hidden = true;
      return;
    }
    fill(box, list(advice, state, table));
    announce(box.textContent ?? "");
  } catch (error) {
    fill(box, h("div", { class: "hint" }, h("p", {}, explain(error))));
  }
}

/** @param {import("./types.js").Advice} advice @param {import("./types.js").State} state @param {import("./table.js").Table} table */
function list(advice, state, table) {
  if (!advice.moves.length) return h("div", { class: "hint" }, h("p", {}, t("The dice decide now.")));
  const chance = advice.objective === "win";
  const values = advice.moves.map((item) => item.value);
  const low = chance ? Math.min(...values) : Math.min(...values, 0);
  const span = Math.max(...values) - low || 1;
  return h("div", { class: "hint" },
    h("p", {}, chance ? t("Chance to win, best first:") : t("Worms to expect from this turn, best first:")),
    h("ul", { class: "stack" }, advice.moves.map(({ move, value }) => {
      const [title, note] = moveText(move, state.view, table.who);
      const bar = h("i");
      bar.style.transform = `scaleX(${0.06 + 0.94 * ((value - low) / span)})`;
      return h("li", {}, h("span", {}, title, " ", h("small", {}, note)), h("span", {}, chance ? percent(value, 1) : decimal(value)), h("span", { class: "bar" }, bar));
    })));
}
