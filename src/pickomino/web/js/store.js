// What the browser remembers: settings, who I am, my seats. All of it can be missing.

/**
 * @typedef {object} Settings
 * @property {"auto"|"light"|"dark"} theme
 * @property {string} language
 * @property {boolean} sound
 * @property {number} volume
 * @property {boolean} buzz
 * @property {boolean} notify
 * @property {"calm"|"normal"|"fast"|"instant"} speed
 * @property {boolean} forced
 * @property {boolean} rolls
 */

/** @type {Settings} */
const DEFAULTS = {
  theme: "auto",
  language: "",
  sound: true,
  volume: 0.7,
  buzz: true,
  notify: false,
  speed: "normal",
  forced: true,
  rolls: false,
};

/** @param {string} key @returns {any} */
export function load(key) {
  try {
    return JSON.parse(localStorage.getItem(`pickomino.${key}`) || "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value */
export function save(key, value) {
  try {
    localStorage.setItem(`pickomino.${key}`, JSON.stringify(value));
  } catch {
    // A full or closed storage costs the memory, not the game.
  }
}

/** @param {string} key */
export function drop(key) {
  try {
    localStorage.removeItem(`pickomino.${key}`);
  } catch {
    // There is none.
  }
}

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...load("settings") };

/** @template {keyof Settings} K @param {K} name @param {Settings[K]} value */
export function set(name, value) {
  settings[name] = value;
  save("settings", settings);
  if (name === "theme") dispatchEvent(new Event("pickomino:theme"));
}

/** How long motion takes, as a factor; 0 is none. */
export function tempo() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return 0;
  return { calm: 1.5, normal: 1, fast: 0.45, instant: 0 }[settings.speed] ?? 1;
}

/** The pause of bots that goes with it. */
export function pace() {
  return { calm: 1500, normal: 900, fast: 350, instant: 0 }[settings.speed] ?? 900;
}

/** Seat secrets by table. @param {string} table @returns {string[]} */
export function secretsOf(table) {
  return load("seats")?.[table] || [];
}

/** @param {string} secret `s1.<table>.<seat>.…`; the newest fifty tables are kept */
export function keepSecret(secret) {
  const table = secret.split(".")[1] ?? "";
  const seats = load("seats") || {};
  const mine = new Set(seats[table] || []);
  mine.add(secret);
  delete seats[table];
  seats[table] = [...mine].slice(-7);
  save("seats", Object.fromEntries(Object.entries(seats).slice(-50)));
  return table;
}
