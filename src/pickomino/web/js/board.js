// A position on the table, without a game around it: for reviews and drills.
import { fill, h, toast } from "./dom.js";
import { Grill } from "./grill.js";
import { t } from "./i18n.js";
import { plain } from "./looks.js";
import { Seats } from "./seats.js";
import { Tray } from "./tray.js";

/** @typedef {import("./messages").View} View */

export class Board {
  /**
   * @param {import("./messages").EditionInfo} edition @param {import("./words.js").Who} who
   * @param {(move: string) => void} act @param {(seat: string) => import("./looks.js").Look} [lookOf]
   */
  constructor(edition, who, act, lookOf = plain) {
    this.who = who;
    this.lookOf = lookOf;
    this.grill = new Grill(edition, act, toast);
    this.seats = new Seats((tile) => this.grill.wormsOf(tile), act, toast);
    this.tray = new Tray(act);
    this.root = h(
      "div",
      { class: `board${edition.specialists.length ? " deluxe" : ""}` },
      this.seats.root,
      this.grill.root,
      h("section", { class: "tray", "aria-label": t("Dice and choices") }, this.tray.root),
    );
  }

  /** @param {View} view @param {string[]} moves what can be chosen @param {Node[]} said the line above the choices */
  show(view, moves, said) {
    const { who } = this;
    const face = (/** @type {string} */ letter) => ({
      name: who.me(letter) ? t("You") : who.name(letter),
      tag: "",
      off: false,
      bot: false,
      ...this.lookOf(letter),
    });
    this.seats.show(view, face, moves.length > 0);
    this.grill.show(view, moves.length > 0, t("take"));
    this.tray.show(view, moves, who, said, "");
  }

  /** Where a move lies on the table: dice, a tile, or a button. @param {string} move */
  placeOf(move) {
    const tile = Number(move.slice(1));
    if (move.startsWith("t")) return this.grill.at(tile)?.querySelector(".tile");
    if (move.startsWith("x")) return this.seats.root.querySelector(`.tile[data-tile="${tile}"]`);
    return this.tray.root.querySelector(`[data-move="${move}"]`);
  }

  /**
   * The better move and the one played, each framed and named where it lies.
   * @param {string} best @param {string} played @param {{best: string, played: string}} words
   */
  mark(best, played, words) {
    for (const old of this.root.querySelectorAll(".marked")) old.classList.remove("marked", "is-best", "is-played");
    for (const old of this.root.querySelectorAll(".flag")) old.remove();
    for (const [move, kind, word] of /** @type {const} */ ([
      [played, "is-played", words.played],
      [best, "is-best", words.best],
    ])) {
      const place = this.placeOf(move);
      if (!place || (kind === "is-played" && best === played)) continue;
      place.classList.add("marked", kind);
      place.querySelector(".note")?.remove();
      place.append(h("span", { class: `flag ${kind}` }, word));
    }
  }

  /** As it was, and nothing to choose any more: what shows a move stays, and takes no focus. */
  freeze() {
    this.root.classList.add("shown");
    fill(this.tray.line);
    fill(this.tray.quiet);
    for (const button of this.root.querySelectorAll("button:not([title])")) {
      button.setAttribute("tabindex", "-1");
      button.setAttribute("aria-disabled", "true");
    }
  }
}
