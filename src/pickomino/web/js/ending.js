// The end: a podium, the stacks opened tile by tile, and what one can do next. A screen of its own, so it cannot be lost.
import { call, explain } from "./api.js";
import { roundWorm, sign, tileFace, wormSmall } from "./art.js";
import { bird } from "./birds.js";
import { exported } from "./chains.js";
import { announce, btn, draw, fill, h, quiet, sheet } from "./dom.js";
import { specialist } from "./figures.js";
import { list, t, tn } from "./i18n.js";
import { plain } from "./looks.js";
import { copy } from "./menu.js";
import { rain } from "./moments.js";
import { move } from "./motion.js";
import { verify } from "./verify.js";
import { seatLetter, worms } from "./words.js";

/**
 * @typedef {object} End
 * @property {string} game
 * @property {import("./messages").View} view
 * @property {import("./messages").ResultInfo} result
 * @property {import("./messages").SeatInfo[]} seats
 * @property {import("./words.js").Who} who
 * @property {(tile: number) => number} wormsOf
 * @property {import("./verify.js").Sides} dice
 * @property {import("./chains.js").Kept|null} kept what this browser gave and saw
 */

/** @param {End} end @param {{again?: () => void, table: () => void}} act */
export function endScreen(end, act) {
  const { view, result, who } = end;
  const name = (/** @type {string} */ seat) => (who.me(seat) ? t("You") : who.name(seat));
  const look = (/** @type {number} */ index) => end.seats[index] ?? plain(seatLetter(index));
  const order = end.seats.map((_, index) => index).sort((a, b) => (result.ranks[a] ?? 0) - (result.ranks[b] ?? 0));
  const winners = result.winners.map(name);
  const score = result.scores[order[0] ?? 0] ?? 0;
  const mine = result.winners.some((seat) => who.me(seat));
  const title =
    winners.length > 1
      ? t("A shared win with {worms}", { worms: worms(score) })
      : mine
        ? t("You win with {worms}", { worms: worms(score) })
        : t("{who} wins with {worms}", { who: winners[0] ?? "", worms: worms(score) });
  const reason =
    {
      "tie-break": t("Same number of worms: the highest tile decides."),
      shared: t("Same number of worms, shared."),
      resignation: t("The others gave up."),
    }[/** @type {string} */ (result.reason)] ?? "";
  const others = order
    .filter((index) => !result.winners.includes(seatLetter(index)))
    .map((index) => `${name(seatLetter(index))} ${result.scores[index] ?? 0}`);
  announce(title);
  const podium = h(
    "ol",
    { class: "podium" },
    order.slice(0, 3).map((index, place) => {
      const seat = seatLetter(index);
      return h(
        "li",
        { class: `p${place + 1}`, data: { colour: look(index).colour } },
        h(
          "span",
          { class: "bigb" },
          draw(bird(look(index).bird, result.winners.includes(seat) ? "happy" : place === 1 ? "calm" : "shocked")),
        ),
        h("b", { class: "nm" }, name(seat)),
        h(
          "span",
          { class: "block" },
          h("i", {}, result.ranks[index] ?? ""),
          h("span", { class: "sc" }, result.scores[index] ?? 0, draw(wormSmall())),
        ),
      );
    }),
  );
  const stacks = h(
    "ul",
    { class: "stacks" },
    order.map((index) => {
      const seat = seatLetter(index);
      const tiles = view.stacks[index] ?? [];
      const apple = view.specialists?.apple === seat;
      const round = view.round_worms?.[index] ?? 0;
      return h(
        "li",
        { data: { colour: look(index).colour } },
        h("span", { class: "ava" }, draw(bird(look(index).bird))),
        h("b", {}, name(seat)),
        h(
          "span",
          { class: "row", role: "img", "aria-label": t("tiles: {tiles}", { tiles: tiles.join(" ") || "–" }) },
          tiles.map((tile) => h("span", { class: "tile", html: tileFace(tile, end.wormsOf(tile)) })),
          apple ? h("span", { class: "extra", html: specialist("apple") }) : null,
          Array.from({ length: round }, () => h("span", { class: "extra", html: roundWorm() })),
        ),
        h("b", { class: "sum2" }, result.scores[index] ?? 0),
      );
    }),
  );

  /** @type {() => import("./picture.js").Row[]} */
  const rows = () =>
    order.map((index) => ({
      look: look(index),
      name: who.name(seatLetter(index)),
      score: result.scores[index] ?? 0,
      won: result.winners.includes(seatLetter(index)),
      tiles: (view.stacks[index] ?? []).map((tile) => [tile, end.wormsOf(tile)]),
    }));
  // In a picture that others see nobody is "you".
  const told =
    winners.length > 1
      ? title
      : t("{who} wins with {worms}", { who: who.name(result.winners[0] ?? ""), worms: worms(score) });
  const shared = `${told}. ${list(order.map((index) => `${who.name(seatLetter(index))} ${result.scores[index] ?? 0}`))}. Pickomino ${location.origin}/`;
  const root = h(
    "main",
    { class: "end" },
    h("h1", {}, title, h("small", {}, [reason, others.join(", ")].filter(Boolean).join(" "))),
    podium,
    stacks,
    h(
      "div",
      { class: "ways" },
      h(
        "a",
        { class: "btn", href: `#review=${end.game}&seat=${end.seats.find(({ seat }) => who.me(seat))?.seat ?? ""}` },
        draw(sign("curve")),
        h("b", {}, t("Review")),
      ),
      h("a", { class: "btn", href: `#replay=${end.game}` }, draw(sign("watch")), h("b", {}, t("Watch"))),
      btn(t("Share"), () => void share(told, shared, rows()), { icon: "share" }),
      btn(t("Dice"), () => checkDice(end), { icon: "check" }),
      act.again
        ? btn(t("Play again"), act.again, { icon: "again", kind: "roll" })
        : h("a", { class: "btn roll", href: "#" }, h("b", {}, t("To the start"))),
    ),
    h(
      "div",
      { class: "quiets" },
      quiet(t("Look at the table"), act.table),
      h("a", { class: "quiet", href: "#" }, t("To the start")),
    ),
  );
  requestAnimationFrame(() => {
    [...podium.children].reverse().forEach(
      (block, i) =>
        void move(
          block,
          [
            { transform: "translateY(60%)", opacity: 0 },
            { transform: "none", opacity: 1 },
          ],
          { duration: 500, delay: i * 320, easing: "cubic-bezier(.2,.9,.3,1.1)" },
        ),
    );
    root.querySelectorAll(".stacks .tile, .stacks .extra").forEach(
      (tile, i) =>
        void move(
          tile,
          [
            { opacity: 0, transform: "translateY(-14px) rotate(-6deg)" },
            { opacity: 1, transform: "none" },
          ],
          { duration: 300, delay: 500 + i * 60, easing: "ease-out" },
        ),
    );
    rain(root);
  });
  return root;
}

