// Waiting for friends: seats, birds, link, code, QR.
import { beGuest, call, explain, guest } from "./api.js";
import { bird } from "./birds.js";
import { botChoices, botLabel, botName, botNameFor } from "./bots.js";
import { askLine, btn, draw, h, must, round, sheet, toast } from "./dom.js";
import { editionName } from "./editions.js";
import { t } from "./i18n.js";
import { chooseLook, wishedLook } from "./looks.js";
import { copy } from "./menu.js";
import { qrSvg } from "./qr.js";
import { load } from "./store.js";

/** @typedef {import("./messages").SeatInfo} SeatInfo */
/** @typedef {{info: import("./messages").TableInfo, mine: string[], host: boolean}} Room */
/** @typedef {{take: (you: import("./messages").You|null) => void, reconnect: () => void}} Door */
/**
 * @typedef {{text: string, act: () => Promise<void>, data?: Record<string, string>}} Way something to do with a seat
 */

/** Made anew whenever something has changed; `room` stays the same object. @param {Room} room @param {Door} door */
export function waitingRoom(room, door) {
  const { info, mine, host } = room;
  const full = info.seats.every((seat) => seat.kind !== "empty");
  const link = `${location.origin}/#table=${info.id}`;
  const start = host
    ? btn(
        t("Start the game"),
        once(() => ask(room, door, "POST", "/start")),
        { kind: "roll", note: full ? "" : t("every seat needs a player"), disabled: !full },
      )
    : h("p", { class: "small" }, mine.length ? t("The host starts the game.") : t("Take a seat, or watch."));
  return h(
    "main",
    { class: "room" },
    h(
      "section",
      { class: "panel stack" },
      h("h1", {}, full ? t("Everyone is here") : t("Waiting for friends")),
      h("p", { class: "small" }, editionName(info.edition, info.house)),
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
      btn(t("Share the link"), () => share(link)),
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

/** @param {Room} room @param {Door} door @param {SeatInfo} seat */
function row(room, door, seat) {
  const [first, ...more] = ways(room, door, seat);
  const actions = h("div", { class: "do" }, first ? button(first) : null);
  const rest = () => {
    const now = at(room, seat.seat);
    const dialog = sheet(
      name(now),
      h(
        "div",
        { class: "stack" },
        ways(room, door, now)
          .slice(1)
          .map((way) => way && button(way, () => dialog.close())),
      ),
    );
  };
  if (more.length)
    actions.append(round("more", t("More for seat {seat}", { seat: seat.seat }), rest, { kind: "more" }));
  const face = draw(bird(seat.bird, seat.kind === "empty" || !seat.connected ? "asleep" : "calm"));
  return h(
    "li",
    { class: seat.kind, data: { colour: seat.colour } },
    h("span", { class: "ava" }, face),
    h("div", {}, h("b", {}, name(seat)), h("small", {}, tag(room, seat))),
    actions,
  );
}

/** A seat as it is now. @param {Room} room @param {string} letter @returns {SeatInfo} */
const at = (room, letter) => must(room.info.seats.find((seat) => seat.seat === letter));

/** @param {SeatInfo} seat */
const name = (seat) => (seat.kind === "empty" ? t("Empty seat") : botName(seat));

/** @param {Room} room @param {SeatInfo} seat */
function tag(room, seat) {
  if (seat.kind === "empty") return "";
  if (seat.kind === "bot") return botLabel(seat.bot ?? "");
  const here = room.mine.includes(seat.seat) ? t("you") : seat.connected ? t("here") : t("reconnecting…");
  return seat.seat === room.info.host ? `${here} · ${t("host")}` : here;
}

/**
 * What I may do with a seat: what is likely, and the rest.
 * @param {Room} room @param {Door} door @param {SeatInfo} seat
 * @returns {[Way|null, ...Way[]]}
 */
function ways(room, door, seat) {
  const { host } = room;
  const path = `/seats/${seat.seat}`;
  const mine = room.mine.includes(seat.seat);
  const seated = room.mine.length > 0;
  const way = (/** @type {string} */ text, /** @type {string} */ name, /** @type {() => Promise<void>} */ act) => ({
    text,
    act,
    data: { [name]: seat.seat },
  });
  const here = way(t("Sit here"), "sit", () => sit(room, door, seat.seat));
  const change = way(t("Change to this seat"), "to", () =>
    ask(room, door, "PATCH", `/seats/${room.mine[0]}`, { to: seat.seat }),
  );
  const too = { ...here, text: t("One more player on this device") };
  const bot = way(t("Add a bot"), "bot", () => addBot(room, door, at(room, seat.seat)));
  const leave = way(mine ? t("Leave") : t("Remove"), "leave", () => ask(room, door, "DELETE", path));
  if (seat.kind === "empty") {
    if (!seated) return host ? [here, bot] : [here];
    return host ? [bot, change, too] : [change, too];
  }
  if (mine) return [way(t("Bird and colour"), "look", async () => dress(room, door, at(room, seat.seat))), leave];
  if (seat.kind === "bot") return [host ? leave : null, ...(seated ? [change] : [])];
  return host
    ? [leave, way(t("Make host"), "host", () => ask(room, door, "PUT", "/host", { seat: seat.seat }))]
    : [null];
}

/** @param {Way} way @param {() => void} [before] */
const button = ({ text, act, data }, before) =>
  btn(
    text,
    once(async () => {
      before?.();
      await act();
    }),
    { kind: "low", data },
  );

/** @param {Room} room @param {Door} door @param {SeatInfo} seat */
function dress(room, door, seat) {
  const others = room.info.seats.filter((other) => other.kind !== "empty" && other.seat !== seat.seat);
  chooseLook(
    seat,
    others,
    (look) => void ask(room, door, "PATCH", `/seats/${seat.seat}`, { look: look.bird + look.colour }),
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
    let given = guest()?.name ?? load("name") ?? "";
    if (room.mine.length || !given) {
      given = await askLine(t("Name of the player"), room.mine.length ? "" : given, t("Sit here"));
      if (!given) return;
    }
    const fresh = !guest();
    if (!guest()) await beGuest(given);
    await ask(room, door, "POST", "/seats", {
      seat,
      name: given.slice(0, 24),
      look: room.mine.length ? undefined : wishedLook(),
    });
    if (fresh) door.reconnect(); // the connection does not know yet who I am
  } catch (error) {
    toast(explain(error));
  }
}

/** @param {Room} room @param {Door} door @param {SeatInfo} seat */
async function addBot(room, door, seat) {
  const bots = await botChoices();
  const level = load("level") || "medium";
  await ask(room, door, "PUT", `/seats/${seat.seat}`, { bot: bots[level] ?? bots.medium, name: botNameFor(seat.bird) });
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
