// The coach: where every person at the table has agreed to one, it asks once per turn before a blunder is sent.
import { call, explain } from "./api.js";
import { announce, btn, h, sheet, toast } from "./dom.js";
import { language, list, t } from "./i18n.js";

/** @typedef {import("./messages").TableInfo} TableInfo */

export class Coach {
  /** @param {string} table its id */
  constructor(table) {
    this.table = table;
    this.asked = false;
    this.busy = false;
  }

  /** Another turn: it may speak again. */
  nextTurn() {
    this.asked = false;
  }

  /**
   * Whether a move goes out: it is no blunder, or the player is sure.
   * @param {TableInfo|null} info @param {import("./messages").State} state @param {string} move
   */
  async allows(info, state, move) {
    if (!info?.coach || this.asked || state.moves.length < 2) return true;
    if (this.busy) return false;
    this.busy = true;
    try {
      /** @type {import("./messages").CoachWord} */
      const word = await call(
        "GET",
        `/tables/${this.table}/coach?move=${encodeURIComponent(move)}&language=${language}`,
      );
      if (!word.ask || word.v !== state.v) return true;
      this.asked = true;
      return await this.sure(word.sentence);
    } catch {
      return true; // who cannot be reached holds nobody up
    } finally {
      this.busy = false;
    }
  }

  /** @param {string} sentence @returns {Promise<boolean>} */
  sure(sentence) {
    return new Promise((resolve) => {
      let go = false;
      const play = () => {
        go = true;
        dialog.close();
      };
      const dialog = sheet(
        t("Sure?"),
        h("p", { class: "said" }, sentence),
        h(
          "div",
          { class: "acts" },
          btn(t("Play it"), play, { data: { sure: "yes" } }),
          btn(t("Think again"), () => dialog.close(), { kind: "roll", data: { sure: "no" } }),
        ),
      );
      dialog.addEventListener("close", () => resolve(go));
      announce(sentence);
    });
  }

  /**
   * The switch in the menu, for who has a seat.
   * @param {TableInfo} info @param {string[]} mine @param {(seat: string) => string} nameOf
   */
  choice(info, mine, nameOf) {
    const persons = info.seats.filter((seat) => seat.kind === "person");
    const missing = persons.filter((seat) => !seat.coach && !mine.includes(seat.seat)).map((seat) => nameOf(seat.seat));
    const note = h(
      "small",
      {},
      t("It asks before a blunder, once per turn, if everybody agrees."),
      missing.length ? ` ${t("Not yet: {names}.", { names: list(missing) })}` : "",
    );
    const box = h("input", {
      type: "checkbox",
      name: "coach",
      checked: persons.some((seat) => mine.includes(seat.seat) && seat.coach),
      onchange: async () => {
        try {
          await call("PUT", `/tables/${this.table}/coach`, { on: box.checked });
        } catch (error) {
          box.checked = !box.checked;
          toast(explain(error));
        }
      },
    });
    return h("label", { class: "check" }, box, h("span", {}, t("Coach"), note));
  }

  /**
   * What has changed since, for everybody at the table.
   * @param {TableInfo|null} before @param {TableInfo} now @param {string[]} mine
   * @param {(seat: string) => string} nameOf
   */
  tell(before, now, mine, nameOf) {
    if (!before || !mine.length) return;
    if (now.coach !== before.coach)
      toast(now.coach ? t("The coach is here: it asks before a blunder.") : t("The coach has left."));
    const wants = now.seats.find(
      (seat, index) => seat.coach && !before.seats[index]?.coach && !mine.includes(seat.seat),
    );
    if (wants && !now.coach)
      toast(t("{who} would like a coach. You can turn it on in the menu.", { who: nameOf(wants.seat) }));
  }
}
