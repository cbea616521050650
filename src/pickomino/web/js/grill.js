// The grill: one place for every tile of the edition, so that nothing ever jumps. Its embers brighten as tiles go.
import { roundWorm, sign, tileBack, tileFace } from "./art.js";
import { draw, fill, h } from "./dom.js";
import { coals } from "./figures.js";
import { t, tn } from "./i18n.js";
import { specialistName, specialistText, worms } from "./words.js";

export class Grill {
  /**
   * @param {import("./messages").EditionInfo} edition @param {(move: string) => void} claim
   * @param {(text: string) => void} tell
   */
  constructor(edition, claim, tell) {
    this.edition = edition;
    this.claim = claim;
    this.tell = tell;
    /** @type {Map<number, HTMLLIElement>} */
    this.places = new Map(
      edition.tiles.map((tile, index) => {
        const place = h("li", { class: "place", data: { tile: String(tile) } });
        place.style.setProperty("--lean", `${(((index * 37) % 11) - 5) * 0.16}deg`);
        return [tile, place];
      }),
    );
    this.supply = h("span", { class: "supply" });
    this.root = h(
      "section",
      { class: "grill", "aria-label": t("Grill") },
      draw(coals()),
      h("i", { class: "bars" }),
      h("ul", { class: "rack" }, ...this.places.values()),
      this.supply,
    );
    const count = edition.tiles.length;
    this.root.style.setProperty("--cols", String(Math.ceil(count / 2)));
    this.root.style.setProperty("--lcols", String(Math.ceil(Math.sqrt(count))));
  }

  /** @param {number} tile */
  wormsOf(tile) {
    return this.edition.worms[this.edition.tiles.indexOf(tile)] ?? 0;
  }

  /**
   * @param {import("./messages").View} view @param {boolean} mine whether claims can be clicked
   * @param {string} note what stands on a tile that can be taken
   */
  show(view, mine, note) {
    const standing = new Map(Object.entries(view.specialists ?? {}).map(([name, place]) => [place, name]));
    this.root.style.setProperty("--heat", (0.18 + 0.9 * (1 - view.grill.length / this.places.size)).toFixed(2));
    for (const [tile, place] of this.places) {
      const up = view.grill.includes(tile);
      const down = view.flipped.includes(tile);
      const claim = up ? view.claims.find((item) => item.tile === tile && item.from === "grill") : undefined;
      const who = up ? standing.get(tile) : undefined;
      const risk = up && view.phase === "go" && view.bust?.flipped === tile;
      const key = [up, down, claim?.move, who, mine, risk, note].join("|");
      if (place.dataset.key === key) continue;
      place.dataset.key = key;
      place.classList.toggle("gone", !up && !down);
      fill(
        place,
        up
          ? this.faceUp(tile, claim, who, mine, Boolean(risk), note)
          : down
            ? this.faceDown(tile)
            : h("span", { "aria-label": t("{tile} is taken", { tile }), role: "img" }, tile),
      );
    }
    if (view.supply !== undefined && this.supply.dataset.n !== String(view.supply)) {
      this.supply.dataset.n = String(view.supply);
      const text = tn("{n} round worm in the supply", "{n} round worms in the supply", view.supply);
      fill(
        this.supply,
        h("span", { role: "img", "aria-label": text, title: text }, draw(roundWorm()), ` ${view.supply}`),
      );
    }
  }

  /**
   * @param {number} tile @param {import("./messages").ClaimView|undefined} claim @param {string|undefined} who
   * @param {boolean} mine @param {boolean} risk @param {string} note
   */
  faceUp(tile, claim, who, mine, risk, note) {
    const count = this.wormsOf(tile);
    const label = [t("tile {tile}, {worms}", { tile, worms: worms(count) })];
    if (who) label.push(specialistName(who));
    if (risk) label.push(t("turned face down by a bust"));
    const props = { class: `tile${claim ? " take" : ""}${risk ? " risk" : ""}`, html: tileFace(tile, count, who) };
    const body =
      claim && mine
        ? h("button", {
            ...props,
            type: "button",
            "aria-label": `${t("Take {tile}", { tile })}, ${label.join(", ")}`,
            onclick: () => this.claim(claim.move),
          })
        : who
          ? h("button", {
              ...props,
              type: "button",
              title: specialistText(who),
              "aria-label": label.join(", "),
              onclick: () => this.tell(specialistText(who)),
            })
          : h("div", { ...props, role: "img", "aria-label": label.join(", ") });
    if (claim) body.append(h("b", { class: "note" }, note));
    else if (risk)
      body.append(h("b", { class: "note risk", title: t("turned face down by a bust"), html: sign("flame") }));
    return [body];
  }

  /** @param {number} tile */
  faceDown(tile) {
    return h("div", {
      class: "tile back",
      role: "img",
      "aria-label": t("{tile}, face down", { tile }),
      html: tileBack(),
    });
  }

  /** @param {number} tile */
  at(tile) {
    return this.places.get(tile);
  }
}
