// Waiting for friends: seats, link, code, QR.
import { call, beGuest, explain, guest } from "./api.js";
import { bird } from "./art.js";
import { BOT_NAMES, botChoices, botLabel } from "./bots.js";
import { askLine, draw, h, toast } from "./dom.js";
import { t } from "./i18n.js";
import { copy } from "./menu.js";
import { qrSvg } from "./qr.js";
import { keepSecret, load } from "./store.js";

/** @typedef {import("./table.js").Table} Table */

/** @param {Table} table */
export function waitingRoom(table) {
  const info = /** @type {import("./types.js").TableInfo} */ (table.info);
  const host = Boolean(table.you?.host);
  const full = info.seats.every((seat) => seat.kind !== "empty");
  const link = `${location.origin}/#table=${info.id}`;
  const start = host
    ? h("button", { class: "primary", disabled: !full, onclick: () => ask(table, "POST", "/start") }, t("Start the game"), full ? null : h("small", {}, t("every seat needs a player")))
    : h("p", { class: "small" }, table.mine.length ? t("The host starts the game.") : t("Take a seat, or watch."));
  return h("main", { class: "wait" },
    h("section", { class: "panel stack" },
      h("h1", {}, full ? t("Everyone is here") : t("Waiting for friends")),
      h("p", { class: "small" }, editionName(info.edition)),
      h("ul", { class: "seatlist" }, info.seats.map((seat) => row(table, seat, host))),
      start),
    h("section", { class: "panel invite" },
      h("h2", {}, t("Invite")),
      h("p", { class: "small" }, t("Scan, or type the code on the start page.")),
      h("div", { class: "qr", role: "img", "aria-label": t("QR code of the table's link"), html: qrSvg(link) }),
      h("div", { class: "bigcode", "aria-label": t("code {code}", { code: [...info.code].join(" ") }) }, info.code),
      h("button", { class: "plain low", onclick: () => share(link) }, t("Share the link"))));
}

/** @param {Table} table @param {import("./types.js").SeatInfo} seat @param {boolean} host */
function row(table, seat, host) {
  const mine = table.mine.includes(seat.seat);
  const actions = h("div", { class: "do" });
  if (seat.kind === "empty") {
    actions.append(h("button", { class: "plain low", data: { sit: seat.seat }, onclick: () => sit(table, seat.seat) }, table.mine.length ? t("Sit here too") : t("Sit here")));
    if (host) actions.append(h("button", { class: "plain low", data: { bot: seat.seat }, onclick: () => addBot(table, seat.seat) }, t("Add a bot")));
  } else if (mine || host) {
    actions.append(h("button", { class: "plain low", onclick: () => ask(table, "DELETE", `/seats/${seat.seat}`) }, mine ? t("Leave") : t("Remove")));
  }
  const tag = seat.kind === "empty" ? "" : mine ? t("you") : seat.kind === "bot" ? botLabel(seat.bot ?? "") : seat.connected ? t("here") : t("reconnecting…");
  return h("li", { class: `seat-${seat.seat} ${seat.kind}` }, draw(bird(seat.seat)),
    h("div", {}, h("b", {}, seat.kind === "empty" ? t("Empty seat") : seat.name), h("small", {}, tag)), actions);
}

/** @param {string} key */
export function editionName(key) {
  const [base = "", ...switches] = key.split("+");
  const names = { classic: t("Classic"), deluxe: t("Deluxe, with specialists"), extrawurm: t("Extra worms, five specialists"), summary: t("Quick rules"), course: t("Course rules") };
  const name = /** @type {Record<string, string>} */ (names)[base] ?? base;
  return [name, ...switches].join(" · ");
}

/** @param {Table} table @param {string} method @param {string} path @param {object} [body] */
async function ask(table, method, path, body) {
  try {
    const answer = await call(method, `/tables/${table.id}${path}`, body);
    table.you = answer.you;
    for (const seat of answer.you?.seats ?? []) keepSecret(seat.secret);
  } catch (error) {
    toast(explain(error));
  }
}

/** @param {Table} table @param {string} seat */
async function sit(table, seat) {
  try {
    let name = guest()?.name ?? load("name") ?? "";
    if (table.mine.length || !name) {
      name = await askLine(t("Name of the player"), t("Close"), table.mine.length ? "" : name, t("Sit here"));
      if (!name) return;
    }
    const fresh = !guest();
    if (!guest()) await beGuest(name);
    await ask(table, "POST", "/seats", { seat, name: name.slice(0, 24) });
    if (fresh) table.socket.connect(); // the connection does not know yet who I am
  } catch (error) {
    toast(explain(error));
  }
}

/** @param {Table} table @param {string} seat */
async function addBot(table, seat) {
  const bots = await botChoices();
  const level = load("level") || "medium";
  const taken = new Set(table.info?.seats.map((item) => item.name));
  const name = BOT_NAMES.find((item) => !taken.has(item)) ?? "Bot";
  await ask(table, "PUT", `/seats/${seat}`, { bot: bots[level] ?? bots.medium, name });
}

/** @param {string} link */
async function share(link) {
  if (navigator.share) {
    try {
      await navigator.share({ title: "Pickomino", url: link });
      return;
    } catch {
      // Declined, or not possible here: copy it.
    }
  }
  await copy(link, t("The table's link is copied."));
}
