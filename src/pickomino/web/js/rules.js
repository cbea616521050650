// The rules in few words.
import { dieFace, roundWorm, specialist, tileBack, worm } from "./art.js";
import { draw, h, sheet } from "./dom.js";
import { t } from "./i18n.js";
import { specialistName, specialistText } from "./words.js";

export function showRules() {
  /** @type {[string, string][]} */
  const turn = [
    [dieFace("4"), t("Roll eight dice. Choose one face and keep all dice that show it.")],
    [dieFace("2"), t("Roll the others again. A face that you have kept cannot be kept a second time.")],
    [dieFace("W"), t("A worm counts 5. Without a worm you get nothing.")],
    [worm(), t("Stop when you like: take the tile with your total from the grill, or the next lower one.")],
    [specialist("hen"), t("If your total lies on top of another player's stack, you may steal it.")],
    [tileBack(), t("Bust: nothing to keep, no worm, or no tile. Your top tile goes back and the highest tile of the grill is turned face down, unless it is the one you gave back.")],
  ];
  sheet(t("Rules"), t("Close"),
    h("div", { class: "prose" },
      h("p", {}, t("Collect worms. The game ends when no tile lies open on the grill; most worms win.")),
      h("h3", {}, t("Your turn")),
      h("ul", {}, turn.map(([picture, text], i) => h("li", {}, h("span", { class: i < 3 ? "die" : "tile back", html: picture }), h("span", {}, text)))),
      h("h3", {}, t("Worms on the tiles")),
      h("p", {}, t("21–24 one, 25–28 two, 29–32 three, 33–36 four. With the same number of worms the highest tile wins.")),
      h("h3", {}, t("Deluxe")),
      h("p", {}, t("Specialists stand on tiles. Take the tile and you get the specialist; nobody holds two. After a bust yours goes back to the smallest free tile. 11 and 13 need exactly that total.")),
      h("ul", {}, ["can", "hen", "crow", "weasel", "gold", "apple"].map((name) => h("li", {}, draw(specialist(name)), h("span", {}, h("b", {}, specialistName(name)), h("br"), specialistText(name)))),
        h("li", {}, draw(roundWorm()), h("span", {}, h("b", {}, t("round worms")), h("br"), t("Keep two 1s or more and you get a round worm. It counts one worm and is never lost by a bust."))))));
}
