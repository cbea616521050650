// The table as one sees it. It shows a view, and moves to the next view as events say; it works nothing out.
import { announce, btn, draw, fill, h } from "./dom.js";
import { smoke, specialist } from "./figures.js";
import { Grill } from "./grill.js";
import { t } from "./i18n.js";
import { stealMoment } from "./moments.js";
import { fly, glide, move, pale, shake, sleep, strike, tumble, untilTapped } from "./motion.js";
import { Seats } from "./seats.js";
import { play as sound } from "./sound.js";
import { Story } from "./story.js";
import { Tray } from "./tray.js";
import { bustText, deedText, eventNodes, eventSpeech, seatIndex, specialistName, specialistText } from "./words.js";

/** @typedef {import("./messages").View} View */
/** @typedef {import("./messages").EventInfo} GameEvent */

/**
 * What the table asks of whoever shows it.
 * @typedef {object} Hooks
 * @property {(move: string) => void} act
 * @property {(text: string) => void} tell
 * @property {() => void} skip to my turn
 * @property {import("./words.js").Who} who
 * @property {(letter: string) => import("./seats.js").SeatFace} face
 * @property {(letter: string) => boolean} mine whether that seat is played here
 * @property {(letter: string) => import("./story.js").Teller} teller
 * @property {(view: View, offered: boolean) => Node[]|null} seen every view that is shown; gives the guide's words
 */

const LOG_LINES = 60;

export class Stage {
  /** @param {import("./messages").EditionInfo} edition @param {Hooks} hooks @param {Element} top the bar */
  constructor(edition, hooks, top) {
    this.hooks = hooks;
    /** What a die shows, for checking. @type {import("./verify.js").Sides} */
    this.sides = edition;
    this.grill = new Grill(edition, hooks.act, hooks.tell);
    this.seats = new Seats((tile) => this.grill.wormsOf(tile), hooks.act, hooks.tell);
    this.tray = new Tray(hooks.act);
    this.story = new Story(hooks.skip);
    this.board = h("section", { class: "tray", "aria-label": t("Dice and choices") }, this.tray.root, this.story.root);
    this.log = h("ol", { class: "log", tabindex: "0", "aria-label": t("What happened") });
    this.guests = h("ul", { class: "guests" });
    const side = h(
      "aside",
      { class: "side" },
      edition.specialists.length ? h("div", { class: "card" }, h("h2", {}, t("Specialists")), this.guests) : null,
      h("div", { class: "card events" }, h("h2", {}, t("What happened")), this.log),
    );
    this.root = h(
      "div",
      { class: `table${edition.specialists.length ? " deluxe" : ""}` },
      top,
      h("main", {}, h("h1", { class: "hush" }, t("The table")), this.seats.root, this.grill.root, this.board, side),
    );
    /** @type {View|null} */
    this.view = null;
    /** The last view in which there was something to lose. @type {View|null} */
    this.before = null;
    /** @type {string[]} */
    this.moves = [];
    this.busting = false;
  }

  /** @param {View} view @param {string[]} [moves] what may be sent now */
  show(view, moves = []) {
    this.view = view;
    this.moves = moves;
    if (view.bust) this.before = view;
    const { who, mine } = this.hooks;
    const said = this.hooks.seen(view, moves.length > 0);
    const here = view.seat ? mine(view.seat) : !this.story.root.isConnected || this.story.root.hidden;
    this.seats.show(view, this.hooks.face, moves.length > 0);
    this.grill.show(view, moves.length > 0, here || !view.seat ? t("take") : who.name(view.seat));
    this.board.classList.toggle("acting", moves.length > 0);
    this.tray.root.hidden = !here;
    this.story.root.hidden = here;
    this.showGuests(view);
    if (!here && view.seat) {
      if (this.story.seat !== view.seat) this.tellFrom(view);
      this.retellWho();
    } else if (here && !this.busting) {
      const several = view.seat && !who.me(view.seat) ? who.name(view.seat) : "";
      this.tray.show(view, moves, who, said, several);
    }
  }

  /** Who plays on the other side of the board, and whether they are there. */
  retellWho() {
    const seat = this.view?.seat;
    if (seat && !this.story.root.hidden)
      this.story.about({ name: this.hooks.who.name(seat), ...this.hooks.teller(seat) });
  }

  /** Another's turn that was under way before one came: what lies there now. @param {View} view */
  tellFrom(view) {
    this.story.begin(view.seat ?? "A", this.hooks.face(view.seat ?? "A"));
    if (view.kept) {
      this.story.rolled(view.kept);
      this.story.row?.querySelectorAll(".die").forEach((die) => die.classList.add("kept"));
      const total = this.story.row?.lastElementChild;
      if (total) total.textContent = String(view.total);
    }
    if (view.rolled) this.story.rolled(view.rolled);
  }

