// Seven birds in five moods. The species is the silhouette, the seat is the neckerchief (`--c`). Markup only.

/** @typedef {"calm"|"happy"|"shocked"|"asleep"|"thinking"} Mood */

const INK = "#231a15";

/**
 * Two eyes of a bird in a mood; `iris` for birds with coloured eyes, `ink` for closed lids on dark feathers.
 * @param {{dx: number, y: number, r: number, iris?: string, ink?: string}} at @param {Mood} mood
 */
function eyes({ dx, y, r, iris, ink = INK }, mood) {
  const lid = (/** @type {number} */ x, /** @type {number} */ up) =>
    `<path d="M${x - r} ${y + (up < 0 ? r * 0.4 : -r * 0.1)}q${r} ${up * r * 1.5} ${r * 2} 0" fill="none"
      stroke="${ink}" stroke-width="3.6" stroke-linecap="round"/>`;
  if (mood === "happy") return lid(48 - dx, -1) + lid(48 + dx, -1);
  if (mood === "asleep") return lid(48 - dx, 0.9) + lid(48 + dx, 0.9);
  const big = mood === "shocked" ? 1.24 : 1;
  const k = mood === "shocked" ? 0.32 : 0.6;
  const [px, py] = mood === "thinking" ? [r * 0.36, -r * 0.36] : [0, 0];
  const one = (/** @type {number} */ x, /** @type {number} */ inward) =>
    `<circle cx="${x}" cy="${y}" r="${r * big}" fill="#fff" stroke="${INK}" stroke-opacity=".35" stroke-width="1.2"/>
      ${
        iris
          ? `<circle cx="${x + px * 0.6 + inward}" cy="${y + py * 0.6}" r="${r * (mood === "shocked" ? 0.66 : 0.8)}"
        fill="${iris}"/>`
          : ""
      }
      <circle cx="${x + px + inward}" cy="${y + py}" r="${r * k * (iris ? 0.86 : 1)}" fill="${INK}"/>
      <circle cx="${x + px + inward + r * 0.2}" cy="${y + py - r * 0.24}" r="${r * 0.2}" fill="#fff"/>`;
  const brow =
    mood === "thinking"
      ? `<path d="M${48 - dx - r} ${y - r - 3}h${r * 1.9}M${48 + dx - r} ${y - r - 6}q${r} -4 ${r * 2} 1" fill="none"
        stroke="${ink}" stroke-width="3" stroke-linecap="round"/>`
      : mood === "shocked"
        ? `<path d="M${48 - dx - r} ${y - r * 1.5 - 1}q${r * 0.6} -5 ${r * 1.6} -4M${48 + dx + r} ${y - r * 1.5 - 1}q${-r * 0.6} -5 ${-r * 1.6} -4"
          fill="none" stroke="${ink}" stroke-width="3" stroke-linecap="round"/>`
        : "";
  return one(48 - dx, 1.2) + one(48 + dx, -1.2) + brow;
}

/**
 * A short beak seen from the front; open when happy or shocked.
 * @param {number} y @param {number} w @param {number} h @param {string} fill @param {string} dark @param {Mood} mood
 */
function beak(y, w, h, fill, dark, mood) {
  const gape = mood === "happy" ? h * 0.95 : mood === "shocked" ? h * 1.25 : 0;
  const below = gape
    ? `<path d="M${48 - w * 0.72} ${y + 1}q${w * 0.72} ${gape * 2.1} ${w * 1.44} 0z" fill="#6d1f18" stroke="${dark}"
      stroke-width="1.6" stroke-linejoin="round"/>
      <ellipse cx="48" cy="${y + gape * 0.72}" rx="${w * 0.32}" ry="${gape * 0.24}" fill="#e8776a"/>`
    : "";
  return `${below}
    <path d="M${48 - w} ${y}q${w * 0.6} ${-h * 1.25} ${w} ${-h * 1.25}t${w} ${h * 1.25}q${-w * 0.55} ${h * 0.2} ${-w} ${h * (gape ? 0.45 : 1)}q${-w * 0.45} ${-h * (gape ? 0.25 : 0.8)} ${-w} ${-h * (gape ? 0.45 : 1)}z"
    fill="${fill}" stroke="${dark}" stroke-width="1.8" stroke-linejoin="round"/>`;
}

/** The body that all birds share: a pear of feathers. @param {string} fill @param {string} line @param {string} [d] */
const pear = (
  fill,
  line,
  d = "M48 13c18 0 30 13 30 31 0 9-3 13-1 19 7 7 11 17 11 33H8c0-16 4-26 11-33 2-6-1-10-1-19 0-18 12-31 30-31z",
) => `<path d="${d}" fill="${fill}" stroke="${line}" stroke-width="2.4" stroke-linejoin="round"/>`;

