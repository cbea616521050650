// The review of a finished game: verdict, curve, turning points, slips on the real table, luck and skill. It begins with
// the reader's seat. All figures and sentences come from the server.
import { about, call, explain, guest } from "./api.js";
import { dieFace } from "./art.js";
import { bird } from "./birds.js";
import { Board } from "./board.js";
import { esc, put } from "./choiceparts.js";
import { parse, sayDice } from "./dice.js";
import { draw, fill, h, round } from "./dom.js";
import { editionName } from "./editions.js";
import { language, t } from "./i18n.js";
import { looksIn, plain } from "./looks.js";
import { copy, failScreen, topBar } from "./menu.js";
import { ReviewParts } from "./reviewparts.js";
import { seatIndex } from "./words.js";

/** @typedef {import("./messages").ReviewInfo} ReviewInfo */

const NARROW = "(max-width: 899px)"; // below this a slip is a page of its own; the style sheet has the same figure

/** The last one, for the way back from a slip. @type {{key: string, shown: ReviewInfo}|null} */
let last = null;

/** A roll in small dice. @param {string} dice @param {string|null} kept */
const smallDice = (dice, kept) =>
  `<span class="roll" role="img" aria-label="${esc(sayDice(dice))}">${parse(dice)
    .map(
      ([face, gold]) =>
        `<i class="${kept !== null && face !== kept ? "dim" : ""}">${dieFace(face, gold ? "gold" : "")}</i>`,
    )
    .join("")}</span>`;

export class ReviewScreen {
  /** @param {HTMLElement} app @param {{game: string, seat: string, slip: number|null}} what */
  constructor(app, what) {
    this.app = app;
    this.game = what.game;
    this.closed = false;
    this.seat = -1;
    this.turn = 0;
    this.decision = -1;
    /** @type {Map<string, import("./looks.js").Look>|null} */
    this.looks = null;
    fill(
      app,
      topBar({}),
      h(
        "main",
        { class: "crash", "aria-busy": "true" },
        h("h1", {}, t("Review")),
        h("p", { role: "status" }, t("Looking at every roll and every choice…")),
      ),
    );
    this.resized = () => this.plot();
    this.paper = () => this.plot(700);
    addEventListener("resize", this.resized);
    addEventListener("beforeprint", this.paper);
    addEventListener("afterprint", this.resized);
    this.ready = this.load(what);
  }

  /** @param {{game: string, seat: string, slip: number|null}} what */
  async load(what) {
    try {
      const key = `${this.game} ${language}`;
      /** @type {ReviewInfo} */
      const shown =
        last?.key === key ? last.shown : await call("GET", `/games/${this.game}/review?language=${language}`);
      last = { key, shown };
      const [{ editions }, looks] = await Promise.all([about(), looksIn(this.game)]);
      this.looks = looks;
      const edition = shown.house ?? editions.find((item) => item.key === shown.edition.split("+")[0]);
      if (!edition || this.closed) return;
      this.parts = new ReviewParts(shown, shown.texts, smallDice);
      const name = (/** @type {string} */ seat) => shown.players[seatIndex(seat)]?.name ?? seat;
      this.board = new Board(
        edition,
        { name, me: (seat) => seatIndex(seat) === this.seat },
        (move) => this.point(move),
        (seat) => this.lookOf(seat),
      );
      const mine = shown.players.findIndex((player) => player.seat === what.seat);
      const named = shown.players.findIndex((player) => player.name === guest()?.name);
      this.choose(Math.max(mine >= 0 ? mine : named, 0), what.slip);
    } catch (error) {
      if (!this.closed) failScreen(this.app, t("This game cannot be reviewed."), explain(error));
    }
  }

  /** As the players looked in the game. @param {string} seat */
  lookOf(seat) {
    return this.looks?.get(seat) ?? plain(seat);
  }

  /** Whose review it is. @param {number} seat @param {number|null} [slip] an index into the decisions */
  choose(seat, slip = null) {
    const me = this.parts?.shown.players[seat];
    if (!this.parts || !me) return;
    this.seat = seat;
    const first = me.slips[0] ?? this.parts.shown.decisions.findIndex((one) => one.seat === me.seat);
    this.decision = slip !== null && this.parts.shown.decisions[slip] ? slip : first;
    this.turn =
      slip === null ? (me.turning[0]?.turn ?? 1) - 1 : (this.parts.shown.decisions[this.decision]?.turn ?? 1) - 1;
    this.draw(slip !== null);
    this.note(slip);
  }

  /** The address names what is shown. @param {number|null} slip @param {boolean} [push] so that "back" leads here */
  note(slip, push = false) {
    const seat = this.parts?.shown.players[this.seat]?.seat ?? "";
    const hash = `#review=${this.game}&seat=${seat}${slip === null ? "" : `&slip=${slip}`}`;
    if (push) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  }