  /** Where each specialist is and what it does. @param {View} view */
  showGuests(view) {
    if (!view.specialists) return;
    const key = JSON.stringify([view.specialists, view.claims.map((claim) => claim.specialist)]);
    if (this.guests.dataset.key === key) return;
    this.guests.dataset.key = key;
    const wanted = view.claims.map((claim) => claim.specialist);
    fill(
      this.guests,
      Object.entries(view.specialists)
        .filter(([, place]) => place !== null)
        .map(([name, place]) => {
          const where =
            typeof place === "number"
              ? t("on {tile}", { tile: place })
              : this.hooks.who.me(String(place))
                ? t("yours")
                : this.hooks.who.name(String(place));
          return h(
            "li",
            { class: wanted.includes(name) ? "now" : "" },
            draw(specialist(name)),
            h("span", {}, h("b", {}, `${specialistName(name)}, ${where}`), specialistText(name)),
          );
        }),
    );
  }

  /** Without choices, while something is on its way. */
  freeze() {
    if (this.view) this.show(this.view);
  }

  /** What has been told so far, anew. @param {GameEvent[]} events */
  retell(events) {
    fill(this.log);
    for (const event of events) this.tell(event);
  }

  /** @param {GameEvent} event */
  tell(event) {
    const line = eventNodes(event, this.hooks.who);
    if (line.length && event.event !== "game_over") this.write(line);
  }

  /** @param {Node[]} line */
  write(line) {
    this.log.prepend(h("li", {}, line));
    while (this.log.childElementCount > LOG_LINES) this.log.lastElementChild?.remove();
  }

  /**
   * One event, and the view after it.
   * @param {GameEvent} event @param {View} view @param {boolean} [quiet] no words for who listens
   */
  async play(event, view, quiet = false) {
    if (!quiet) announce(eventSpeech(event, this.hooks.who));
    this.tell(event);
    const before = this.view;
    const here = this.hooks.mine(before?.seat ?? event.seat ?? "");
    if (!before) this.show(view);
    else await this.step(event, view, before, here);
  }

  /** @param {GameEvent} event @param {View} view @param {View} before @param {boolean} here */
  async step(event, view, before, here) {
    switch (event.event) {
      case "turn_started":
        return this.nextTurn(view, here);
      case "rolled":
        return this.roll(event, view, here);
      case "kept":
        return this.keep(event, view, here);
      case "took":
        return this.take(event, view, before);
      case "stole":
        return this.steal(event, view, before);
      case "busted":
        return this.bust(view, here);
      case "returned":
        return this.giveBack(event, view, before);
      case "flipped":
        return this.flip(event, view);
      case "game_over":
        await this.goOn(here, "");
        sound("end");
        this.show(view);
        return sleep(600);
      case "got_round_worm":
      case "got_specialist":
        sound("take");
        this.story.say(deedText(event, this.hooks.who, (tile) => this.grill.wormsOf(tile)));
        this.show(view);
        return sleep(600);
      default:
        this.show(view);
        return sleep(400);
    }
  }

  /** @param {View} view @param {boolean} here */
  async nextTurn(view, here) {
    await this.goOn(here, view.seat ?? "");
    if (!here) await sleep(900); // time to read how it ended
    this.seats.moods.clear();
    this.story.seat = "";
    this.show(view);
    await sleep(250);
  }

  /** After a bust of one's own the table waits, but not for ever. @param {boolean} here @param {string} next */
  async goOn(here, next) {
    if (!this.busting) return;
    if (here) {
      const name = next && this.hooks.who.name(next);
      const note = name ? t("{who} is next", { who: name }) : "";
      const button = btn(t("Go on"), null, { kind: "roll full", note, data: { go: "on" } });
      fill(this.tray.acts, button);
      this.tray.acts.dataset.key = "";
      await untilTapped(button, 5000);
    }
    this.busting = false;
    this.grill.root.classList.remove("cold");
  }

  /** @param {GameEvent} event @param {View} view @param {boolean} here */
  async roll(event, view, here) {
    sound("dice");
    if (!here) this.story.say([]);
    const theirs = here ? [] : this.story.rolled(event.dice ?? "");
    this.board.classList.add("rolling"); // what can be kept is not told before the dice lie still
    this.show(view);
    await tumble(here ? [...this.tray.well.querySelectorAll(".die")] : theirs, here ? this.tray.well : null);
    this.board.classList.remove("rolling");
    await sleep(here ? 200 : 350);
  }

  /** @param {GameEvent} event @param {View} view @param {boolean} here */
  async keep(event, view, here) {
    const face = event.face ?? "";
    sound("keep");
    if (!here) {
      this.story.kept(face, event.total ?? 0);
      this.show(view);
      return sleep(450);
    }
    const from = [...this.tray.well.querySelectorAll(`.die[data-face="${face}"]`)].map((die) =>
      die.getBoundingClientRect(),
    );
    this.show(view);
    const now = [...this.tray.kept.children]
      .filter((die) => /** @type {HTMLElement} */ (die).dataset.face === face)
      .slice(-from.length);
    await glide(new Map(now.map((die, i) => [die, /** @type {DOMRect} */ (from[i])])));
    return sleep(200);
  }

