// The end: ranking with the stacks opened tile by tile, another game, the record, the dice checked.
import { call, explain } from "./api.js";
import { bird, specialist, roundWorm, tileFace, worm } from "./art.js";
import { announce, draw, h, sheet, toast } from "./dom.js";
import { t, tn } from "./i18n.js";
import { move, sleep } from "./motion.js";
import { load } from "./store.js";
import { verify } from "./verify.js";

/** @param {import("./table.js").Table} table */
export async function ending(table) {
  const { state, stage, info } = table;
  const result = state?.result;
  if (!state || !stage || !info || !result) return;
  const names = result.winners.map((seat) => (table.who.me(seat) ? t("You") : table.nameOf(seat)));
  const alone = names.length === 1 && result.winners.some((seat) => table.who.me(seat));
  const title = alone ? t("You win") : names.length === 1 ? t("{who} wins", { who: names[0] ?? "" }) : t("A shared win");
  announce(title);
  const order = info.seats.map((_, index) => index).sort((a, b) => (result.ranks[a] ?? 0) - (result.ranks[b] ?? 0));
  /** @type {Element[]} */
  const tiles = [];
  const ranks = order.map((index) => {
    const letter = String.fromCharCode(65 + index);
    const stack = (state.view.stacks[index] ?? []).map((tile) => h("span", { class: "tile", html: tileFace(tile, stage.grill.wormsOf(tile)) }));
    tiles.push(...stack);
    const held = Object.entries(state.view.specialists ?? {}).filter(([name, place]) => place === letter && name === "apple").map(([name]) => draw(specialist(name)));
    const round = state.view.round_worms?.[index] ?? 0;
    return h("li", { class: `seat-${letter}${result.winners.includes(letter) ? " first" : ""}` },
      h("span", { class: "n" }, result.ranks[index] ?? ""), draw(bird(letter)),
      h("span", { class: "name" }, table.who.me(letter) ? t("You") : table.nameOf(letter)),
      h("span", { class: "score" }, result.scores[index] ?? 0, draw(worm()), h("span", { class: "hush" }, t("worms"))),
      h("span", { class: "open", role: "img", "aria-label": t("tiles: {tiles}", { tiles: (state.view.stacks[index] ?? []).join(" ") || "–" }) }, stack),
      held.length || round ? h("span", { class: "extras" }, held, round ? [draw(roundWorm()), `× ${round}`] : null) : null);
  });
  const proof = h("p", { class: "small", role: "status" });
  const reason = { "tie-break": t("Same number of worms: the highest tile decides."), shared: t("Same number of worms, shared."), resignation: t("The others gave up.") }[result.reason] ?? "";
  const dialog = sheet(title, t("Close"),
    h("div", { class: "ending" },
      reason ? h("p", { class: "small" }, reason) : null,
      h("ol", { class: "ranks" }, ranks),
      h("div", { class: "do" },
        table.mine.length ? h("button", { class: "primary", onclick: () => { dialog.close(); again(table); } }, t("Play again")) : null,
        h("a", { class: "plain low", href: `#replay=${state.game}`, onclick: () => dialog.close() }, t("Watch the game")),
        h("a", { class: "plain low", href: `/api/games/${state.game}/record`, download: `${state.game}.pkgn` }, t("Save the record")),
        h("button", { class: "plain low", data: { verify: "1" }, onclick: () => check(state.game, proof) }, t("Verify the dice"))),
      proof));
  dialog.classList.add("end");
  for (const tile of tiles) move(tile, [{ opacity: 0, transform: "translateY(-14px) rotate(-6deg)" }, { opacity: 1, transform: "none" }], { duration: 380, delay: tiles.indexOf(tile) * 130, easing: "cubic-bezier(.3,1.3,.6,1)" });
  await sleep(1);
}

/** The same people once more; where all others are bots it begins at once. @param {import("./table.js").Table} table */
async function again(table) {
  try {
    const answer = await call("POST", `/tables/${table.id}/rematch`);
    table.you = answer.you;
    const others = answer.table.seats.some((/** @type {import("./types.js").SeatInfo} */ seat) => seat.kind === "person" && !table.mine.includes(seat.seat));
    if (answer.you?.host && !others) await call("POST", `/tables/${table.id}/start`);
  } catch (error) {
    toast(explain(error));
  }
}

/** @param {string} game @param {HTMLElement} say */
export async function check(game, say) {
  say.textContent = t("Checking…");
  try {
    const text = await call("GET", `/games/${game}/record`, undefined, true);
    const sent = load("nonces");
    const mine = sent && sent.game === game ? sent.nonces : [];
    const found = verify(text, (load("tips") || {})[game] ?? "", mine);
    say.textContent = found.fault
      ? t("The dice do not check: {fault}.", { fault: found.fault })
      : `${tn("One roll is right", "All {n} rolls are right", found.rolls)}: ${t("they follow from what the server fixed before the game and from what this browser sent.")}`;
  } catch (error) {
    say.textContent = explain(error);
  }
}
