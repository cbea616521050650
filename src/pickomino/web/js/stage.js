// The table as one sees it: shows a view, and plays the events that lead from one view to the next. It works
// nothing out: what an event says has moved is moved, and the view that follows is the truth.
import { announce, fill, h } from "./dom.js";
import { Grill } from "./grill.js";
import { blink, fly, glide, move, puff, shake, sleep, tumble } from "./motion.js";
import { Seats } from "./seats.js";
import { play as sound } from "./sound.js";
import { parse, Tray } from "./tray.js";
import { eventNodes, eventSpeech } from "./words.js";
import { t } from "./i18n.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").GameEvent} GameEvent */
/** @typedef {{name: string, tag: string, off: boolean}} SeatFace */

const LOG_LINES = 60;

export class Stage {
  /**
   * @param {import("./types.js").EditionInfo} edition
   * @param {{act: (move: string) => void, tell: (text: string) => void, who: import("./words.js").Who, face: (letter: string) => SeatFace}} hooks
   */
  constructor(edition, hooks) {
    this.hooks = hooks;
    this.grill = new Grill(edition, hooks.act, hooks.tell);
    this.seats = new Seats((tile) => this.grill.wormsOf(tile), hooks.tell);
    this.tray = new Tray(hooks.act);
    this.log = h("aside", { class: "log", "aria-label": t("What happened"), tabindex: "0" });
    this.root = h("main", { class: `table${edition.specialists.length ? " deluxe" : ""}` }, h("h1", { class: "hush" }, t("The table")), this.seats.root, this.grill.root, this.tray.root, this.log);
    /** @type {View|null} */
    this.view = null;
    /** @type {string[]} */
    this.moves = [];
    /** @type {string|null} */
    this.mySeat = null;
    this.status = "";
  }

  /** @param {View} view @param {string[]} moves @param {string|null} mySeat @param {string} status */
  show(view, moves, mySeat, status) {
    this.view = view;
    this.moves = moves;
    this.mySeat = mySeat;
    this.status = status;
    this.seats.lay(view.stacks.map((_, index) => String.fromCharCode(65 + index)));
    this.seats.show(view, this.hooks.face);
    this.grill.show(view, moves.length > 0);
    this.tray.show(view, moves, mySeat, this.hooks.who, status);
  }

  /** What has been said so far goes away with another game. */
  clear() {
    fill(this.log);
    this.view = null;
  }

  /** Without choices, while something is on its way. */
  freeze() {
    if (this.view) this.show(this.view, [], this.mySeat, this.status);
  }

  /** @param {GameEvent[]} events @param {boolean} [quiet] no words for who listens */
  async play(events, quiet = false) {
    for (const event of events) {
      if (!quiet) announce(eventSpeech(event, this.hooks.who));
      const line = eventNodes(event, this.hooks.who);
      if (line.length && event.event !== "game_over") this.write(line);
      if (this.view) await this.step(event, structuredClone(this.view));
    }
  }

  /** @param {Node[]} line */
  write(line) {
    this.log.prepend(h("p", {}, line));
    while (this.log.childElementCount > LOG_LINES) this.log.lastElementChild?.remove();
  }

  /** @param {View} view shown between events; choices come with the last */
  put(view) {
    view.keeps = [];
    view.claims = [];
    view.bust = null;
    this.show(view, [], this.mySeat, this.status);
  }

  /** @param {GameEvent} event @param {View} view a copy to change */
  async step(event, view) {
    const seat = event.seat ? event.seat.charCodeAt(0) - 65 : 0;
    switch (event.event) {
      case "turn_started":
        Object.assign(view, { seat: event.seat, kept: "", rolled: "", total: 0, has_worm: false, phase: "roll", dice_left: 8, golden_die: false });
        this.put(view);
        return sleep(250);
      case "rolled": return this.roll(event, view);
      case "kept": return this.keep(event, view);
      case "took": return this.take(event, view, seat);
      case "stole": return this.steal(event, view, seat);
      case "busted": return this.bust();
      case "returned": return this.giveBack(event, view, seat);
      case "flipped": return this.flip(event, view);
      case "got_specialist":
        if (view.specialists && event.specialist) view.specialists[event.specialist] = event.seat ?? null;
        this.put(view);
        return sleep(500);
      case "specialist_moved":
        if (view.specialists && event.specialist) view.specialists[event.specialist] = event.tile ?? null;
        this.put(view);
        return sleep(400);
      case "specialist_left":
        if (view.specialists && event.specialist) view.specialists[event.specialist] = null;
        this.put(view);
        return sleep(400);
      case "got_round_worm":
        if (view.round_worms) {
          view.round_worms[seat] = (view.round_worms[seat] ?? 0) + 1;
          if (event.giver) view.round_worms[event.giver.charCodeAt(0) - 65] = (view.round_worms[event.giver.charCodeAt(0) - 65] ?? 1) - 1;
        }
        sound("take");
        this.put(view);
        return sleep(500);
      case "weasel_used": return sleep(500);
      case "game_over":
        sound("end");
        return sleep(600);
      default: return undefined;
    }
  }

