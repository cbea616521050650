// What each choice is worth and why, from the server's analysis, written on the choices themselves.
import { call, explain } from "./api.js";
import { announce, toast } from "./dom.js";
import { decimal, language, percent, t } from "./i18n.js";

/**
 * @param {string} table @param {number} version of the game that is asked about
 * @param {import("./tray.js").Tray|undefined} tray
 */
export async function askHint(table, version, tray) {
  try {
    /** @type {import("./messages").Advice} */
    const advice = await call("GET", `/tables/${table}/advice?language=${language}`);
    if (advice.v !== version || !tray) return;
    const chance = advice.objective === "win";
    tray.showHint(
      advice.moves.map(({ move, value }) => [move, chance ? percent(value, 1) : decimal(value)]),
      chance
        ? t("Your chance to win after each choice; the best one is framed.")
        : t("Worms to expect after this turn; the best choice is framed."),
      advice.sentences,
    );
    announce(advice.sentences.join(" "));
  } catch (error) {
    toast(explain(error));
  }
}
