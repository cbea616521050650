// What one can say across the table: eight signs with the birds' faces or words.
import { EMOTES } from "./art.js";
import { draw, h, sheet } from "./dom.js";
import { t } from "./i18n.js";

/** @param {string} name @returns {Node|string} */
export const shownReaction = (name) => (EMOTES[name] ? draw(EMOTES[name]) : reactionText(name));

/** @param {(reaction: string) => void} send */
export function chooseReaction(send) {
  const dialog = sheet(
    t("Reactions"),
    h(
      "div",
      { class: "reactions" },
      ["worm", "clap", "laugh", "wow", "cry", "fire", "thanks", "hurry"].map((name) =>
        h(
          "button",
          {
            type: "button",
            class: "btn",
            "aria-label": reactionText(name),
            onclick: () => {
              dialog.close();
              send(name);
            },
          },
          EMOTES[name] ? draw(EMOTES[name]) : null,
          h("b", {}, reactionText(name)),
        ),
      ),
    ),
  );
}

/** @param {string} name */
function reactionText(name) {
  return (
    {
      worm: t("A worm"),
      clap: t("Bravo"),
      laugh: t("Ha ha"),
      wow: t("Wow"),
      cry: t("Ouch"),
      fire: t("Hot"),
      thanks: t("Thanks"),
      hurry: t("Tick tock"),
    }[name] ?? name
  );
}