/** @param {string} title @param {string} text @param {import("./picture.js").Row[]} rows */
async function share(title, text, rows) {
  const copyText = () => void copy(text, t("The result is copied."));
  try {
    const { sharePicture } = await import("./picture.js");
    await sharePicture(title, text, rows, copyText);
  } catch {
    copyText(); // no picture without a canvas; words always
  }
}

/** What the dice followed from, checked here. @param {End} end */
function checkDice(end) {
  const { game, kept } = end;
  const proof = h("ul", { class: "stack", role: "status" });
  const file = kept ? URL.createObjectURL(new Blob([exported(kept)], { type: "application/json" })) : "";
  sheet(
    t("Dice"),
    h(
      "div",
      { class: "stack proof" },
      proof,
      h("a", { class: "link", href: `/api/games/${game}/record`, download: `${game}.pkgn` }, t("Save the record")),
      kept
        ? h("a", { class: "link", href: file, download: `${game}.kept.json` }, t("Save what this browser kept"))
        : null,
    ),
  );
  void check(end, proof);
}

/** @param {End} end @param {HTMLElement} say */
async function check(end, say) {
  fill(say, h("li", {}, t("Checking…")));
  try {
    const text = await call("GET", `/games/${end.game}/record`, undefined, true);
    fill(
      say,
      sentences(verify(text, end.dice, end.kept), end).map((sentence) => h("li", {}, sentence)),
    );
  } catch (error) {
    fill(say, h("li", {}, explain(error)));
  }
}

/**
 * What was checked, what was not right, and what could not be told.
 * @param {import("./verify.js").Found} found @param {End} end
 */
function sentences(found, { who }) {
  if (found.fault) return [t("The dice fail the check: {fault}.", { fault: found.fault })];
  const why = found.joint
    ? t("they follow from what the server and the players' devices fixed beforehand.")
    : t("they follow from what the server fixed before the game and from what came with each roll.");
  const said = [`${tn("One roll is right", "All {n} rolls are right", found.rolls)}: ${why}`];
  if (found.first) said.push(t("The starting player came from the same source."));
  const added = Object.entries(found.added).map(([letter, n]) => `${who.name(letter)} ${n}`);
  if (added.length) said.push(t("Rolls that each device contributed to: {list}.", { list: list(added) }));
  if (found.joint && found.alone)
    said.push(tn("Only the server contributed to one roll.", "Only the server contributed to {n} rolls.", found.alone));
  for (const { k, seats } of found.voids)
    said.push(
      t("Roll {k} did not count: nothing came from {who}.", { k, who: list([...seats].map((seat) => who.name(seat))) }),
    );
  if (found.tip) said.push(t("The server's promise is the one that this browser saw before the game."));
  if (found.mine)
    said.push(
      tn(
        "What this browser contributed is in it, once.",
        "What this browser contributed is in it, all {n} times.",
        found.mine,
      ),
    );
  for (const problem of found.problems) said.push(t("Not right: {fault}.", { fault: problem }));
  if (found.unknown.includes("tip")) said.push(t("Not checked: this browser did not see the start of the game."));
  if (found.unknown.includes("kept")) said.push(t("Not checked: this browser did not play this game."));
  said.push(
    t("This page comes from the server too. If you trust neither, save both files and run pickomino verify --kept."),
  );
  return said;
}
