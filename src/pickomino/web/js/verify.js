// Recomputes every roll of a record, as docs/dice.md says, and compares it with what this browser kept: the tip shown
// before the game, its own chain's values, its nonces. Says what was right, what was not, and what could not be told.
import { bytesOf, frame, hex, hmac, sha256, unhex } from "./sha256.js";

const CHAIN = 4096;

/** @typedef {{sides: string, golden_die: string}} Sides dice side by side, as the server tells of an edition */
/** @typedef {{k: number, seat: string, dice: string, value: string, nonce: string, soFar: string, next: string[]|null}} Roll */
/** @typedef {{k: number, seats: string}} VoidRoll */
/**
 * @typedef {object} Found
 * @property {string} fault what is wrong with the record itself; empty: nothing
 * @property {number} rolls
 * @property {boolean} joint every seat could add to the dice
 * @property {boolean} first who starts was recomputed
 * @property {Record<string, number>} added rolls by guest
 * @property {number} alone rolls to which no person gave anything
 * @property {VoidRoll[]} voids
 * @property {boolean} tip it is the one shown before the game
 * @property {number} mine values and nonces of this browser that are in it
 * @property {string[]} problems what this browser gave and the record does not have
 * @property {string[]} unknown what could not be compared
 */

/** @param {string} text */
const digest = (text) => hex(sha256(bytesOf(text)));

/**
 * The dice that value and nonce make fall.
 * @param {Uint8Array} value @param {string} table @param {number} k @param {string} nonce @param {string} soFar
 * @param {number} white @param {boolean} gold @param {Sides} [sides]
 */
export function fall(value, table, k, nonce, soFar, white, gold, sides = { sides: "12345W", golden_die: "111WWW" }) {
  let shown = "";
  for (let n = 0; shown.length < white + Number(gold); n += 1) {
    for (const byte of hmac(value, frame(table, k, nonce, soFar, n))) {
      const die = shown.length < white ? sides.sides : sides.golden_die;
      if (shown.length < white + Number(gold) && byte < 256 - (256 % die.length)) shown += die[byte % die.length];
    }
  }
  const dice = [...shown.slice(0, white)].sort().join("");
  return gold ? `${dice}+${shown[white]}` : dice;
}

/**
 * The seat that a roll says starts.
 * @param {Uint8Array} value @param {string} table @param {number} k @param {string} nonce @param {number} seats
 */
export function whoStarts(value, table, k, nonce, seats) {
  for (let n = 0; ; n += 1)
    for (const byte of hmac(value, frame(table, k, nonce, digest(""), n)))
      if (byte < 256 - (256 % seats)) return byte % seats;
}

/** Headers, rolls and void rolls of a record. @param {string} text */
export function readRecord(text) {
  /** @type {Record<string, string>} */
  const headers = {};
  /** @type {Roll[]} */
  const rolls = [];
  /** @type {VoidRoll[]} */
  const voids = [];
  let before = "";
  for (const line of text.split(/\r?\n/)) {
    const header = /^\[(\w+) "((?:[^"\\]|\\.)*)"\]$/.exec(line);
    if (header) headers[header[1] ?? ""] = (header[2] ?? "").replace(/\\(.)/g, "$1");
    else if (/^\d+ [A-G] /.test(line)) before += readTurn(line, before, rolls, voids);
  }
  for (const part of (headers.First ?? "").split("; ")) readProof(part, [], voids);
  for (const part of (headers.Void ?? "").split("; ")) readProof(part, [], voids);
  return { headers, rolls, voids };
}

/** @param {string} comment @param {Roll[]} rolls @param {VoidRoll[]} voids */
function readProof(comment, rolls, voids) {
  const proof = /^#(\d+) (void|[0-9a-f]{64}) ([\w:-]+(?: [\w:-]+)*)$/.exec(comment);
  const next = /^#next ([0-9a-f]{64}) ([0-9a-f]{64})$/.exec(comment);
  const last = rolls.at(-1);
  if (proof?.[2] === "void") voids.push({ k: Number(proof[1]), seats: proof[3] ?? "" });
  else if (proof && last && !last.value) Object.assign(last, { k: Number(proof[1]), value: proof[2], nonce: proof[3] });
  else if (next && last) last.next = [next[1] ?? "", next[2] ?? ""];
}

/**
 * @param {string} line @param {string} before @param {Roll[]} rolls @param {VoidRoll[]} voids
 * @returns {string} the line without comments
 */
function readTurn(line, before, rolls, voids) {
  const tokens = line.match(/\{[^}]*\}|[^\s{]+/g) ?? [];
  const seat = tokens[1] ?? "";
  const plain = tokens.slice(0, 2);
  for (const token of tokens.slice(2)) {
    if (token.startsWith("{")) {
      readProof(token.slice(1, -1), rolls, voids);
      continue;
    }
    const roll = /^([0-9A-Z]*(?:\+[0-9A-Z])?)(?:\/[0-9A-Z*])?$/.exec(token);
    if (roll?.[1]) {
      const soFar = digest(plain.length > 2 ? `${before}${plain.join(" ")}\n` : before);
      rolls.push({ k: -1, seat, dice: roll[1], value: "", nonce: "", soFar, next: null });
    }
    plain.push(token);
  }
  return `${plain.join(" ")}\n`;
}

