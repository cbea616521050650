// It is your turn: a sound, a buzz, and a notification where the page is not looked at and may send one.
import { t } from "./i18n.js";
import { play as sound } from "./sound.js";
import { settings } from "./store.js";

/** @param {string} name */
export function callPlayer(name) {
  sound("turn");
  if (settings.buzz && "vibrate" in navigator && document.documentElement.dataset.input) navigator.vibrate(60);
  if (settings.notify && document.hidden && "Notification" in window && Notification.permission === "granted") {
    const note = new Notification(t("Your turn"), { body: name, icon: "/icon.svg", tag: "pickomino-turn" });
    note.onclick = () => {
      focus();
      note.close();
    };
  }
}

/** Asks once; false where the browser or the person says no. @returns {Promise<boolean>} */
export async function mayNotify() {
  if (!("Notification" in window) || !isSecureContext) return false;
  return (await Notification.requestPermission()) === "granted";
}
