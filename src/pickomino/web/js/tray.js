// The board of whoever plays here: kept dice and total, the roll, one line, and the choices with what they risk.
import { dieOf, fitDice, parse, sayDice, waitingDice } from "./dice.js";
import { btn, draw, fill, h, quiet } from "./dom.js";
import { specialist } from "./figures.js";
import { t } from "./i18n.js";
import { advice, costText, faceCount, keepAdvice, moveText, specialistText } from "./words.js";

/** @typedef {import("./messages").View} View */

/** The kind of button a move is, and its sign. @param {string} move @returns {[string, string]} */
function look(move) {
  if (move === "roll" || move === "r" || move === "w" || move === "g") return ["roll", move === "w" ? "again" : "dice"];
  if (move.startsWith("x")) return ["steal", "thief"];
  if (move.startsWith("t")) return ["take", "hand"];
  return ["", ""];
}

/** Left to right: what can be taken, then what makes dice fall. */
const ORDER = "xt^<ngwr";

export class Tray {
  /** @param {(move: string) => void} act */
  constructor(act) {
    this.act = act;
    this.kept = h("span", { class: "dice", role: "img" });
    this.sum = h("b", {}, "0");
    this.note = h("small");
    this.total = h("span", { class: "total" }, this.sum, this.note);
    this.well = h("div", { class: "well", role: "group", "aria-label": t("Dice") });
    this.line = h("p", { class: "line" });
    this.acts = h("div", { class: "acts" });
    this.quiet = h("div", { class: "quiets" });
    this.root = h(
      "div",
      { class: "mine" },
      h("div", { class: "rail" }, h("span", { class: "label" }, t("kept")), this.kept, this.total),
      this.well,
      this.line,
      this.acts,
      this.quiet,
    );
    /** @type {View|null} */
    this.view = null;
    /** @type {(() => void)|undefined} */
    this.ask = undefined;
    new ResizeObserver(() => fitDice(this.well)).observe(this.well);
    for (const kind of ["pointerover", "focusin"])
      this.well.addEventListener(kind, (event) => this.light(event.target));
    for (const kind of ["pointerleave", "focusout"]) this.well.addEventListener(kind, () => this.light(null));
  }

  /** The face under the pointer: what it leads to is told below. @param {EventTarget|null} target */
  light(target) {
    const group = target instanceof Element ? target.closest(".group.can") : null;
    for (const item of this.well.querySelectorAll(".group")) item.classList.toggle("lit", item === group);
    const move = group instanceof HTMLElement ? group.dataset.move : undefined;
    for (const text of this.line.children)
      text.classList.toggle("lit", text instanceof HTMLElement && text.dataset.of === move);
  }

  /**
   * The line below the dice. What each face would lead to lies in the same place, unseen until the pointer is there:
   * the longest of them has room from the start, and no die moves away from under a finger.
   * @param {Node[]} said
   */
  say(said) {
    const faces = [...this.well.querySelectorAll("button[data-move]")].map(
      (group) => /** @type {HTMLElement} */ (group).dataset.move,
    );
    const keeps = this.view?.keeps.filter((keep) => faces.includes(keep.move)) ?? [];
    fill(
      this.line,
      said.length ? h("span", { class: "lit" }, said) : null,
      keeps.map((keep) => h("span", { data: { of: keep.move } }, keepAdvice(keep))),
    );
  }

  /** @param {View} view */
  showKept(view) {
    if (this.kept.dataset.key !== view.kept) {
      this.kept.dataset.key = view.kept;
      fill(
        this.kept,
        parse(view.kept).map((die) => dieOf(die, "kept")),
      );
    }
    this.kept.setAttribute(
      "aria-label",
      view.kept ? t("kept: {dice}", { dice: sayDice(view.kept) }) : t("nothing kept"),
    );
    this.sum.textContent = String(view.total);
    this.note.textContent = view.kept ? (view.has_worm ? t("with a worm") : t("no worm yet")) : t("total");
  }

