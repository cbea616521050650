// The first game: a bird says what to do next, once for each new thing. Few words; the game itself teaches.
import { bird } from "./art.js";
import { draw, fill, h } from "./dom.js";
import { t } from "./i18n.js";

export class Coach {
  constructor() {
    this.text = h("p");
    this.root = h("div", { class: "coach seat-A", role: "note" }, draw(bird("A")), this.text);
    /** @type {Set<string>} */
    this.seen = new Set();
    fill(this.text, t("Welcome to the barbecue. Collect worms!"));
  }

  /** The first times nothing plays itself, so that one can see it. @param {import("./types.js").State} state */
  holds(state) {
    return state.view.phase !== "roll" && this.seen.size < 7;
  }

  /** @param {string} key @param {string} first the first time @param {string} later */
  once(key, first, later) {
    fill(this.text, this.seen.has(key) ? later : first);
    this.seen.add(key);
  }

  /** @param {import("./types.js").State} state @param {string|null} mine */
  say(state, mine) {
    const view = state.view;
    if (!mine) {
      this.once("wait", t("Now the others play. Watch which tiles they take."), t("The others play."));
      return;
    }
    if (view.phase === "roll") {
      if (view.stacks[mine.charCodeAt(0) - 65]?.length) this.once("again", t("You have a tile. A bust would cost it, so be careful."), t("Roll the dice."));
      else this.once("roll", t("Roll the dice."), t("Roll the dice."));
    } else if (view.phase === "keep" && !view.kept) this.once("keep", t("Tap a die: all dice of that face are kept. Worms and high numbers are good."), t("Choose a face to keep."));
    else if (view.phase === "keep") this.once("keep2", t("Choose again. Pale dice show a face that you have already kept."), view.has_worm ? t("Choose a face to keep.") : t("You still need a worm."));
    else if (view.phase === "go" && !view.claims.length) this.once("on", t("You need at least 21 and a worm to take a tile. Roll on."), t("Not enough yet. Roll on."));
    else if (view.phase === "go" && view.moves.includes("r")) this.once("go", t("You can take a tile now, or dare another roll. If no new face comes, it is a bust."), t("Take, or dare another roll?"));
    else if (view.phase === "go") this.once("take", t("Take your tile."), t("Take your tile."));
  }
}
