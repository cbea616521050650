// The bar at the top, the menu, and the settings.
import { logo, sign } from "./art.js";
import { choices, draw, h, sheet, toast } from "./dom.js";
import { LANGUAGES, t, useLanguage, wished } from "./i18n.js";
import { showRules } from "./rules.js";
import { wake } from "./sound.js";
import { secretsOf, set, settings } from "./store.js";

/** @typedef {import("./table.js").Table} Table */

/** @param {Table|null} table */
export function topBar(table) {
  const sound = h("button", { class: "round", "aria-label": t("Sound"), "aria-pressed": String(settings.sound), html: sign(settings.sound ? "sound" : "mute"), onclick: () => toggleSound(sound) });
  const playing = Boolean(table?.state && !table.state.over);
  const hint = playing && table?.info?.hints && table.mine.length > 0;
  return h("header", { class: `top${table ? " busy" : ""}` },
    h("a", { class: "logo", href: "#", "aria-label": t("Pickomino, to the start") }, draw(logo()), h("span", {}, "Pickomino")),
    table?.info ? h("span", { class: "code" }, h("span", {}, `${table.mine.length || table.info.phase === "open" ? t("table") : t("watching")} `), h("b", {}, table.info.code)) : null,
    h("nav", {},
      h("button", { class: "round wide", onclick: () => showRules() }, t("Rules")),
      hint ? h("button", { class: "round", "aria-label": t("Hint"), onclick: () => table?.hint() }, "?") : null,
      playing && table?.mine.length ? h("button", { class: "round", "aria-label": t("Reactions"), html: sign("talk"), onclick: () => table?.react() }) : null,
      sound,
      h("button", { class: "round", "aria-label": t("Menu"), html: sign("menu"), onclick: () => menu(table) })));
}

/** @param {HTMLElement} button */
function toggleSound(button) {
  set("sound", !settings.sound);
  wake();
  button.innerHTML = sign(settings.sound ? "sound" : "mute");
  button.setAttribute("aria-pressed", String(settings.sound));
}

/** Settings, and what one can do at a table. @param {Table|null} table */
export function menu(table) {
  const secret = table ? secretsOf(table.id).at(-1) : undefined;
  const playing = table?.state && !table.state.over && table.mine.length > 0;
  const dialog = sheet(t("Menu"), t("Close"),
    h("div", { class: "row" },
      h("button", { class: "plain low", onclick: () => { dialog.close(); showRules(); } }, t("Rules")),
      h("button", { class: "plain low", onclick: () => { dialog.close(); keysHelp(); } }, t("Keys")),
      secret ? h("button", { class: "plain low", onclick: () => copy(`${location.origin}/#seat=${secret}`, t("Your seat's link is copied. It brings you back on any device; keep it to yourself.")) }, t("Copy my seat's link")) : null,
      table ? h("button", { class: "plain low", onclick: () => copy(`${location.origin}/#table=${table.id}`, t("The table's link is copied.")) }, t("Copy the table's link")) : null,
      playing ? h("button", { class: "plain low", onclick: () => { if (confirm(t("Give up this game?"))) { dialog.close(); table.resign(); } } }, t("Give up")) : null),
    choices(t("Speed"), "speed", [["calm", t("Calm")], ["normal", t("Normal")], ["fast", t("Fast")], ["instant", t("Instant")]], settings.speed, (value) => set("speed", /** @type {any} */ (value))),
    choices(t("Colours"), "theme", [["auto", t("As the device")], ["light", t("Light")], ["dark", t("Dark")]], settings.theme, (value) => set("theme", /** @type {any} */ (value))),
    choices(t("Language"), "language", LANGUAGES, wished(), (value) => changeLanguage(value)),
    h("div", {},
      check(t("Sound"), settings.sound, (on) => { set("sound", on); wake(); }),
      check(t("Play what leaves no choice"), settings.forced, (on) => set("forced", on)),
      check(t("Roll by itself when my turn begins"), settings.rolls, (on) => set("rolls", on))));
}

/** @param {string} text @param {boolean} on @param {(on: boolean) => void} changed */
function check(text, on, changed) {
  const input = h("input", { type: "checkbox", checked: on, onchange: () => changed(input.checked) });
  return h("label", { class: "check" }, input, text);
}

/** @param {string} value */
async function changeLanguage(value) {
  set("language", value);
  await useLanguage(value);
  document.querySelectorAll("dialog").forEach((dialog) => dialog.close());
  dispatchEvent(new Event("pickomino:redraw"));
}

/** @param {string} text @param {string} said */
export async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Plain http has no clipboard: select it in a field, the old way.
    const area = h("textarea", { readonly: true });
    area.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  toast(said);
}

export function keysHelp() {
  const rows = [["1 – 5, W", t("keep that face")], ["R", t("roll")], ["T", t("take, steal or stop")], ["?", t("hint")], ["M", t("menu")], ["E", t("reactions")], ["S", t("sound")], ["H", t("rules")], [t("Tab, Enter"), t("everything else")], [t("any key"), t("ends a movement")]];
  sheet(t("Keys"), t("Close"), h("ul", { class: "list" }, rows.map(([key, text]) => h("li", {}, h("b", {}, key ?? ""), h("span", {}, text ?? "")))));
}
