// A QR code for a link: byte mode, error level M, versions 1 to 10 (213 bytes). After ISO/IEC 18004.

// Data codewords, error codewords per block, number of blocks, for level M and versions 1 to 10.
const SIZES = [
  [16, 10, 1],
  [28, 16, 1],
  [44, 26, 1],
  [64, 18, 2],
  [86, 24, 2],
  [108, 16, 4],
  [124, 18, 4],
  [154, 22, 4],
  [182, 22, 5],
  [216, 26, 5],
];
const ALIGN = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

/** @param {number} x @param {number} y in GF(256) with 0x11d */
function times(x, y) {
  let z = 0;
  for (let i = 7; i >= 0; i -= 1) {
    z = (z << 1) ^ ((z >>> 7) * 0x11d);
    z ^= ((y >>> i) & 1) * x;
  }
  return z;
}

/** @param {number} degree */
function divisor(degree) {
  const result = new Array(degree).fill(0);
  result[degree - 1] = 1;
  let root = 1;
  for (let i = 0; i < degree; i += 1) {
    for (let j = 0; j < degree; j += 1) {
      result[j] = times(result[j], root);
      if (j + 1 < degree) result[j] ^= result[j + 1];
    }
    root = times(root, 2);
  }
  return result;
}

/** @param {number[]} data @param {number[]} by */
function remainder(data, by) {
  const result = by.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ (result.shift() ?? 0);
    result.push(0);
    by.forEach((coefficient, i) => {
      result[i] = (result[i] ?? 0) ^ times(coefficient, factor);
    });
  }
  return result;
}

/** @param {Uint8Array} bytes @param {number} version */
function codewords(bytes, version) {
  const [capacity = 0, errors = 0, blocks = 1] = SIZES[version - 1] ?? [];
  /** @type {number[]} */
  const bits = [];
  const put = (/** @type {number} */ value, /** @type {number} */ length) => {
    for (let i = length - 1; i >= 0; i -= 1) bits.push((value >>> i) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, capacity * 8 - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < capacity * 8; pad ^= 0xec ^ 0x11) put(pad, 8);
  const data = [];
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(""), 2));
  const short = Math.floor(capacity / blocks);
  const shorts = blocks - (capacity % blocks);
  const by = divisor(errors);
  const parts = [];
  for (let i = 0, at = 0; i < blocks; i += 1) {
    const length = short + (i < shorts ? 0 : 1);
    const part = data.slice(at, at + length);
    at += length;
    parts.push({ part, check: remainder(part, by) });
  }
  const out = [];
  for (let i = 0; i <= short; i += 1) for (const { part } of parts) if (i < part.length) out.push(part[i] ?? 0);
  for (let i = 0; i < errors; i += 1) for (const { check } of parts) out.push(check[i] ?? 0);
  return out;
}

/** @param {number} mask @param {number} x @param {number} y */
function masked(mask, x, y) {
  return (
    [
      (x + y) % 2,
      y % 2,
      x % 3,
      (x + y) % 3,
      (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
      ((x * y) % 2) + ((x * y) % 3),
      (((x * y) % 2) + ((x * y) % 3)) % 2,
      (((x + y) % 2) + ((x * y) % 3)) % 2,
    ][mask] === 0
  );
}

/** @param {string} text @returns {boolean[][]} rows of modules */
export function qrModules(text) {
  const bytes = new TextEncoder().encode(text);
  const version = SIZES.findIndex(([capacity = 0], i) => bytes.length + (i < 9 ? 2 : 3) <= capacity) + 1;
  if (!version) throw new RangeError("too long for a QR code");
  const size = version * 4 + 17;
  /** @type {boolean[][]} */
  const grid = Array.from({ length: size }, () => new Array(size).fill(false));
  const fixed = grid.map((row) => row.map(() => false));
  const set = (/** @type {number} */ x, /** @type {number} */ y, /** @type {boolean} */ dark) => {
    const row = grid[y];
    const mark = fixed[y];
    if (!row || !mark || x < 0 || x >= size) return;
    row[x] = dark;
    mark[x] = true;
  };
  for (let i = 0; i < size; i += 1) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [cx, cy] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ]) {
    for (let dy = -4; dy <= 4; dy += 1)
      for (let dx = -4; dx <= 4; dx += 1) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set((cx ?? 0) + dx, (cy ?? 0) + dy, ring !== 2 && ring !== 4);
      }
  }
  const places = ALIGN[version - 1] ?? [];
  places.forEach((cx, i) =>
    places.forEach((cy, j) => {
      const last = places.length - 1;
      if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) return;
      for (let dy = -2; dy <= 2; dy += 1)
        for (let dx = -2; dx <= 2; dx += 1) set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }),
  );
  const format = (/** @type {number} */ mask) => {
    let rest = mask; // level M is 00
    for (let i = 0; i < 10; i += 1) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
    const bits = ((mask << 10) | rest) ^ 0x5412;
    const bit = (/** @type {number} */ i) => ((bits >>> i) & 1) === 1;
    for (let i = 0; i < 6; i += 1) set(8, i, bit(i));
    set(8, 7, bit(6));
    set(8, 8, bit(7));
    set(7, 8, bit(8));
    for (let i = 9; i < 15; i += 1) set(14 - i, 8, bit(i));
    for (let i = 0; i < 8; i += 1) set(size - 1 - i, 8, bit(i));
    for (let i = 8; i < 15; i += 1) set(8, size - 15 + i, bit(i));
    set(8, size - 8, true);
  };
  if (version >= 7) {
    let rest = version;
    for (let i = 0; i < 12; i += 1) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let i = 0; i < 18; i += 1) {
      const dark = ((bits >>> i) & 1) === 1;
      set(size - 11 + (i % 3), Math.floor(i / 3), dark);
      set(Math.floor(i / 3), size - 11 + (i % 3), dark);
    }
  }
  format(0);
  const data = codewords(bytes, version);
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1)
      for (let j = 0; j < 2; j += 1) {
        const x = right - j;
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
        const row = grid[y];
        if (!row || fixed[y]?.[x]) continue;
        row[x] = at < data.length * 8 && (((data[at >>> 3] ?? 0) >>> (7 - (at & 7))) & 1) === 1;
        at += 1;
      }
  }
  let best = grid;
  let least = Infinity;
  for (let mask = 0; mask < 8; mask += 1) {
    format(mask);
    const tried = grid.map((row, y) => row.map((dark, x) => (fixed[y]?.[x] ? dark : dark !== masked(mask, x, y))));
    const cost = penalty(tried);
    if (cost < least) [best, least] = [tried, cost];
  }
  return best;
}

/** Runs and balance; enough to choose a mask that reads well. @param {boolean[][]} grid */
function penalty(grid) {
  let cost = 0;
  const size = grid.length;
  const lines = [...grid, ...grid.map((_, x) => grid.map((row) => row[x] ?? false))];
  for (const line of lines) {
    let run = 1;
    for (let i = 1; i < size; i += 1) {
      run = line[i] === line[i - 1] ? run + 1 : 1;
      if (run === 5) cost += 3;
      else if (run > 5) cost += 1;
    }
  }
  const dark = grid.flat().filter(Boolean).length;
  return cost + Math.floor(Math.abs(dark * 20 - size * size * 10) / (size * size)) * 10;
}

/** @param {string} text */
export function qrSvg(text) {
  const grid = qrModules(text);
  const path = grid.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")).join("")).join("");
  return `<svg viewBox="-2 -2 ${grid.length + 4} ${grid.length + 4}" shape-rendering="crispEdges" aria-hidden="true"><path d="${path}" fill="#1b1513"/></svg>`;
}
