// Names of editions and of their switches.
import { t } from "./i18n.js";

/** @param {string} key @param {{name: string}|null} [house] a house edition, where it is known */
export function editionName(key, house = null) {
  const [base = "", ...switches] = key.split("+");
  /** @type {Record<string, string>} */
  const names = {
    classic: t("Classic"),
    deluxe: t("Deluxe, with specialists"),
    extrawurm: t("Extra worms, five specialists"),
    summary: t("Quick rules"),
    course: t("School rules"),
  };
  return [
    house?.name || (names[base] ?? (base.startsWith("house-") ? t("House edition") : base)),
    ...switches.map((name) => switchText(name)[0]),
  ].join(" · ");
}

/** What makes an edition different, in one sentence. @param {string} key */
export function editionText(key) {
  return (
    {
      classic: t("The game as it is in the box."),
      deluxe: t("Six specialists, round worms and a golden die."),
      extrawurm: t("The small extension: five specialists on the classic tiles."),
      summary: t("The rules as in the short leaflet."),
      course: t("The rules as programming courses teach them."),
    }[key] ?? ""
  );
}

/** A house rule: its name, and what it does. @param {string} name @returns {[string, string]} */
export function switchText(name) {
  /** @type {Record<string, [string, string]>} */
  const texts = {
    "any-lower": [
      t("Any lower tile"),
      t("If your total is not there, any lower tile may be taken, not only the next one."),
    ],
    fast: [t("Fast grill"), t("A bust always turns down the highest tile, even the one just returned.")],
    "flip-empty": [t("Always a flip"), t("A bust turns down a tile even if nothing had to be returned.")],
    "mandatory-steal": [t("Stealing is compulsory"), t("If your total can be stolen, it must be.")],
    "shared-ties": [t("Shared wins"), t("With the same number of worms the win is shared.")],
  };
  return texts[name] ?? [name, ""];
}
