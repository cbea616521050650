// The first screen: one button to play, a first game for who is new, and the ways to friends.
import { about, beGuest, call, explain, guest } from "./api.js";
import { sign, tileFace, worm } from "./art.js";
import { bird } from "./birds.js";
import { birdName, botChoices, botNameFor } from "./bots.js";
import { askLine, btn, choices, chosen, draw, fill, h, must, quiet, toast } from "./dom.js";
import { coals } from "./figures.js";
import { list, t } from "./i18n.js";
import { chooseLook, myLook, spread, wishedLook } from "./looks.js";
import { myData, remember } from "./memory.js";
import { topBar } from "./menu.js";
import { makeTable } from "./newtable.js";
import { showRules } from "./rules.js";
import { keepSecret, load, save } from "./store.js";

/** @param {HTMLElement} app */
export function home(app) {
  const called = () => guest()?.name ?? load("name") ?? "";
  const name = h("b", {}, called() || t("Guest"));
  const rename = async () => {
    const given = await askLine(t("Your name"), called(), t("Save"));
    if (!given) return;
    save("name", given);
    if (guest()) await beGuest(given).catch((error) => toast(explain(error)));
    name.textContent = given;
  };
  const face = h("button", {
    class: "ava",
    type: "button",
    "aria-label": t("Bird and colour"),
    data: { go: "look" },
    onclick: () => chooseLook(myLook(), [], dress),
  });
  const dress = (/** @type {import("./looks.js").Look} */ look) => {
    face.dataset.colour = look.colour;
    fill(face, draw(bird(look.bird, "happy")));
    against.textContent = t("against {names}", {
      names: list(
        spread(3)
          .slice(1)
          .map((other) => birdName(other.bird)),
      ),
    });
  };
  const newcomer = !load("played");
  const first = btn(t("First game"), () => void now(first, form, called(), true), {
    kind: newcomer ? "roll" : "",
    icon: "dice",
    note: t("a bird explains as you play"),
    data: { go: "learn" },
  });
  const play = btn(t("Play now"), () => void now(play, form, called()), {
    kind: newcomer ? "" : "roll",
    icon: "bolt",
    note: " ",
    data: { go: "now" },
  });
  const against = must(play.querySelector("small"));
  dress(myLook());
  const form = h(
    "section",
    { class: "form" },
    h(
      "div",
      { class: "name" },
      face,
      h("span", {}, h("small", {}, t("you play as")), name),
      quiet(t("change"), rename, { data: { go: "name" } }),
    ),
    newcomer ? first : null,
    choices(
      t("Game"),
      "edition",
      [
        ["classic", t("Classic")],
        ["deluxe", t("Deluxe")],
      ],
      load("edition") || "classic",
      (value) => save("edition", value),
    ),
    choices(
      t("Bots"),
      "level",
      [
        ["easy", t("Easy")],
        ["medium", t("Medium")],
        ["hard", t("Hard")],
        ["champion", t("Champion")],
      ],
      load("level") || "medium",
      (value) => save("level", value),
    ),
    play,
    h(
      "div",
      { class: "two" },
      btn(t("With friends"), () => void makeTable(called()), { icon: "friends", note: "", data: { go: "make" } }),
      btn(t("Join a table"), () => void join(called()), { icon: "door", note: "", data: { go: "join" } }),
    ),
    newcomer
      ? h("div", { class: "quiets" }, h("a", { class: "quiet", href: "#practise" }, t("Practise")))
      : h(
          "div",
          { class: "two" },
          first,
          h(
            "a",
            { class: "btn", href: "#practise" },
            draw(sign("curve")),
            h("span", {}, h("b", {}, t("Practise")), h("small", {}, t("and today's ten"))),
          ),
        ),
  );
  const resume = h("div", { class: "resume" });
  const lists = h("div", { class: "lists" });
  const file = h("input", {
    type: "file",
    accept: ".pkgn,text/plain",
    hidden: true,
    "aria-label": t("A record from a file"),
    onchange: () => upload(file),
  });
  fill(
    app,
    h(
      "div",
      { class: "home" },
      topBar({}),
      h(
        "main",
        {},
        resume,
        h(
          "section",
          { class: "hero" },
          draw(coals()),
          h("div", {}, h("h1", {}, t("Worms on the grill")), h("p", {}, t("Roll, dare, stop in time, and steal."))),
          heap(),
          h(
            "div",
            { class: "crowd", "aria-hidden": "true" },
            [..."ABCDEFG"].map((seat, i) =>
              h("span", { data: { colour: seat } }, draw(bird(seat, i % 3 ? "calm" : "happy"))),
            ),
          ),
        ),
        form,
        lists,
        h(
          "footer",
          { class: "foot" },
          quiet(t("Replay a record from a file"), () => file.click()),
          file,
          quiet(t("Your data"), myData, { data: { go: "data" } }),
          h("span", {}, t("An unofficial, free fan project.")),
        ),
      ),
    ),
  );
  remember(resume, lists).catch(() => fill(resume, offline()));
}

