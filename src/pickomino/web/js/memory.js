// What the server remembers of me: tables, invitations, past games and what they amount to, and all of it to have or to delete.
import { beGuest, call, explain, guest } from "./api.js";
import { sign } from "./art.js";
import { botName } from "./bots.js";
import { btn, draw, fill, h, sheet, toast } from "./dom.js";
import { editionName } from "./editions.js";
import { date, decimal, list, percent, signed, t, tn } from "./i18n.js";
import { wishedLook } from "./looks.js";
import { sure } from "./menu.js";
import { keepSecret, pace } from "./store.js";
import { seatIndex } from "./words.js";

/** @typedef {import("./messages").TableInfo} TableInfo */
/** @typedef {import("./messages").Summary} Summary */

/** Invitations and a game that goes on come on top, then tables and games. @param {Element} top @param {Element} box */
export async function remember(top, box) {
  const [open, mine, invited, games] = await Promise.all([
    call("GET", "/tables?limit=10"),
    guest() ? call("GET", "/me/tables") : { tables: [] },
    guest() ? call("GET", "/me/invitations") : { tables: [] },
    guest() ? call("GET", "/me/games?limit=100") : { games: [] },
  ]);
  /** @type {TableInfo[]} */
  const running = mine.tables.filter((/** @type {TableInfo} */ table) => table.phase !== "over").slice(0, 4);
  const [newest] = running.filter((table) => table.phase === "playing");
  fill(
    top,
    invited.tables
      .slice(0, 2)
      .map((/** @type {TableInfo} */ table) => way(table, "friends", t("You are invited"), "roll")),
    newest ? way(newest, "on", t("Back to the table")) : null,
  );
  const known = new Set([...running, ...invited.tables].map((table) => table.id));
  if (running.length) box.append(section(t("Your tables"), running.map(tableRow)));
  /** @type {TableInfo[]} */
  const others = open.tables.filter((/** @type {TableInfo} */ table) => !known.has(table.id));
  if (others.length) box.append(section(t("Open tables"), others.map(tableRow)));
  /** @type {Summary[]} */
  const past = games.games.filter((/** @type {Summary} */ game) => game.finished);
  if (past.length) box.append(section(t("Your last games"), past.slice(0, 6).map(gameRow), statistics(past)));
}

/** A wide way to a table. @param {TableInfo} table @param {string} icon @param {string} text @param {string} [kind] */
const way = (table, icon, text, kind = "") =>
  h(
    "a",
    { class: `btn ${kind}`, href: `#table=${table.id}` },
    draw(sign(icon)),
    h("span", {}, h("b", {}, text), h("small", {}, names(table))),
  );

/** What my last games amount to; luck and accuracy of those that were reviewed. @param {Summary[]} games */
function statistics(games) {
  const mine = games.flatMap((game) => game.yours.map((seat) => ({ result: game.result, seat, at: seatIndex(seat) })));
  const reviewed = games.flatMap((game) =>
    game.players.filter((player) => game.yours.includes(player.seat) && player.accuracy !== null),
  );
  const average = (/** @type {(number|null)[]} */ of) => {
    let sum = 0;
    for (const one of of) sum += one ?? 0;
    return sum / of.length;
  };
  const lucky = reviewed.map((player) => player.luck).filter((luck) => luck !== null);
  const counted = mine.filter(({ result }) => result?.steals?.length);
  const won = mine.filter(({ result, seat }) => result?.winners.includes(seat)).length;
  const mean = (/** @type {typeof mine} */ of, /** @type {"scores"|"steals"|"busts"} */ what) =>
    decimal(of.reduce((sum, { result, at }) => sum + (result?.[what]?.[at] ?? 0), 0) / of.length, 0, 1);
  const figure = (/** @type {string} */ name, /** @type {string} */ value) =>
    h("li", {}, h("b", {}, value), h("small", {}, name));
  if (!mine.length) return null;
  return h(
    "ul",
    { class: "figures" },
    figure(t("Games"), String(mine.length)),
    figure(t("Won"), percent(won / mine.length)),
    figure(t("Worms per game"), mean(mine, "scores")),
    counted.length
      ? [figure(t("Steals per game"), mean(counted, "steals")), figure(t("Busts per game"), mean(counted, "busts"))]
      : null,
    reviewed.length ? figure(t("Accuracy"), percent(average(reviewed.map((one) => one.accuracy)) / 100)) : null,
    lucky.length ? figure(t("Luck per game, in points"), signed(average(lucky))) : null,
  );
}

