// The parts of a review as markup: curve, bars, lists. The page shows them, and `pickomino review --html` takes this file over
// as it stands. Figures and words come from Python; nothing is worked out here. No style attributes: the page forbids them.
import { ChoiceParts, esc, GRADE_NAMES, put } from "./choiceparts.js";

/** @typedef {import("./messages").ReviewInfo} Shown */
/** @typedef {import("./messages").DecisionShown} Decision */

const DASH = ["", "", "7 4", "2 4", "9 3 2 3", "5 3", "1 4"];

export class ReviewParts extends ChoiceParts {
  /**
   * @param {Shown} shown @param {Record<string, string>} texts
   * @param {(dice: string, kept: string|null) => string} dice draws a roll; faces that were not kept are dim
   */
  constructor(shown, texts, dice) {
    super(texts, shown.objective === "win");
    this.shown = shown;
    this.dice = dice;
  }

  /** @param {string} letter */
  seatOf(letter) {
    return this.shown.players.findIndex((player) => player.seat === letter);
  }

  /**
   * The seats' chances over the game, and two strips on the same axis: dice, choices.
   * @param {number} seat @param {number} turn @param {number} width
   * @returns {{svg: string, at: (x: number) => number}}
   */
  curve(seat, turn, width) {
    const { players, turns } = this.shown,
      { win } = this,
      me = players[seat];
    const small = width < 560,
      left = 34,
      right = small ? 38 : 88,
      top = 12,
      high = small ? 160 : width > 800 ? 138 : 180,
      strip = 34,
      gap = 26;
    const dice = top + high + gap,
      choice = dice + strip + gap - 8,
      height = choice + strip + 20;
    const last = turns.at(-1);
    const points = last ? [...turns.map((one) => one.before), last.after] : [];
    const span = Math.max(points.length - 1, 1),
      x = (/** @type {number} */ index) => left + (index / span) * (width - left - right);
    const all = points.flat(),
      low = win ? 0 : Math.min(0, ...all),
      most = win ? 100 : Math.max(1, ...all);
    const y = (/** @type {number} */ figure) => top + (1 - (figure - low) / (most - low)) * high;
    const turning = me?.turning ?? [],
      out = [];
    for (const one of turning)
      out.push(
        `<rect class="band" x="${x(one.turn - 1)}" y="${top}" width="${Math.max(x(1) - x(0), 4)}"
          height="${height - top - 18}"/>`,
      );
    if (turns.length) {
      const at = (x(turn) + x(turn + 1)) / 2;
      out.push(`<path class="cursor" d="M${at} ${top}V${height - 18}"/>`);
    }
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      const figure = low + part * (most - low);
      out.push(`<path class="${part ? "gridline" : "zero"}" d="M${left} ${y(figure)}H${width - right}"/>`);
      if (!small || part * 2 === Math.round(part * 2))
        out.push(
          `<text class="ax" x="${left - 7}" y="${y(figure) + 4}" text-anchor="end">${Math.round(figure)}</text>`,
        );
    }
    const order = players.map((_, index) => index).sort((a, b) => Number(a === seat) - Number(b === seat));
    for (const index of order) {
      const path = points
        .map((values, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${y(values[index] ?? 0).toFixed(1)}`)
        .join("");
      const thick = index === seat ? 4 : 2.2;
      out.push(
        `<path class="halo" stroke-width="${thick + 3}" d="${path}"/><path class="trace s${index}"
          stroke-width="${thick}" stroke-dasharray="${index === seat ? "" : DASH[index]}" d="${path}"/>`,
      );
    }
    // names at the ends of the lines, pushed apart where they would meet
    const ends = players
      .map((player, index) => ({ player, index, at: points.length ? y(points.at(-1)?.[index] ?? 0) : top }))
      .sort((a, b) => a.at - b.at);
    ends.forEach((end, place) => {
      if (place) end.at = Math.max(end.at, (ends[place - 1]?.at ?? 0) + 15);
    });
    [...ends].reverse().forEach((end, place, back) => {
      end.at = Math.min(end.at, place ? (back[place - 1]?.at ?? 0) - 15 : top + high + 4);
    });
    const short = (/** @type {string} */ name) => (name.length > 9 ? `${name.slice(0, 8).trimEnd()}…` : name);
    for (const end of ends)
      out.push(
        `<text class="label s${end.index}" x="${width - right + 7}"
          y="${end.at + 4}">${esc(small ? end.player.seat : short(end.player.name))}</text>`,
      );
    let [before, above] = [-99, 0]; // the pin before: where two would touch, the later one gives way upwards or downwards
    turning.forEach((one, index) => {
      const at = (x(one.turn - 1) + x(one.turn)) / 2;
      let up = y((one.before + one.after) / 2);
      const apart = Math.sqrt(Math.max(20 ** 2 - (at - before) ** 2, 0));
      if (Math.abs(up - above) < apart) up = above + (up > above ? apart : -apart);
      [before, above] = [at, up];
      out.push(
        `<g class="pin"><circle cx="${at}" cy="${up}" r="9"/><text x="${at}" y="${up + 4}">${index + 1}</text></g>`,
      );
    });
    const lucks = turns.map((one) => one.luck[seat] ?? 0),
      costs = turns.map((one) => (this.seatOf(one.seat) === seat ? one.error : 0));
    const scale = strip / 2 / Math.max(win ? 5 : 0.5, ...lucks.map(Math.abs)),
      lost = strip / Math.max(win ? 5 : 0.5, ...costs);
    const wide = Math.max(2, Math.min(16, (x(1) - x(0)) * 0.6)),
      middle = dice + strip / 2,
      name = me?.name ?? "";
    out.push(
      `<text class="ax" x="${left}"
        y="${dice - 6}">${esc(put(this.word("dice_strip"), { name }))}</text><path class="zero"
        d="M${left} ${middle}H${width - right}"/>`,
    );
    out.push(
      `<text class="ax" x="${left}"
        y="${choice - 6}">${esc(put(this.word("choice_strip"), { name }))}</text><path class="zero"
        d="M${left} ${choice}H${width - right}"/>`,
    );
    lucks.forEach((luck, index) => {
      const at = (x(index) + x(index + 1) - wide) / 2,
        tall = Math.abs(luck) * scale,
        cost = costs[index] ?? 0;
      if (tall)
        out.push(
          `<rect class="${luck > 0 ? "up" : "down"}" x="${at}" y="${luck > 0 ? middle - tall : middle}" width="${wide}"
            height="${tall}"/>`,
        );
      if (cost) out.push(`<rect class="gave" x="${at}" y="${choice}" width="${wide}" height="${cost * lost}"/>`);
    });
    if (me)
      out.push(
        `<text class="num" x="${width - right + 7}" y="${middle + 5}">${this.signed(me.balance.luck)}</text><text
          class="num" x="${width - right + 7}" y="${choice + 18}">${this.signed(me.balance.errors)}</text>`,
      );
    const every = Math.ceil(turns.length / (small ? 5 : 10));
    turns.forEach((one, index) => {
      if (index % every === 0)
        out.push(
          `<text class="ax" x="${(x(index) + x(index + 1)) / 2}" y="${height - 4}" text-anchor="middle">${one.turn}</text>`,
        );
    });
    const said = players
      .map(
        (player, index) =>
          `${player.name} ${points.length ? `${this.value(points[0]?.[index] ?? 0)} → ${this.value(points.at(-1)?.[index] ?? 0)}` : ""}`,
      )
      .join(", ");
    return {
      svg: `<svg class="curve" viewBox="0 0 ${width} ${height}" role="img"
        aria-label="${esc(`${this.word("chart")}: ${said}`)}">${out.join("")}</svg>`,
      at: (px) => Math.min(turns.length - 1, Math.max(0, Math.floor(((px - left) / (width - left - right)) * span))),
    };
  }

  /** @param {number} seat */
  legend(seat) {
    return this.shown.players
      .map(
        (player, index) =>
          `<span><svg width="30" height="8" aria-hidden="true"><path class="trace s${index}" d="M1 4H29"
            stroke-width="${index === seat ? 4 : 2.2}"
            stroke-dasharray="${index === seat ? "" : DASH[index]}"/></svg>${esc(player.name)}</span>`,
      )
      .join("");
  }

  /** A turn in words, with every seat's way. @param {number} at */
  turnText(at) {
    const { players, turns } = this.shown,
      turn = turns[at];
    if (!turn) return "";
    const chances = players
      .map(
        (player, index) =>
          `${player.name} ${this.value(turn.before[index] ?? 0)} → ${this.value(turn.after[index] ?? 0)}`,
      )
      .join(" · ");
    return `<b>${esc(put(this.word("turn"), { n: turn.turn }))}: ${esc(turn.words)}.</b> ${esc(chances)}`;
  }

  /** Dice or choices, in two numbers. @param {number} seat */
  figures(seat) {
    const me = this.shown.players[seat];
    if (!me) return "";
    const good = (me.grades.best ?? 0) + (me.grades.fine ?? 0);
    const right =
      me.accuracy === null ? "" : `${put(this.word("accuracy"), { n: me.accuracy })}${me.level ? `, ${me.level}` : ""}`;
    const figure = (/** @type {string} */ number, /** @type {string[]} */ ...words) =>
      `<div><b>${number}</b>${words.map((text) => `<small>${esc(text)}</small>`).join("")}</div>`;
    const figures = [
      figure(this.signed(me.balance.luck), this.word("by_dice"), put(this.word("usual"), { n: this.size(me.spread) })),
      figure(this.signed(me.balance.errors), this.word("by_choices")),
      figure(esc(put(this.word("of"), { n: good, all: me.choices })), this.word("good"), right),
    ];
    return `<div class="figures">${figures.join("")}</div>`;
  }

  /** @param {number} seat */
  turningList(seat) {
    const items = (this.shown.players[seat]?.turning ?? []).map((one, index) => {
      const why = `${esc(put(this.word("turn"), { n: one.turn }))} · ${esc(one.why)}`;
      const way = `${this.value(one.before)} → ${this.value(one.after)}`;
      return `<li><button type="button" class="item" data-turn="${one.turn - 1}"><span class="no">${index + 1}</span
        ><span><b>${esc(one.words)}</b><small>${why}</small></span><span class="way">${way}</span></button></li>`;
    });
    return items.length ? `<ol class="items-list">${items.join("")}</ol>` : "";
  }

  /** @param {number} seat @param {number} current */
  slipList(seat, current) {
    const items = (this.shown.players[seat]?.slips ?? []).map((index) => {
      const one = this.shown.decisions[index];
      if (!one) return "";
      const turn = put(this.word("in_turn"), { n: one.turn });
      const decided = one.decided ? ` (${this.word("decided")})` : "";
      return `<li><button type="button" class="item" data-decision="${index}"
        aria-current="${index === current}">${this.grade(one.grade)}<span
        ><b>${esc(`${one.title ?? ""}, ${turn}${decided}`)}</b><small>${esc(one.sentence ?? "")}</small
        >${this.facts(one)}</span><span class="amount">−${this.size(one.cost)}</span></button></li>`;
    });
    return items.length
      ? `<ol class="items-list slips">${items.join("")}</ol>`
      : `<p>${esc(this.word("no_slips"))}</p>`;
  }

  /** The dice of a choice, and what it was about; for paper, which has no table to look at. @param {Decision} one */
  facts(one) {
    const { kept, rolled } = one.view;
    const dice = Object.entries({ kept, rolled }).map(([name, faces]) =>
      faces ? `<span>${esc(this.word(name))}</span>${this.dice(faces, null)}` : "",
    );
    const moves = ["best", "played"].map((name) => {
      const move = one.moves.find((found) => found.move === (name === "best" ? one.best : one.played));
      return move ? `<span>${esc(this.word(name))}: ${esc(move.words)}, ${this.value(move.value)}</span>` : "";
    });
    return `<span class="facts">${dice.join("")}${moves.join("")}</span>`;
  }

  /**
   * The rolls of a turn with the luck of each and what was chosen; the last one of a bust says so.
   * @param {number} turn its number @param {number} current
   */
  rollList(turn, current) {
    const { decisions, turns } = this.shown,
      mine = this.shown.rolls.filter((roll) => roll.turn === turn),
      whole = turns[turn - 1];
    const seat = this.seatOf(whole?.seat ?? "");
    const items = mine.map((roll, index) => {
      const next = mine[index + 1]?.ply ?? Infinity;
      const made = decisions.filter((one) => one.ply > roll.ply && one.ply < next && one.turn === turn);
      const keep = made.find((one) => one.played.startsWith("k"));
      const words = (/** @type {Decision} */ one) =>
        (one.moves.find((move) => move.move === one.played)?.words ?? one.played) +
        (one.charged ? "" : ` (${this.word("by_clock")})`);
      const buttons = made.map((one) => {
        const at = decisions.indexOf(one);
        return `<button type="button" data-decision="${at}"
          aria-current="${at === current}">${this.grade(one.grade)}${esc(words(one))}</button>`;
      });
      const luck = `<b>${this.signed(roll.luck[seat] ?? 0)}</b>`;
      const dice = this.dice(roll.dice, keep ? keep.played.slice(1) : null);
      const end = whole?.bust && index === mine.length - 1 ? `<span class="lost">${esc(this.word("bust"))}</span>` : "";
      return `<li>${dice}<div class="did">${luck}${buttons.join("")}${end}</div></li>`;
    });
    return `<ol class="rolls">${items.join("")}</ol>`;
  }

  /** From start to result, a row for each part; all seats on one scale. */
  balances() {
    const { players } = this.shown,
      keys = /** @type {const} */ (["luck", "errors", "clock", "gifts", "estimate"]);
    const edges = players.flatMap(({ balance }) => {
      let sum = balance.start;
      return [sum, ...keys.map((key) => (sum += balance[key]))];
    });
    const low = Math.min(0, ...edges),
      high = Math.max(this.win ? 100 : 1, ...edges),
      place = (/** @type {number} */ figure) => ((figure - low) / (high - low)) * 100;
    const row = (
      /** @type {string} */ key,
      /** @type {number} */ index,
      /** @type {number} */ from,
      /** @type {number} */ to,
      /** @type {string} */ text,
    ) => {
      const whole = key === "start" || key === "result",
        kind = whole ? `whole s${index}` : to >= from ? "gain" : "loss",
        [a, b] = [place(Math.min(from, to)), place(Math.max(from, to))];
      return `<tr class="${whole ? "strong" : ""}"><th scope="row">${esc(this.word(key))}</th><td><svg class="bars"
        width="100%" height="15" aria-hidden="true"><rect class="${kind}" x="${a}%" y="1.500"
        width="${Math.max(b - a, 0.6)}%" height="12" rx="3"/></svg></td><td>${text}</td></tr>`;
    };
    const lists = players.map((player, index) => {
      const { balance } = player;
      let at = balance.start;
      const rows = [row("start", index, 0, at, this.value(at))];
      for (const key of keys) {
        if (key === "clock" && !balance.clock) continue;
        rows.push(row(key, index, at, at + balance[key], this.signed(balance[key])));
        at += balance[key];
      }
      rows.push(row("result", index, 0, balance.result, this.value(balance.result)));
      const right = player.accuracy === null ? "" : `${put(this.word("accuracy"), { n: player.accuracy })} · `;
      const without = put(this.word("without"), { v: this.value(player.adjusted) });
      const head = `<h3><span>${esc(player.name)}</span><small>${esc(right + without)}</small></h3>`;
      return `<li>${head}<table>${rows.join("")}</table></li>`;
    });
    return `<ul class="balances">${lists.join("")}</ul><p class="estimate-is"><small>${esc(this.word("estimate_is"))}</small></p>`;
  }

  /** Every turn with all its choices. @param {number} current */
  turnList(current) {
    const items = this.shown.turns.map((turn) => {
      const title = `${esc(put(this.word("turn"), { n: turn.turn }))}: ${esc(turn.words)}`;
      const chances = this.shown.players.map((one, index) => `${esc(one.seat)} ${this.value(turn.after[index] ?? 0)}`);
      const head = `<h3><span>${title}</span><small>${chances.join(" · ")}</small></h3>`;
      return `<li>${head}${this.rollList(turn.turn, current)}</li>`;
    });
    return items.join("");
  }

  /** What the grades' signs mean. */
  key() {
    const [a = 0, b = 0, c = 0, d = 0] = this.shown.limits,
      word = (/** @type {string} */ name) => this.word(name);
    const ranges = [
      put(word("under"), { n: a }),
      put(word("from_to"), { a, b }),
      put(word("from_to"), { a: b, b: c }),
      put(word("from_to"), { a: c, b: d }),
      put(word("and_more"), { n: d }),
    ];
    const grades = GRADE_NAMES.map(
      (name, index) =>
        `<span>${this.grade(name)} ${esc(word(`g_${name}`))} <small>${esc(ranges[index] ?? "")}</small></span>`,
    );
    return `<p class="key">${grades.join("")}<small>${esc(word("points"))}</small></p><p class="key"><small
      >${esc(put(word("rounded"), { n: d }))}</small></p>`;
  }
}
