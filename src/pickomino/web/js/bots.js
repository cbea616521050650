// Which of the server's bots stands for which level.
import { about } from "./api.js";
import { t } from "./i18n.js";

/** Names that bots get at a table. */
export const BOT_NAMES = ["Owl", "Duck", "Crow", "Robin", "Finch", "Wren", "Stork"];

/** Best first; the server may know only some. @type {Record<string, string[]>} */
const LADDER = {
  hard: ["champion", "expert", "winner", "ev", "cautious"],
  medium: ["ev", "greedy", "cautious", "random"],
  easy: ["cautious", "greedy", "random"],
};

/** @returns {Promise<Record<string, string>>} */
export async function botChoices() {
  const { bots } = await about();
  const plain = bots.filter((name) => name !== "random");
  const pick = (/** @type {string} */ level) => LADDER[level]?.find((name) => bots.includes(name)) ?? plain[0] ?? bots[0] ?? "random";
  return { easy: pick("easy"), medium: pick("medium"), hard: pick("hard") };
}

/** A bot's kind, for its seat. @param {string} key */
export function botLabel(key) {
  const name = key.split(":")[0] ?? "";
  const kinds = { random: t("bot · plays at random"), cautious: t("bot · cautious"), greedy: t("bot · greedy"), ev: t("bot · reckons"), champion: t("bot · champion") };
  return /** @type {Record<string, string>} */ (kinds)[name] ?? t("bot · {name}", { name });
}
