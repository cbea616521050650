// The first screen: one button to play, and the ways to friends.
import { about, beGuest, call, explain, guest } from "./api.js";
import { bird, tileFace } from "./art.js";
import { BOT_NAMES, botChoices } from "./bots.js";
import { choices, chosen, draw, fill, h, sheet, toast } from "./dom.js";
import { t, tn } from "./i18n.js";
import { topBar } from "./menu.js";
import { showRules } from "./rules.js";
import { keepSecret, load, pace, save } from "./store.js";
import { editionName } from "./waiting.js";

/** @param {HTMLElement} app */
export function home(app) {
  const name = h("input", { type: "text", name: "name", maxlength: "24", autocomplete: "nickname", placeholder: t("Guest"), value: guest()?.name ?? load("name") ?? "", onchange: () => save("name", name.value.trim()) });
  const hero = h("section", { class: "hero" },
    h("h1", {}, t("Worms on the grill")),
    h("p", {}, t("Roll, dare, stop in time, and steal from your neighbours.")),
    h("div", { class: "fan", "aria-hidden": "true" }, [[21, 1], [26, 2], [31, 3], [36, 4]].map(([tile = 0, worms = 0]) => h("span", { class: "tile", html: tileFace(tile, worms) }))),
    h("label", {}, t("Your name"), name),
    choices(t("Game"), "edition", [["classic", t("Classic")], ["deluxe", t("Deluxe")]], load("edition") || "classic", (value) => save("edition", value)),
    choices(t("Bots"), "level", [["easy", t("Easy")], ["medium", t("Medium")], ["hard", t("Hard")], ["champion", t("Champion")]], load("level") || "medium", (value) => save("level", value)),
    h("button", { class: "primary", data: { go: "now" }, onclick: (/** @type {Event} */ event) => now(event, hero, name.value) }, t("Play now"), h("small", {}, t("against two bots"))));
  const code = h("input", { type: "text", name: "code", maxlength: "6", autocapitalize: "characters", autocomplete: "off", spellcheck: "false" });
  const join = h("form", { class: "join", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); byCode(code.value, name.value); } },
    h("label", {}, t("Code of a table"), code), h("button", { class: "plain", type: "submit" }, t("Join")));
  const mine = h("div", { class: "stack" });
  const file = h("input", { type: "file", accept: ".pkgn,text/plain", hidden: true, "aria-label": t("A record from a file"), onchange: () => upload(file) });
  const side = h("div", { class: "side" },
    h("section", { class: "panel stack" }, h("h2", {}, t("With friends")),
      h("button", { class: "plain", data: { go: "make" }, onclick: () => makeTable(name.value) }, t("New table"), h("small", {}, t("friends join by link, code or QR"))), join),
    h("section", { class: "panel stack" }, h("h2", {}, t("New here?")),
      h("div", { class: "pair" },
        h("button", { class: "plain", data: { go: "learn" }, onclick: (/** @type {Event} */ event) => now(event, hero, name.value, true) }, t("First game")),
        h("button", { class: "plain", onclick: () => showRules() }, t("Rules")))),
    mine);
  fill(app, topBar(null), h("main", { class: "home" }, hero, side,
    h("footer", { class: "foot" }, h("button", { class: "link", onclick: () => file.click() }, t("Replay a record from a file")), file, h("span", {}, t("An unofficial, free fan project.")))));
  lists(mine);
}

