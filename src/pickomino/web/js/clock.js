// The clock of a turn, with its digits, on the bird of whoever is to act.
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { play as sound } from "./sound.js";

const LOW = 10; // seconds

export class Clock {
  /** @param {(letter: string) => HTMLElement|null} place @param {(letter: string) => boolean} mine */
  constructor(place, mine) {
    this.place = place;
    this.mine = mine;
    this.deadline = 0;
    this.seat = "";
    this.shown = h("span", { class: "clock", role: "timer" });
    this.timer = window.setInterval(() => this.tick(), 250);
  }

  /** @param {import("./messages").State} state */
  set(state) {
    this.deadline = state.left_ms === null || state.over ? 0 : performance.now() + state.left_ms;
    this.seat = state.seat ?? "";
    this.tick();
  }

  tick() {
    const place = this.deadline ? this.place(this.seat) : null;
    if (!place) {
      this.shown.remove();
      return;
    }
    const left = Math.max(0, Math.ceil((this.deadline - performance.now()) / 1000));
    const text = String(left);
    if (this.shown.parentElement !== place) place.append(this.shown);
    if (this.shown.textContent === text) return;
    this.shown.textContent = text;
    this.shown.setAttribute("aria-label", t("{n} seconds left", { n: left }));
    this.shown.classList.toggle("low", left <= LOW);
    if (left <= LOW && left > 0 && this.mine(this.seat)) sound("tick");
  }

  close() {
    clearInterval(this.timer);
  }
}
