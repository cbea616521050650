// The bar at the top, the menu, and the settings.
import { sign, wormSmall } from "./art.js";
import { btn, choices, draw, fill, h, round, sheet, toast } from "./dom.js";
import { LANGUAGES, t, useLanguage, wished } from "./i18n.js";
import { showRules } from "./rules.js";
import { mayNotify } from "./signals.js";
import { play, wake } from "./sound.js";
import { secretsOf, set, settings } from "./store.js";

/**
 * What the menu offers at a table.
 * @typedef {object} AtTable
 * @property {string} id
 * @property {import("./messages").EditionInfo|null} [house]
 * @property {() => void} [resign]
 * @property {() => void} [log]
 * @property {Node} [coach]
 */

/** @param {{code?: string, watching?: boolean, react?: () => void, table?: () => AtTable}} at */
export function topBar({ code, watching, react, table }) {
  const button = (/** @type {string} */ icon, /** @type {string} */ label, /** @type {() => void} */ go) =>
    round(icon, label, go, { kind: icon });
  const sound = button(settings.sound ? "sound" : "mute", t("Sound"), () => toggleSound(sound));
  sound.setAttribute("aria-pressed", String(settings.sound));
  return h(
    "header",
    { class: "top" },
    h(
      "a",
      { class: "logo", href: "#", "aria-label": t("Pickomino, to the start") },
      draw(wormSmall()),
      h("b", {}, "Pickomino"),
    ),
    code ? h("span", { class: "code" }, h("span", {}, `${watching ? t("watching") : t("table")} `), code) : null,
    h(
      "nav",
      {},
      button("help", t("Rules"), () => void showRules(table?.().house)),
      react ? button("talk", t("Reactions"), react) : null,
      sound,
      button("menu", t("Menu"), () => menu(table?.())),
    ),
  );
}

/**
 * A screen with nothing to show yet: what is being done.
 * @param {HTMLElement} app @param {Element} top the bar @param {string} text
 */
export const waitScreen = (app, top, text) =>
  fill(app, top, h("main", { class: "crash", "aria-busy": "true" }, h("p", { role: "status" }, text)));

/** A screen that there is nothing to show on, and why. @param {HTMLElement} app @param {string} title @param {string} why */
export const failScreen = (app, title, why) =>
  fill(
    app,
    topBar({}),
    h(
      "main",
      { class: "crash panel stack" },
      h("h1", {}, title),
      h("p", {}, why),
      h("a", { class: "link", href: "#" }, t("To the start")),
    ),
  );

/** @param {HTMLElement} button */
function toggleSound(button) {
  set("sound", !settings.sound);
  wake();
  button.innerHTML = sign(settings.sound ? "sound" : "mute");
  button.setAttribute("aria-pressed", String(settings.sound));
}

/** Settings, and what one can do at a table. @param {AtTable} [table] */
export function menu(table) {
  const secret = table ? secretsOf(table.id).at(-1) : undefined;
  const item = (/** @type {string} */ text, /** @type {() => void} */ go) => btn(text, closing(go), { kind: "low" });
  const closing = (/** @type {() => void} */ go) => () => {
    dialog.close();
    go();
  };
  const volume = h("input", {
    type: "range",
    min: "0",
    max: "1",
    step: "0.05",
    "aria-label": t("Volume"),
    oninput: () => {
      set("volume", Number(volume.value));
    },
    onchange: () => {
      wake();
      play("keep");
    },
  });
  volume.value = String(settings.volume);
  const dialog = sheet(
    t("Menu"),
    h(
      "div",
      { class: "items" },
      item(t("Rules"), () => void showRules(table?.house)),
      item(t("Keys"), keysHelp),
      table?.log ? item(t("What happened"), table.log) : null,
      table
        ? item(t("Copy the table's link"), () =>
            copy(`${location.origin}/#table=${table.id}`, t("The table's link is copied.")),
          )
        : null,
      secret
        ? item(t("Copy my seat's link"), () =>
            copy(
              `${location.origin}/#seat=${secret}`,
              t("Your seat's link is copied. It brings you back on any device; keep it to yourself."),
            ),
          )
        : null,
      table?.resign ? item(t("Give up"), () => sure(t("Give up this game?"), t("Give up"), table.resign)) : null,
    ),
    table?.coach,
    choices(
      t("Speed"),
      "speed",
      [
        ["calm", t("Calm")],
        ["normal", t("Normal")],
        ["fast", t("Fast")],
        ["instant", t("Instant")],
      ],
      settings.speed,
      (value) => set("speed", /** @type {any} */ (value)),
    ),
    choices(
      t("Colours"),
      "theme",
      [
        ["auto", t("As the device")],
        ["light", t("Light")],
        ["dark", t("Dark")],
      ],
      settings.theme,
      (value) => set("theme", /** @type {any} */ (value)),
    ),
    choices(t("Language"), "language", LANGUAGES, wished(), (value) => void changeLanguage(value)),
    h("label", { class: "volume" }, h("span", {}, t("Volume")), volume),
    h(
      "div",
      {},
      check(t("Sound"), settings.sound, (on) => {
        set("sound", on);
        wake();
      }),
      check(t("Buzz when it is my turn"), settings.buzz, (on) => set("buzz", on)),
      check(t("Notify me when it is my turn"), settings.notify, async (on, input) => {
        const may = on && (await mayNotify());
        input.checked = may;
        set("notify", may);
        if (on && !may) toast(t("The browser does not allow it here."));
      }),
      check(t("Play forced moves automatically"), settings.forced, (on) => set("forced", on)),
      check(t("Roll automatically when my turn begins"), settings.rolls, (on) => set("rolls", on)),
    ),
  );
}

/** Ask before what cannot be undone. @param {string} question @param {string} yes @param {(() => void)|undefined} go */
export function sure(question, yes, go) {
  const dialog = sheet(
    question,
    btn(yes, () => {
      dialog.close();
      go?.();
    }),
  );
}

/** @param {string} text @param {boolean} on @param {(on: boolean, input: HTMLInputElement) => void} changed */
function check(text, on, changed) {
  const input = h("input", { type: "checkbox", checked: on, onchange: () => changed(input.checked, input) });
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
  const rows = [
    ["1 – 5, W", t("keep that face")],
    ["R", t("roll")],
    ["T", t("take, steal or stop")],
    ["?", t("hint")],
    ["← →", t("step through a replay")],
    ["M", t("menu")],
    ["E", t("reactions")],
    ["S", t("sound")],
    ["H", t("rules")],
    [t("Tab, Enter"), t("everything else")],
    [t("any key"), t("ends an animation")],
  ];
  sheet(
    t("Keys"),
    h(
      "ul",
      { class: "list" },
      rows.map(([key, text]) => h("li", {}, h("b", {}, key ?? ""), h("span", {}, text ?? ""))),
    ),
  );
}
