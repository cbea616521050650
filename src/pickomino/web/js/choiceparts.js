// What a choice was worth, as markup: grades, bars of how a turn may end, options. For reviews and drills alike.

/** @typedef {import("./messages").DecisionShown} Decision */
/** @typedef {import("./messages").MoveShown} MoveShown */

export const GRADE_NAMES = ["best", "fine", "inaccuracy", "mistake", "blunder"];
/** Shape and mark first, colour third. @type {Record<string, string>} */
const GRADE_SIGNS = {
  best: '<circle class="g" cx="13" cy="13" r="12"/><path class="tick" d="M7.500 13.500l4 4 7-8.500"/>',
  fine: '<circle class="ring" cx="13" cy="13" r="10.500"/><circle class="g" cx="13" cy="13" r="3.500"/>',
  inaccuracy: '<path class="g" d="M13 1.500L25 23H1z"/><text x="13" y="20.500" font-size="12">?!</text>',
  mistake: '<path class="g" d="M13 0L26 13 13 26 0 13z"/><text x="13" y="18">?</text>',
  blunder: '<rect class="g" width="26" height="26" rx="5"/><text x="13" y="18">??</text>',
};

/** Per cent of a bar that a letter takes where bars are narrowest: 7 of 260 pixels. */
const LETTER = 2.8;

/** No line begins with a sign: a figure and its %, a French word and its colon stay together. @param {string|number} text */
export const unbroken = (text) =>
  String(text)
    .replace(/(?<=[\p{L}\p{N}%»)]) (?=[%;:!?»])/gu, "\u00a0")
    .replace(/« /g, "«\u00a0");

/** As markup. @param {string|number} text */
export const esc = (text) => unbroken(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** @param {string|undefined} text @param {Record<string, any>} values */
export const put = (text, values) => (text ?? "").replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** Words and figures of choices, for a review and for drills alike. */
export class ChoiceParts {
  /**
   * @param {Record<string, string>} texts @param {boolean} win whether figures are points of winning chance, else worms
   */
  constructor(texts, win) {
    this.texts = texts;
    this.win = win;
  }

  /** @param {string} name */
  word(name) {
    return this.texts[name] ?? "";
  }

  /** @param {number} figure */
  size(figure) {
    return this.win ? String(Math.abs(figure)) : Math.abs(figure).toFixed(1);
  }

  /** @param {number} figure */
  signed(figure) {
    return `${figure > 0 ? "+" : figure < 0 ? "−" : ""}${this.size(figure)}`;
  }

  /** @param {number} figure */
  value(figure) {
    return this.win ? `${figure}\u00a0%` : `${figure < 0 ? "−" : ""}${this.size(figure)}`;
  }

  /** @param {string} name */
  grade(name) {
    return `<svg class="grade g-${name}" viewBox="0 0 26 26" role="img"
      aria-label="${esc(this.word(`g_${name}`))}">${GRADE_SIGNS[name] ?? ""}</svg>`;
  }

  /** How a turn may end, as one bar: width is chance. @param {MoveShown} move */
  ends(move) {
    if (!move.ends.length) return "";
    const name = (/** @type {string} */ what) =>
      what === "bust" || what === "other"
        ? this.word(what)
        : what.startsWith("x")
          ? put(this.word("steal"), { tile: what.slice(1) })
          : what.slice(1);
    let at = 0;
    const bars = move.ends.map(([what, share]) => {
      const kind = what === "bust" || what === "other" ? what : what.startsWith("x") ? "steal" : "take";
      const short = what === "bust" || what === "other" ? name(what) : what.slice(1);
      const texts = share === 100 ? [`${name(what)} ${this.word("sure")}`] : [];
      texts.push(`${name(what)} ${share} %`, `${short} ${share} %`, short);
      const text = texts.find((one) => one.length * LETTER + 2 <= share) ?? "";
      const bar = `<rect class="${kind}" x="${at}%" width="${share}%" height="24" rx="6"/>${
        kind === "steal"
          ? `<line
        x1="${at}%" x2="${at + share}%" y1="22.500" y2="22.500"/>`
          : ""
      }<text class="${kind}" x="${at + share / 2}%"
        y="17">${esc(text)}</text>`;
      at += share;
      return bar;
    });
    const said = move.ends.map(([what, share]) => `${name(what)} ${share} %`).join(", ");
    return `<svg class="ends" width="100%" height="24" role="img"
      aria-label="${esc(said)}"><title>${esc(said)}</title>${bars.join("")}</svg>`;
  }

  /**
   * A legal move with its value; best and played are framed and named.
   * @param {{best: string, played: string}} choice @param {MoveShown} move
   */
  option(choice, move) {
    const best = move.move === choice.best,
      mine = move.move === choice.played;
    const tag = (/** @type {string} */ kind, /** @type {string} */ name) =>
      `<span class="tag ${kind}">${esc(this.word(name))}</span>`;
    const tags = `${best ? tag("is-best", "best") : ""}${mine ? tag("is-mine", "played") : ""}`;
    const cost = move.cost ? `<small>−${this.size(move.cost)}</small>` : "";
    return `<li class="${best ? "is-best" : ""} ${mine ? "is-played" : ""}" data-option="${esc(move.move)}"
      >${this.grade(move.grade)}<span><span class="what">${esc(move.words)}</span>${tags}</span
      ><span class="value">${this.value(move.value)}${cost}</span>${this.ends(move)}</li>`;
  }

  /** @param {{best: string, played: string, moves: MoveShown[]}} choice */
  options(choice) {
    return `<ol class="options">${choice.moves.map((move) => this.option(choice, move)).join("")}</ol>`;
  }
}