  /** @param {GameEvent} event @param {View} view @param {View} before */
  async take(event, view, before) {
    const [seat, tile] = [event.seat ?? "", event.tile ?? 0];
    const shown = this.grill.at(tile)?.querySelector(".tile");
    const from = shown?.getBoundingClientRect();
    const copy = shown?.cloneNode(true);
    this.seats.moods.set(seat, "happy");
    this.story.got(tile, this.grill.wormsOf(tile), false);
    this.story.say(deedText(event, this.hooks.who, (value) => this.grill.wormsOf(value)));
    sound("take");
    this.show(view);
    const landed = this.seats.parts.get(seat)?.pile;
    landed?.classList.add("flown");
    if (copy instanceof HTMLElement && from) await fly(copy, from, this.seats.place(seat));
    landed?.classList.remove("flown");
    this.gain(view, before);
    await sleep(400);
  }

  /** @param {GameEvent} event @param {View} view @param {View} before */
  async steal(event, view, before) {
    const [seat, victim, tile] = [event.seat ?? "", event.victim ?? "", event.tile ?? 0];
    this.seats.moods.set(seat, "happy").set(victim, "shocked");
    this.story.got(tile, this.grill.wormsOf(tile), true);
    this.story.say(deedText(event, this.hooks.who, (value) => this.grill.wormsOf(value)));
    sound("steal");
    const { who } = this.hooks;
    const name = (/** @type {string} */ letter) => (who.me(letter) ? t("You") : who.name(letter));
    const change = (/** @type {string} */ letter) =>
      (view.scores[seatIndex(letter)] ?? 0) - (before.scores[seatIndex(letter)] ?? 0);
    await stealMoment({
      tile,
      worms: this.grill.wormsOf(tile),
      thief: { look: this.hooks.face(seat), name: name(seat), change: change(seat) },
      victim: { look: this.hooks.face(victim), name: name(victim), change: change(victim) },
      text: who.me(seat)
        ? t("You take {tile} from {victim}", { tile, victim: name(victim) })
        : who.me(victim)
          ? t("{who} takes {tile} from you", { who: name(seat), tile })
          : t("{who} takes {tile} from {victim}", { who: name(seat), tile, victim: name(victim) }),
      from: this.seats.place(victim),
      to: this.seats.place(seat),
    });
    this.show(view);
    this.gain(view, before);
    await sleep(300);
  }

  /** What the scores have changed by, on the birds. @param {View} view @param {View} before */
  gain(view, before) {
    for (const [letter] of this.seats.parts)
      this.seats.tick(letter, (view.scores[seatIndex(letter)] ?? 0) - (before.scores[seatIndex(letter)] ?? 0));
  }

  /** @param {View} view @param {boolean} here */
  async bust(view, here) {
    const reason = this.before ? bustText(this.before, view) : [];
    this.seats.moods.set(view.seat ?? "", "shocked");
    this.grill.root.classList.add("cold");
    if (!here) {
      sound("bust");
      this.story.lost();
      this.story.say(reason);
      this.show(view);
      this.grill.root.classList.remove("cold");
      await Promise.all([shake(this.story.rows), sleep(700)]);
      return;
    }
    this.show(view);
    this.busting = true;
    const { word, dice, why } = this.tray.showBust(reason);
    const cloud = draw(smoke());
    this.tray.well.firstElementChild?.prepend(cloud);
    await Promise.all([pale(dice), strike(word, this.board, cloud, why)]);
    await sleep(300);
  }

  /** @param {GameEvent} event @param {View} view @param {View} before */
  async giveBack(event, view, before) {
    const seat = event.seat ?? "";
    const shown = this.seats.parts.get(seat)?.pile.querySelector(".tile");
    const from = shown?.getBoundingClientRect();
    const copy = shown?.cloneNode(true);
    this.show(view);
    const place = this.grill.at(event.tile ?? 0);
    const landed = place?.querySelector(".tile");
    landed?.classList.add("flown");
    if (copy instanceof HTMLElement && from && place) await fly(copy, from, place.getBoundingClientRect(), 520);
    landed?.classList.remove("flown");
    this.gain(view, before);
    await sleep(150);
  }

  /** @param {GameEvent} event @param {View} view */
  async flip(event, view) {
    const place = this.grill.at(event.tile ?? 0);
    const shown = place?.querySelector(".tile");
    if (shown)
      await move(shown, [{ transform: "scaleX(1)" }, { transform: "scaleX(.02)" }], {
        duration: 200,
        easing: "ease-in",
      });
    this.show(view);
    const back = place?.querySelector(".tile");
    if (back)
      await move(back, [{ transform: "scaleX(.02)" }, { transform: "scaleX(1)" }], {
        duration: 220,
        easing: "ease-out",
      });
    await sleep(250);
  }
}