/** @param {string} title @param {HTMLElement[]} rows @param {HTMLElement|null} [extra] */
const section = (title, rows, extra = null) =>
  h("section", { class: "panel stack" }, h("h2", {}, title), extra, h("ul", { class: "list" }, rows));

/** @param {TableInfo} table */
const names = (table) => list(table.seats.filter((seat) => seat.kind !== "empty").map(botName));

/** @param {TableInfo} table */
function tableRow(table) {
  const free = table.seats.filter((seat) => seat.kind === "empty").length;
  const now = free
    ? tn("one free seat", "{n} free seats", free)
    : { open: t("waiting to start"), playing: t("playing"), over: t("over"), closed: t("over") }[table.phase];
  return h(
    "li",
    {},
    h(
      "span",
      {},
      names(table) || table.code,
      h("br"),
      h("small", {}, `${editionName(table.edition, table.house)} · ${now}`),
    ),
    h("a", { class: "link", href: `#table=${table.id}` }, free ? t("Join") : t("Open")),
  );
}

/** @param {Summary} game */
function gameRow(game) {
  const players = game.players.map(
    (player) =>
      `${botName({ ...player, kind: player.bot ? "bot" : "person" })} ${game.result?.scores[seatIndex(player.seat)] ?? ""}`,
  );
  const told = !game.edition.startsWith("house-"); // a house edition has to be brought along as a file
  const people = game.players.filter((player) => told && !player.bot && !game.yours.includes(player.seat));
  return h(
    "li",
    {},
    h("span", {}, list(players), h("br"), h("small", {}, `${date(game.started)} · ${editionName(game.edition)}`)),
    people.length
      ? h(
          "button",
          {
            class: "link",
            type: "button",
            data: { again: game.game },
            onclick: () =>
              void again(
                game,
                people.map((player) => player.name),
              ),
          },
          t("Play again"),
        )
      : null,
    h("a", { class: "link", href: `#replay=${game.game}` }, t("Watch")),
    h("a", { class: "link", href: `#review=${game.game}&seat=${game.yours[0] ?? ""}` }, t("Review")),
  );
}

/**
 * A new table like that of a game, and everybody who played there is invited.
 * @param {Summary} game @param {string[]} people
 */
async function again(game, people) {
  try {
    const me = await beGuest(guest()?.name ?? "");
    const settings = {
      edition: game.edition,
      seats: game.players.length,
      sit: [me?.name],
      look: wishedLook(),
      pace_ms: pace(),
    };
    const made = await call("POST", "/tables", settings);
    for (const seat of made.you?.seats ?? []) keepSecret(seat.secret);
    await call("POST", `/tables/${made.table.id}/invitations`, { game: game.game });
    location.hash = `#table=${made.table.id}`;
    toast(t("{names} will find the invitation on their start page.", { names: list(people) }));
  } catch (error) {
    toast(explain(error));
  }
}

/** All that the server knows of me: to have, and to delete. */
export function myData() {
  const save = btn(t("Save a copy"), () => void keepCopy(), { data: { go: "export" } });
  const ask = () =>
    sure(t("Delete your name, your seats and your games for good?"), t("Delete everything"), () => void forgetMe());
  const erase = btn(t("Delete everything"), ask, { data: { go: "erase" } });
  sheet(
    t("Your data"),
    h(
      "p",
      {},
      guest()
        ? t(
            "The server knows the name you gave, your tables and your games. Games that others also played are kept, without your name.",
          )
        : t("The server knows nothing about you yet."),
    ),
    guest() ? h("div", { class: "two" }, save, erase) : null,
  );
}

async function keepCopy() {
  try {
    const text = await call("GET", "/me/export", undefined, true);
    const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    h("a", { href: address, download: "pickomino.json" }).click();
    URL.revokeObjectURL(address);
  } catch (error) {
    toast(explain(error));
  }
}

async function forgetMe() {
  try {
    await call("DELETE", "/me");
    for (const key of Object.keys(localStorage).filter((name) => name.startsWith("pickomino.")))
      localStorage.removeItem(key);
    document.querySelectorAll("dialog").forEach((dialog) => dialog.close());
    dispatchEvent(new Event("pickomino:redraw"));
    toast(t("Everything about you has been deleted."));
  } catch (error) {
    toast(explain(error));
  }
}