  /**
   * The dice of a roll, one button per face that can be kept; dice that wait.
   * @param {View} view @param {boolean} mine
   */
  showDice(view, mine) {
    const key = [view.rolled, view.dice_left, view.phase, mine, view.keeps.map((keep) => keep.move)].join("|");
    if (this.well.dataset.key === key) return;
    this.well.dataset.key = key;
    const asked = { gold: ["gold"], "put back": held(view) }[view.phase];
    if (asked) {
      fill(
        this.well,
        h(
          "div",
          { class: "aside told" },
          asked.map((name) => tipOf(name, specialistText(name))),
        ),
      );
      return;
    }
    if (!view.rolled) {
      fill(
        this.well,
        h(
          "div",
          { class: "aside" },
          h("span", { class: "set" }, waitingDice(view.over ? 0 : view.dice_left, view.golden_left ?? false)),
          this.tip(view),
        ),
      );
      return;
    }
    const dice = parse(view.rolled);
    const faces = [...new Set(dice.map(([face]) => face))].sort();
    const groups = faces.map((face) => {
      const keep = view.keeps.find((item) => item.face === face);
      const set = h(
        "span",
        { class: "set" },
        dice.filter((die) => die[0] === face).map((die) => dieOf(die, keep ? "can" : "dead")),
      );
      if (!keep || !mine)
        return h(
          "span",
          { class: `group${keep ? "" : " dead"}`, role: "img", "aria-label": faceCount(face, set.childElementCount) },
          set,
          view.phase === "keep" && !keep ? h("span", { class: "sum" }, t("kept already")) : null,
        );
      return h(
        "button",
        {
          class: "group can",
          type: "button",
          data: { move: keep.move, face },
          "aria-label": moveText(keep.move, view, NOBODY).join(", "),
          onclick: () => this.act(keep.move),
        },
        set,
        h(
          "span",
          { class: `sum${keep.bust ? " lost" : keep.claims.length ? " pays" : ""}` },
          keep.bust ? t("bust") : String(keep.total),
        ),
      );
    });
    fill(
      this.well,
      [...groups].sort((a, b) => Number(a.matches(".dead")) - Number(b.matches(".dead"))),
    );
  }

  /** A specialist of mine that matters now, told where one decides. @param {View} view */
  tip(view) {
    const mine = held(view);
    /** @type {[string, boolean, string][]} */
    const tips = [
      [
        "weasel",
        view.phase === "go" && Boolean(view.weasel_left),
        t("Your weasel is ready: if this roll fails, it rolls once more."),
      ],
      ["can", view.has_worm && !view.kept.includes("W"), t("Your can counts as the worm.")],
      ["hen", view.phase === "go", t("Your hen guards: a bust costs only the hen.")],
    ];
    const found = tips.find(([name, matters]) => matters && mine.includes(name));
    return found ? tipOf(found[0], found[2]) : null;
  }

  /**
   * @param {View} view @param {string[]} moves what may be sent; empty while it is not mine
   * @param {import("./words.js").Who} who @param {Node[]|null} said in place of the line, by the guide
   * @param {string} seat the name to call, where one device serves several seats
   */
  show(view, moves, who, said, seat) {
    this.view = view;
    this.root.classList.remove("bust");
    this.root.classList.toggle("asks", view.phase === "gold" || view.phase === "put back");
    this.showKept(view);
    this.showDice(view, moves.length > 0);
    this.say(moves.length || said ? (said ?? advice(view, who, seat)) : []);
    this.line.classList.toggle("guide", Boolean(said));
    const buttons = moves.filter((move) => !move.startsWith("k") && move !== "s");
    const rank = (/** @type {string} */ move) => ORDER.indexOf(move[0] ?? "");
    buttons.sort((a, b) => rank(a) - rank(b) || Number(b.slice(1)) - Number(a.slice(1)));
    const claims = buttons.filter((move) => /^[xt]/.test(move));
    const shown = buttons.filter((move) => !/^[xt]/.test(move) || claims.indexOf(move) < 2); // the others lie on the grill
    const key = `${view.position}|${moves.join()}`;
    if (this.acts.dataset.key !== key) {
      const focused = this.root.contains(document.activeElement);
      this.acts.dataset.key = key;
      fill(
        this.acts,
        shown.map((move) => this.button(move, view, who)),
      );
      fill(this.quiet, moves.includes("s") ? this.giveUp(view, who) : null);
      if (moves.length && (focused || document.activeElement === document.body)) this.focusFirst();
    }
    fitDice(this.well);
  }

