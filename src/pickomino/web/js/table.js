// A table: waiting room, game, end. Holds the connection and decides which of them is on the screen.
import { about, ApiError, call, explain, guest } from "./api.js";
import { worm } from "./art.js";
import { botLabel } from "./bots.js";
import { Coach } from "./coach.js";
import { announce, draw, fill, h, toast } from "./dom.js";
import { ending } from "./ending.js";
import { showHint } from "./hints.js";
import { t } from "./i18n.js";
import { menu, topBar } from "./menu.js";
import { hurry, sleep } from "./motion.js";
import { nonce, Socket } from "./socket.js";
import { play as sound } from "./sound.js";
import { Stage } from "./stage.js";
import { keepSecret, load, save, settings, tempo } from "./store.js";
import { waitingRoom } from "./waiting.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").TableInfo} TableInfo */

const PILED = 5; // states waiting: catch up without motion

export class Table {
  /** @param {HTMLElement} app @param {string} id @param {{learn?: boolean}} [options] */
  constructor(app, id, options = {}) {
    this.app = app;
    this.id = id;
    this.learn = options.learn ?? false;
    /** @type {TableInfo|null} */
    this.info = null;
    /** @type {import("./types.js").You|null} */
    this.you = null;
    /** @type {string[]} */
    this.mine = [];
    /** @type {State|null} */
    this.state = null;
    /** @type {Stage|null} */
    this.stage = null;
    /** @type {State[]} */
    this.queue = [];
    this.pumping = false;
    this.sending = false;
    this.closed = false;
    this.shownPhase = "";
    this.deadline = 0;
    this.noted = -1;
    /** @type {Coach|null} */
    this.coach = this.learn ? new Coach() : null;
    this.clock = window.setInterval(() => this.tick(), 500);
    this.who = { name: (/** @type {string} */ seat) => this.nameOf(seat), me: (/** @type {string} */ seat) => this.mine.length === 1 && this.mine[0] === seat };
    fill(app, topBar(this), h("main", { class: "crash" }, h("p", {}, t("Looking for the table…"))));
    this.socket = new Socket(id, {
      table: (table, seats) => this.seatsChanged(table, seats),
      state: (state) => this.arrived(state),
      reaction: (seat, reaction) => this.reacted(seat, reaction),
      link: (up) => this.link(up),
      refused: (code) => this.refused(code),
    });
  }

  /** @param {string} seat */
  nameOf(seat) {
    return this.info?.seats.find((item) => item.seat === seat)?.name || seat;
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
    fill(this.app, topBar(null), h("main", { class: "crash panel stack" }, h("h1", {}, t("There is no such table.")), h("p", {}, t("It may have been closed, or the link is not whole.")), h("a", { class: "link", href: "#" }, t("To the start"))));
  }

  /** @param {TableInfo} table @param {string[]} seats */
  seatsChanged(table, seats) {
    const had = this.mine.length;
    this.info = table;
    this.mine = seats;
    if (this.you === null || seats.length !== had) this.askYou();
    this.screen();
  }

  async askYou() {
    try {
      const answer = await call("GET", `/tables/${this.id}`);
      this.you = answer.you;
      for (const seat of this.you?.seats ?? []) keepSecret(seat.secret);
      if (this.info?.phase === "open") this.screen();
    } catch {
      this.you = null; // a spectator, or a seat known by its secret alone
    }
  }

  screen() {
    const info = this.info;
    if (!info || this.closed) return;
    if (info.phase === "open") {
      if (this.shownPhase !== "open") document.querySelectorAll("dialog.end").forEach((dialog) => /** @type {HTMLDialogElement} */ (dialog).close());
      this.stage = null;
      this.state = null;
      this.queue = [];
      this.shownPhase = "open";
      fill(this.app, topBar(this), waitingRoom(this));
    } else if (this.stage && !this.pumping) this.present();
  }

  /** @param {State} state */
  arrived(state) {
    const tips = load("tips") || {};
    if (!tips[state.game]) save("tips", Object.fromEntries([...Object.entries(tips), [state.game, state.dice]].slice(-20)));
    this.queue.push(state);
    this.pump();
  }

  async pump() {
    if (this.pumping) return;
    this.pumping = true;
    try {
      for (let state = this.queue.shift(); state && !this.closed; state = this.queue.shift()) {
        hurry(this.queue.length > PILED);
        await this.play(state);
      }
    } finally {
      this.pumping = false;
      hurry(false);
    }
    if (!this.closed) this.settle();
  }