/** The neckerchief in the seat's colour: whose bird it is. */
const scarf = (y = 70) =>
  `<g transform="translate(0 ${y - 70})">
    <path d="M17 68c18 10 44 10 62 0l3 9c-8 5-16 7-23 8l-11 11-11-11c-7-1-15-3-23-8z" fill="var(--c)"
    stroke="#0000004d" stroke-width="1.6" stroke-linejoin="round"/>
    <path d="M18 71c18 9 42 9 60 0" fill="none" stroke="#fff" stroke-opacity=".4" stroke-width="2"/>
    <g fill="#fff" fill-opacity=".8"><circle cx="29" cy="79.5" r="1.8"/><circle cx="41" cy="82" r="1.8"/>
    <circle cx="55" cy="82" r="1.8"/><circle cx="67" cy="79.5" r="1.8"/><circle cx="48" cy="89" r="1.8"/></g></g>`;

const blush = (/** @type {number} */ y, /** @type {number} */ dx, fill = "#f08a6c") =>
  `<ellipse cx="${48 - dx}" cy="${y}" rx="5" ry="3.4" fill="${fill}" opacity=".6"/>
    <ellipse cx="${48 + dx}" cy="${y}" rx="5" ry="3.4" fill="${fill}" opacity=".6"/>`;