/** Four tiles as the server knows them, and a worm that looks over. */
function heap() {
  const box = h("div", { class: "heap", "aria-hidden": "true" }, h("span", { class: "peek", html: worm("peeking") }));
  about().then(
    ({ editions: [edition] }) => {
      if (!edition) return;
      const every = edition.worms
        .map((count, i) => [edition.tiles[i] ?? 0, count])
        .filter(([, count], i, all) => count !== all[i - 1]?.[1]);
      box.append(...every.map(([tile = 0, count = 0]) => h("span", { class: "tile", html: tileFace(tile, count) })));
    },
    () => undefined,
  );
  return box;
}

/** @param {HTMLButtonElement} button @param {Element} form @param {string} name @param {boolean} [learn] */
async function now(button, form, name, learn = false) {
  button.disabled = true;
  try {
    const bots = await botChoices();
    await beGuest(name);
    const bot = (learn ? bots.easy : bots[chosen(form, "level")]) ?? "cautious";
    // Nobody else waits: the bots play at once, and this page shows it at its own speed.
    const made = await call("POST", "/tables", {
      edition: learn ? "classic" : chosen(form, "edition"),
      seats: learn ? 2 : 3,
      sit: [guest()?.name ?? t("Guest")],
      look: wishedLook(),
      first: learn ? "A" : "random",
      pace_ms: 0,
      away: 86400,
    });
    for (const seat of made.you?.seats ?? []) keepSecret(seat.secret);
    const id = made.table.id;
    /** @type {import("./messages").SeatInfo[]} */
    const free = made.table.seats.slice(1);
    for (const { seat, bird } of free)
      await call("PUT", `/tables/${id}/seats/${seat}`, { bot, name: botNameFor(bird) });
    await call("POST", `/tables/${id}/start`);
    location.hash = learn ? `#table=${id}&learn=1` : `#table=${id}`;
  } catch (error) {
    toast(explain(error));
    button.disabled = false;
  }
}

/** @param {string} name */
async function join(name) {
  const code = await askLine(t("Code of a table"), "", t("Join"));
  if (!code) return;
  try {
    if (name) save("name", name);
    const { table } = await call("GET", `/codes/${encodeURIComponent(code.toUpperCase())}`);
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

/** The server does not answer: say so, and offer what works. */
function offline() {
  return h(
    "section",
    { class: "panel stack offline", role: "status" },
    h("h2", {}, t("No connection to the server")),
    h("p", {}, t("You can read the rules; games continue as soon as it is back.")),
    h(
      "div",
      { class: "two" },
      btn(t("Rules"), () => void showRules()),
      btn(t("Try again"), () => dispatchEvent(new Event("pickomino:redraw")), { kind: "roll" }),
    ),
  );
}