  /** @param {State} state */
  async play(state) {
    const before = this.state;
    if (!this.stage || !before || before.game !== state.game) {
      const { editions } = await about();
      const edition = editions.find((item) => item.key === state.view.edition.split("+")[0]) ?? editions[0];
      if (!edition || this.closed) return;
      this.stage = new Stage(edition, { act: (move) => this.act(move), tell: toast, who: this.who, face: (letter) => this.face(letter) });
      this.shownPhase = "playing";
      fill(this.app, topBar(this), this.stage.root);
      if (this.coach) this.stage.tray.root.prepend(this.coach.root);
      const fresh = state.v <= 2;
      if (!fresh || !state.events.length) this.stage.view = null;
      this.state = state;
      this.setClock(state);
      return;
    }
    this.sending = false;
    this.setClock(state);
    if (this.stage.tray.more.querySelector(".hint")) this.stage.tray.more.hidden = true; // it was for the state before
    const others = state.entries.filter((entry) => ["timeout", "resign", "replaced", "back"].includes(entry.kind));
    this.state = state;
    await this.stage.play(state.events);
    for (const entry of others) this.tellEntry(entry);
  }

  /** @param {import("./types.js").Entry} entry */
  tellEntry(entry) {
    const who = this.nameOf(entry.seat);
    const text = { timeout: t("{who} ran out of time.", { who }), resign: t("{who} gives up.", { who }), replaced: t("{who} is away. A bot plays.", { who }), back: t("{who} is back.", { who }) }[entry.kind] ?? "";
    this.stage?.write([document.createTextNode(text)]);
    announce(text);
  }

  /** All that has arrived has been shown: the view as it is, with what I may do. */
  settle() {
    this.present();
    const state = this.state;
    if (!state || !this.stage) return;
    if (state.over) {
      if (this.shownPhase !== "over") {
        this.shownPhase = "over";
        ending(this);
      }
      return;
    }
    this.shownPhase = "playing";
    const mine = this.mySeat();
    document.title = mine ? `● ${t("Your turn")} · Pickomino` : "Pickomino";
    if (mine && state.moves.length && this.noted !== state.v && (state.moves[0] === "roll" || state.view.phase === "gold")) {
      this.noted = state.v;
      sound("turn");
    }
    this.coach?.say(state, mine);
    this.automatic();
  }

  mySeat() {
    const seat = this.state?.seat ?? null;
    return seat && this.mine.includes(seat) ? seat : null;
  }

  present() {
    const state = this.state;
    if (!state || !this.stage) return;
    const mine = this.mySeat();
    const moves = mine && !this.sending && !state.over ? state.moves : [];
    this.stage.show(state.view, moves, mine, this.statusText());
    document.querySelector(".top")?.replaceWith(topBar(this));
  }

  statusText() {
    const state = this.state;
    if (!state) return "";
    if (state.over) return t("The game is over.");
    const seat = this.info?.seats.find((item) => item.seat === state.seat);
    if (this.mySeat()) return state.view.phase === "keep" ? t("Choose one face: all its dice are kept.") : "";
    if (seat?.kind === "person" && !seat.connected && !seat.stand_in) return t("{who} is reconnecting…", { who: seat.name });
    return t("{who} is thinking…", { who: seat?.name ?? "" });
  }

  /** What a seat's card says. @param {string} letter */
  face(letter) {
    const seat = this.info?.seats.find((item) => item.seat === letter);
    const name = this.who.me(letter) ? t("You") : seat?.name ?? letter;
    const top = this.stage?.view?.tops[letter.charCodeAt(0) - 65];
    let tag = "";
    if (seat?.resigned) tag = t("gave up");
    else if (seat?.stand_in) tag = t("a bot plays");
    else if (seat?.kind === "person" && !seat.connected) tag = t("reconnecting…");
    else if (this.stage?.view?.seat === letter && this.phaseTag()) tag = this.phaseTag();
    else if (seat?.kind === "bot") tag = botLabel(seat.bot ?? "");
    else if (top && !this.mine.includes(letter)) tag = t("steal at {tile}", { tile: top });
    return { name, tag, off: Boolean(seat && seat.kind === "person" && !seat.connected) };
  }

  phaseTag() {
    return { roll: t("to roll"), keep: t("keep one face"), go: t("roll or stop"), gold: t("golden die?"), giver: t("choose a giver"), "put back": t("choose who goes back") }[this.stage?.view?.phase ?? ""] ?? "";
  }

