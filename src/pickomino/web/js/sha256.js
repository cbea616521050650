// SHA-256 and HMAC, small and our own: a page on plain http has no crypto.subtle.

const K = new Uint32Array(64);
const START = new Uint32Array(8);

// The constants are the first 32 bits of the fractional parts of cube and square roots of the first primes.
for (let n = 2, found = 0; found < 64; n += 1) {
  let prime = true;
  for (let d = 2; d * d <= n; d += 1) if (n % d === 0) prime = false;
  if (!prime) continue;
  if (found < 8) START[found] = (Math.sqrt(n) % 1) * 0x100000000;
  K[found] = (Math.cbrt(n) % 1) * 0x100000000;
  found += 1;
}

/** @param {number} x @param {number} n */
const turn = (x, n) => (x >>> n) | (x << (32 - n));

/** @param {Uint8Array} data @returns {Uint8Array} 32 bytes */
export function sha256(data) {
  const length = data.length;
  const padded = new Uint8Array(((length + 72) >>> 6) << 6);
  padded.set(data);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 0x20000000));
  view.setUint32(padded.length - 4, length << 3);
  const state = START.slice();
  const w = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(at + i * 4);
    for (let i = 16; i < 64; i += 1) {
      const a = w[i - 15] ?? 0;
      const b = w[i - 2] ?? 0;
      w[i] =
        (w[i - 16] ?? 0) +
        (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) +
        (w[i - 7] ?? 0) +
        (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let i = 0; i < 64; i += 1) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (K[i] ?? 0) + (w[i] ?? 0)) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => {
      state[i] = (state[i] ?? 0) + value;
    });
  }
  const out = new Uint8Array(32);
  state.forEach((value, i) => new DataView(out.buffer).setUint32(i * 4, value));
  return out;
}

/** @param {Uint8Array[]} parts */
export function join(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** @param {Uint8Array} key at most 64 bytes @param {Uint8Array} message */
export function hmac(key, message) {
  const pad = (/** @type {number} */ byte) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ byte);
  return sha256(join(pad(0x5c), sha256(join(pad(0x36), message))));
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text */
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

const utf8 = new TextEncoder();

/** @param {string} text */
export const bytesOf = (text) => utf8.encode(text);

/** Fields that cannot run into each other. @param {...(string|number|Uint8Array)} fields */
export function frame(...fields) {
  return join(
    ...fields.flatMap((field) => {
      const bytes = field instanceof Uint8Array ? field : bytesOf(String(field));
      const length = new Uint8Array(4);
      new DataView(length.buffer).setUint32(0, bytes.length);
      return [length, bytes];
    }),
  );
}