/** The values by guest and the nonce that a roll fell from. @param {string} text */
function parts(text) {
  const found = text.split(" ");
  const nonce = found.at(-1)?.includes(":") ? "" : (found.pop() ?? "");
  return {
    values: /** @type {Record<string, string>} */ (Object.fromEntries(found.map((part) => part.split(":")))),
    nonce,
  };
}

class Fault extends Error {}

/** The value so many places before one. @param {Uint8Array} value @param {number} times */
function back(value, times) {
  let found = value;
  for (let i = 0; i < times; i += 1) found = sha256(found);
  return found;
}

/** Follows the server's values from its tip on. @param {Record<string, string>} headers @param {boolean} joint */
function serverLinks(headers, joint) {
  let announced = headers.Dice?.split(" ")[1] ?? "";
  /** @type {Uint8Array} */
  let previous = new Uint8Array();
  let place = 0;
  const start = headers.First ? "" : (headers.Position ?? "");
  return (/** @type {number} */ k, /** @type {Uint8Array} */ value, /** @type {string[]|null} */ next) => {
    const here = k + Number(joint);
    const hashed = back(value, here - place);
    const number = Math.floor(place / CHAIN);
    if (place % CHAIN === 0) {
      const bound = [
        headers.Table ?? "",
        headers.Edition ?? "",
        headers.Seats ?? "",
        start,
        headers.Bots ?? "",
        number + 1,
      ];
      if (hex(sha256(frame(`pickomino dice ${joint ? 2 : 1} tip`, ...bound, hashed))) !== announced)
        throw new Fault(`the chain does not begin at the tip (roll ${k})`);
    } else if (hex(hashed) !== hex(previous)) throw new Fault(`the chain is broken at roll ${k}`);
    if (here % CHAIN === 0 && next) {
      announced = next[0] ?? "";
      if (hex(sha256(frame("pickomino dice 1 last", unhex(next[1] ?? ""), announced))) !== hex(value))
        throw new Fault(`the next chain at roll ${k}`);
    }
    previous = value;
    place = here;
  };
}

/** Follows what guests added, from their tips on. @param {Record<string, string>} headers */
function guestLinks(headers) {
  const server = headers.Dice?.split(" ")[1] ?? "";
  const tips = (headers.Tips ?? "").split(" ").map((text) => /^([A-G]+):([0-9a-f]{64})(?:@(\d+))?$/.exec(text));
  /** @type {Map<RegExpExecArray, [number, string]>} */
  const known = new Map();
  return (/** @type {string} */ letter, /** @type {number} */ k, /** @type {string} */ value) => {
    const tip = tips.filter((found) => found?.[1]?.[0] === letter && Number(found[3] ?? 0) <= k).at(-1);
    if (!tip) throw new Fault(`the value of ${letter} at roll ${k} has no tip`);
    const last = known.get(tip);
    const good = last
      ? hex(back(unhex(value), k - last[0])) === last[1]
      : hex(
          sha256(
            frame(
              "pickomino dice 2 guest",
              headers.Table ?? "",
              tip[1] ?? "",
              server,
              back(unhex(value), k - Number(tip[3] ?? 0) + 1),
            ),
          ),
        ) === tip[2];
    if (!good) throw new Fault(`the value of ${letter} at roll ${k} does not belong to its tip`);
    known.set(tip, [k, value]);
  };
}

/**
 * @param {string} text the record @param {Sides} sides of the edition's dice @param {import("./chains.js").Kept|null} kept what this browser kept of the game
 * @returns {Found}
 */
export function verify(text, sides, kept) {
  const { headers, rolls, voids } = readRecord(text);
  /** @type {Found} */
  const found = {
    fault: "",
    rolls: rolls.length,
    joint: false,
    first: false,
    added: {},
    alone: 0,
    voids,
    tip: false,
    mine: 0,
    problems: [],
    unknown: [],
  };
  try {
    recompute(headers, rolls, voids, sides, found);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    found.fault = error.message;
  }
  if (!found.fault) compare(headers, rolls, voids, kept, found);
  return found;
}

/**
 * @param {Record<string, string>} headers @param {Roll[]} rolls @param {VoidRoll[]} voids @param {Sides} sides
 * @param {Found} found
 */
