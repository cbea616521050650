// The rules in few words. Numbers come from the edition.
import { about } from "./api.js";
import { dieFace, dieWaiting, roundWorm, sign, tileBack, wormSmall } from "./art.js";
import { draw, h, sheet } from "./dom.js";
import { specialist } from "./figures.js";
import { list, t, tn } from "./i18n.js";
import { specialistName, specialistText, worms } from "./words.js";

/** @param {import("./messages").EditionInfo|null} [house] the edition of a table with house rules */
export async function showRules(house = null) {
  const { editions } = await about().catch(() => ({ editions: [] }));
  const [classic] = house ? [house] : editions;
  const deluxe = house ? (house.specialists.length ? house : undefined) : editions.find(({ key }) => key === "deluxe");
  const { 5: five, W: worm } = classic?.faces ?? {};
  const counts = five === worm ? t("A worm counts as much as a five.") : t("A worm counts {n}.", { n: worm ?? 0 });
  /** @type {[string, string][]} */
  const turn = [
    [
      dieWaiting(4),
      tn("Roll the die.", "Roll {n} dice. Choose one face and keep all dice that show it.", classic?.dice ?? 0),
    ],
    [dieFace("2"), t("Roll the others again. A face that you have kept cannot be kept a second time.")],
    [dieFace("W"), `${counts} ${t("Without a worm you get nothing.")}`],
    [sign("hand"), t("Stop when you like: take the tile with your total from the grill, or the next lower one.")],
    [sign("thief"), t("If your total lies on top of another player's stack, you may steal that tile.")],
    [
      tileBack(),
      t(
        "Bust: no new face, no worm, or no tile. Your top tile goes back and the highest tile of the grill is turned face down, unless it is the one you gave back.",
      ),
    ],
  ];
  sheet(
    house?.name ? `${t("Rules")}: ${house.name}` : t("Rules"),
    h(
      "div",
      { class: "prose" },
      h("p", {}, t("Collect worms. The game ends when no tile on the grill is face up; the most worms win.")),
      h("h3", {}, t("Your turn")),
      h(
        "ul",
        {},
        turn.map(([picture, text]) => h("li", {}, h("span", { class: "pic", html: picture }), h("span", {}, text))),
      ),
      h("h3", {}, t("Worms on the tiles")),
      h(
        "ul",
        {},
        runs(classic).map(([from, to, count]) =>
          h("li", {}, h("span", { class: "pic", html: wormSmall() }), h("span", {}, `${from}–${to}: ${worms(count)}`)),
        ),
      ),
      h("p", {}, t("With the same number of worms the highest tile wins.")),
      deluxe
        ? [
            h("h3", {}, house ? t("Specialists") : t("Deluxe")),
            h(
              "p",
              {},
              t(
                "Specialists stand on tiles. Take the tile and you get the specialist; nobody holds two. After a bust yours goes back to the smallest free tile.",
              ),
              deluxe.exact_only.length
                ? ` ${t("{tiles} need exactly that total.", { tiles: list(deluxe.exact_only.map(String)) })}`
                : null,
            ),
            h(
              "ul",
              {},
              deluxe.specialists.map((name) =>
                h(
                  "li",
                  {},
                  draw(specialist(name)),
                  h("span", {}, h("b", {}, specialistName(name)), h("br"), specialistText(name)),
                ),
              ),
              deluxe.round_worms > 0 &&
                h(
                  "li",
                  {},
                  draw(roundWorm()),
                  h(
                    "span",
                    {},
                    h("b", {}, t("round worms")),
                    h("br"),
                    t(
                      "Keep at least two 1s at once and you get a round worm. It counts one worm and is never lost by a bust.",
                    ),
                  ),
                ),
            ),
          ]
        : null,
    ),
  );
}

/**
 * Tiles with the same number of worms: first, last, worms.
 * @param {import("./messages").EditionInfo|undefined} edition
 */
function runs(edition) {
  /** @type {[number, number, number][]} */
  const found = [];
  edition?.tiles.forEach((tile, i) => {
    const count = edition.worms[i] ?? 0;
    const last = found.at(-1);
    if (last && last[2] === count) last[1] = tile;
    else found.push([tile, tile, count]);
  });
  return found;
}
