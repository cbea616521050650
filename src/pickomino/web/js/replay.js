// A finished game or a record from a file, step by step and as a film. The address names the moment.
import { about, call, explain } from "./api.js";
import { fill, h, toast } from "./dom.js";
import { t } from "./i18n.js";
import { copy, topBar } from "./menu.js";
import { hurry, sleep } from "./motion.js";
import { Stage } from "./stage.js";

export class Replayer {
  /** @param {HTMLElement} app @param {{game?: string, text?: string, at?: number}} what */
  constructor(app, what) {
    this.app = app;
    this.game = what.game ?? "";
    this.at = what.at ?? 0;
    this.closed = false;
    this.playing = false;
    this.busy = false;
    /** @type {import("./types.js").Replay|null} */
    this.film = null;
    fill(app, topBar(null), h("main", { class: "crash" }, h("p", {}, t("Fetching the game…"))));
    this.ready = this.load(what.text);
  }

  /** @param {string} [text] */
  async load(text) {
    try {
      const record = text ?? (await call("GET", `/games/${this.game}/record`, undefined, true));
      /** @type {import("./types.js").Replay} */
      const film = await call("POST", "/replay", record);
      const { editions } = await about();
      const edition = editions.find((item) => item.key === film.edition.split("+")[0]);
      if (!edition || this.closed) return;
      this.film = film;
      const who = { name: (/** @type {string} */ seat) => film.names[seat.charCodeAt(0) - 65] ?? seat, me: () => false };
      this.stage = new Stage(edition, { act: () => undefined, tell: toast, who, face: (letter) => ({ name: who.name(letter), tag: "", off: false }) });
      this.build(film);
      this.go(Math.min(this.at, film.frames.length - 1));
    } catch (error) {
      fill(this.app, topBar(null), h("main", { class: "crash panel stack" }, h("h1", {}, t("This game cannot be shown.")), h("p", {}, error instanceof Error && "code" in error && error.code === "bad_message" ? error.message : explain(error)), h("a", { class: "link", href: "#" }, t("To the start"))));
    }
  }

  /** @param {import("./types.js").Replay} film */
  build(film) {
    if (!this.stage) return;
    const last = film.frames.length - 1;
    this.slider = h("input", { type: "range", min: 0, max: last, value: "0", "aria-label": t("Moment"), oninput: () => { this.stop(); this.go(Number(this.slider?.value)); } });
    this.count = h("output");
    this.button = h("button", { class: "primary", onclick: () => this.toggle() }, t("Play"));
    const step = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ act) => h("button", { class: "round", "aria-label": label, onclick: act }, sign);
    const bar = h("div", { class: "filmbar panel" },
      step("⏮", t("Start"), () => { this.stop(); this.go(0); }),
      step("◀", t("One step back"), () => { this.stop(); this.go(this.at - 1); }),
      this.button,
      step("▶", t("One step on"), () => { this.stop(); this.forward(); }),
      step("⏭", t("End"), () => { this.stop(); this.go(last); }),
      this.slider, this.count,
      this.game ? h("button", { class: "plain low", onclick: () => copy(`${location.origin}/#replay=${this.game}&at=${this.at}`, t("The link to this moment is copied.")) }, t("Copy link")) : null);
    this.stage.root.append(bar);
    fill(this.app, topBar(null), this.stage.root);
  }

  /** Show a moment at once. @param {number} at */
  go(at) {
    const film = this.film;
    if (!film || !this.stage) return;
    this.at = Math.max(0, Math.min(at, film.frames.length - 1));
    const frame = film.frames[this.at];
    if (!frame) return;
    this.stage.show(frame.view, [], null, "");
    this.mark();
  }

  mark() {
    if (this.slider) this.slider.value = String(this.at);
    if (this.count) this.count.textContent = `${this.at} / ${(this.film?.frames.length ?? 1) - 1}`;
    if (this.game) history.replaceState(null, "", `#replay=${this.game}&at=${this.at}`);
  }

  async forward() {
    const frame = this.film?.frames[this.at + 1];
    if (!frame || !this.stage || this.busy) return false;
    this.busy = true;
    await this.stage.play(frame.events, this.playing);
    this.busy = false;
    if (!this.closed) this.go(this.at + 1);
    return true;
  }

  async toggle() {
    if (this.playing) {
      this.stop();
      return;
    }
    this.playing = true;
    if (this.button) this.button.textContent = t("Pause");
    if (this.film && this.at >= this.film.frames.length - 1) this.go(0);
    while (this.playing && !this.closed && (await this.forward())) await sleep(250);
    this.stop();
  }

  stop() {
    this.playing = false;
    hurry(true);
    hurry(false);
    if (this.button) this.button.textContent = t("Play");
  }

  close() {
    this.closed = true;
    this.stop();
  }
}
