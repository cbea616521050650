// Today's ten, once they are answered: marks, what to look at again, the bots beside one, a line to share.
import { botLabel } from "./bots.js";
import { esc } from "./choiceparts.js";
import { btn, h } from "./dom.js";
import { language, rich, t, tn } from "./i18n.js";
import { copy } from "./menu.js";

/**
 * @param {import("./messages").TenResult} result @param {import("./choiceparts.js").ChoiceParts} parts
 * @param {(drills: string[]) => void} practise
 */
export function tenNodes(result, parts, practise) {
  const wrong = result.answers.filter((one) => one.cost > 0).sort((a, b) => b.cost - a.cost);
  const most = Math.max(1, result.cost, ...result.bots.map((one) => one.cost));
  const bar = (/** @type {string} */ name, /** @type {number} */ cost, /** @type {string} */ kind) =>
    h(
      "li",
      { class: kind },
      h("span", {}, name),
      h("span", {
        html: `<svg class="bars" width="100%" height="16" aria-hidden="true"><rect
            width="${Math.max((cost / most) * 100, 0.8)}%" height="16" rx="4"/></svg>`,
      }),
      h("b", {}, cost),
    );
  const rows = [
    ...result.bots.map((one) => ({ name: botLabel(one.bot), cost: one.cost, kind: "" })),
    { name: t("You"), cost: result.cost, kind: "you" },
  ].sort((a, b) => a.cost - b.cost);
  return [
    h(
      "p",
      { class: "bigscore" },
      h("b", {}, result.good),
      h("span", {}, ` ${t("of {all}", { all: result.answers.length })}`),
    ),
    h(
      "p",
      { class: "ask" },
      rich("best or fine. You gave away {points}.", { points: tn("{n} point", "{n} points", result.cost) }),
    ),
    h(
      "section",
      { class: "card", "aria-label": t("Answers") },
      h(
        "ol",
        { class: "tenmarks" },
        result.answers.map((one, index) =>
          h(
            "li",
            {},
            h("span", {}, index + 1),
            h("span", { html: parts.grade(one.grade) }),
            h("small", {}, one.cost ? `−${parts.size(one.cost)}` : "0"),
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "pair" },
      wrong.length
        ? h(
            "section",
            { class: "card", "aria-label": t("To look at again") },
            h("h2", {}, t("To look at again")),
            h(
              "ol",
              { class: "items-list" },
              wrong.map((one) =>
                h("li", {
                  class: "item",
                  html: `${parts.grade(one.grade)}<span><b>${result.answers.indexOf(one) + 1}. ${esc(one.words)}</b
                    ><small>${esc(one.sentence)}</small></span><span class="amount">−${parts.size(one.cost)}</span>`,
                }),
              ),
            ),
          )
        : null,
      h(
        "section",
        { class: "card", "aria-label": t("The same ten, points given away") },
        h("h2", {}, t("The same ten, points given away")),
        h(
          "ul",
          { class: "tenbots" },
          rows.map((row) => bar(row.name, row.cost, row.kind)),
        ),
      ),
    ),
    h(
      "section",
      { class: "stack", "aria-label": t("To share") },
      h("p", { class: "shareline" }, result.line),
      h("p", { class: "ask" }, h("small", {}, t("Text only: no link, no account."))),
    ),
    h(
      "div",
      { class: "two" },
      btn(t("Share"), () => void share(result.line), { icon: "share", data: { go: "share" } }),
      wrong.length
        ? btn(t("Practise these"), () => practise(wrong.map((one) => one.drill)), { kind: "roll" })
        : h("a", { class: "btn roll", href: "#practise" }, h("b", {}, t("Practise"))),
    ),
  ];
}

/** @param {string} day as in 2026-11-16 */
export const dayText = (day) =>
  new Intl.DateTimeFormat(language, { day: "numeric", month: "long", timeZone: "UTC" }).format(Date.parse(day));

/** @param {string} text */
async function share(text) {
  try {
    await navigator.share({ text });
  } catch {
    await copy(text, t("The result is copied.")); // declined, or not possible here
  }
}
