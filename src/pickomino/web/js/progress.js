// What one knows of the drills, in this browser only: a card per drill, as `pickomino drill` keeps them, also as a file.
import { h, toast } from "./dom.js";
import { t } from "./i18n.js";
import { load, save } from "./store.js";

/** @typedef {Record<string, Record<string, any> & {due: string}>} Cards by the name of their drill */

/** @returns {Cards} */
export const cards = () => load("drills") || {};

/** Whether a card wants to be seen again. @param {{due: string}} card */
export const isDue = (card) => Date.parse(card.due) <= Date.now();

/** Whether the server will take it: it would refuse every answer to the drill of another. @param {any} card */
const isCard = (card) => !Number.isNaN(Date.parse(card?.due)) && typeof card.stability === "number";

export function saveProgress() {
  const link = h("a", {
    href: URL.createObjectURL(new Blob([JSON.stringify(cards())], { type: "application/json" })),
    download: "pickomino-drill.json",
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Whether the file held some. @param {HTMLInputElement} input @returns {Promise<boolean>} */
export async function readProgress(input) {
  try {
    const found = JSON.parse((await input.files?.[0]?.text()) ?? "");
    if (!found || typeof found !== "object" || !Object.values(found).every(isCard)) throw new Error("no cards");
    save("drills", { ...cards(), ...found });
    toast(t("Your progress has been loaded."));
    return true;
  } catch {
    toast(t("This file contains no progress."));
    return false;
  }
}
