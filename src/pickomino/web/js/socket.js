// The live connection: says hello, resends what was not answered, comes back with growing pauses.
import { guest } from "./api.js";
import { secretsOf } from "./store.js";

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 10_000;
const QUIET = 25_000; // a ping after this long without a word, and a new connection if it stays unanswered
const PATIENCE = 8_000;

/**
 * @typedef {object} Listener
 * @property {(table: import("./messages").TableInfo, seats: string[]) => void} table
 * @property {(state: import("./messages").State) => void} state
 * @property {(state: import("./messages").State, hello: boolean) => void} dice told at once, also what has been told before over another connection
 * @property {(seat: string, reaction: string) => void} reaction
 * @property {(up: boolean, retryMs: number) => void} link
 * @property {(code: string) => void} refused
 */

export class Socket {
  /** @param {string} table @param {Listener} listener */
  constructor(table, listener) {
    this.table = table;
    this.listener = listener;
    /** @type {WebSocket|null} */
    this.ws = null;
    this.version = -1;
    this.game = "";
    this.pause = FIRST_PAUSE;
    this.closed = false;
    this.ready = false;
    this.prefix = Math.random().toString(36).slice(2, 10);
    this.count = 0;
    /** @type {Map<string, {text: string, done: (answer: any) => void}>} */
    this.waiting = new Map();
    /** @type {number|undefined} */
    this.retry = undefined;
    /** @type {number|undefined} */
    this.watch = undefined;
    this.online = () => {
      if (!this.ready) this.connect();
    };
    addEventListener("online", this.online);
    this.connect();
  }

  connect() {
    clearTimeout(this.retry);
    if (this.closed) return;
    this.ws?.close();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    // The table is for balancers that want the players of a table at one process; the server goes by hello.
    const ws = new WebSocket(`${scheme}://${location.host}/ws?table=${encodeURIComponent(this.table)}`);
    this.ws = ws;
    this.ready = false;
    this.listen(PATIENCE);
    ws.addEventListener("open", () => this.hello());
    ws.addEventListener("message", (event) => {
      if (ws === this.ws) this.receive(JSON.parse(event.data));
    });
    ws.addEventListener("close", () => {
      if (ws === this.ws) this.lost();
    });
  }

  lost() {
    if (this.closed) return;
    this.ready = false;
    clearTimeout(this.watch);
    const wait = this.pause * (0.75 + Math.random() / 2);
    this.pause = Math.min(this.pause * 1.8, LONGEST_PAUSE);
    this.listener.link(false, wait);
    clearTimeout(this.retry);
    this.retry = window.setTimeout(() => this.connect(), wait);
  }

  /** Wait for a word; without one, ask; without an answer, connect anew. @param {number} ms */
  listen(ms) {
    clearTimeout(this.watch);
    this.watch = window.setTimeout(() => {
      if (ms === QUIET && this.ready) {
        this.ws?.send(JSON.stringify({ t: "ping", id: this.id() }));
        this.listen(PATIENCE);
      } else {
        this.ws?.close();
        this.lost();
      }
    }, ms);
  }

  id() {
    this.count += 1;
    return `${this.prefix}-${this.count}`;
  }

  hello() {
    const d = {
      table: this.table,
      token: guest()?.token,
      seats: secretsOf(this.table),
      since: this.version < 0 ? undefined : this.version,
      chains: true,
    };
    this.helloId = this.id();
    this.ws?.send(JSON.stringify({ t: "hello", id: this.helloId, d }));
  }

  /** @param {any} message */
  receive(message) {
    this.listen(QUIET);
    if (message.id && message.id === this.helloId) {
      if (message.t === "error") {
        this.listener.refused(message.code);
        return;
      }
      this.ready = true;
      this.pause = FIRST_PAUSE;
      this.listener.link(true, 0);
      this.listener.table(message.d.table, message.d.seats);
      if (message.d.state) this.arrived(message.d.state, true, true);
      for (const { text } of this.waiting.values()) this.ws?.send(text);
    } else if (message.t === "state") this.arrived(message.d, false);
    else if (message.t === "table") this.listener.table(message.d.table, message.d.seats);
    else if (message.t === "reaction") this.listener.reaction(message.d.seat, message.d.reaction);
    else if (message.t === "bye") this.pause = message.d.retry_ms;
    else if (message.id) this.answered(message);
  }

  /** @param {any} message */
  answered(message) {
    const waiting = this.waiting.get(message.id);
    if (!waiting) return;
    if (message.t === "error" && (message.code === "rate_limited" || message.code === "unavailable")) {
      setTimeout(() => this.ready && this.ws?.send(waiting.text), message.retry_ms ?? 500);
      return;
    }
    this.waiting.delete(message.id);
    waiting.done(message);
  }

  /** @param {import("./messages").State} state @param {boolean} asked @param {boolean} [hello] with a new connection */
  arrived(state, asked, hello = false) {
    if (state.game === this.game && state.v <= this.version && !asked) return;
    const gap = state.game === this.game && state.from > this.version;
    if (gap && !asked) {
      const since = this.version;
      this.send("state", { d: { since } }).then((answer) => {
        if (answer.t === "ok" && answer.d?.state) this.arrived(answer.d.state, true);
      });
      return;
    }
    if (state.game === this.game && state.v === this.version) state.events = [];
    this.version = state.v;
    this.game = state.game;
    this.listener.dice(state, hello);
    this.listener.state(state);
  }

  /**
   * Sent once, again after a reconnect, until answered.
   * @param {string} type @param {object} rest
   * @returns {Promise<any>}
   */
  send(type, rest) {
    const id = this.id();
    const text = JSON.stringify({ t: type, id, ...rest });
    return new Promise((done) => {
      this.waiting.set(id, { text, done });
      if (this.ready) this.ws?.send(text);
    });
  }

  close() {
    this.closed = true;
    clearTimeout(this.retry);
    clearTimeout(this.watch);
    removeEventListener("online", this.online);
    this.ws?.close();
  }
}

/** 32 hex signs from the browser's own cryptographic source. */
export function nonce() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
