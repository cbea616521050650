// A table: waiting room, game, end. Holds the connection, and gives every part of the screen what that part needs.
import { ApiError, about, call, explain, guest } from "./api.js";
import { Away } from "./away.js";
import { botLabel, botName } from "./bots.js";
import { Chains } from "./chains.js";
import { Clock } from "./clock.js";
import { Coach } from "./coach.js";
import { announce, btn, fill, h, must, renew, sheet, toast } from "./dom.js";
import { endScreen } from "./ending.js";
import { Guide } from "./guide.js";
import { askHint } from "./hints.js";
import { list, t } from "./i18n.js";
import { failScreen, menu, topBar, waitScreen } from "./menu.js";
import { hurry, sleep } from "./motion.js";
import { Projector } from "./projector.js";
import { chooseReaction, shownReaction } from "./reactions.js";
import { callPlayer } from "./signals.js";
import { nonce, Socket } from "./socket.js";
import { Stage } from "./stage.js";
import { keepSecret, save, settings, tempo } from "./store.js";
import { waitingRoom } from "./waiting.js";

/** @typedef {import("./messages").State} State */
/** @typedef {import("./messages").View} View */
/** @typedef {import("./messages").TableInfo} TableInfo */

const RETOLD = 60; // entries that a reload tells again

export class TableScreen {
  /** @param {HTMLElement} app @param {string} id @param {{learn?: boolean}} [options] */
  constructor(app, id, options = {}) {
    this.app = app;
    this.id = id;
    /** @type {TableInfo|null} */
    this.info = null;
    /** @type {import("./messages").You|null} */
    this.you = null;
    /** @type {string[]} */
    this.mine = [];
    /** @type {Stage|null} */
    this.stage = null;
    /** What the waiting room shows. @type {import("./waiting.js").Room|undefined} */
    this.room = undefined;
    this.sending = false;
    this.sentAt = -1; // the version that the move under way is about
    this.closed = false;
    this.ended = false;
    this.noted = -1;
    this.last = "";
    this.presented = false; // something of this game
    this.coach = new Coach(id);
    this.guide = options.learn ? new Guide() : null;
    /** @type {import("./words.js").Who} */
    this.who = { name: (seat) => this.nameOf(seat), me: (seat) => this.mine.length === 1 && this.mine[0] === seat };
    this.clock = new Clock(
      (letter) => this.stage?.seats.parts.get(letter)?.face ?? null,
      (letter) => this.mine.includes(letter),
    );
    this.away = new Away(() => this.stage?.retellWho());
    this.projector = new Projector({
      begin: (state) => this.begin(state),
      frame: (event, view) => this.stage?.play(event, view) ?? Promise.resolve(),
      after: (state) => this.after(state),
      settled: (state) => this.settled(state),
    });
    waitScreen(app, this.bar(), t("Looking for the table…"));
    this.chains = new Chains();
    this.socket = new Socket(id, {
      table: (table, seats) => this.seatsChanged(table, seats),
      state: (state) => this.projector.push(state),
      dice: (state, hello) => this.add(state, hello),
      reaction: (seat, reaction) => this.stage?.seats.bubble(seat, shownReaction(reaction)),
      link: (up) => this.link(up),
      refused: (code) => this.refused(code),
    });
  }

  /** @param {string} seat */
  nameOf(seat) {
    const found = this.info?.seats.find((item) => item.seat === seat);
    return found ? botName(found) : seat;
  }

  bar() {
    const playing = Boolean(this.stage && !this.ended);
    return topBar({
      code: this.info?.code,
      watching: !this.mine.length && this.info?.phase !== "open",
      react: playing && this.mine.length ? () => this.react() : undefined,
      table: () => this.tableMenu(),
    });
  }

  /** What the menu offers at a table. */
  tableMenu() {
    const state = this.projector?.state;
    return {
      id: this.id,
      house: this.info?.house,
      resign: state && !state.over && this.mine.length ? () => this.resign() : undefined,
      log: this.stage ? () => this.showLog() : undefined,
      coach:
        this.info && this.mine.length
          ? this.coach.choice(this.info, this.mine, (seat) => this.nameOf(seat))
          : undefined,
    };
  }

