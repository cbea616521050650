// The first game: a bird says what to do next, once for each new thing. Few words; the game itself teaches.
import { t } from "./i18n.js";
import { seatIndex } from "./words.js";

/** @typedef {import("./messages").View} View */

export class Guide {
  constructor() {
    /** @type {Set<string>} */
    this.seen = new Set();
    /** The text for a view stays while the view does. */
    this.key = "";
    this.text = "";
  }

  /** The first times nothing plays itself, so that one can see it. @param {View} view */
  holds(view) {
    return view.phase !== "roll" && this.seen.size < 7;
  }

  /** @param {View} view @param {string|null} mine @param {boolean} offered @returns {Node[]|null} */
  words(view, mine, offered) {
    if (!mine || !offered) return null;
    if (this.key !== view.position) {
      this.key = view.position;
      this.text = this.choose(view, mine);
    }
    return [document.createTextNode(this.text)];
  }

  /** @param {string} key @param {string} first the first time @param {string} later */
  once(key, first, later) {
    const text = this.seen.has(key) ? later : first;
    this.seen.add(key);
    return text;
  }

  /** @param {View} view @param {string} mine */
  choose(view, mine) {
    const steal = view.claims.find((claim) => claim.from !== "grill");
    const prey = view.tops.find((top, seat) => top !== null && seat !== seatIndex(mine));
    if (view.phase === "roll") {
      if (!this.seen.size)
        return this.once("start", t("Collect worms: whoever has the most at the end wins. Roll the dice."), "");
      if (prey && !this.seen.has("prey"))
        return this.once("prey", t("A total of exactly {tile} would let you steal that tile.", { tile: prey }), "");
      if (view.stacks[seatIndex(mine)]?.length)
        return this.once("again", t("A bust costs the tile on top of your stack. Roll."), t("Roll the dice."));
      return t("Roll the dice.");
    }
    if (view.phase === "keep" && !view.kept)
      return this.once(
        "keep",
        t("Tap a face: all its dice are kept. The number below is your new total."),
        t("Choose a face to keep."),
      );
    if (view.phase === "keep")
      return this.once(
        "keep2",
        t("Choose another face. One that you have kept cannot be kept again."),
        view.has_worm ? t("Choose a face to keep.") : t("You still need a worm."),
      );
    if (steal)
      return this.once("steal", t("Exactly the top tile of the other stack: steal it!"), t("You can steal a tile."));
    if (!view.has_worm)
      return this.once(
        "worm",
        t("Without a worm among your dice you cannot take a tile. Roll on."),
        t("You still need a worm. Roll on."),
      );
    if (!view.claims.length)
      return this.once("on", t("Your total does not reach a tile yet. Roll on."), t("Not enough yet. Roll on."));
    if (view.moves.includes("r"))
      return this.once(
        "go",
        t("Take the golden tile, or dare another roll. If no new face comes, it is a bust."),
        t("Take, or dare another roll?"),
      );
    return t("Take your tile.");
  }
}
