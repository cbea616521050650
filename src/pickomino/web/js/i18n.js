// Texts. The English text is the key; other languages come as JSON made from the one catalogue.
import { settings } from "./store.js";

/** @type {[string, string][]} */
export const LANGUAGES = [
  ["en", "English"],
  ["de", "Deutsch"],
  ["fr", "Français"],
  ["nl", "Nederlands"],
  ["pt_BR", "Português (Brasil)"],
];

/** @type {Record<string, string|string[]>} */
let catalogue = {};
let plural = new Intl.PluralRules("en");
export let language = "en";

/** The language wished for, else the browser's first that there is. */
export function wished() {
  for (const wish of [settings.language, ...navigator.languages]) {
    const known = LANGUAGES.find(([name]) => tongue(name) === tongue(wish ?? ""));
    if (known) return known[0];
  }
  return "en";
}

/** Without the country: there is one of each language. @param {string} name */
function tongue(name) {
  return name.slice(0, 2).toLowerCase();
}

/** As browsers write it. */
function tag() {
  return language.replace("_", "-");
}

/** @param {string} name */
export async function useLanguage(name) {
  catalogue = {};
  if (name !== "en") {
    const answer = await fetch(new URL(`../locale/${name}.json`, import.meta.url));
    if (answer.ok) catalogue = await answer.json();
  }
  language = name;
  plural = new Intl.PluralRules(tag());
  document.documentElement.lang = tag();
}

/** @typedef {Record<string, string|number>} Params */

/** The text with its places filled. @param {string} text @param {Params} [params] @returns {string} */
export function t(text, params = {}) {
  const found = catalogue[text];
  return put(typeof found === "string" ? found : text, params);
}

/**
 * One or many; `{n}` is the number.
 * @param {string} one @param {string} many @param {number} n @param {Params} [params]
 */
export function tn(one, many, n, params = {}) {
  const found = catalogue[one];
  const forms = Array.isArray(found) ? found : [one, many];
  const text = forms[plural.select(n) === "one" ? 0 : forms.length - 1] ?? many;
  return put(text, { ...params, n });
}

/** @param {string} text @param {Params} params */
function put(text, params) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? String(params[name]) : whole));
}

/**
 * The same as nodes, what is filled in bold.
 * @param {string} text @param {Params} [params] @returns {Node[]}
 */
export function rich(text, params = {}) {
  const found = catalogue[text];
  const source = typeof found === "string" ? found : text;
  return source.split(/(\{\w+\})/).map((part) => {
    const name = part.slice(1, -1);
    if (!part.startsWith("{") || !(name in params)) return document.createTextNode(part);
    const bold = document.createElement("b");
    bold.textContent = String(params[name]);
    return bold;
  });
}

/** @param {number} share 0…1 @param {number} [least] digits behind the point */
export function percent(share, least = 0) {
  const digits = share > 0 && share < 0.01 ? 1 : least;
  const figure = new Intl.NumberFormat(tag(), { maximumFractionDigits: digits, minimumFractionDigits: least });
  return `${figure.format(share * 100)}\u00a0%`; // with a space in every language, as in the server's sentences
}

/** @param {string[]} parts */
export function either(parts) {
  return new Intl.ListFormat(tag(), { type: "disjunction" }).format(parts);
}

/** @param {number} value @param {number} [least] digits behind the point @param {number} [most] */
export function decimal(value, least = 2, most = least) {
  return new Intl.NumberFormat(tag(), { maximumFractionDigits: most, minimumFractionDigits: least }).format(value);
}

/** @param {number} value with its sign, and at most one digit behind the point */
export function signed(value) {
  const figure = new Intl.NumberFormat(tag(), { maximumFractionDigits: 1, signDisplay: "exceptZero" });
  return figure.format(value).replace("-", "−");
}

/** @param {string[]} parts */
export function list(parts) {
  return new Intl.ListFormat(tag(), { type: "conjunction" }).format(parts);
}

/** @param {number} seconds since 1970 */
export function date(seconds) {
  return new Intl.DateTimeFormat(tag(), { dateStyle: "medium", timeStyle: "short" }).format(seconds * 1000);
}
