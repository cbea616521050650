// Practise: positions where the choice matters. You choose, the server grades and explains; what was wrong comes back when it
// is about to be forgotten. Progress is kept in this browser only: the server schedules and stores nothing.
import { ApiError, about, call, explain } from "./api.js";
import { Board } from "./board.js";
import { ChoiceParts } from "./choiceparts.js";
import { announce, btn, draw, fill, h, quiet, toast } from "./dom.js";
import { editionName } from "./editions.js";
import { language, rich, t, tn } from "./i18n.js";
import { sure, topBar, waitScreen } from "./menu.js";
import { cards, isDue, readProgress, saveProgress } from "./progress.js";
import { load, save } from "./store.js";
import { dayText, tenNodes } from "./ten.js";
import { seatIndex } from "./words.js";

/** @typedef {import("./messages").DrillView} DrillView */
/** @typedef {import("./messages").Judged} Judged */
/** @typedef {{drills: string[], at: number, good: number, ten: {date: string, moves: string[]}|null}} Sitting */

const AT_ONCE = 10; // drills in one sitting

export class PractiseScreen {
  /** @param {HTMLElement} app @param {{ten: boolean}} what */
  constructor(app, what) {
    this.app = app;
    this.closed = false;
    /** @type {Sitting|null} */
    this.sitting = null;
    /** What keys may choose. @type {string[]} */
    this.moves = [];
    /** @type {(move: string) => void} */
    this.act = () => undefined;
    waitScreen(app, topBar({}), t("One moment…"));
    this.ready = this.load(what.ten);
  }

  /** @param {boolean} ten */
  async load(ten) {
    await this.attempt(async () => {
      /** @type {import("./messages").DrillList} */
      const pool = await call("GET", `/drills?language=${language}`);
      this.pool = pool;
      this.parts = new ChoiceParts(pool.texts, true);
      this.editions = (await about()).editions;
      if (ten) await this.startTen();
      else this.menu();
    });
  }

  /** @param {() => Promise<void>} work */
  async attempt(work) {
    try {
      await work();
    } catch (error) {
      if (this.closed) return;
      const gone = error instanceof ApiError && error.code === "not_found";
      this.show(
        h(
          "section",
          { class: "card stack" },
          h("h1", {}, t("Practise")),
          h("p", {}, gone ? t("This position has been replaced by others.") : explain(error)),
          btn(t("Try again"), () => dispatchEvent(new Event("pickomino:redraw")), { kind: "roll" }),
        ),
      );
    }
  }

  /** @param {...(import("./dom.js").Child|import("./dom.js").Child[])} parts */
  show(...parts) {
    if (this.closed) return;
    fill(this.app, h("div", { class: "practise study" }, topBar({}), h("main", {}, ...parts)));
    scrollTo({ top: 0 });
    /** @type {HTMLElement|null} */ (this.app.querySelector("h1"))?.focus({ preventScroll: true });
  }

  /**
   * A heading that takes the focus, so that who listens hears where one is.
   * @param {string} text @param {string} [small]
   */
  title(text, small = "") {
    return h("h1", { tabindex: "-1" }, text, small ? h("small", {}, small) : null);
  }

  // --- what to practise ---

