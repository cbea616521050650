// What stands and burns on the grill: specialists, coals, smoke. Markup only.

/** Six wooden figures, 48 by 60, feet at 58. @type {Record<string, string>} */
export const GUESTS = {
  can: `<path d="M9 20v32c0 8 32 8 32 0V20z" fill="#a9bcc4" stroke="#50636b" stroke-width="2"/>
    <path d="M9 28v17c0 8 32 8 32 0V28c0 8-32 8-32 0z" fill="#d9503f"/>
    <ellipse cx="25" cy="20" rx="16" ry="6" fill="#5d7078" stroke="#50636b" stroke-width="2"/>
    <path d="M40 16C44 8 38 1 28 2c-6 0-9 4-9 8z" fill="#d8e4e8" stroke="#50636b" stroke-width="2"
    stroke-linejoin="round"/>
    <path d="M15 41c3 5 7 4 9 0s5-4 7 0 5 0 4-5" fill="none" stroke="#fff1dc" stroke-width="4.4"
    stroke-linecap="round"/>
    <path d="M13.5 26v24" stroke="#fff" stroke-opacity=".45" stroke-width="3" stroke-linecap="round"/>`,
  hen: `<path d="M17 15c-4-6 1-10 5-6 1-7 9-6 9 1 5-3 9 2 5 7z" fill="#dd4332" stroke="#97261b" stroke-width="1.8"/>
    <path d="M26 12c8 0 12 6 12 13 6 6 8 13 6 22-2 7-10 11-19 11S6 54 4 46c-1-6 0-10 3-13 4 3 7 2 8-3 0-10 3-18 11-18z"
    fill="#fbf0dd" stroke="#a5834f" stroke-width="2"/>
    <path d="M12 44c4 8 16 9 22 1" fill="none" stroke="#d3b483" stroke-width="3" stroke-linecap="round"/>
    <circle cx="24" cy="23" r="2.6" fill="#231a15"/><circle cx="33" cy="23" r="2.6" fill="#231a15"/>
    <path d="M24.5 28h8l-4 6z" fill="#f6a531" stroke="#a8620f" stroke-width="1.2"/>
    <path d="M26 35c-2 5 5 5 4 0z" fill="#dd4332"/>`,
  crow: `<path d="M24 8c9 0 15 6 15 14l8 4-8 3c1 16-6 27-19 29-8 1-15-1-19-5 7-3 9-8 9-16C9 20 12 8 24 8z"
    fill="#465270" stroke="#171b25" stroke-width="2" stroke-linejoin="round"/>
    <path d="M36 21l12 5-11 3z" fill="#f4b740" stroke="#8a6212" stroke-width="1.4" stroke-linejoin="round"/>
    <circle cx="29" cy="20" r="4.2" fill="#fff"/><circle cx="30.2" cy="20.3" r="2.2" fill="#111"/>
    <path d="M12 48c9 2 17-2 19-14 5 10-4 22-19 14z" fill="#2b3347"/>
    <path d="M16 18c1-4 4-6 7-6" fill="none" stroke="#8fa0c6" stroke-width="2.4" stroke-linecap="round"/>`,
  weasel: `<path d="M12 16L9 5l10 5zM36 16l3-11-10 5z" fill="#9a5c30" stroke="#5c3215" stroke-width="1.8"
    stroke-linejoin="round"/>
      <path d="M24 7c10 0 15 6 15 14 0 6-3 9-2 14 2 8 3 14 2 23H9c-1-9 0-15 2-23 1-5-2-8-2-14C9 13 14 7 24 7z"
      fill="#bd7843" stroke="#5c3215" stroke-width="2"/>
      <path d="M24 22c7 0 9 5 7 10-1 4 2 14 1 26H16c-1-12 2-22 1-26-2-5 0-10 7-10z" fill="#fbeed9"/>
      <circle cx="17.5" cy="19" r="2.7" fill="#231a15"/><circle cx="30.5" cy="19" r="2.7" fill="#231a15"/>
      <ellipse cx="24" cy="26" rx="3.2" ry="2.3" fill="#231a15"/>
      <path d="M20 31q4 3 8 0" fill="none" stroke="#5c3215" stroke-width="1.8" stroke-linecap="round"/>`,
  gold: `<rect x="4" y="21" width="40" height="37" rx="9" fill="#a8730f"/>
    <rect x="4" y="14" width="40" height="40" rx="9" fill="#f7c548" stroke="#a8730f" stroke-width="2"/>
    <path d="M9 24c0-4 2-6 6-6h16" fill="none" stroke="#fff3c4" stroke-width="3" stroke-linecap="round"/>
    <path d="M12 37c3 7 9 7 12 0s7-6 9 0 7 0 5-9" fill="none" stroke="#8f2f22" stroke-width="8" stroke-linecap="round"/>
    <path d="M12 37c3 7 9 7 12 0s7-6 9 0 7 0 5-9" fill="none" stroke="#df614a" stroke-width="5.4"
    stroke-linecap="round"/>`,
  apple: `<path d="M24 22c-9-7-20 0-20 13 0 12 8 23 15 23 2 0 3-1 5-1s3 1 5 1c7 0 15-11 15-23 0-13-11-20-20-13z"
    fill="#d9503f" stroke="#8d2c20" stroke-width="2"/>
      <path d="M24 22c0-6 1-10 5-14" fill="none" stroke="#5f4126" stroke-width="3.4" stroke-linecap="round"/>
      <path d="M26 15c4-9 13-10 17-7-3 7-10 11-17 7z" fill="#85b552" stroke="#4c7527" stroke-width="1.6"/>
      <path d="M10 33c1-4 3-6 6-7" fill="none" stroke="#ffb8a6" stroke-width="3" stroke-linecap="round"/>
      <circle cx="31" cy="40" r="6" fill="#6d1f18"/>
      <circle cx="32" cy="38.5" r="4.6" fill="#f3a48b" stroke="#8f2f22" stroke-width="1.4"/>
      <circle cx="33" cy="38" r="1.3" fill="#231a15"/>`,
};

