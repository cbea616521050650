// Everything drawn: worms, tiles, dice, birds, specialists. Markup only; colours come from the style sheet.

const WORM = '<path d="M4 15c2-7 6-9 9-4s7 5 10-3" fill="none" stroke="var(--worm)" stroke-width="4.4" stroke-linecap="round"/><circle cx="23.2" cy="7.6" r="1" fill="var(--ink-worm)"/>';

/** Worms on a tile, laid out like pips: x, y, size, turn. @type {Record<number, number[][]>} */
const LAYOUT = {
  1: [[23, 56, 1, 0]],
  2: [[23, 47, 0.9, -6], [25, 65, 0.9, 8]],
  3: [[14, 46, 0.8, -8], [36, 56, 0.8, 6], [14, 68, 0.8, 10]],
  4: [[11, 45, 0.75, -8], [36, 47, 0.75, 10], [11, 66, 0.75, 6], [36, 68, 0.75, -6]],
};

/** @type {Record<string, number[][]>} */
const PIPS = {
  1: [[30, 30]],
  2: [[19, 19], [41, 41]],
  3: [[18, 18], [30, 30], [42, 42]],
  4: [[19, 19], [41, 19], [19, 41], [41, 41]],
  5: [[19, 19], [41, 19], [30, 30], [19, 41], [41, 41]],
};

export const worm = () => `<svg viewBox="0 0 28 20" aria-hidden="true">${WORM}</svg>`;
export const logo = () => `<svg viewBox="0 0 28 22" aria-hidden="true">${WORM}</svg>`;

/** @param {number} value @param {number} worms */
export function tileFace(value, worms) {
  const laid = (LAYOUT[worms] ?? []).map(([x, y, size, turn]) => `<g transform="translate(${x} ${y}) rotate(${turn} 13 12) scale(${size})">${WORM}</g>`).join("");
  return `<svg class="face" viewBox="0 0 72 96" aria-hidden="true"><rect class="body" x="1.5" y="1.5" width="69" height="93" rx="11"/><rect class="inner" x="6" y="6" width="60" height="84" rx="7"/><text x="36" y="36" text-anchor="middle">${value}</text><path class="rule" d="M14 43h44"/>${laid}</svg>`;
}

export function tileBack() {
  return '<svg class="face" viewBox="0 0 72 96" aria-hidden="true"><rect class="body" x="1.5" y="1.5" width="69" height="93" rx="11"/><path class="grid" d="M18 14v68M36 14v68M54 14v68M12 28h48M12 48h48M12 68h48"/></svg>';
}

/** @param {string} face `1`…`5`, `W`, or empty for a die that waits */
export function dieFace(face) {
  const marks = face === "W"
    ? `<g transform="translate(9 12) scale(1.55)">${WORM}</g>`
    : (PIPS[face] ?? []).map(([x, y]) => `<circle cx="${x}" cy="${y}" r="5.2"/>`).join("");
  return `<svg viewBox="0 0 60 60" aria-hidden="true"><rect x="2" y="2" width="56" height="56" rx="13"/>${marks}</svg>`;
}

/** What makes each of seven birds another one. @type {Record<string, string>} */
const HEADS = {
  A: '<path d="M15 12c0-6 5-6 6-2 1-6 6-5 6 0 3-3 6 0 3 5z" fill="#e2573b"/>',
  B: '<path d="M12 17L8 4l11 7zM32 17l4-13-11 7z" fill="var(--c)"/>',
  C: '<path d="M22 12c-4-7 2-11 5-7-2 0-3 3-2 7z" fill="var(--c)"/>',
  D: '<path d="M15 13l-6-7 8 2 1-6 6 6 5-3-2 7z" fill="#3b3340"/>',
  E: '<path d="M20 12c-6-6-8-8-4-10 3 1 5 4 6 8 0-4 3-8 7-8 2 3-1 7-5 10z" fill="#d9b13c"/>',
  F: '<path d="M10 22a13 13 0 0 1 24 0c-4-5-8-6-12-3-4-3-8-2-12 3z" fill="#27404f"/>',
  G: '<path d="M22 11c-1-5-1-8 1-10 2 3 1 6 0 10zM17 12c-3-4-5-6-4-9 3 1 5 5 5 8zM27 12c3-4 5-6 4-9-3 1-5 5-5 8z" fill="#e2573b"/>',
};

/** The bird of a seat; its colour is the seat's `--c`. @param {string} seat */
export function bird(seat) {
  return `<svg class="bird" viewBox="0 0 44 44" aria-hidden="true">${HEADS[seat] ?? HEADS.A}<circle cx="22" cy="26" r="15" fill="var(--c)"/><path d="M11 34a15 15 0 0 0 22 0 12 12 0 0 0-22 0z" fill="#fff" opacity=".22"/><g class="eyes"><circle cx="16.6" cy="22" r="4" fill="#fff"/><circle cx="27.4" cy="22" r="4" fill="#fff"/><circle cx="17.6" cy="22.5" r="1.9" fill="#1c1917"/><circle cx="26.4" cy="22.5" r="1.9" fill="#1c1917"/></g><path d="M17.5 27.5h9L22 34z" fill="#f59f28"/></svg>`;
}