  /** @param {boolean} up */
  link(up) {
    const banner = document.getElementById("banner");
    if (!banner || this.closed) return;
    if (!up && banner.hidden) announce(t("Connection lost. Trying again."));
    banner.hidden = up;
    banner.textContent = t("Connection lost. Trying again…");
  }

  /** @param {string} code */
  refused(code) {
    this.socket.close();
    if (code === "unauthorized" && guest()) {
      // The server has forgotten this guest or seat: come in as a spectator rather than not at all.
      save("guest", null);
      save("seats", {});
      this.close();
      dispatchEvent(new HashChangeEvent("hashchange"));
      return;
    }
    failScreen(this.app, t("There is no such table."), t("It may have been closed, or the link is incomplete."));
  }

  /** @param {TableInfo} table @param {string[]} seats */
  seatsChanged(table, seats) {
    const had = this.mine.length;
    if (this.info && had && !seats.length && table.phase === "open")
      toast(t("You no longer have a seat at this table."));
    const hosted = this.info?.host;
    const before = this.info;
    this.info = table;
    this.mine = seats;
    this.away.table(table);
    this.coach.tell(before, table, seats, (seat) => this.nameOf(seat));
    if (this.you === null || seats.length !== had || hosted !== table.host) void this.askYou();
    this.screen();
  }

  async askYou() {
    try {
      const answer = await call("GET", `/tables/${this.id}`);
      this.take(answer.you);
    } catch {
      this.you = null; // a spectator, or a seat known by its secret alone
    }
    if (this.info?.phase === "open") this.screen();
  }

  /** @param {import("./messages").You|null} you */
  take(you) {
    this.you = you;
    for (const seat of you?.seats ?? []) keepSecret(seat.secret);
  }

  screen() {
    const info = this.info;
    if (!info || this.closed) return;
    if (info.phase === "open") {
      this.stage = null;
      this.ended = false;
      this.projector.state = null;
      document.title = "Pickomino";
      this.room = Object.assign(this.room ?? {}, { info, mine: this.mine, host: Boolean(this.you?.host) });
      const room = waitingRoom(this.room, { take: (you) => this.take(you), reconnect: () => this.socket.connect() });
      const shown = this.app.querySelector("main.room");
      if (shown) {
        renew(must(this.app.querySelector(".top")), this.bar());
        renew(shown, room);
      } else fill(this.app, this.bar(), room);
    } else if (this.stage && !this.projector.busy && this.projector.state && !this.ended)
      this.present(this.projector.state);
  }

  /**
   * What this browser adds to the dice; nobody waits for a picture to be drawn.
   * @param {State} state @param {boolean} hello
   */
  add(state, hello) {
    for (const { type, rest, done } of this.chains.hear(state, this.mine, hello))
      void this.socket.send(type, rest).then((answer) => done(answer.t === "ok"));
  }

  /** @param {State} state */
  async begin(state) {
    const { editions } = await about();
    const edition = this.info?.house ?? editions.find((item) => item.key === state.view.edition.split("+")[0]);
    if (!edition || this.closed) return;
    this.ended = this.presented = this.sending = false;
    this.stage = new Stage(
      edition,
      {
        act: (move) => this.act(move),
        tell: toast,
        skip: () => hurry(true),
        who: this.who,
        face: (letter) => this.face(letter),
        mine: (letter) => this.mine.includes(letter),
        teller: (letter) => this.teller(letter),
        seen: (view, offered) => this.seen(view, offered),
      },
      this.bar(),
    );
    this.clock.set(state);
    fill(this.app, this.stage.root);
    this.stage.show(state.view);
    if (state.v > 2) void this.retell(state);
  }

  /** What happened before one came, for the log. @param {State} state */
  async retell(state) {
    const answer = await this.socket.send("state", { d: { since: Math.max(0, state.v - RETOLD) } });
    if (answer.t === "ok" && this.projector.state?.v === state.v) this.stage?.retell(answer.d.state.events);
  }

