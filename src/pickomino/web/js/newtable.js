// A new table: who sits where, which game, which house rules.
import { ApiError, about, beGuest, call, explain } from "./api.js";
import { bird } from "./birds.js";
import { botChoices, botNameFor } from "./bots.js";
import { btn, choices, draw, fill, h, quiet, sheet, toast } from "./dom.js";
import { editionName, editionText, switchText } from "./editions.js";
import { t } from "./i18n.js";
import { spread, wishedLook } from "./looks.js";
import { keepSecret, load, pace } from "./store.js";
import { seatLetter } from "./words.js";

const LARGEST = 8192; // bytes of a house edition; the server takes as many characters

/** @param {string} name */
export async function makeTable(name) {
  const bots = await botChoices().catch(() => /** @type {Record<string, string>} */ ({}));
  const { editions, switches } = await about().catch(() => ({ editions: [], switches: [] }));
  const seats = h("ol", { class: "makeseats" });
  const lay = (/** @type {number} */ count) =>
    fill(
      seats,
      spread(count).map((look, i) => seatRow(i, look, name, bots)),
    );
  lay(3);
  const rules = h(
    "div",
    { class: "house" },
    switches.map((key) => {
      const [title, text] = switchText(key);
      return h(
        "label",
        { class: "check" },
        h("input", { type: "checkbox", name: "house", value: key }),
        h("span", {}, title, h("small", {}, text)),
      );
    }),
  );
  const about_ = h("small");
  /** A house edition's file, as text: the server reads it. */
  let toml = "";
  const drop = async (/** @type {File|undefined} */ file) => {
    if (!file) return;
    if (file.size > LARGEST) {
      toast(t("That file is too large."));
      return;
    }
    toml = await file.text();
    edition.querySelector("option[value=house]")?.remove();
    edition.append(h("option", { value: "house", selected: true }, file.name.replace(/\.toml$/i, "")));
    chosen();
  };
  const file = h("input", {
    type: "file",
    accept: ".toml",
    hidden: true,
    name: "house-file",
    "aria-label": t("A house edition from a file"),
    onchange: () => void drop(file.files?.[0]),
  });
  const edition = h(
    "select",
    { name: "edition", onchange: () => chosen() },
    editions.map(({ key }) =>
      h("option", { value: key, selected: key === (load("edition") || "classic") }, editionName(key)),
    ),
  );
  const chosen = () => {
    about_.textContent = edition.value === "house" ? t("Your own rules, from a file.") : editionText(edition.value);
    rules.hidden = !editions.find(({ key }) => key === edition.value)?.takes_switches;
  };
  chosen();
  const timer = h(
    "select",
    { name: "timer" },
    [
      ["", t("no clock")],
      ["30", t("{n} seconds", { n: 30 })],
      ["60", t("{n} seconds", { n: 60 })],
      ["120", t("{n} seconds", { n: 120 })],
    ].map(([value, text]) => h("option", { value }, text ?? "")),
  );
  const hints = h("input", { type: "checkbox", checked: true });
  const open = h("input", { type: "checkbox" });
  const make = async () => {
    go.disabled = true;
    try {
      const rows = [...seats.children].map((li) => ({
        kind: /** @type {HTMLSelectElement} */ (li.querySelector("select")).value,
        name: /** @type {HTMLInputElement} */ (li.querySelector("input")).value.trim(),
      }));
      const house = rules.hidden
        ? []
        : [...rules.querySelectorAll("input")]
            .filter((box) => box.checked)
            .map((box) => box.value)
            .sort();
      const alone = rows.every((row) => row.kind !== "open") && !timer.value;
      await create(
        {
          edition: edition.value === "house" ? toml : [edition.value, ...house].join("+"),
          seats: rows.length,
          timer: timer.value ? Number(timer.value) : null,
          hints: hints.checked,
          public: open.checked,
          pace_ms: alone ? 0 : pace(),
        },
        rows,
        name,
        bots,
      );
      dialog.close();
    } catch (error) {
      // What is wrong with a file only the server can say.
      const wrong = edition.value === "house" && error instanceof ApiError && error.code === "bad_message";
      toast(wrong ? error.message : explain(error));
      go.disabled = false;
    }
  };
  const go = btn(t("Set the table"), make, { kind: "roll", data: { go: "create" } });
  const dialog = sheet(
    t("New table"),
    choices(
      t("Seats"),
      "count",
      ["2", "3", "4", "5", "6", "7"].map((n) => [n, n]),
      "3",
      (value) => lay(Number(value)),
    ),
    seats,
    h("label", {}, t("Game"), edition, about_),
    h(
      "div",
      { class: "dropzone" },
      file,
      quiet(t("A house edition from a file, or drop it here"), () => file.click(), { data: { go: "house" } }),
    ),
    rules,
    h("label", {}, t("Time per turn"), timer),
    h(
      "div",
      {},
      h("label", { class: "check" }, hints, t("Hints allowed")),
      h("label", { class: "check" }, open, t("Listed for everyone")),
    ),
    go,
  );
  dialog.addEventListener("dragover", (event) => event.preventDefault());
  dialog.addEventListener("drop", (event) => {
    event.preventDefault();
    void drop(event.dataTransfer?.files[0]);
  });
}