  menu() {
    const { pool } = this;
    if (!pool) return;
    this.sitting = null;
    this.moves = [];
    const kept = cards();
    const option = (/** @type {string} */ value, /** @type {string} */ text, /** @type {string} */ chosen) =>
      h("option", { value, selected: value === chosen }, text);
    const changed = () => {
      save("practise", { theme: theme.value, edition: edition.value });
      count.textContent = this.counted(theme.value, edition.value);
    };
    const last = load("practise") || {};
    const theme = h(
      "select",
      { name: "theme", onchange: changed },
      option("", t("All themes"), last.theme ?? ""),
      pool.themes.map((one) => option(one.theme, one.name, last.theme)),
    );
    const editions = [...new Set(pool.drills.map((one) => one.edition))];
    const edition = h(
      "select",
      { name: "practise-edition", onchange: changed },
      option("", t("All games"), last.edition ?? ""),
      editions.map((key) => option(key, editionName(key), last.edition)),
    );
    const count = h("p", { class: "small", role: "status" }, this.counted(last.theme ?? "", last.edition ?? ""));
    const ten = load("ten");
    const today = new Date().toISOString().slice(0, 10);
    const done = ten?.date === today ? ten.moves.length : 0;
    const file = h("input", {
      type: "file",
      accept: "application/json,.json",
      hidden: true,
      "aria-label": t("Progress from a file"),
      onchange: () => void this.bring(file),
    });
    this.show(
      this.title(t("Practise")),
      h(
        "div",
        { class: "pair" },
        h(
          "section",
          { class: "card stack", "aria-label": t("Today's ten") },
          h("h2", {}, t("Today's ten")),
          h("p", {}, t("The same ten positions for everybody today. How much do you give away?")),
          btn(
            done >= AT_ONCE ? t("Your result") : done ? t("Go on with today's ten") : t("Play today's ten"),
            () => {
              location.hash = "#ten";
            },
            { kind: "roll", icon: "bolt", data: { go: "ten" } },
          ),
        ),
        h(
          "section",
          { class: "card stack", "aria-label": t("Drills") },
          h("h2", {}, t("Drills")),
          h("p", {}, t("Positions from champions' games. What you got wrong comes back.")),
          h("div", { class: "fields" }, h("label", {}, t("Theme"), theme), h("label", {}, t("Game"), edition)),
          count,
          btn(t("Practise"), () => void this.start(this.choose(theme.value, edition.value)), {
            icon: "dice",
            data: { go: "drills" },
          }),
        ),
      ),
      h(
        "section",
        { class: "card stack", "aria-label": t("Your progress") },
        h("h2", {}, t("Your progress")),
        h(
          "p",
          {},
          tn("{n} position seen", "{n} positions seen", Object.keys(kept).length),
          ` · ${tn("{n} due now", "{n} due now", Object.values(kept).filter(isDue).length)}`,
        ),
        h(
          "p",
          { class: "small" },
          t(
            "It is kept only in this browser. Save it as a file to use it in another one, or with the command pickomino drill.",
          ),
        ),
        h(
          "div",
          { class: "quiets" },
          quiet(t("Save as a file"), saveProgress, { data: { go: "export" } }),
          quiet(t("Read from a file"), () => file.click()),
          file,
          quiet(t("Forget it"), () => sure(t("Forget all progress?"), t("Forget it"), () => this.forget())),
        ),
      ),
    );
  }

  /** @param {string} theme @param {string} edition */
  some(theme, edition) {
    return (this.pool?.drills ?? [])
      .filter((one) => (!theme || one.theme === theme) && (!edition || one.edition === edition))
      .map((one) => one.drill);
  }

  /** @param {string} theme @param {string} edition */
  counted(theme, edition) {
    const kept = cards();
    const all = this.some(theme, edition);
    const due = all.filter((key) => kept[key] && isDue(kept[key])).length;
    return `${tn("{n} due now", "{n} due now", due)} · ${tn("{n} new", "{n} new", all.filter((key) => !kept[key]).length)}`;
  }

  /** What is due, the longest first; then what was never seen. @param {string} theme @param {string} edition */
  choose(theme, edition) {
    const kept = cards();
    const all = this.some(theme, edition);
    const due = all
      .filter((key) => kept[key] && isDue(kept[key]))
      .sort((a, b) => Date.parse(kept[a]?.due ?? "") - Date.parse(kept[b]?.due ?? ""));
    const fresh = all
      .filter((key) => !kept[key])
      .map((key) => /** @type {const} */ ([Math.random(), key]))
      .sort((a, b) => a[0] - b[0])
      .map(([, key]) => key);
    return [...due, ...fresh].slice(0, AT_ONCE);
  }

  // --- a sitting ---

  /** @param {string[]} drills @param {Sitting["ten"]} [ten] */
  async start(drills, ten = null) {
    if (!drills.length) {
      toast(t("Nothing is due here. Come back later, or choose another theme."));
      return;
    }
    this.sitting = { drills, at: ten?.moves.length ?? 0, good: 0, ten };
    await this.attempt(() => this.ask());
  }