  /** What the state tells besides its frames. @param {State} state */
  after(state) {
    if (state.v !== this.sentAt) this.sending = false; // a new connection tells the same state again
    if (state.events.some((event) => event.event === "turn_started")) this.coach.nextTurn();
    this.clock.set(state);
    if (this.info) this.away.state(state, this.info);
    for (const entry of state.entries) {
      const who = list((entry.seats ?? [entry.seat ?? ""]).map((seat) => this.nameOf(seat)));
      const text = {
        timeout: t("{who} ran out of time.", { who }),
        resign: t("{who} gives up.", { who }),
        replaced: t("{who} is away. A bot plays.", { who }),
        back: t("{who} is back.", { who }),
        first: t("{who} starts.", { who }),
        void: t("Nothing came from {who} in time. The dice are rolled again.", { who }),
      }[/** @type {string} */ (entry.kind)];
      if (!text) continue;
      if (entry.kind !== "first") this.stage?.write([document.createTextNode(text)]); // who starts is seen
      announce(text);
    }
  }

  /** All that has arrived has been shown: the view as it is, with what I may do. @param {State} state */
  settled(state) {
    if (state.over) {
      if (!this.ended) void this.end(state);
      return;
    }
    if (state.chains?.ask && this.presented) return; // the dice are about to fall
    this.presented = true;
    this.present(state);
    const seat = this.mySeat();
    if (seat && state.moves.length && this.noted !== state.v && !state.view.kept && state.view.phase !== "keep") {
      this.noted = state.v;
      callPlayer(this.nameOf(seat));
    }
    void this.automatic(state);
  }

  /** @param {State} state */
  present(state) {
    const moves = this.mySeat() && !this.sending && !state.over ? state.moves : [];
    this.stage?.show(state.view, moves);
    if (this.stage && this.info?.hints && moves.some((move) => move !== "roll"))
      this.stage.tray.offerHint(() => askHint(this.id, state.v, this.stage?.tray));
    const top = this.app.querySelector(".top");
    if (top) renew(top, this.bar());
  }

  /**
   * Every view that is shown, also those on the way: title and guide go by it.
   * @param {View} view @param {boolean} offered
   */
  seen(view, offered) {
    const seat = view.seat && this.mine.includes(view.seat) ? view.seat : null;
    document.title = titleFor(seat !== null);
    return this.guide?.words(view, seat, offered) ?? null;
  }

  /** The seat of mine that is to act. */
  mySeat() {
    const seat = this.projector.state?.seat ?? null;
    return seat && this.mine.includes(seat) ? seat : null;
  }

  /** What a seat's card says. @param {string} letter @returns {import("./seats.js").SeatFace} */
  face(letter) {
    const seat = this.info?.seats.find((item) => item.seat === letter);
    const away = Boolean(seat && seat.kind === "person" && !seat.connected);
    let tag = "";
    if (seat?.resigned) tag = t("gave up");
    else if (seat?.stand_in) tag = t("a bot plays");
    else if (away) tag = t("reconnecting…");
    else if (seat?.kind === "bot") tag = botLabel(seat.bot ?? "");
    return {
      name: this.who.me(letter) ? t("You") : this.nameOf(letter),
      tag,
      off: away,
      bot: seat?.kind === "bot" || Boolean(seat?.stand_in),
      bird: seat?.bird ?? letter,
      colour: seat?.colour ?? letter,
    };
  }

  /**
   * What is told of whoever is to act elsewhere; the host need not wait for who is not there.
   * @param {string} letter
   */
  teller(letter) {
    const left = this.away.left(letter);
    const waits = left === null ? "" : t("{who} is away. A bot plays in {n} s.", { who: this.nameOf(letter), n: left });
    return {
      kind: this.face(letter).tag,
      next: waits || (this.mine.length ? "" : t("You are watching.")),
      mine: this.mine.length > 0 && left === null,
      away: left !== null,
      standIn: left !== null && this.you?.host ? () => void this.standIn(letter) : null,
    };
  }

  /** @param {string} letter */
  async standIn(letter) {
    try {
      await call("DELETE", `/tables/${this.id}/seats/${letter}`);
    } catch (error) {
      toast(explain(error));
    }
  }

