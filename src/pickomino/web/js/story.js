// Another's turn, told on the same board: the bird, what it rolled and kept row by row, and how it ended.
import { tileFace } from "./art.js";
import { bird } from "./birds.js";
import { dieOf, fitDice, parse } from "./dice.js";
import { btn, draw, fill, h } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {import("./birds.js").Mood} Mood */
/**
 * About the one whose turn is told.
 * @typedef {object} Teller
 * @property {string} kind
 * @property {string} next
 * @property {boolean} mine
 * @property {boolean} away
 * @property {(() => void)|null} standIn lets a bot play for who is away
 */

export class Story {
  /** @param {() => void} skip to my turn */
  constructor(skip) {
    this.face = h("span", { class: "bigbird" });
    this.name = h("b");
    this.kind = h("small");
    this.says = h("p", { class: "says" });
    this.goal = h("span", { class: "goal" });
    this.rows = h("ol", { class: "steps" });
    this.well = h("div", { class: "well" }, this.rows);
    this.next = h("small");
    this.skip = btn(t("Skip to my turn"), skip, { kind: "tiny", icon: "skip", data: { go: "skip" } });
    this.standIn = btn(t("Let a bot play"), null, { kind: "tiny", hidden: true, data: { go: "stand-in" } });
    this.root = h(
      "div",
      { class: "theirs" },
      h("div", { class: "story" }, this.face, h("h2", {}, this.name, this.kind), this.says, this.goal),
      this.well,
      h("div", { class: "foot" }, this.next, this.standIn, this.skip),
    );
    this.seat = "";
    this.kindOf = "";
    this.away = false;
    /** @type {Node[]} */
    this.words = [];
    /** @type {HTMLLIElement|null} */
    this.row = null;
  }

  /** A turn begins. @param {string} seat @param {import("./looks.js").Look} look */
  begin(seat, look) {
    this.seat = seat;
    this.kindOf = look.bird;
    this.row = null;
    this.root.dataset.colour = look.colour;
    fill(this.rows);
    fill(this.goal);
    this.mood("thinking");
    this.say([]);
  }

  /** @param {Teller & {name: string}} about */
  about({ name, kind, next, mine, away, standIn }) {
    if (away !== this.away) {
      this.away = away;
      this.mood(away ? "asleep" : "thinking");
      this.say(this.words);
    }
    this.name.textContent = name;
    this.kind.textContent = kind;
    this.next.textContent = next;
    this.skip.hidden = !mine;
    this.standIn.hidden = !standIn;
    this.standIn.onclick = standIn;
  }

  /** @param {Mood} mood */
  mood(mood) {
    if (this.face.dataset.mood === this.kindOf + mood) return;
    this.face.dataset.mood = this.kindOf + mood;
    fill(this.face, draw(bird(this.kindOf, mood)));
  }

  /** @param {Node[]} nodes */
  say(nodes) {
    this.words = nodes;
    fill(this.says, nodes.length ? nodes : this.away ? t("is not there just now") : t("is rolling…"));
  }

  /** A roll is a new row. @param {string} dice @returns {Element[]} the dice, to be tumbled */
  rolled(dice) {
    const shown = parse(dice).map((die) => dieOf(die));
    this.row = h("li", { data: { dice } }, h("span", { class: "set" }, shown), h("span", { class: "n" }));
    this.rows.append(this.row);
    fitDice(this.well);
    return shown;
  }

  /** What was kept comes first, the rest pales. @param {string} face @param {number} total */
  kept(face, total) {
    if (!this.row) return;
    const dice = parse(this.row.dataset.dice ?? "");
    const set = /** @type {Element} */ (this.row.firstElementChild);
    fill(
      set,
      dice.filter((die) => die[0] === face).map((die) => dieOf(die, "kept")),
      dice.filter((die) => die[0] !== face).map((die) => dieOf(die, "dead")),
    );
    /** @type {Element} */ (this.row.lastElementChild).textContent = String(total);
  }

  /** The whole roll was for nothing. */
  lost() {
    this.row?.querySelectorAll(".die").forEach((die) => die.classList.add("grey"));
    this.mood("shocked");
  }

  /** @param {number} tile @param {number} worms @param {boolean} stolen */
  got(tile, worms, stolen) {
    fill(this.goal, h("span", { class: `tile ${stolen ? "steal" : "take"}`, html: tileFace(tile, worms) }));
    this.mood("happy");
  }
}