  /** For who plays by keyboard the next choice has the focus; a pointer is where it is. */
  focusFirst() {
    if (document.documentElement.dataset.input !== "keys") return;
    /** @type {HTMLElement|null} */ (this.acts.querySelector("button") ?? this.well.querySelector("button"))?.focus({
      preventScroll: true,
    });
  }

  /** @param {string} move @param {View} view @param {import("./words.js").Who} who */
  button(move, view, who) {
    const [title, note] = moveText(move, view, who);
    const [kind, icon] = look(move);
    return btn(title, () => this.act(move), { kind, icon, note, data: { move } });
  }

  /** A bust that one chooses is a quiet link, and asks. @param {View} view @param {import("./words.js").Who} who */
  giveUp(view, who) {
    const [title] = moveText("s", view, who);
    const stop = () => {
      if (link.dataset.sure) {
        this.act("s");
        return;
      }
      link.dataset.sure = "1";
      link.textContent =
        view.bust?.returned || view.bust?.specialist
          ? t("Really? It {cost}.", { cost: costText(view.bust) })
          : t("Really?");
    };
    const link = quiet(title, stop, { data: { move: "s" } });
    return link;
  }

  /** A hint can be asked for here. @param {() => void} ask */
  offerHint(ask) {
    this.ask = ask;
    if (this.quiet.querySelector("[data-go=hint]")) return;
    this.quiet.append(quiet(t("Hint"), () => this.ask?.(), { data: { go: "hint" } }));
    fitDice(this.well);
  }

  hint() {
    if (this.quiet.querySelector("[data-go=hint]")) this.ask?.();
  }

  /**
   * @param {[string, string][]} values moves, best first, with what they are worth @param {string} what the values are
   * @param {string[]} why the best one is best, and what is wrong with the tempting other one
   */
  showHint(values, what, why) {
    values.forEach(([move, worth], i) => {
      const choice = this.root.querySelector(`[data-move="${move}"]`);
      if (!choice || choice.querySelector(".worth")) return;
      choice.classList.toggle("best", i === 0);
      choice.append(h("span", { class: "worth", title: what }, worth));
    });
    const [best = what, ...others] = why;
    const more = others.at(-1);
    this.say([document.createTextNode(best), ...(more ? [h("span", { class: "besides" }, ` ${more}`)] : [])]);
    fitDice(this.well);
  }

  /**
   * Nothing came of it: the word, the reason, the cost.
   * @param {Node[]} reason
   * @returns what is to move: the dice that pale, the word that falls, the line that comes last
   */
  showBust(reason) {
    this.root.classList.add("bust");
    this.well.dataset.key = "bust";
    const word = h("strong", { class: "word" }, t("Bust"));
    const dice = parse(this.view?.rolled ?? "").map((die) => dieOf(die, "grey"));
    const why = h("p", {}, reason);
    fill(this.well, h("div", { class: "bustbox" }, h("span", { class: "set" }, dice), word, why));
    this.note.textContent = t("lost");
    fill(this.line);
    fill(this.quiet);
    fitDice(this.well);
    return { word, dice, why };
  }
}

/** The specialists of the seat to act. @param {View} view */
const held = (view) =>
  Object.entries(view.specialists ?? {})
    .filter(([, place]) => place === view.seat)
    .map(([name]) => name);

/** @param {string} name @param {string} text */
const tipOf = (name, text) => h("span", { class: "tip" }, draw(specialist(name)), h("small", {}, text));

const NOBODY = { name: () => "", me: () => false };
