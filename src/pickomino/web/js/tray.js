// The tray: kept dice and total, the roll, and the buttons that say what they do and what they risk.
import { dieFace } from "./art.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { advisory, faceCount, faceName, moveText } from "./words.js";

/** Dice of a text as [face, golden]. @param {string} text @returns {[string, boolean][]} */
export function parse(text) {
  const [white = "", gold = ""] = text.split("+");
  return [...[...white].map((face) => /** @type {[string, boolean]} */ ([face, false])), ...[...gold].map((face) => /** @type {[string, boolean]} */ ([face, true]))];
}

/** @param {string} face @param {boolean} gold @param {boolean} [button] */
function die(face, gold, button = false) {
  const name = `die${face === "W" ? " w" : ""}${gold ? " gold" : ""}${face ? "" : " blank"}`;
  return button
    ? h("button", { class: name, type: "button", html: dieFace(face), data: { face } })
    : h("span", { class: name, html: dieFace(face), data: { face } });
}

export class Tray {
  /** @param {(move: string) => void} act */
  constructor(act) {
    this.act = act;
    this.kept = h("div", { class: "dice", role: "img" });
    this.sum = h("b", {}, "0");
    this.sumNote = h("small");
    this.total = h("div", { class: "total" }, this.sum, this.sumNote);
    this.dice = h("div", { class: "dice", role: "group", "aria-label": t("Dice") });
    this.text = h("p");
    this.rolled = h("div", { class: "rolled" }, this.dice, this.text);
    this.actions = h("div", { class: "actions" });
    this.more = h("div", { class: "stack" });
    this.root = h("section", { class: "tray", "aria-label": t("Dice and choices") },
      h("div", { class: "kept" }, h("span", { class: "lab" }, t("kept")), this.kept, this.total), this.rolled, this.actions, this.more);
    this.more.hidden = true;
    /** @type {import("./types.js").View|null} */
    this.view = null;
    for (const kind of ["pointerover", "focusin"]) this.dice.addEventListener(kind, (event) => this.light(event.target));
    for (const kind of ["pointerleave", "focusout"]) this.dice.addEventListener(kind, () => this.light(null));
    this.dice.addEventListener("click", (event) => {
      const face = this.faceAt(event.target);
      if (face) this.act(`k${face}`);
    });
  }

  /** @param {EventTarget|null} target */
  faceAt(target) {
    const found = target instanceof Element ? target.closest(".can") : null;
    return found instanceof HTMLElement ? found.dataset.face ?? "" : "";
  }

  /** All dice of the face under the pointer light up, and the total shows what it would be. @param {EventTarget|null} target */
  light(target) {
    const face = target instanceof Element && target.matches(":focus:not(:focus-visible)") && !target.matches(":hover") ? "" : this.faceAt(target);
    for (const item of this.dice.children) item.classList.toggle("lit", face !== "" && /** @type {HTMLElement} */ (item).dataset.face === face && item.classList.contains("can"));
    const keep = this.view?.keeps.find((item) => item.face === face);
    this.total.classList.toggle("ghost", Boolean(keep));
    this.showTotal(keep ? keep.total : this.view?.total ?? 0, keep ? keep.has_worm : this.view?.has_worm ?? false);
  }

  /** @param {number} total @param {boolean} worm */
  showTotal(total, worm) {
    this.sum.textContent = String(total);
    this.sumNote.textContent = total ? (worm ? t("with a worm") : t("no worm yet")) : t("total");
  }

  /** @param {import("./types.js").View} view */
  showKept(view) {
    if (this.kept.dataset.key !== view.kept) {
      this.kept.dataset.key = view.kept;
      fill(this.kept, parse(view.kept).map(([face, gold]) => die(face, gold)));
    }
    this.kept.setAttribute("aria-label", view.kept ? t("kept: {dice}", { dice: parse(view.kept).map(([face]) => faceName(face)).join(" ") }) : t("nothing kept"));
    this.total.classList.remove("ghost");
    this.showTotal(view.total, view.has_worm);
  }

