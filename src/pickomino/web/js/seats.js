// The seats: bird, name, score, stack with its top, and in deluxe what the player holds.
import { bird, roundWorm, specialist, tileFace, worm } from "./art.js";
import { draw, fill, h, must } from "./dom.js";
import { t, tn } from "./i18n.js";
import { specialistName, specialistText } from "./words.js";

/** @typedef {{li: HTMLLIElement, name: HTMLElement, tag: HTMLElement, score: HTMLElement, pile: HTMLElement, extras: HTMLElement}} SeatParts */

export class Seats {
  /** @param {(value: number) => number} wormsOf @param {(text: string) => void} tell */
  constructor(wormsOf, tell) {
    this.wormsOf = wormsOf;
    this.tell = tell;
    this.root = h("ul", { class: "players", "aria-label": t("Players") });
    /** @type {Map<string, SeatParts>} */
    this.parts = new Map();
  }

  /** @param {string[]} letters */
  lay(letters) {
    if (letters.join() === [...this.parts.keys()].join()) return;
    this.parts.clear();
    this.root.style.setProperty("--cols", String(letters.length === 5 ? 3 : Math.min(letters.length, 4)));
    this.root.classList.toggle("many", letters.length > 4);
    fill(this.root, letters.map((letter) => {
      const name = h("b");
      const tag = h("small");
      const score = h("span", { class: "score" });
      const pile = h("span", { class: "pile" });
      const extras = h("span", { class: "extras" });
      const li = h("li", { class: `player seat-${letter}`, data: { seat: letter } }, draw(bird(letter)), h("div", { class: "who" }, name, tag), score, pile, extras);
      this.parts.set(letter, { li, name, tag, score, pile, extras });
      return li;
    }));
  }

  /** @param {import("./types.js").View} view @param {(letter: string) => {name: string, tag: string, off: boolean}} about */
  show(view, about) {
    [...this.parts.entries()].forEach(([letter, parts], index) => {
      const { name, tag, off } = about(letter);
      parts.name.textContent = name;
      parts.name.title = name;
      parts.tag.textContent = tag;
      parts.li.classList.toggle("active", view.seat === letter);
      parts.li.classList.toggle("winner", view.winners.includes(letter));
      parts.li.classList.toggle("off", off);
      if (view.seat === letter) parts.li.setAttribute("aria-current", "true");
      else parts.li.removeAttribute("aria-current");
      const score = String(view.scores[index] ?? 0);
      if (parts.score.dataset.n !== score) {
        parts.score.dataset.n = score;
        fill(parts.score, h("span", {}, score), draw(worm()), h("span", { class: "hush" }, t("worms")));
      }
      this.pile(parts, view.stacks[index] ?? [], view, letter);
      this.extras(parts.extras, view, letter, index);
    });
  }

  /** @param {SeatParts} parts @param {number[]} stack @param {import("./types.js").View} view @param {string} letter */
  pile(parts, stack, view, letter) {
    const claim = view.claims.find((item) => item.from === letter);
    const risk = view.seat === letter && view.bust?.returned && view.phase === "go";
    const key = `${stack.join()}|${claim?.move ?? ""}|${risk ? 1 : 0}`;
    if (parts.pile.dataset.key === key) return;
    parts.pile.dataset.key = key;
    const top = stack.at(-1);
    if (top === undefined) {
      fill(parts.pile, h("span", { class: "none" }, t("no tile")));
      return;
    }
    const label = `${t("top tile {tile}", { tile: top })}, ${tn("{n} tile", "{n} tiles", stack.length)}`;
    const tile = h("span", { class: `tile mini${claim ? " claim steal" : ""}`, role: "img", "aria-label": label, html: tileFace(top, this.wormsOf(top)), data: { tile: String(top) } });
    if (claim) tile.append(h("span", { class: "note" }, t("steal")));
    fill(parts.pile, stack.slice(0, -1).slice(-4).map((_, i) => h("i", { class: `edge k${i + 1}` })), tile);
  }

  /** @param {HTMLElement} box @param {import("./types.js").View} view @param {string} letter @param {number} index */
  extras(box, view, letter, index) {
    const held = Object.entries(view.specialists ?? {}).filter(([, place]) => place === letter).map(([name]) => name);
    const round = view.round_worms?.[index] ?? 0;
    const key = `${held.join()}|${round}`;
    if (box.dataset.key === key) return;
    box.dataset.key = key;
    fill(box,
      held.map((name) => h("button", { type: "button", title: specialistText(name), "aria-label": specialistName(name), html: specialist(name), onclick: () => this.tell(specialistText(name)) })),
      round ? [draw(roundWorm()), h("span", {}, `× ${round}`), h("span", { class: "hush" }, t("round worms"))] : []);
  }

  /** Where a seat's top tile lies, or would lie. @param {string} letter */
  place(letter) {
    const pile = must(this.parts.get(letter)?.pile ?? null);
    return (pile.querySelector(".tile") ?? pile).getBoundingClientRect();
  }

  /** @param {string} letter */
  eyes(letter) {
    return this.parts.get(letter)?.li.querySelector(".eyes") ?? null;
  }

  /** @param {string} letter @param {Node|string} what */
  bubble(letter, what) {
    const li = this.parts.get(letter)?.li;
    li?.querySelector(".bubble")?.remove();
    const bubble = h("span", { class: "bubble", role: "status" }, what);
    li?.append(bubble);
    setTimeout(() => bubble.remove(), 3200);
  }
}
