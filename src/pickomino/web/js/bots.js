// Which of the server's bots stands for which level.
import { about } from "./api.js";
import { t } from "./i18n.js";
import { load } from "./store.js";
import { seatIndex } from "./words.js";

/** The birds in the order of the seats: a bot is called after its bird. */
const BIRD_NAMES = ["Hen", "Owl", "Duck", "Crow", "Robin", "Finch", "Wren"];

/** The name a bot gets, in English: whoever looks reads it in their language. @param {string} bird */
export const botNameFor = (bird) => BIRD_NAMES[seatIndex(bird)] ?? "Bot";

/** What a bird is called, by its letter. @param {string} bird */
export const birdName = (bird) => translated(botNameFor(bird)) ?? bird;

/** The name to show; birds are translated. @param {{kind: string, name: string, seat: string}} seat */
export const botName = (seat) => (seat.kind === "bot" && translated(seat.name)) || seat.name || seat.seat;

/** @param {string} name @returns {string|undefined} */
function translated(name) {
  /** @type {Record<string, string>} */
  const names = {
    Hen: t("Hen"),
    Owl: t("Owl"),
    Duck: t("Duck"),
    Crow: t("Crow"),
    Robin: t("Robin"),
    Finch: t("Finch"),
    Wren: t("Wren"),
  };
  return names[name];
}

/** Best first; the server may know only some. @type {Record<string, string[]>} */
const LADDER = {
  easy: ["easy", "cautious", "random"],
  medium: ["medium", "ev", "cautious"],
  hard: ["hard", "ev", "cautious"],
  champion: ["champion", "hard", "ev", "cautious"],
};

/**
 * A bot of the server for every level; one named in the browser's storage stands for all of them.
 * @returns {Promise<Record<string, string>>}
 */
export async function botChoices() {
  const { bots } = await about();
  const wanted = load("bot");
  const pick = (/** @type {string} */ level) =>
    bots.includes(wanted) ? wanted : (LADDER[level]?.find((name) => bots.includes(name)) ?? bots[0] ?? "random");
  return Object.fromEntries(Object.keys(LADDER).map((level) => [level, pick(level)]));
}

/** A bot's kind, for its seat. @param {string} key */
export function botLabel(key) {
  const name = key.split(":")[0] ?? "";
  const kinds = {
    random: t("bot · plays at random"),
    cautious: t("bot · cautious"),
    easy: t("bot · easy"),
    medium: t("bot · medium"),
    hard: t("bot · hard"),
    ev: t("bot · calculates"),
    champion: t("bot · champion"),
  };
  return /** @type {Record<string, string>} */ (kinds)[name] ?? t("bot · {name}", { name });
}