  /** The dice of a roll; where it is mine, one button a face. @param {import("./types.js").View} view @param {boolean} mine */
  showDice(view, mine) {
    const key = `${view.rolled}|${view.dice_left}|${view.phase}|${mine}|${view.keeps.map((keep) => keep.face).join("")}`;
    if (this.dice.dataset.key === key) return;
    this.dice.dataset.key = key;
    if (!view.rolled) {
      const golden = view.golden_die && !view.kept.includes("+");
      const count = view.over ? 0 : view.dice_left;
      fill(this.dice, Array.from({ length: count }, (_, i) => die("", Boolean(golden) && i === count - 1)));
      return;
    }
    const done = new Set();
    const dice = parse(view.rolled).sort(([a], [b]) => a.localeCompare(b));
    const choosing = view.phase === "keep";
    fill(this.dice, dice.map(([face, gold]) => {
      const keep = view.keeps.find((item) => item.face === face);
      const first = !done.has(face);
      done.add(face);
      const item = die(face, gold, Boolean(keep && mine && first));
      if (keep && mine) item.classList.add("can");
      if (choosing && !keep) item.classList.add("dead");
      if (keep && mine && first) item.setAttribute("aria-label", `${t("Keep {what}", { what: faceCount(face, keep.count) })}, ${keep.bust ? t("a bust") : t("total {total}", { total: keep.total })}`);
      else if (keep && mine) item.setAttribute("aria-hidden", "true");
      else {
        item.setAttribute("role", "img");
        item.setAttribute("aria-label", faceName(face));
      }
      return item;
    }));
  }

  /**
   * @param {import("./types.js").View} view @param {string[]} moves what may be sent; empty while it is not mine
   * @param {string|null} mySeat @param {import("./words.js").Who} who @param {string} status in place of buttons
   */
  show(view, moves, mySeat, who, status) {
    this.view = view;
    this.root.classList.toggle("mine", moves.length > 0);
    this.showKept(view);
    this.showDice(view, moves.length > 0);
    fill(this.text, advisory(view, mySeat, who));
    const buttons = moves.filter((move) => !move.startsWith("k"));
    // Claims first: what is there for the taking stands before what may be lost.
    const order = ["x", "t", "roll", "g", "n", "w", "^", "<", "r", "s"];
    const rank = (/** @type {string} */ move) => order.findIndex((start) => (start === "roll" ? move === "roll" : move.startsWith(start) && move !== "roll"));
    buttons.sort((a, b) => rank(a) - rank(b) || Number(b.slice(1)) - Number(a.slice(1)));
    const focused = this.actions.contains(document.activeElement) || this.dice.contains(document.activeElement);
    const key = `${view.position}|${moves.join()}|${status}`;
    if (this.actions.dataset.key !== key) {
      this.actions.dataset.key = key;
      fill(this.actions, buttons.length ? buttons.map((move, i) => this.button(move, view, who, i === 0 && !view.keeps.length)) : h("p", { class: "status" }, status));
    }
    if (moves.length && (focused || document.activeElement === document.body)) this.focusFirst();
  }

  /** For who plays by keyboard the next choice has the focus; a pointer is where it is. */
  focusFirst() {
    if (document.documentElement.dataset.input !== "keys") return;
    const target = /** @type {HTMLElement|null} */ (this.actions.querySelector("button") ?? this.dice.querySelector("button"));
    target?.focus({ preventScroll: true });
  }

  /** @param {string} move @param {import("./types.js").View} view @param {import("./words.js").Who} who @param {boolean} first */
  button(move, view, who, first) {
    const [title, note] = moveText(move, view, who);
    return h("button", { class: first ? "primary" : "plain", type: "button", data: { move }, onclick: () => this.act(move) }, title, h("small", {}, note));
  }
}
