// HTTP. Every refusal becomes an ApiError with its code.

import { t } from "./i18n.js";
import { load, save } from "./store.js";

export class ApiError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** What a refusal means, for people. @param {unknown} error @returns {string} */
export function explain(error) {
  const code = error instanceof ApiError ? error.code : "offline";
  /** @type {Record<string, string>} */
  const texts = {
    not_found: t("There is no such table."),
    table_full: t("The table is full."),
    already_started: t("The game has already started."),
    seats_empty: t("Every seat needs a person or a bot."),
    forbidden: t("That is not allowed here."),
    rate_limited: t("Too fast. Wait a moment and try again."),
    unavailable: t("The server is busy. Try again."),
    offline: t("The server cannot be reached."),
    stale_version: t("The game has moved on."),
    too_large: t("That file is too large."),
    bad_message: t("The server did not understand that."),
  };
  return texts[code] ?? t("That did not work.");
}

/** @returns {{name: string, token: string}|null} */
export const guest = () => load("guest");

/** @param {string} method @param {string} path @param {any} [body] @param {boolean} [asText] @returns {Promise<any>} */
export async function call(method, path, body, asText = false) {
  /** @type {Record<string, string>} */
  const headers = {};
  const me = guest();
  if (me) headers.Authorization = `Bearer ${me.token}`;
  const text = typeof body === "string";
  if (body !== undefined) headers["Content-Type"] = text ? "text/plain" : "application/json";
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(`/api${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : text ? body : JSON.stringify(body),
    });
  } catch {
    throw new ApiError("offline", "no answer");
  }
  if (answer.ok) return asText ? answer.text() : answer.json();
  let refusal = { code: "unavailable", message: answer.statusText };
  try {
    refusal = await answer.json();
  } catch {
    // A proxy's own page: the status says enough.
  }
  if (refusal.code === "unauthorized" && me) {
    save("guest", null); // the server does not know this guest any more: be a new one next time
  }
  throw new ApiError(refusal.code, refusal.message);
}

/** Who I am; a new guest if need be, renamed if the name has changed. @param {string} name */
export async function beGuest(name) {
  const wanted = name.trim().slice(0, 24) || t("Guest");
  const me = guest();
  if (me && me.name === wanted) return me;
  if (me) {
    try {
      await call("PATCH", "/me", { name: wanted });
      save("guest", { ...me, name: wanted });
      return guest();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "unauthorized") throw error;
    }
  }
  const made = await call("POST", "/guests", { name: wanted });
  save("guest", { name: made.name, token: made.token });
  return guest();
}

/** @type {Promise<import("./messages").About>|null} */
let asked = null;

/** @returns {Promise<import("./messages").About>} */
export function about() {
  asked ??= call("GET", "/about").catch((error) => {
    asked = null;
    throw error;
  });
  return /** @type {Promise<import("./messages").About>} */ (asked);
}