function recompute(headers, rolls, voids, sides, found) {
  const dice = /^sha256-chain(s?) [0-9a-f]{64}$/.exec(headers.Dice ?? "");
  if (!dice || !headers.Table) throw new Fault("the record has no checkable dice");
  found.joint = dice[1] === "s";
  const server = serverLinks(headers, found.joint);
  const guests = guestLinks(headers);
  const spent = new Map(voids.map((item) => [item.k, item]));
  /** @type {string[]} */
  const story = [];
  let k = headers.First || spent.has(0) ? 0 : 1;
  const takeVoids = () => {
    for (; spent.has(k); k += 1) story.push(`void ${spent.get(k)?.seats}`);
  };
  const follow = (/** @type {Roll} */ roll) => {
    takeVoids();
    if (roll.k !== k) throw new Fault(`roll ${k} has no proof`);
    server(k, unhex(roll.value), roll.next);
    const { values, nonce } = found.joint ? parts(roll.nonce) : { values: {}, nonce: roll.nonce };
    for (const [letter, value] of Object.entries(values)) {
      guests(letter, k, value);
      found.added[letter] = (found.added[letter] ?? 0) + 1;
    }
    const alone = !Object.keys(values).length && nonce === roll.soFar;
    if ((headers.Bots ?? "").includes(roll.seat || "-") && nonce && !alone)
      throw new Fault(`a bot's nonce at roll ${k}`);
    found.alone += Number(alone);
    story.push(roll.nonce);
    k += 1;
  };
  if (headers.First) {
    const proof = /#(\d+) ([0-9a-f]{64}) ([^;]+)$/.exec(headers.First);
    const roll = {
      k: Number(proof?.[1] ?? -1),
      seat: "",
      dice: "",
      value: proof?.[2] ?? "",
      nonce: proof?.[3] ?? "",
      soFar: digest(""),
      next: null,
    };
    follow(roll);
    const seat = "ABCDEFG"[
      whoStarts(unhex(roll.value), headers.Table, roll.k, roll.nonce, (headers.Seats ?? "").split(" ").length)
    ];
    if (seat !== (/ ([A-G]) -:\S+( |$)/.exec(headers.Position ?? "")?.[1] ?? "A"))
      throw new Fault(`who starts: roll ${roll.k} says ${seat}`);
    found.first = true;
  }
  for (const roll of rolls) {
    follow(roll);
    const [white = "", gold = ""] = roll.dice.split("+");
    if (
      fall(unhex(roll.value), headers.Table, roll.k, roll.nonce, roll.soFar, white.length, gold !== "", sides) !==
      roll.dice
    )
      throw new Fault(`the dice of roll ${roll.k} are not those of the chain`);
  }
  takeVoids();
  if (hex(sha256(frame("pickomino dice 1 nonces", ...story))) !== headers.Nonces)
    throw new Fault("the seal over the nonces");
}

/**
 * What only this browser can know.
 * @param {Record<string, string>} headers @param {Roll[]} rolls @param {VoidRoll[]} voids
 * @param {import("./chains.js").Kept|null} kept @param {Found} found
 */
function compare(headers, rolls, voids, kept, found) {
  if (!kept || kept.game !== headers.Table) {
    found.unknown.push("kept");
    return;
  }
  if (!kept.dice) found.unknown.push("tip");
  else if (kept.dice === headers.Dice) found.tip = true;
  else found.problems.push("the tip is not the one shown before the game");
  const tips = (headers.Tips ?? "").split(" ");
  for (const tip of kept.tips) if (!tips.includes(tip)) found.problems.push("a tip of yours is missing");
  const first = /#(\d+) [0-9a-f]{64} ([^;]+)$/.exec(headers.First ?? "");
  const given = new Map(rolls.map((roll) => [roll.k, parts(roll.nonce)]));
  if (first) given.set(Number(first[1]), parts(first[2] ?? ""));
  const last = Math.max(-1, ...given.keys(), ...voids.map((item) => item.k));
  for (const [letter, shown] of Object.entries(kept.values)) {
    for (const [text, value] of Object.entries(shown)) {
      const k = Number(text);
      const taken = kept.taken[letter]?.includes(k);
      const missed = voids.find((item) => item.k === k);
      if (missed ? missed.seats.includes(letter) && taken : k > last && taken)
        found.problems.push(
          missed
            ? `roll ${k}: you are called missing, and the server had your value`
            : `roll ${k} is missing at the end`,
        );
      else if (!missed && k <= last) {
        if (given.get(k)?.values[letter] === value) found.mine += 1;
        else found.problems.push(`roll ${k}: your value is missing`);
      }
    }
  }
  for (const [letter, list] of Object.entries(kept.unasked))
    for (const k of list) found.problems.push(`roll ${k}: ${letter} was there and was not asked`);
  const nonces = new Set([...given.values()].map((item) => item.nonce));
  for (const nonce of kept.nonces) {
    if (nonces.has(nonce)) found.mine += 1;
    else found.problems.push("a nonce of yours is missing");
  }
  const told = (/** @type {string} */ text) =>
    found.problems.some((problem) => problem.startsWith(text.split(":")[0] ?? text));
  found.problems.push(...kept.complaints.filter((text) => !told(text)));
}