/** @type {Record<string, string>} */
const SPECIALISTS = {
  can: '<path d="M8 8h16v17a8 3 0 0 1-16 0z" fill="#9fb4bd"/><ellipse cx="16" cy="8" rx="8" ry="3" fill="#d5e0e4"/><path d="M8 13h16v8H8z" fill="#d9614c"/><path d="M11 19c1-5 4-5 5-2s3 2 4-2" fill="none" stroke="#fff2dc" stroke-width="2.2" stroke-linecap="round"/>',
  hen: '<path d="M12 7c0-4 3-4 4-1 1-4 4-3 4 0 2-2 4 0 2 3z" fill="#e2573b"/><circle cx="16" cy="18" r="10" fill="#f6efe2"/><circle cx="13" cy="15" r="1.6" fill="#2b2622"/><circle cx="19" cy="15" r="1.6" fill="#2b2622"/><path d="M13 18h6l-3 4z" fill="#f59f28"/><path d="M14.5 22h3v3a1.5 1.5 0 0 1-3 0z" fill="#e2573b"/>',
  crow: '<path d="M4 25c1-11 6-17 13-17 5 0 8 4 8 8 0 7-6 11-13 11-3 0-6 0-8-2z" fill="#5d6a80"/><circle cx="20" cy="14" r="2.4" fill="#fff"/><circle cx="20.6" cy="14.2" r="1.2" fill="#111"/><path d="M24 13l7 3-8 2z" fill="#f4b740"/><path d="M7 24c4-1 8-3 10-7 1 5-2 9-10 7z" fill="#404b5e"/>',
  weasel: '<path d="M9 12l-2-6 6 3zM23 12l2-6-6 3z" fill="#a8683a"/><path d="M7 14c0-6 4-8 9-8s9 2 9 8c0 7-4 12-9 12S7 21 7 14z" fill="#c07d48"/><path d="M11 19c0-3 2-4 5-4s5 1 5 4c0 4-2 7-5 7s-5-3-5-7z" fill="#f6e7d2"/><circle cx="12.5" cy="14" r="1.5" fill="#2b2622"/><circle cx="19.5" cy="14" r="1.5" fill="#2b2622"/><ellipse cx="16" cy="19" rx="1.8" ry="1.3" fill="#2b2622"/>',
  gold: '<rect x="5" y="5" width="22" height="22" rx="6" fill="#f4b740" stroke="#b9831c" stroke-width="1.5"/><path d="M9 19c2-7 5-7 7-3s5 3 7-3" fill="none" stroke="#b54a35" stroke-width="3.2" stroke-linecap="round"/>',
  apple: '<path d="M16 10c-6-4-11 0-11 7 0 6 4 11 8 11 1 0 2-1 3-1s2 1 3 1c4 0 8-5 8-11 0-7-5-11-11-7z" fill="#d9503f"/><path d="M16 10c0-3 1-5 4-7" fill="none" stroke="#6b4a2b" stroke-width="2" stroke-linecap="round"/><path d="M17 7c3-4 7-3 8-2-2 3-5 4-8 2z" fill="#7fae4c"/><circle cx="20" cy="18" r="2.6" fill="#8d2c20"/>',
};

/** @param {string} name */
export const specialist = (name) => `<svg viewBox="0 0 32 32" aria-hidden="true">${SPECIALISTS[name] ?? ""}</svg>`;
export const roundWorm = () => '<svg viewBox="0 0 32 32" aria-hidden="true"><circle cx="16" cy="16" r="13" fill="#fbf4e3" stroke="#c9b58c" stroke-width="1.5"/><path d="M22 12a7 7 0 1 0 1 7c0-3-4-5-7-3" fill="none" stroke="#d9614c" stroke-width="3.6" stroke-linecap="round"/></svg>';

/** @type {Record<string, string>} */
const SIGNS = {
  sound: '<path d="M3 8h4l5-4v12l-5-4H3z" fill="currentColor"/><path d="M14.5 7a4.5 4.5 0 0 1 0 6M16.8 4.5a8 8 0 0 1 0 11" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"/>',
  mute: '<path d="M3 8h4l5-4v12l-5-4H3z" fill="currentColor"/><path d="M14.5 8l4 4m0-4l-4 4" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"/>',
  menu: '<path d="M3 5h14M3 10h14M3 15h14" stroke="currentColor" stroke-width="2" stroke-linecap="round"/>',
  talk: '<path d="M4 3h12a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-6l-4 4v-4H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z" fill="none" stroke="currentColor" stroke-width="1.8"/>',
};

/** @param {string} name */
export const sign = (name) => `<svg viewBox="0 0 20 20" aria-hidden="true">${SIGNS[name]}</svg>`;