  /** @param {boolean} open whether a slip is looked at */
  draw(open) {
    const { parts, board } = this;
    const me = parts?.shown.players[this.seat];
    if (!parts || !board || !me) return;
    const { shown } = parts;
    const tell = (/** @type {string} */ name) => parts.word(name);
    const tool = (/** @type {string} */ icon, /** @type {string} */ label, /** @type {() => void} */ go) =>
      round(icon, label, go, { title: label });
    const about = [
      editionName(shown.edition),
      put(tell("seats"), { n: shown.players.length }),
      shown.turns.length === 1 ? tell("one_turn") : put(tell("turns"), { n: shown.turns.length }),
      ...(shown.over ? [] : [tell("unfinished")]),
    ].join(" · ");
    const who = h(
      "nav",
      { class: "whose", "aria-label": tell("about") },
      shown.players.map((player, index) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(index === this.seat),
            data: { who: player.seat, colour: this.lookOf(player.seat).colour },
            onclick: () => {
              this.choose(index);
              /** @type {HTMLElement|null} */ (this.app.querySelector(`[data-who="${player.seat}"]`))?.focus();
            },
          },
          h("span", { class: "ava" }, draw(bird(this.lookOf(player.seat).bird, player.rank === 1 ? "happy" : "calm"))),
          h("span", {}, h("b", {}, player.name), h("small", {}, `${player.rank}. · ${player.score}`)),
        ),
      ),
    );
    const card = (/** @type {string} */ name, /** @type {string} */ title, /** @type {string} */ html) =>
      h("section", { class: `card ${name}`, "aria-label": title }, h("h2", {}, title), h("div", { html }));
    this.scrub = h("input", {
      type: "range",
      min: 0,
      max: Math.max(shown.turns.length - 1, 0),
      "aria-label": tell("pick"),
      hidden: !shown.turns.length,
      oninput: () => this.setTurn(Number(this.scrub?.value)),
    });
    this.now = h("p", { class: "now", role: "status" });
    this.plotBox = h("div", { class: "plot" });
    this.detail = h("section", { class: "card slip", tabindex: "-1", "aria-label": t("On the table") });
    const slips = h(
      "section",
      { class: "card left", "aria-label": tell("slips") },
      h("h2", {}, `${tell("slips")} `, h("small", {}, put(tell("of"), { n: me.slips.length, all: me.choices }))),
      h("div", { html: parts.slipList(this.seat, this.decision) }),
    );
    const all = h(
      "details",
      { class: "card all" },
      h("summary", {}, tell("all_turns")),
      h("ol", { class: "turnlist" }),
    );
    all.addEventListener("toggle", () => {
      const list = all.querySelector("ol");
      if (list && all.open && !list.children.length) list.innerHTML = parts.turnList(this.decision);
    });
    const turning = parts.turningList(this.seat);
    this.root = h(
      "div",
      { class: "review study" },
      topBar({}),
      h(
        "section",
        { class: "about-line", "aria-label": tell("review") },
        h("h1", { class: "hush" }, tell("review")),
        who,
        h("small", {}, about),
        h(
          "span",
          {},
          tool("watch", t("Watch"), () => {
            location.hash = `#replay=${this.game}`;
          }),
          tool("share", t("Copy link"), () => void copy(location.href, t("The link is copied."))),
          tool("print", tell("print"), () => print()),
        ),
      ),
      h(
        "main",
        {},
        h(
          "section",
          { class: "card headline" },
          h("h2", {}, me.headline),
          h("p", {}, me.verdict),
          h("div", { html: parts.figures(this.seat) }),
        ),
        h(
          "section",
          { class: "card curve-card", "aria-label": tell("chart") },
          h("h2", {}, tell("chart")),
          h("p", { class: "legend", html: parts.legend(this.seat) }),
          this.plotBox,
          this.scrub,
          this.now,
        ),
        turning ? card("turning-card", tell("turning"), turning) : null,
        slips,
        this.detail,
        card("right", tell("balance"), parts.balances()),
        all,
        h("section", { class: "key-card", "aria-label": tell("points"), html: parts.key() }),
      ),
    );
    this.root.classList.toggle("open", open);
    this.root.classList.toggle("many-seats", shown.players.length > 3);
    for (const [index, { seat }] of shown.players.entries())
      this.root.style.setProperty(`--line${index}`, `var(--seat${seatIndex(this.lookOf(seat).colour)})`);
    this.root.addEventListener("click", (event) => this.clicked(event));
    fill(this.app, this.root);
    this.plot();
    this.showSlip();
  }

  /** @param {number} [width] */
  plot(width) {
    const { parts, plotBox: box } = this;
    if (!parts || !box?.isConnected) return;
    const made = parts.curve(this.seat, this.turn, width ?? Math.max(280, Math.round(box.clientWidth)));
    box.innerHTML = made.svg;
    const svg = box.querySelector("svg");
    const pick = (/** @type {PointerEvent} */ event) => {
      if (!svg) return;
      const area = svg.getBoundingClientRect();
      this.setTurn(made.at(((event.clientX - area.left) / area.width) * svg.viewBox.baseVal.width));
    };
    svg?.addEventListener("pointerdown", pick);
    svg?.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") pick(event);
    });
    if (this.scrub) this.scrub.value = String(this.turn);
    if (this.now) this.now.innerHTML = parts.turnText(this.turn);
  }

  /** @param {number} turn */
  setTurn(turn) {
    if (turn === this.turn || !this.parts?.shown.turns[turn]) return;
    this.turn = turn;
    this.plot();
  }

  /** A choice on the table: what was possible, what each brings, one sentence, the turn roll by roll. */
  showSlip() {
    const { parts, board, detail: box } = this;
    const one = parts?.shown.decisions[this.decision];
    if (!parts || !board || !box) return;
    if (!one) {
      fill(box, h("p", {}, parts.word("no_slips")));
      return;
    }
    const slips = parts.shown.players[this.seat]?.slips ?? [],
      at = slips.indexOf(this.decision);
    const name = parts.shown.players[parts.seatOf(one.seat)]?.name ?? "";
    const title = one.title || (one.moves.find((move) => move.move === one.played)?.words ?? "");
    const step = (/** @type {string} */ icon, /** @type {string} */ label, /** @type {number} */ by) =>
      round(icon, label, () => this.step(by), { disabled: slips.length < 2 });
    fill(
      box,
      h(
        "header",
        {},
        round("back", t("Back to the review"), () => history.back(), { kind: "back-to-list" }),
        h("span", { html: parts.grade(one.grade) }),
        h("h2", {}, `${put(parts.word("turn"), { n: one.turn })}: ${title}`),
        h("small", {}, name),
        one.cost ? h("span", { class: "costs" }, put(parts.word("costs"), { n: parts.size(one.cost) })) : null,
        h(
          "span",
          { class: "steps-through" },
          at >= 0 ? h("small", {}, put(parts.word("of"), { n: at + 1, all: slips.length })) : null,
          step("back", t("Previous slip"), -1),
          step("on", parts.word("next"), 1),
        ),
      ),
      h(
        "div",
        { class: "look" },
        board.root,
        h(
          "div",
          { class: "why" },
          h("div", { html: parts.options(one) }),
          one.sentence ? h("p", { class: "said" }, one.sentence) : null,
          one.afterword ? h("p", { class: "then" }, one.afterword) : null,
        ),
      ),
      h(
        "div",
        { class: "by-roll" },
        h("h3", {}, parts.word("roll_by_roll")),
        h("div", { html: parts.rollList(one.turn, this.decision) }),
      ),
    );
    board.show(one.view, one.view.moves, []); // now that it has a size
    board.mark(one.best, one.played, { best: parts.word("best"), played: parts.word("played") });
    board.freeze();
    for (const button of this.app.querySelectorAll("[data-decision]"))
      button.setAttribute(
        "aria-current",
        String(Number(/** @type {HTMLElement} */ (button).dataset.decision) === this.decision),
      );
  }

  /** @param {number} index @param {boolean} [move] bring it into sight */
  open(index, move = true) {
    const one = this.parts?.shown.decisions[index];
    if (!one) return;
    const was = this.root?.classList.contains("open");
    this.decision = index;
    this.root?.classList.add("open");
    this.showSlip();
    this.setTurn(one.turn - 1);
    this.note(index, matchMedia(NARROW).matches && !was);
    if (!move || !this.detail) return;
    const { top, bottom } = this.detail.getBoundingClientRect();
    if (matchMedia(NARROW).matches) scrollTo({ top: 0 });
    else if (top > innerHeight * 0.6 || bottom < 60) this.detail.scrollIntoView({ block: "start" });
    this.detail.focus({ preventScroll: true });
  }

  /** @param {number} by */
  step(by) {
    const slips = this.parts?.shown.players[this.seat]?.slips ?? [];
    const at = slips.indexOf(this.decision);
    const next = slips[(at + by + slips.length) % slips.length];
    if (next !== undefined) this.open(next);
  }

  /** The option of a move that was tapped on the table. @param {string} move */
  point(move) {
    const option = this.detail?.querySelector(`[data-option="${move}"]`);
    option?.scrollIntoView({ block: "nearest" });
    option?.animate([{ transform: "scale(1.03)" }, { transform: "none" }], 250);
  }

  /** @param {Event} event */
  clicked(event) {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    const { decision, turn } = button?.dataset ?? {};
    if (decision !== undefined) this.open(Number(decision));
    if (turn !== undefined) this.setTurn(Number(turn));
  }

  /** @returns {import("./keys.js").Keyboard} */
  keyboard() {
    return { step: (by) => this.step(by) };
  }

  close() {
    this.closed = true;
    removeEventListener("resize", this.resized);
    removeEventListener("beforeprint", this.paper);
    removeEventListener("afterprint", this.resized);
  }
}
