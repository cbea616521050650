// The grill: one place for every tile of the edition, so that nothing ever jumps.
import { specialist, tileBack, tileFace } from "./art.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { specialistName, specialistText, worms } from "./words.js";

export class Grill {
  /** @param {import("./types.js").EditionInfo} edition @param {(move: string) => void} claim @param {(text: string) => void} tell */
  constructor(edition, claim, tell) {
    this.edition = edition;
    this.claim = claim;
    this.tell = tell;
    /** @type {Map<number, HTMLLIElement>} */
    this.places = new Map(edition.tiles.map((tile) => [tile, h("li", { class: "place", data: { tile: String(tile) } })]));
    this.root = h("section", { class: "grill", "aria-label": t("Grill") }, h("ul", { class: "rack" }, ...this.places.values()));
  }

  /** @param {number} tile */
  wormsOf(tile) {
    return this.edition.worms[this.edition.tiles.indexOf(tile)] ?? 0;
  }

  /** @param {import("./types.js").View} view @param {boolean} mine whether claims can be clicked */
  show(view, mine) {
    const standing = new Map(Object.entries(view.specialists ?? {}).map(([name, place]) => [place, name]));
    for (const [tile, place] of this.places) {
      const up = view.grill.includes(tile);
      const down = view.flipped.includes(tile);
      const claim = up ? view.claims.find((item) => item.tile === tile && item.from === "grill") : undefined;
      const who = up ? standing.get(tile) : undefined;
      const risk = up && view.phase === "go" && view.bust?.flipped === tile;
      const key = [up, down, claim?.move, who, mine, risk].join("|");
      if (place.dataset.key === key) continue;
      place.dataset.key = key;
      place.classList.toggle("gone", !up && !down);
      fill(place, up ? this.faceUp(tile, claim, who, mine, Boolean(risk)) : down ? this.faceDown(tile) : h("span", { class: "hush" }, t("{tile} is taken", { tile })));
    }
  }

  /** @param {number} tile @param {import("./types.js").Claim|undefined} claim @param {string|undefined} who @param {boolean} mine @param {boolean} risk */
  faceUp(tile, claim, who, mine, risk) {
    const count = this.wormsOf(tile);
    const label = [t("tile {tile}, {worms}", { tile, worms: worms(count) })];
    if (who) label.push(specialistName(who));
    if (risk) label.push(t("turned down by a bust"));
    const props = { class: `tile${claim ? " claim" : ""}${risk ? " risk" : ""}`, html: tileFace(tile, count) };
    const body = claim && mine
      ? h("button", { ...props, type: "button", "aria-label": `${t("Take {tile}", { tile })}, ${label[0]}`, onclick: () => this.claim(claim.move) })
      : h("div", { ...props, role: "img", "aria-label": label.join(", ") });
    if (risk) body.title = t("turned down by a bust");
    if (claim) body.append(h("span", { class: "note" }, t("take")));
    if (!who) return [body];
    const guest = h("button", { class: "guest", type: "button", title: specialistText(who), "aria-label": `${specialistName(who)}, ${tile}`, html: specialist(who), onclick: () => this.tell(specialistText(who)) });
    return [body, guest];
  }

  /** @param {number} tile */
  faceDown(tile) {
    return h("div", { class: "tile back", role: "img", "aria-label": t("{tile}, face down", { tile }), html: tileBack() });
  }

  /** @param {number} tile */
  at(tile) {
    return this.places.get(tile);
  }
}