/** Seven birds: what is behind, the body, the face. @type {Record<string, (mood: Mood) => string>} */
export const BIRDS = {
  hen: (m) =>
    `<path d="M31 21c-8-9 0-17 8-10 0-11 15-12 17 0 7-7 16 1 9 10-3 4-8 5-17 5s-14-1-17-5z" fill="#dd4332"
      stroke="#97261b" stroke-width="2.2" stroke-linejoin="round"/>
      ${pear("#fbf0dd", "#b9986a")}<path
      d="M12 92c2-9 6-12 10-13M84 92c-2-9-6-12-10-13M20 60c-2 4-2 8-1 11M76 60c2 4 2 8 1 11" fill="none" stroke="#dcc39a" stroke-width="2.4" stroke-linecap="round"/>
      ${blush(54, 22)}${eyes({ dx: 13.5, y: 42, r: 7.2 }, m)}<path
      d="M43 60c-7 4-7 13-2 13 5 0 6-6 6-11zM53 60c7 4 7 13 2 13-5 0-6-6-6-11z" fill="#dd4332" stroke="#97261b" stroke-width="1.6"/>
      ${beak(53, 9.5, 8, "#f6a531", "#a8620f", m)}`,
  owl: (m) =>
    `<path d="M19 36L11 7c11 1 20 6 25 12zM77 36l8-29c-11 1-20 6-25 12z" fill="#7b5638" stroke="#4d331f"
      stroke-width="2.2" stroke-linejoin="round"/>
      ${pear("#946a46", "#4d331f", "M48 15c22 0 33 12 33 30 0 8-3 12-1 18 6 7 8 17 8 33H8c0-16 2-26 8-33 2-6-1-10-1-18 0-18 11-30 33-30z")}
      <path d="M26 96c0-14 8-24 22-24s22 10 22 24z" fill="#e8d2aa"/>
      <path d="M48 24c-4-6-12-6-19-2-10 5-13 14-11 24 2 11 14 16 24 11 3-2 5-5 6-8 1 3 3 6 6 8 10 5 22 0 24-11 2-10-1-19-11-24-7-4-15-4-19 2z"
      fill="#f1dfbd" stroke="#6d4a2e" stroke-width="1.8"/>
      ${eyes({ dx: 15, y: 41, r: 10.5, iris: "#f5b93c" }, m)}${beak(56, 6.5, 8.5, "#e8a23a", "#8f5c14", m)}`,
  duck: (m) =>
    `<path d="M47 14c-6-7-4-13 4-12-3 3-1 6 4 6-1 4-4 6-8 6z" fill="#2c7a58" stroke="#174633" stroke-width="2"/>
      ${pear("#9a7658", "#5a4230", "M48 58c26 0 40 12 40 38H8c0-26 14-38 40-38z")}
      <path d="M48 11c18 0 28 12 28 28 0 12-5 20-9 26H29c-4-6-9-14-9-26 0-16 10-28 28-28z" fill="#358a64"
      stroke="#174633" stroke-width="2.4"/>
      <path d="M27 26c3-6 8-9 14-10" fill="none" stroke="#7fd1a6" stroke-width="3" stroke-linecap="round"/>
      <path d="M27 62c12 7 30 7 42 0l2 6c-14 8-32 8-46 0z" fill="#fff8ea"/>
      ${eyes({ dx: 12.5, y: 34, r: 7, ink: "#eafff3" }, m)}${
        m === "happy" || m === "shocked"
          ? `<path
        d="M33 54c2 ${m === "shocked" ? 18 : 14} 28 ${m === "shocked" ? 18 : 14} 30 0z" fill="#6d1f18" stroke="#9a6510"
        stroke-width="1.8"/><ellipse cx="48" cy="61" rx="8" ry="3" fill="#e8776a"/>`
          : `<path d="M34 55c3 8 25 8 28 0z"
        fill="#dd9a1d" stroke="#9a6510" stroke-width="1.8"/>`
      }
      <path d="M29 53c0-7 9-11 19-11s19 4 19 11c0 5-9 5-19 5s-19 0-19-5z" fill="#f8c23c" stroke="#9a6510"
      stroke-width="2"/>
      <ellipse cx="43.5" cy="48.5" rx="1.4" ry="2" fill="#8a5a0c"/>
      <ellipse cx="52.5" cy="48.5" rx="1.4" ry="2" fill="#8a5a0c"/>`,
  crow: (m) =>
    `<path d="M30 24L20 8l14 6 2-13 11 10 8-10 3 12 12-4-6 14z" fill="#3b4459" stroke="#171b25" stroke-width="2.2"
      stroke-linejoin="round"/>
      ${pear("#3f4960", "#171b25")}<path d="M22 36c3-9 9-14 17-16" fill="none" stroke="#7c8bad" stroke-width="3"
      stroke-linecap="round"/>
      <path d="M12 92c2-10 6-14 11-16M84 92c-2-10-6-14-11-16" fill="none" stroke="#5f6c8a" stroke-width="2.6"
      stroke-linecap="round"/>
      ${eyes({ dx: 14, y: 38, r: 8, ink: "#dfe6f6" }, m)}${
        m === "happy" || m === "shocked"
          ? `<path
        d="M37 56c4 ${m === "shocked" ? 20 : 15} 22 ${m === "shocked" ? 18 : 13} 34 4z" fill="#6d1f18" stroke="#22252e"
        stroke-width="1.8"/><path d="M44 62c4 4 10 3 14-1" fill="#e8776a"/>`
          : `<path d="M38 57c7 7 21 8 33 3z"
        fill="#5d626f" stroke="#22252e" stroke-width="1.8"/>`
      }
      <path d="M35 55c0-9 9-14 18-11 10 3 18 9 24 18-10-1-22-1-32-2-7-1-10-2-10-5z" fill="#868c9b" stroke="#22252e"
      stroke-width="2" stroke-linejoin="round"/>
      <path d="M47 49c5-1 9 0 12 2" fill="none" stroke="#b4bac8" stroke-width="2.2" stroke-linecap="round"/>`,
  robin: (m) =>
    `${pear("#8a6a4c", "#4f3a27")}<path d="M22 96c0-10 8-15 26-15s26 5 26 15z" fill="#f6ead8"/>
      <path d="M48 27c17 0 25 8 26 21 1 10 0 20-4 27-4 8-12 12-22 12s-18-4-22-12c-4-7-5-17-4-27 1-13 9-21 26-21z"
      fill="#ef7136" stroke="#b8481a" stroke-width="1.6"/>
      <path d="M29 22c4-4 9-5 13-5" fill="none" stroke="#b59472" stroke-width="3" stroke-linecap="round"/>
      ${blush(56, 20, "#ffd0a8")}${eyes({ dx: 13.5, y: 43, r: 7 }, m)}${beak(54, 7, 6.5, "#5a4535", "#2c2018", m)}`,
  finch: (m) =>
    `<path d="M8 96c-2-14 2-24 10-30l8 30zM88 96c2-14-2-24-10-30l-8 30z" fill="#2b2a2e" stroke="#161518"
      stroke-width="2"/>
      ${pear("#f7cb37", "#a87b10")}<path d="M10 96c0-8 2-14 5-19l9 6-3 13zM86 96c0-8-2-14-5-19l-9 6 3 13z"
      fill="#2f2d33"/>
      <path d="M14 88l8 2M82 88l-8 2" stroke="#fff" stroke-width="3"/>
      <path d="M19 38c0-16 11-26 29-26s29 10 29 26c-5-7-11-9-16-8-6 1-8 6-13 6s-7-5-13-6c-5-1-11 1-16 8z"
      fill="#2b2a2e"/>
      <path d="M29 22c4-4 8-5 12-6" fill="none" stroke="#6a6873" stroke-width="2.8" stroke-linecap="round"/>
      ${blush(57, 22)}${eyes({ dx: 14, y: 43, r: 6.8 }, m)}${beak(56, 10, 10, "#f0825a", "#a5401f", m)}`,
  wren: (m) =>
    `<path d="M24 74L2 38c0-10 8-19 20-21l20 42z" fill="#8b5c36" stroke="#4f301a" stroke-width="2.2"
      stroke-linejoin="round"/>
      <path d="M5 42c4-8 11-13 20-15M10 50c4-6 10-10 18-12M15 58c4-5 9-8 16-10" fill="none" stroke="#5a371e"
      stroke-width="2.6" stroke-linecap="round"/>
      ${pear("#b07a49", "#5d3a1f", "M50 22c17 0 27 11 27 27 0 7-2 10-1 15 7 7 10 16 10 32H10c0-16 4-25 11-31 2-6 0-10 0-16 0-16 12-27 29-27z")}
      <path d="M28 96c0-18 6-34 20-34s20 16 20 34z" fill="#f3e2c4"/>
      <path d="M38 78l3 4M57 78l-3 4M34 88l3 4M61 88l-3 4" stroke="#b58b5c" stroke-width="2.2" stroke-linecap="round"/>
      <path d="M24 40c4-8 13-11 20-6M73 40c-4-8-13-11-20-6" fill="none" stroke="#fff3dc" stroke-width="4.6"
      stroke-linecap="round"/>
      ${blush(58, 21)}${eyes({ dx: 12.5, y: 47, r: 6.8 }, m)}${
        m === "happy" || m === "shocked"
          ? `<path
        d="M43 59q7 ${m === "shocked" ? 20 : 15} 16 2z" fill="#6d1f18" stroke="#3a2413" stroke-width="1.6"/>`
          : ""
      }
      <path d="M42 57c2-5 9-6 13-3l17 4-18 4c-6 1-12-1-12-5z" fill="#5b4433" stroke="#2c1b10" stroke-width="1.8"
      stroke-linejoin="round"/>`,
};

