// A finished game or a record from a file, step by step and as a film. The address names the moment.
import { ApiError, about, call, explain } from "./api.js";
import { botName } from "./bots.js";
import { btn, fill, h, quiet, round, toast } from "./dom.js";
import { t } from "./i18n.js";
import { looksIn, plain } from "./looks.js";
import { copy, failScreen, topBar, waitScreen } from "./menu.js";
import { hurry, sleep } from "./motion.js";
import { Stage } from "./stage.js";
import { seatIndex } from "./words.js";

const TOLD = 30; // steps before the moment whose events the log shows

export class Replayer {
  /** @param {HTMLElement} app @param {{game?: string, text?: string, at?: number}} what */
  constructor(app, what) {
    this.app = app;
    this.game = what.game ?? "";
    this.at = what.at ?? 0;
    this.closed = false;
    this.playing = false;
    this.busy = false;
    /** @type {import("./messages").ReplayPage|null} */
    this.film = null;
    waitScreen(app, topBar({}), t("Fetching the game…"));
    this.ready = this.load(what.text);
  }

  /** @param {string} [text] */
  async load(text) {
    try {
      const record = text ?? (await call("GET", `/games/${this.game}/record`, undefined, true));
      /** @type {import("./messages").ReplayPage} */
      const film = await call("POST", "/replay", record);
      const [{ editions }, looks] = await Promise.all([about(), looksIn(this.game)]);
      const edition = film.house ?? editions.find((item) => item.key === film.edition.split("+")[0]);
      if (!edition || this.closed) return;
      this.film = film;
      const name = (/** @type {string} */ seat) =>
        botName({ kind: "bot", name: film.names[seatIndex(seat)] ?? seat, seat });
      this.stage = new Stage(
        edition,
        {
          act: () => undefined,
          tell: toast,
          skip: () => undefined,
          who: { name, me: () => false },
          face: (letter) => ({
            name: name(letter),
            tag: "",
            off: false,
            bot: false,
            ...(looks.get(letter) ?? plain(letter)),
          }),
          mine: () => true,
          teller: () => ({ kind: "", next: "", mine: false, away: false, standIn: null }),
          seen: () => null,
        },
        topBar({}),
      );
      this.build(film);
      this.go(this.at);
    } catch (error) {
      const unread = error instanceof ApiError && error.code === "bad_message";
      failScreen(this.app, t("This game cannot be shown."), unread ? error.message : explain(error));
    }
  }

  /** @param {import("./messages").ReplayPage} film */
  build(film) {
    if (!this.stage) return;
    const last = film.frames.length - 1;
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: last,
      value: "0",
      "aria-label": t("Moment"),
      oninput: () => {
        this.stop();
        this.go(Number(this.slider?.value));
      },
    });
    this.count = h("output");
    this.button = btn(t("Play"), () => void this.toggle(), { kind: "roll low" });
    const step = (/** @type {string} */ icon, /** @type {string} */ label, /** @type {() => void} */ act) =>
      round(icon, label, () => {
        this.stop();
        act();
      });
    const link = () =>
      copy(`${location.origin}/#replay=${this.game}&at=${this.at}`, t("The link to this moment is copied."));
    this.stage.root.classList.add("film");
    this.stage.board.append(
      h(
        "div",
        { class: "filmbar" },
        step("first", t("Start"), () => this.go(0)),
        step("back", t("One step back"), () => this.go(this.at - 1)),
        this.button,
        step("on", t("One step forward"), () => void this.forward()),
        step("last", t("End"), () => this.go(last)),
        this.slider,
        this.count,
        this.game ? quiet(t("Copy link"), link) : null,
      ),
    );
    fill(this.app, this.stage.root);
  }

  /** Show a moment at once, with what had been told until then. @param {number} at */
  go(at) {
    const film = this.film;
    if (!film || !this.stage) return;
    this.at = Math.max(0, Math.min(at, film.frames.length - 1));
    const step = film.frames[this.at];
    if (!step) return;
    this.stage.busting = false;
    this.stage.seats.moods.clear();
    this.stage.show(step.view);
    this.stage.retell(film.frames.slice(Math.max(0, this.at - TOLD), this.at + 1).flatMap((item) => item.events));
    this.mark();
  }

  mark() {
    if (this.slider) this.slider.value = String(this.at);
    if (this.count) this.count.textContent = `${this.at} / ${(this.film?.frames.length ?? 1) - 1}`;
    if (this.game) history.replaceState(null, "", `#replay=${this.game}&at=${this.at}`);
  }

  async forward() {
    const step = this.film?.frames[this.at + 1];
    if (!step || !this.stage || this.busy) return false;
    this.busy = true;
    for (const { event, view } of step.frames) await this.stage.play(event, view ?? step.view, this.playing);
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
    this.label(t("Pause"));
    if (this.film && this.at >= this.film.frames.length - 1) this.go(0);
    while (this.playing && !this.closed && (await this.forward())) await sleep(250);
    this.stop();
  }

  /** @param {string} text */
  label(text) {
    if (this.button) fill(this.button, h("b", {}, text));
  }

  stop() {
    this.playing = false;
    hurry(true);
    hurry(false);
    this.label(t("Play"));
  }

  /** @returns {import("./keys.js").Keyboard} */
  keyboard() {
    return {
      step: (steps) => {
        this.stop();
        if (steps > 0) void this.forward();
        else this.go(this.at + steps);
      },
    };
  }

  close() {
    this.closed = true;
    this.stop();
  }
}
