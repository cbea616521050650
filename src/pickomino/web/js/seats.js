// The seats: bird, name, score, stack with its top, and in deluxe what the player holds.
import { roundWorm, tileFace, wormSmall } from "./art.js";
import { bird } from "./birds.js";
import { draw, fill, h, must } from "./dom.js";
import { specialist } from "./figures.js";
import { t, tn } from "./i18n.js";
import { seatLetter, specialistName, specialistText } from "./words.js";

/** @typedef {import("./birds.js").Mood} Mood */
/** @typedef {import("./looks.js").Look & {name: string, tag: string, off: boolean, bot: boolean}} SeatFace */
/** @typedef {{li: HTMLLIElement, face: HTMLElement, name: HTMLElement, tag: HTMLElement, score: HTMLElement, pile: HTMLElement, own: HTMLElement}} SeatParts */

export class Seats {
  /**
   * @param {(value: number) => number} wormsOf @param {(move: string) => void} claim
   * @param {(text: string) => void} tell
   */
  constructor(wormsOf, claim, tell) {
    this.wormsOf = wormsOf;
    this.claim = claim;
    this.tell = tell;
    this.root = h("ul", { class: "seats", "aria-label": t("Players") });
    /** @type {Map<string, SeatParts>} */
    this.parts = new Map();
    /** How the last event left them. @type {Map<string, Mood>} */
    this.moods = new Map();
  }

  /** @param {number} count */
  lay(count) {
    if (this.parts.size === count) return;
    this.parts.clear();
    fill(
      this.root,
      Array.from({ length: count }, (_, index) => {
        const letter = seatLetter(index);
        const face = h("span", { class: "ava" });
        const [name, tag, own] = [h("b"), h("small"), h("span", { class: "own" })];
        const score = h("span", { class: "score" });
        const pile = h("span", { class: "pile" });
        const li = h(
          "li",
          { class: "seat", data: { seat: letter } },
          face,
          h("span", { class: "who" }, name, tag, own),
          score,
          pile,
        );
        this.parts.set(letter, { li, face, name, tag, score, pile, own });
        return li;
      }),
    );
  }

  /**
   * @param {import("./messages").View} view @param {(letter: string) => SeatFace} about
   * @param {boolean} mine whether a steal can be clicked
   */
  show(view, about, mine) {
    this.lay(view.stacks.length);
    [...this.parts.entries()].forEach(([letter, parts], index) => {
      const { name, tag, off, bot, bird: kind, colour } = about(letter);
      parts.li.dataset.colour = colour;
      parts.name.textContent = name;
      parts.li.title = name;
      parts.tag.textContent = tag;
      const on = view.seat === letter;
      parts.li.classList.toggle("on", on);
      parts.li.classList.toggle("winner", view.winners.includes(letter));
      parts.li.toggleAttribute("aria-current", on);
      if (on) parts.li.setAttribute("aria-current", "true");
      this.face(
        parts.face,
        kind,
        off
          ? "asleep"
          : (this.moods.get(letter) ?? (on && bot ? "thinking" : view.winners.includes(letter) ? "happy" : "calm")),
      );
      const score = String(view.scores[index] ?? 0);
      if (parts.score.dataset.n !== score) {
        parts.score.dataset.n = score;
        fill(parts.score, h("span", {}, score), draw(wormSmall()), h("span", { class: "hush" }, t("worms")));
      }
      this.pile(
        parts.pile,
        view.stacks[index] ?? [],
        view.claims.find((item) => item.from === letter),
        mine,
      );
      this.own(parts.own, view, letter, index);
    });
    this.root.classList.toggle("owning", Boolean(view.specialists));
  }

  /** @param {HTMLElement} box @param {string} kind @param {Mood} mood */
  face(box, kind, mood) {
    if (box.dataset.mood === kind + mood) return;
    box.dataset.mood = kind + mood;
    box.querySelector(".bird")?.remove();
    box.prepend(draw(bird(kind, mood)));
  }

  /**
   * @param {HTMLElement} box @param {number[]} stack @param {import("./messages").ClaimView|undefined} claim
   * @param {boolean} mine
   */
  pile(box, stack, claim, mine) {
    const key = `${stack.join()}|${claim?.move ?? ""}|${mine}`;
    if (box.dataset.key === key) return;
    box.dataset.key = key;
    const top = stack.at(-1);
    box.classList.toggle("none", top === undefined);
    if (top === undefined) {
      fill(box, h("span", { class: "hush" }, t("no tile")));
      return;
    }
    const label = `${t("top tile {tile}", { tile: top })}, ${tn("{n} tile", "{n} tiles", stack.length)}`;
    const props = {
      class: `tile${claim ? " steal" : ""}`,
      html: tileFace(top, this.wormsOf(top)),
      data: { tile: String(top) },
    };
    const tile =
      claim && mine
        ? h("button", {
            ...props,
            type: "button",
            "aria-label": `${t("Steal {tile}", { tile: top })}, ${label}`,
            onclick: () => this.claim(claim.move),
          })
        : h("span", { ...props, role: "img", "aria-label": label });
    if (claim) tile.append(h("b", { class: "note steal" }, t("steal")));
    const below = stack
      .slice(0, -1)
      .slice(-4)
      .map((_, i) => {
        const edge = h("i");
        edge.style.setProperty("--k", String(i + 1));
        return edge;
      });
    fill(box, below.reverse(), tile);
  }

  /** @param {HTMLElement} box @param {import("./messages").View} view @param {string} letter @param {number} index */
  own(box, view, letter, index) {
    const held = Object.entries(view.specialists ?? {})
      .filter(([, place]) => place === letter)
      .map(([name]) => name);
    const round = view.round_worms?.[index] ?? 0;
    const key = `${held.join()}|${round}`;
    if (box.dataset.key === key) return;
    box.dataset.key = key;
    fill(
      box,
      held.map((name) =>
        h("button", {
          type: "button",
          title: specialistText(name),
          "aria-label": specialistName(name),
          html: specialist(name),
          onclick: () => this.tell(specialistText(name)),
        }),
      ),
      round
        ? h(
            "span",
            { class: "tokens" },
            draw(roundWorm()),
            round > 1 ? String(round) : "",
            h("span", { class: "hush" }, tn("{n} round worm", "{n} round worms", round)),
          )
        : null,
    );
  }

  /** How many worms it was, for a moment. @param {string} letter @param {number} change */
  tick(letter, change) {
    const face = this.parts.get(letter)?.face;
    if (!face || !change) return;
    face.querySelector(".tick")?.remove();
    const tick = h("span", { class: `tick${change < 0 ? " minus" : ""}` }, change < 0 ? `−${-change}` : `+${change}`);
    face.append(tick);
    setTimeout(() => tick.remove(), 2600);
  }

  /** Where a seat's top tile lies, or would lie. @param {string} letter */
  place(letter) {
    const pile = must(this.parts.get(letter)?.pile ?? null);
    return (pile.querySelector(".tile") ?? pile).getBoundingClientRect();
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