/** @param {Event} event @param {Element} hero @param {string} name @param {boolean} [learn] */
async function now(event, hero, name, learn = false) {
  const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
  button.disabled = true;
  try {
    const bots = await botChoices();
    await beGuest(name);
    const bot = (learn ? bots.easy : bots[chosen(hero, "level")]) ?? "cautious";
    const made = await call("POST", "/tables", { edition: learn ? "classic" : chosen(hero, "edition"), seats: learn ? 2 : 3, sit: [guest()?.name ?? t("Guest")], first: learn ? "A" : "random", pace_ms: pace(), away: 86400 });
    for (const seat of made.you?.seats ?? []) keepSecret(seat.secret);
    const id = made.table.id;
    const rest = learn ? ["B"] : ["B", "C"];
    for (const [i, seat] of rest.entries()) await call("PUT", `/tables/${id}/seats/${seat}`, { bot, name: BOT_NAMES[i] });
    await call("POST", `/tables/${id}/start`);
    location.hash = learn ? `#table=${id}&learn=1` : `#table=${id}`;
  } catch (error) {
    toast(explain(error));
    button.disabled = false;
  }
}

/** @param {string} code @param {string} name */
async function byCode(code, name) {
  if (!code.trim()) return;
  try {
    save("name", name.trim());
    const { table } = await call("GET", `/codes/${encodeURIComponent(code.trim().toUpperCase())}`);
    location.hash = `#table=${table}`;
  } catch (error) {
    toast(explain(error));
  }
}

/** @param {HTMLInputElement} input */
async function upload(input) {
  const file = input.files?.[0];
  if (file) dispatchEvent(new CustomEvent("pickomino:record", { detail: await file.text() }));
}

/** Tables and games of mine, and open tables. @param {HTMLElement} box */
async function lists(box) {
  try {
    const [open, mine, games] = await Promise.all([call("GET", "/tables?limit=10"), guest() ? call("GET", "/me/tables") : { tables: [] }, guest() ? call("GET", "/me/games?limit=5") : { games: [] }]);
    /** @type {import("./types.js").TableInfo[]} */
    const running = mine.tables.filter((/** @type {import("./types.js").TableInfo} */ table) => table.phase !== "over").slice(0, 4);
    const known = new Set(running.map((table) => table.id));
    if (running.length) box.append(section(t("Your tables"), running.map(tableRow)));
    /** @type {import("./types.js").TableInfo[]} */
    const others = open.tables.filter((/** @type {import("./types.js").TableInfo} */ table) => !known.has(table.id));
    if (others.length) box.append(section(t("Open tables"), others.map(tableRow)));
    /** @type {import("./types.js").Summary[]} */
    const past = games.games.filter((/** @type {import("./types.js").Summary} */ game) => game.finished);
    if (past.length) box.append(section(t("Your last games"), past.map((game) => h("li", {}, h("span", {}, game.players.map((player) => player.name).join(", ")), h("a", { class: "link", href: `#replay=${game.game}` }, t("Watch"))))));
  } catch {
    // The lists are extra; without them one can still play.
  }
}

/** @param {string} title @param {HTMLElement[]} rows */
const section = (title, rows) => h("section", { class: "panel stack" }, h("h2", {}, title), h("ul", { class: "list" }, rows));

/** @param {import("./types.js").TableInfo} table */
function tableRow(table) {
  const names = table.seats.filter((seat) => seat.kind !== "empty").map((seat) => seat.name).join(", ");
  const free = table.seats.filter((seat) => seat.kind === "empty").length;
  return h("li", {}, h("span", {}, names || table.code, h("br"), h("small", {}, `${editionName(table.edition)} · ${free ? tn("one free seat", "{n} free seats", free) : t("playing")}`)),
    h("a", { class: "link", href: `#table=${table.id}` }, free ? t("Join") : t("Open")));
}