  /** @param {string} move */
  async act(move) {
    const state = this.state;
    const seat = this.mySeat();
    if (!state || !seat || this.sending || this.pumping || !state.moves.includes(move)) return;
    this.sending = true;
    this.stage?.freeze();
    const fresh = ["roll", "r", "w"].includes(move) ? nonce() : "";
    if (fresh) this.remember(state.game, fresh);
    const answer = await this.socket.send("move", { seat, v: state.v, d: fresh ? { move, nonce: fresh } : { move } });
    if (answer.t === "error") {
      this.sending = false;
      if (fresh) this.forget(fresh);
      if (answer.code !== "stale_version") toast(explain(new ApiError(answer.code, answer.message)));
      if (!this.pumping) this.settle();
    }
  }

  /** My nonces, to be compared with the record after the game. @param {string} game @param {string} text */
  remember(game, text) {
    const sent = load("nonces");
    const mine = sent && sent.game === game ? sent.nonces : [];
    save("nonces", { game, nonces: [...mine, text].slice(-2000) });
  }

  /** A refused roll is no roll. @param {string} text */
  forget(text) {
    const sent = load("nonces");
    if (sent) save("nonces", { ...sent, nonces: sent.nonces.filter((/** @type {string} */ item) => item !== text) });
  }

  /** What leaves no choice plays itself. */
  async automatic() {
    const state = this.state;
    if (!state || !this.mySeat() || this.coach?.holds(state)) return;
    const only = state.moves.length === 1 ? state.moves[0] ?? "" : "";
    if (!only || !settings.forced || (only === "roll" && !settings.rolls)) return;
    const version = state.v;
    await (tempo() ? sleep(700) : Promise.resolve());
    if (this.state?.v === version && !this.closed) this.act(only);
  }

  /** @param {State} state */
  setClock(state) {
    this.deadline = state.left_ms === null || state.over ? 0 : performance.now() + state.left_ms;
    this.tick();
  }

  tick() {
    const parts = this.stage?.seats.parts;
    if (!parts || !this.info?.timer) return;
    for (const [letter, { li }] of parts) {
      let bar = li.querySelector(".clock");
      if (letter !== this.state?.seat || !this.deadline) {
        bar?.remove();
        continue;
      }
      const left = Math.max(0, this.deadline - performance.now());
      if (!bar) {
        bar = h("span", { class: "clock", role: "timer" }, h("i"));
        li.append(bar);
      }
      bar.setAttribute("aria-label", t("{n} seconds left", { n: Math.ceil(left / 1000) }));
      bar.classList.toggle("low", left < 10_000);
      /** @type {HTMLElement} */ (bar.firstElementChild).style.transform = `scaleX(${left / (this.info.timer * 1000)})`;
    }
  }

  /** @param {string} seat @param {string} reaction */
  reacted(seat, reaction) {
    const text = reactionText(reaction);
    this.stage?.seats.bubble(seat, reaction === "worm" ? draw(worm()) : text);
  }

  react() {
    if (!this.stage) return;
    const box = this.stage.tray.more;
    const open = box.hidden || !box.querySelector(".reactions");
    box.hidden = !open;
    if (!open) return;
    fill(box, h("div", { class: "reactions", role: "group", "aria-label": t("Reactions") }, ["worm", "clap", "laugh", "wow", "cry", "fire", "thanks", "hurry"].map((name) =>
      h("button", { type: "button", "aria-label": reactionText(name), onclick: () => { box.hidden = true; this.socket.send("react", { seat: this.mySeat() ?? this.mine[0], d: { reaction: name } }); } }, name === "worm" ? draw(worm()) : reactionText(name)))));
    /** @type {HTMLElement|null} */ (box.querySelector("button"))?.focus();
  }

  hint() {
    if (this.stage && this.state) showHint(this);
  }

  openMenu() {
    menu(this);
  }

  async resign() {
    const seat = this.mySeat() ?? this.mine[0];
    if (seat) await this.socket.send("resign", { seat });
  }

  close() {
    this.closed = true;
    clearInterval(this.clock);
    this.socket.close();
    hurry(true);
    hurry(false);
    const banner = document.getElementById("banner");
    if (banner) banner.hidden = true;
    document.title = "Pickomino";
  }
}

/** @param {string} name */
function reactionText(name) {
  return { worm: t("A worm"), clap: t("Bravo"), laugh: t("Ha ha"), wow: t("Wow"), cry: t("Ouch"), fire: t("Hot"), thanks: t("Thanks"), hurry: t("Tick tock") }[name] ?? name;
}

