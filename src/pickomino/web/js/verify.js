// Recomputes every roll of a record, as docs/dice.md says. What only the player can know is compared too: the
// tip shown before the game, and the nonces that this browser sent.
import { hex, hmac, join, sha256, unhex } from "./sha256.js";

const CHAIN = 4096;
const utf8 = new TextEncoder();

/** Fields that cannot run into each other. @param {...(string|number|Uint8Array)} fields */
export function frame(...fields) {
  return join(
    ...fields.flatMap((field) => {
      const bytes = field instanceof Uint8Array ? field : utf8.encode(String(field));
      const length = new Uint8Array(4);
      new DataView(length.buffer).setUint32(0, bytes.length);
      return [length, bytes];
    }),
  );
}

/** @param {string} text */
const digest = (text) => hex(sha256(utf8.encode(text)));

/** The dice that value and nonce make fall. @param {Uint8Array} value @param {string} table @param {number} k @param {string} nonce @param {string} soFar @param {number} white @param {boolean} gold */
export function fall(value, table, k, nonce, soFar, white, gold) {
  const dice = [];
  for (let n = 0; dice.length < white + (gold ? 1 : 0); n += 1) {
    for (const byte of hmac(value, frame(table, k, nonce, soFar, n))) if (byte < 252) dice.push(byte % 6);
  }
  const shown = dice
    .slice(0, white)
    .map((rest) => "12345W"[rest])
    .sort()
    .join("");
  return gold ? `${shown}+${(dice[white] ?? 0) < 3 ? "1" : "W"}` : shown;
}

/** @typedef {{k: number, seat: string, dice: string, value: string, nonce: string, soFar: string, next: string[]|null}} Roll */

/** Headers and rolls of a record. @param {string} text */
export function readRecord(text) {
  /** @type {Record<string, string>} */
  const headers = {};
  /** @type {Roll[]} */
  const rolls = [];
  let before = "";
  for (const line of text.split(/\r?\n/)) {
    const header = /^\[(\w+) "((?:[^"\\]|\\.)*)"\]$/.exec(line);
    if (header) headers[header[1] ?? ""] = (header[2] ?? "").replace(/\\(.)/g, "$1");
    else if (/^\d+ [A-G] /.test(line)) before += readTurn(line, before, rolls);
  }
  return { headers, rolls };
}

/** @param {string} line @param {string} before @param {Roll[]} rolls @returns {string} the line without comments */
function readTurn(line, before, rolls) {
  const tokens = line.match(/\{[^}]*\}|[^\s{]+/g) ?? [];
  const seat = tokens[1] ?? "";
  const plain = tokens.slice(0, 2);
  for (const [index, token] of tokens.entries()) {
    if (index < 2) continue;
    const proof = /^\{#(\d+) ([0-9a-f]{64}) ([\w-]+)\}$/.exec(token);
    const next = /^\{#next ([0-9a-f]{64}) ([0-9a-f]{64})\}$/.exec(token);
    const last = rolls.at(-1);
    if (proof && last) Object.assign(last, { k: Number(proof[1]), value: proof[2], nonce: proof[3] });
    else if (next && last) last.next = [next[1] ?? "", next[2] ?? ""];
    if (token.startsWith("{")) continue;
    const roll = /^([1-5W]*(?:\+[1W])?)(?:\/[1-5W*])?$/.exec(token);
    if (roll?.[1]) {
      const soFar = digest(plain.length > 2 ? `${before}${plain.join(" ")}\n` : before);
      rolls.push({ k: 0, seat, dice: roll[1], value: "", nonce: "", soFar, next: null });
    }
    plain.push(token);
  }
  return `${plain.join(" ")}\n`;
}

/**
 * Nothing wrong gives an empty text, else what is wrong in the checker's words.
 * @param {string} text the record @param {string} tip the one shown before the game, or empty @param {string[]} sent nonces of this browser
 * @returns {{fault: string, rolls: number, mine: number}}
 */
export function verify(text, tip, sent) {
  const { headers, rolls } = readRecord(text);
  const done = (/** @type {string} */ fault) => ({ fault, rolls: rolls.length, mine: sent.length });
  let announced = /^sha256-chain ([0-9a-f]{64})$/.exec(headers.Dice ?? "")?.[1] ?? "";
  if (!announced || !headers.Table) return done("the record has no checkable dice");
  if (tip && tip !== headers.Dice) return done("the tip is not the one shown before the game");
  let previous = new Uint8Array();
  for (const [index, roll] of rolls.entries()) {
    const k = index + 1;
    if (roll.k !== k) return done(`roll ${k} has no proof`);
    const value = unhex(roll.value);
    const hashed = sha256(value);
    if (index % CHAIN === 0) {
      const wanted = hex(
        sha256(
          frame(
            "pickomino dice 1 tip",
            headers.Table,
            headers.Edition ?? "",
            headers.Seats ?? "",
            headers.Position ?? "",
            headers.Bots ?? "",
            Math.floor(index / CHAIN) + 1,
            hashed,
          ),
        ),
      );
      if (wanted !== announced) return done(`the chain does not begin at the tip (roll ${k})`);
    } else if (hex(hashed) !== hex(previous)) return done(`the chain is broken at roll ${k}`);
    previous = value;
    const [white = "", gold = ""] = roll.dice.split("+");
    if (fall(value, headers.Table, k, roll.nonce, roll.soFar, white.length, gold !== "") !== roll.dice)
      return done(`the dice of roll ${k} are not those of the chain`);
    if ((headers.Bots ?? "").includes(roll.seat) && roll.nonce !== roll.soFar)
      return done(`a bot's nonce at roll ${k}`);
    if (k % CHAIN === 0 && roll.next) {
      announced = roll.next[0] ?? "";
      if (hex(sha256(frame("pickomino dice 1 last", unhex(roll.next[1] ?? ""), announced))) !== roll.value)
        return done(`the next chain at roll ${k}`);
    }
  }
  const seal = hex(sha256(frame("pickomino dice 1 nonces", ...rolls.map((roll) => roll.nonce))));
  if (seal !== headers.Nonces) return done("the seal over the nonces");
  const present = new Set(rolls.map((roll) => roll.nonce));
  if (sent.some((nonce) => !present.has(nonce))) return done("a nonce of yours is missing");
  return done("");
}
