// Waiting for friends: seats, link, code, QR.
import { beGuest, call, explain, guest } from "./api.js";
import { bird } from "./birds.js";
import { botChoices, botLabel, botName, botNameFor } from "./bots.js";
import { askLine, draw, h, toast } from "./dom.js";
import { editionName } from "./editions.js";
import { t } from "./i18n.js";
import { copy } from "./menu.js";
import { qrSvg } from "./qr.js";
import { load } from "./store.js";

/** @typedef {{info: import("./messages").TableInfo, mine: string[], host: boolean}} Room */
/** @typedef {{take: (you: import("./messages").You|null) => void, reconnect: () => void}} Door */

/** @param {Room} room @param {Door} door */
export function waitingRoom(room, door) {
  const { info, mine, host } = room;
  const full = info.seats.every((seat) => seat.kind !== "empty");
  const link = `${location.origin}/#table=${info.id}`;
  const start = host
    ? h(
        "button",
        { class: "btn roll", type: "button", disabled: !full, onclick: once(() => ask(room, door, "POST", "/start")) },
        h("span", {}, h("b", {}, t("Start the game")), full ? null : h("small", {}, t("every seat needs a player"))),
      )
    : h("p", { class: "small" }, mine.length ? t("The host starts the game.") : t("Take a seat, or watch."));
  return h(
    "main",
    { class: "room" },
    h(
      "section",
      { class: "panel stack" },
      h("h1", {}, full ? t("Everyone is here") : t("Waiting for friends")),
      h("p", { class: "small" }, editionName(info.edition)),
      h(
        "ul",
        { class: "seatlist" },
        info.seats.map((seat) => row(room, door, seat)),
      ),
      start,
    ),
    h(
      "section",
      { class: "panel invite" },
      h("h2", {}, t("Invite")),
      h("p", { class: "small" }, t("Scan, or type the code on the start page.")),
      h("div", { class: "qr", role: "img", "aria-label": t("QR code of the table's link"), html: qrSvg(link) }),
      h(
        "div",
        { class: "bigcode", role: "img", "aria-label": t("code {code}", { code: [...info.code].join(" ") }) },
        info.code,
      ),
      h("button", { class: "btn", type: "button", onclick: () => share(link) }, h("b", {}, t("Share the link"))),
    ),
  );
}

/** A second click while the first is under way does nothing. @param {() => Promise<void>} act */
function once(act) {
  return async (/** @type {Event} */ event) => {
    const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
    button.disabled = true;
    await act();
    button.disabled = false;
  };
}

/** @param {Room} room @param {Door} door @param {import("./messages").SeatInfo} seat */
function row(room, door, seat) {
  const mine = room.mine.includes(seat.seat);
  const actions = h("div", { class: "do" });
  if (seat.kind === "empty") {
    actions.append(
      h(
        "button",
        { class: "btn low", type: "button", data: { sit: seat.seat }, onclick: once(() => sit(room, door, seat.seat)) },
        h("b", {}, room.mine.length ? t("Sit here too") : t("Sit here")),
      ),
    );
    if (room.host)
      actions.append(
        h(
          "button",
          {
            class: "btn low",
            type: "button",
            data: { bot: seat.seat },
            onclick: once(() => addBot(room, door, seat.seat)),
          },
          h("b", {}, t("Add a bot")),
        ),
      );
  } else if (mine || room.host) {
    actions.append(
      h(
        "button",
        { class: "btn low", type: "button", onclick: once(() => ask(room, door, "DELETE", `/seats/${seat.seat}`)) },
        h("b", {}, mine ? t("Leave") : t("Remove")),
      ),
    );
  }
  const tag =
    seat.kind === "empty"
      ? ""
      : mine
        ? t("you")
        : seat.kind === "bot"
          ? botLabel(seat.bot ?? "")
          : seat.connected
            ? t("here")
            : t("reconnecting…");
  return h(
    "li",
    { class: `seat-${seat.seat} ${seat.kind}` },
    h("span", { class: "ava" }, draw(bird(seat.seat, seat.kind === "empty" || !seat.connected ? "asleep" : "calm"))),
    h("div", {}, h("b", {}, seat.kind === "empty" ? t("Empty seat") : botName(seat)), h("small", {}, tag)),
    actions,
  );
}

/** @param {Room} room @param {Door} door @param {string} method @param {string} path @param {object} [body] */
async function ask(room, door, method, path, body) {
  try {
    const answer = await call(method, `/tables/${room.info.id}${path}`, body);
    door.take(answer.you);
  } catch (error) {
    toast(explain(error));
  }
}

/** @param {Room} room @param {Door} door @param {string} seat */
async function sit(room, door, seat) {
  try {
    let name = guest()?.name ?? load("name") ?? "";
    if (room.mine.length || !name) {
      name = await askLine(t("Name of the player"), t("Close"), room.mine.length ? "" : name, t("Sit here"));
      if (!name) return;
    }
    const fresh = !guest();
    if (!guest()) await beGuest(name);
    await ask(room, door, "POST", "/seats", { seat, name: name.slice(0, 24) });
    if (fresh) door.reconnect(); // the connection does not know yet who I am
  } catch (error) {
    toast(explain(error));
  }
}

/** @param {Room} room @param {Door} door @param {string} seat */
async function addBot(room, door, seat) {
  const bots = await botChoices();
  const level = load("level") || "medium";
  await ask(room, door, "PUT", `/seats/${seat}`, { bot: bots[level] ?? bots.medium, name: botNameFor(seat) });
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