/** @param {string} name */
async function makeTable(name) {
  const bots = await botChoices().catch(() => /** @type {Record<string, string>} */ ({}));
  const { editions } = await about().catch(() => ({ editions: [] }));
  const seats = h("ol", { class: "makeseats" });
  const lay = (/** @type {number} */ count) => fill(seats, Array.from({ length: count }, (_, i) => seatRow(i, name, bots)));
  lay(3);
  const shown = editions.map((edition) => /** @type {[string, string]} */ ([edition.key, editionName(edition.key)]));
  const edition = h("select", {}, shown.map(([key, text]) => h("option", { value: key, selected: key === (load("edition") || "classic") }, text)));
  const timer = h("select", {}, [["", t("no clock")], ["30", t("{n} seconds", { n: 30 })], ["60", t("{n} seconds", { n: 60 })], ["120", t("{n} seconds", { n: 120 })]].map(([value, text]) => h("option", { value }, text ?? "")));
  const hints = h("input", { type: "checkbox", checked: true });
  const open = h("input", { type: "checkbox" });
  const go = h("button", { class: "primary", data: { go: "create" }, onclick: async () => {
    go.disabled = true;
    try {
      const rows = [...seats.children].map((li) => ({ kind: /** @type {HTMLSelectElement} */ (li.querySelector("select")).value, name: /** @type {HTMLInputElement} */ (li.querySelector("input")).value.trim() }));
      await create({ edition: edition.value, seats: rows.length, timer: timer.value ? Number(timer.value) : null, hints: hints.checked, public: open.checked, pace_ms: pace() }, rows, name, bots);
      dialog.close();
    } catch (error) {
      toast(explain(error));
      go.disabled = false;
    }
  } }, t("Set the table"));
  const dialog = sheet(t("New table"), t("Close"),
    choices(t("Seats"), "count", ["2", "3", "4", "5", "6", "7"].map((n) => [n, n]), "3", (value) => lay(Number(value))),
    seats, h("label", {}, t("Game"), edition), h("label", {}, t("Time for a turn"), timer),
    h("div", {}, h("label", { class: "check" }, hints, t("Hints allowed")), h("label", { class: "check" }, open, t("Listed for everyone"))), go);
}

/** @param {number} index @param {string} name @param {Record<string, string>} bots */
function seatRow(index, name, bots) {
  const letter = String.fromCharCode(65 + index);
  const options = [["me", index ? t("on this device") : t("you")], ["open", t("a friend, by link")], ...Object.keys(bots).map((level) => [`bot:${level}`, { easy: t("bot, easy"), medium: t("bot, medium"), hard: t("bot, hard"), champion: t("bot, champion") }[level] ?? level])];
  const label = h("input", { type: "text", maxlength: "24", "aria-label": t("Name on seat {seat}", { seat: letter }), value: index ? "" : name || t("Guest"), hidden: index > 0 });
  const select = h("select", { "aria-label": t("Who sits on seat {seat}", { seat: letter }), onchange: () => { label.hidden = select.value !== "me"; if (select.value === "me" && !label.value) label.value = t("Player {seat}", { seat: letter }); } },
    options.map(([value, text]) => h("option", { value, selected: value === (index ? "open" : "me") }, text ?? "")));
  return h("li", { class: `seat-${letter}` }, draw(bird(letter)), select, label);
}

/** @param {object} settings @param {{kind: string, name: string}[]} rows @param {string} name @param {Record<string, string>} bots */
async function create(settings, rows, name, bots) {
  await beGuest(rows[0]?.kind === "me" ? rows[0].name : name);
  const made = await call("POST", "/tables", settings);
  const id = made.table.id;
  let birds = 0;
  for (const [index, row] of rows.entries()) {
    const seat = String.fromCharCode(65 + index);
    if (row.kind === "me") {
      const sat = await call("POST", `/tables/${id}/seats`, { seat, name: row.name || t("Player {seat}", { seat }) });
      for (const item of sat.you?.seats ?? []) keepSecret(item.secret);
    } else if (row.kind.startsWith("bot:")) {
      await call("PUT", `/tables/${id}/seats/${seat}`, { bot: bots[row.kind.slice(4)], name: BOT_NAMES[birds] });
      birds += 1;
    }
  }
  if (rows.every((row) => row.kind !== "open")) await call("POST", `/tables/${id}/start`);
  location.hash = `#table=${id}`;
}