/** @param {string} name */
export const specialist = (name) =>
  `<svg class="guest" viewBox="0 0 48 60" aria-hidden="true">${GUESTS[name] ?? ""}</svg>`;

/** The bed of coals under the grate; how far it glows is --heat (0…1) in the style sheet. */
export function coals() {
  let seed = 7;
  const next = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const shapes = [
      "M-15-2C-13-11-6-14 2-13S14-8 15 0 11 12 2 13-17 8-15-2z",
      "M-14 4C-16-5-9-13 1-13S16-6 14 3 6 14-3 13-12 10-14 4z",
      "M-13-6C-9-13 3-14 10-10S16 4 9 11-7 13-12 8-16 0-13-6z",
    ],
    cracks = ["M-14 2l6-4 4 3 6-5 8 2", "M-12-6l7 3 1 6 7 3 5-4"];
  const lumps = Array.from({ length: 128 }, (_, i) => {
    const x = ((i % 16) * 35 + (Math.floor(i / 16) % 2) * 17 + next() * 12 - 8).toFixed(0),
      y = (Math.floor(i / 16) * 39 + next() * 14 + 10).toFixed(0);
    return `<g transform="translate(${x} ${y})">
      <path class="coal k${i % 3}"
        transform="rotate(${(next() * 360).toFixed(0)}) scale(${(0.85 + next() * 0.4).toFixed(2)} ${(0.8 + next() * 0.35).toFixed(2)})"
      d="${shapes[i % 3]}"/>
      ${
        i % 3
          ? ""
          : `<path class="gleam" stroke-opacity="${next().toFixed(2)}"
        transform="rotate(${(next() * 360).toFixed(0)})" d="${cracks[i % 2]}"/>`
      }
      </g>`;
  }).join("");
  return `<svg class="coals" viewBox="0 0 560 320" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
    <rect class="bed" width="560" height="320"/>${lumps}</svg>`;
}

/** Three puffs of smoke. */
export const smoke = () =>
  `<svg class="smoke" viewBox="0 0 200 160" aria-hidden="true"><g fill="var(--smoke)">
    <path opacity=".5"
      d="M60 150c-34 0-44-36-20-48-16-22 8-50 32-38 4-34 56-40 66-6 28-8 46 24 26 44 22 14 6 48-22 44-12 20-46 22-58 4z"/>
    <path opacity=".55"
      d="M84 130c-22 2-30-22-16-32-8-16 8-32 24-24 6-20 36-18 40 4 18-2 26 20 12 30 10 14-6 28-20 22-10 10-30 10-40 0z"/>
    <path opacity=".4" d="M110 62c-14 0-18-16-8-22-4-14 14-22 22-12 10-10 28 0 22 14 10 6 4 22-8 20-8 8-22 8-28 0z"/>
    </g></svg>`;