/** What a mood leaves in the air round the bird. @type {Record<Mood, string>} */
const AIR = {
  calm: "",
  happy: "",
  asleep: `<g fill="none" stroke="var(--air)" stroke-linecap="round" stroke-linejoin="round">
      <path d="M71 20h9l-9 10h9" stroke-width="3.6"/><path d="M84 4h7l-7 8h7" stroke-width="3"/></g>`,
  thinking: `<g fill="var(--air)"><circle cx="77" cy="24" r="2.6"/><circle cx="82" cy="17" r="3.6"/>
      <rect x="64" y="0" width="31" height="12.5" rx="6.25"/></g><g fill="var(--bg)"><circle cx="72" cy="6.2" r="2"/>
      <circle cx="79.5" cy="6.2" r="2"/><circle cx="87" cy="6.2" r="2"/></g>`,
  shocked:
    '<path d="M10 26L2 21M14 14L8 6M86 26l8-5M82 14l6-8" stroke="var(--gold)" stroke-width="3.6" stroke-linecap="round"/>',
};

/** A loose feather. @param {string} fill */
export const feather = (fill) =>
  `<svg class="feather" viewBox="0 0 40 40" aria-hidden="true">
    <path d="M9 32C6 21 15 7 36 3c0 10-4 18-10 22l-5-1 1 4c-4 3-9 4-13 4z" fill="${fill}" stroke="#3a2413"
    stroke-opacity=".55" stroke-width="1.5" stroke-linejoin="round"/>
    <path d="M36 3c-8 2-14 5-18 8l7 9c6-4 10-10 11-17z" fill="#3a2413" opacity=".42"/>
    <path d="M3 38C11 27 19 18 30 9" fill="none" stroke="#fff6e0" stroke-width="1.8" stroke-linecap="round"/></svg>`;

/** Who sits where: the birds in the order of the seats. */
const SEATED = Object.keys(BIRDS);

/** The kind of bird on a seat. @param {string} seat `A`, `B`, … */
export const birdOf = (seat) => SEATED[seat.charCodeAt(0) - 65] ?? "hen";

/** The bird of a seat. @param {string} seat @param {Mood} [mood] */
export function bird(seat, mood = "calm") {
  const name = birdOf(seat);
  const lean =
    mood === "asleep"
      ? ' transform="translate(0 4) rotate(-4 48 90)"'
      : mood === "shocked"
        ? ' transform="translate(0 2)"'
        : "";
  return `<svg class="bird ${mood}" viewBox="0 0 96 96" aria-hidden="true"><g${lean}>
    ${BIRDS[name]?.(mood) ?? ""}${scarf(name === "duck" ? 74 : 72)}</g>${AIR[mood]}</svg>`;
}