  /** @param {string} move */
  async act(move) {
    const state = this.projector.state;
    const seat = this.mySeat();
    if (!state || !seat || this.sending || this.projector.busy || !state.moves.includes(move)) return;
    if (!(await this.coach.allows(this.info, state, move)) || this.projector.state !== state) return;
    if (this.sending) return; // what plays itself was chosen by hand as well: one of them is on its way
    this.sending = true;
    this.sentAt = state.v;
    this.last = move;
    this.stage?.freeze();
    const fresh = ["roll", "r", "w"].includes(move) ? nonce() : "";
    const answer = await this.socket.send("move", { seat, v: state.v, d: fresh ? { move, nonce: fresh } : { move } });
    if (fresh && answer.t === "ok") this.chains.sent(state.game, fresh);
    if (answer.t === "error") {
      this.sending = false;
      if (answer.code !== "stale_version") toast(explain(new ApiError(answer.code, answer.message)));
      if (!this.projector.busy && this.projector.state) this.settled(this.projector.state);
    }
  }

  /** What leaves no choice plays itself. @param {State} state */
  async automatic(state) {
    if (!this.mySeat() || this.guide?.holds(state.view)) return;
    const only = state.moves.length === 1 ? (state.moves[0] ?? "") : "";
    const rolls = only !== "roll" || settings.rolls || this.last === "g" || this.last === "n"; // who chose about the golden die wants to roll
    if (!only || !settings.forced || !rolls) return;
    await (tempo() ? sleep(700) : Promise.resolve());
    if (this.projector.state?.v === state.v && !this.closed) void this.act(only);
  }

  /** @param {State} state */
  async end(state) {
    this.ended = true;
    const { stage, info } = this;
    if (!stage || !info || !state.result) return;
    stage.show(state.view);
    document.title = "Pickomino";
    save("played", true);
    fill(
      this.app,
      this.bar(),
      endScreen(
        {
          game: state.game,
          view: state.view,
          result: state.result,
          seats: info.seats,
          who: this.who,
          wormsOf: (tile) => stage.grill.wormsOf(tile),
          dice: stage.sides,
          kept: this.chains.kept,
        },
        {
          again: this.mine.length ? () => this.again() : undefined,
          table: () => {
            fill(
              stage.board,
              btn(t("To the result"), () => this.end(state), { kind: "roll full" }),
            );
            fill(this.app, stage.root);
          },
        },
      ),
    );
  }

  /** The same people once more; where all others are bots it begins at once. */
  async again() {
    try {
      const answer = await call("POST", `/tables/${this.id}/rematch`);
      this.take(answer.you);
      this.screen();
      const others = answer.table.seats.some(
        (/** @type {import("./messages").SeatInfo} */ seat) => seat.kind === "person" && !this.mine.includes(seat.seat),
      );
      if (answer.you?.host && !others) await call("POST", `/tables/${this.id}/start`);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "not_over")) toast(explain(error)); // somebody else was quicker
    }
  }

  react() {
    chooseReaction((reaction) => {
      void this.socket.send("react", { seat: this.mySeat() ?? this.mine[0], d: { reaction } });
    });
  }

  showLog() {
    const lines = [...(this.stage?.log.children ?? [])].map((line) => line.cloneNode(true));
    sheet(t("What happened"), h("ol", { class: "log whole" }, lines));
  }

  async resign() {
    const seat = this.mySeat() ?? this.mine[0];
    if (seat) await this.socket.send("resign", { seat });
  }

  /** What keys do here. @returns {import("./keys.js").Keyboard} */
  keyboard() {
    return {
      moves: () => this.stage?.moves ?? [],
      act: (move) => void this.act(move),
      hint: () => this.stage?.tray.hint(),
      react: () => this.mine.length && this.react(),
      menu: () => menu(this.tableMenu()),
      house: () => this.info?.house ?? null,
    };
  }

  close() {
    this.closed = true;
    this.clock.close();
    this.away.close();
    this.socket.close();
    this.projector.close();
    const banner = document.getElementById("banner");
    if (banner) banner.hidden = true;
    document.title = "Pickomino";
  }
}

/** The tab calls me while a turn of mine is shown. @param {boolean} mine */
export const titleFor = (mine) => (mine ? `● ${t("Your turn")} · Pickomino` : "Pickomino");