  async ask() {
    const { sitting, editions } = this;
    const key = sitting?.drills[sitting.at];
    if (!sitting || !key) return;
    /** @type {DrillView} */
    const drill = await call("GET", `/drills/${key}?language=${language}`);
    const edition = editions?.find((item) => item.key === drill.edition.split("+")[0]);
    if (!edition || this.closed) return;
    const me = drill.view.seat ?? "";
    const board = new Board(
      edition,
      { name: (seat) => drill.names[seatIndex(seat)] ?? seat, me: (seat) => seat === me },
      (move) => this.act(move),
    );
    const where = `${sitting.ten ? t("Today's ten") : editionName(drill.edition)} · ${t("{n} of {all}", { n: sitting.at + 1, all: sitting.drills.length })}`;
    this.moves = drill.view.moves;
    this.act = (move) => void this.attempt(() => this.answer(drill, board, move, where));
    const look = h(
      "div",
      { class: "look" },
      board.root,
      h(
        "div",
        { class: "why" },
        h("p", { class: "ask" }, t("Choose what wins the game most often, not what brings the most worms.")),
      ),
    );
    this.show(this.title(t("What would you do?"), where), look);
    board.show(drill.view, drill.view.moves, rich("It is your turn."));
  }

  /** @param {DrillView} drill @param {Board} board @param {string} move @param {string} where */
  async answer(drill, board, move, where) {
    const { sitting, parts } = this;
    if (!sitting || !parts || !this.moves.includes(move)) return;
    this.moves = [];
    const kept = cards();
    /** @type {Judged} */
    const judged = await call("POST", `/drills/${drill.drill}/answer`, {
      move,
      card: kept[drill.drill] ?? null,
      language,
    });
    if (sitting.ten) {
      sitting.ten.moves.push(move);
      save("ten", { date: sitting.ten.date, moves: sitting.ten.moves });
    } else save("drills", { ...kept, [drill.drill]: judged.card });
    sitting.at += 1;
    sitting.good += Number(judged.good);
    const more = sitting.at < sitting.drills.length;
    const head =
      { best: t("Right"), fine: t("Good enough") }[/** @type {string} */ (judged.grade)] ?? t("Not this time");
    const on = () => void this.attempt(() => (more ? this.ask() : this.finish()));
    const next = btn(more ? t("Next") : t("To the result"), on, { kind: "roll", data: { go: "next" } });
    const look = h(
      "div",
      { class: "look" },
      board.root,
      h(
        "div",
        { class: "why stack" },
        h("div", { html: parts.options(judged) }),
        h("p", { class: "said" }, judged.sentence),
        sitting.ten
          ? null
          : h("p", { class: "then" }, tn("It comes back in {n} day.", "It comes back in {n} days.", judged.days)),
        next,
      ),
    );
    const title = this.title(head, where);
    title.prepend(draw(parts.grade(judged.grade)));
    title.classList.add("verdict");
    this.show(title, look);
    board.show(drill.view, drill.view.moves, []);
    board.mark(judged.best, judged.played, { best: parts.word("best"), played: parts.word("played") });
    board.freeze();
    announce(`${head}. ${judged.sentence}`);
    next.focus({ preventScroll: true });
  }

  async finish() {
    const { sitting } = this;
    if (sitting?.ten) {
      await this.tenResult(sitting.ten);
      return;
    }
    const { good = 0, drills = [] } = sitting ?? {};
    this.show(
      this.title(t("Done")),
      h("p", { class: "bigscore" }, h("b", {}, good), h("span", {}, ` ${t("of {all}", { all: drills.length })}`)),
      h("p", { class: "ask" }, t("best or fine")),
      btn(t("Practise more"), () => this.menu(), { kind: "roll" }),
    );
  }

  // --- today's ten ---

  async startTen() {
    /** @type {import("./messages").Ten} */
    const ten = await call("GET", `/ten?language=${language}`);
    const begun = load("ten");
    const moves = begun?.date === ten.date ? begun.moves : [];
    if (moves.length >= ten.drills.length) await this.tenResult({ date: ten.date, moves });
    else
      await this.start(
        ten.drills.map((one) => one.drill),
        { date: ten.date, moves },
      );
  }

  /** @param {{date: string, moves: string[]}} ten */
  async tenResult(ten) {
    const { parts } = this;
    /** @type {import("./messages").TenResult} */
    const result = await call("POST", "/ten", { ...ten, language });
    if (!parts) return;
    const again = (/** @type {string[]} */ drills) => void this.start(drills);
    this.show(this.title(t("Today's ten"), dayText(result.date)), ...tenNodes(result, parts, again));
  }

  // --- progress as a file ---

  /** @param {HTMLInputElement} input */
  async bring(input) {
    if (await readProgress(input)) this.menu();
  }

  forget() {
    save("drills", {});
    this.menu();
  }

  /** @returns {import("./keys.js").Keyboard} */
  keyboard() {
    return { moves: () => this.moves, act: (move) => this.act(move) };
  }

  close() {
    this.closed = true;
  }
}