/**
 * @param {number} index @param {import("./looks.js").Look} look @param {string} name
 * @param {Record<string, string>} bots
 */
function seatRow(index, look, name, bots) {
  const letter = seatLetter(index);
  const options = [
    ["me", index ? t("on this device") : t("you")],
    ["open", t("a friend, by link")],
    ...Object.keys(bots).map((level) => [
      `bot:${level}`,
      { easy: t("bot, easy"), medium: t("bot, medium"), hard: t("bot, hard"), champion: t("bot, champion") }[level] ??
        level,
    ]),
  ];
  const label = h("input", {
    type: "text",
    maxlength: "24",
    "aria-label": t("Name on seat {seat}", { seat: letter }),
    value: index ? "" : name || t("Guest"),
    hidden: index > 0,
  });
  const select = h(
    "select",
    {
      "aria-label": t("Who sits in seat {seat}", { seat: letter }),
      onchange: () => {
        label.hidden = select.value !== "me";
        if (select.value === "me" && !label.value) label.value = t("Player {seat}", { seat: letter });
      },
    },
    options.map(([value, text]) => h("option", { value, selected: value === (index ? "open" : "me") }, text ?? "")),
  );
  return h("li", { data: { colour: look.colour } }, h("span", { class: "ava" }, draw(bird(look.bird))), select, label);
}

/**
 * @param {object} settings @param {{kind: string, name: string}[]} rows @param {string} name
 * @param {Record<string, string>} bots
 */
async function create(settings, rows, name, bots) {
  await beGuest(rows[0]?.kind === "me" ? rows[0].name : name);
  /** @type {import("./messages").TableAndYou} */
  let { table } = await call("POST", "/tables", settings);
  const id = table.id;
  for (const [index, row] of rows.entries()) {
    const seat = seatLetter(index);
    if (row.kind === "me") {
      const sat = await call("POST", `/tables/${id}/seats`, {
        seat,
        name: row.name || t("Player {seat}", { seat }),
        look: index ? undefined : wishedLook(),
      });
      table = sat.table;
      for (const item of sat.you?.seats ?? []) keepSecret(item.secret);
    } else if (row.kind.startsWith("bot:"))
      await call("PUT", `/tables/${id}/seats/${seat}`, {
        bot: bots[row.kind.slice(4)],
        name: botNameFor(table.seats[index]?.bird ?? seat),
      });
  }
  if (rows.every((row) => row.kind !== "open")) await call("POST", `/tables/${id}/start`);
  location.hash = `#table=${id}`;
}