  /** @param {GameEvent} event @param {View} view */
  async roll(event, view) {
    const dice = event.dice ?? "";
    view.rolled = dice;
    view.phase = "rolled";
    view.golden_die = view.golden_die || dice.includes("+");
    view.dice_left = parse(dice).length;
    sound("dice");
    this.put(view);
    await tumble([...this.tray.dice.children]);
    await sleep(350);
  }

  /** @param {GameEvent} event @param {View} view */
  async keep(event, view) {
    const face = event.face ?? "";
    const taken = [...this.tray.dice.children].filter((die) => /** @type {HTMLElement} */ (die).dataset.face === face);
    const from = taken.map((die) => die.getBoundingClientRect());
    const [white = "", gold = ""] = view.rolled.split("+");
    const [keptWhite = "", keptGold = ""] = view.kept.split("+");
    const more = keptWhite + face.repeat([...white].filter((item) => item === face).length);
    const goldKept = keptGold || (gold === face ? gold : "");
    Object.assign(view, { kept: [...more].sort().join("") + (goldKept ? `+${goldKept}` : ""), total: event.total ?? view.total, rolled: "", phase: "kept", dice_left: parse(view.rolled).length - taken.length });
    view.has_worm = view.has_worm || face === "W";
    sound("keep");
    this.put(view);
    const now = [...this.tray.kept.children].filter((die) => /** @type {HTMLElement} */ (die).dataset.face === face).slice(-from.length);
    await glide(new Map(now.map((die, i) => [die, /** @type {DOMRect} */ (from[i])])), 360);
    await sleep(250);
  }

  /** @param {GameEvent} event @param {View} view @param {number} seat */
  async take(event, view, seat) {
    const tile = event.tile ?? 0;
    const shown = this.grill.at(tile)?.querySelector(".tile");
    const from = shown?.getBoundingClientRect();
    const copy = shown?.cloneNode(true);
    view.grill = view.grill.filter((other) => other !== tile);
    sound("take");
    this.put(view);
    if (copy instanceof HTMLElement && from) await fly(copy, from, this.seats.place(event.seat ?? "A"));
    view.stacks[seat]?.push(tile);
    view.scores[seat] = (view.scores[seat] ?? 0) + this.grill.wormsOf(tile);
    this.put(view);
    await sleep(350);
  }

  /** @param {GameEvent} event @param {View} view @param {number} seat */
  async steal(event, view, seat) {
    const victim = event.victim ?? "A";
    const from = this.seats.place(victim);
    const copy = this.seats.parts.get(victim)?.pile.querySelector(".tile")?.cloneNode(true);
    const tile = view.stacks[victim.charCodeAt(0) - 65]?.pop() ?? event.tile ?? 0;
    sound("steal");
    this.put(view);
    const eyes = this.seats.eyes(victim);
    const flight = copy instanceof HTMLElement ? fly(copy, from, this.seats.place(event.seat ?? "A"), 820) : undefined;
    await Promise.all([flight, eyes ? blink(eyes) : undefined]);
    view.stacks[seat]?.push(tile);
    this.put(view);
    await sleep(450);
  }

  async bust() {
    sound("bust");
    await Promise.all([shake(this.tray.rolled), puff(this.tray.rolled)]);
    await sleep(350);
  }

  /** @param {GameEvent} event @param {View} view @param {number} seat */
  async giveBack(event, view, seat) {
    const tile = event.tile ?? 0;
    const letter = event.seat ?? "A";
    const from = this.seats.place(letter);
    const copy = this.seats.parts.get(letter)?.pile.querySelector(".tile")?.cloneNode(true);
    view.stacks[seat]?.pop();
    this.put(view);
    const place = this.grill.at(tile);
    if (copy instanceof HTMLElement && place) await fly(copy, from, place.getBoundingClientRect(), 560);
    view.grill = [...view.grill, tile].sort((a, b) => a - b);
    this.put(view);
    await sleep(200);
  }

  /** @param {GameEvent} event @param {View} view */
  async flip(event, view) {
    const tile = event.tile ?? 0;
    const shown = this.grill.at(tile)?.querySelector(".tile");
    if (shown) await move(shown, [{ transform: "scaleX(1)" }, { transform: "scaleX(.02)" }], { duration: 200, easing: "ease-in" });
    view.grill = view.grill.filter((other) => other !== tile);
    view.flipped = [...view.flipped, tile];
    this.put(view);
    const back = this.grill.at(tile)?.querySelector(".tile");
    if (back) await move(back, [{ transform: "scaleX(.02)" }, { transform: "scaleX(1)" }], { duration: 220, easing: "ease-out" });
    await sleep(250);
  }
}
