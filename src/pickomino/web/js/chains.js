// Dice from every seat: this browser's own chain of values for a game, one of which it adds to every roll. It says
// what to send, keeps what it has sent until long after the game, and notices if the log does not have it.
// docs/protocol.md, "tip, value, in"; docs/dice.md defines every byte.
import { frame, hex, sha256, unhex } from "./sha256.js";
import { drop, load, save } from "./store.js";

/** @typedef {import("./messages").State} State */
/** @typedef {{type: string, rest: {seat: string, d?: object}, done: (ok: boolean) => void}} Message */
/**
 * A chain of this browser's.
 * @typedef {object} Mine
 * @property {string} seed
 * @property {string} seats
 * @property {string} tip
 * @property {number} since
 * @property {boolean} taken
 * @property {Record<string, string>} shown the entry that each value was shown for
 */
/**
 * What this browser keeps of a game's dice.
 * @typedef {object} Kept
 * @property {1} kept
 * @property {string} game
 * @property {string} dice
 * @property {string[]} tips
 * @property {Record<string, Record<string, string>>} values
 * @property {Record<string, number[]>} taken
 * @property {string[]} nonces
 * @property {Record<string, number[]>} unasked
 * @property {Record<string, Mine>} mine
 * @property {string[]} complaints
 */

const LENGTH = 4096;
const SPARE = 8; // values that are left when the next chain is committed to
const GAMES = 5; // that are kept

/** What `pickomino verify --kept` reads: all but the seeds. @param {Kept} kept */
export function exported({ mine: _, complaints: __, ...rest }) {
  return JSON.stringify(rest, null, 1);
}

/** @param {string} seed @returns {Uint8Array[]} the values from the anchor on */
function chain(seed) {
  /** @type {Uint8Array[]} */
  const values = [unhex(seed)];
  for (let i = 0; i < LENGTH; i += 1) values.push(sha256(values[i] ?? new Uint8Array()));
  return values.reverse();
}

export class Chains {
  constructor() {
    /** @type {Kept|null} */
    this.kept = null;
    this.changed = false; // since it was stored
    /** Values by seed, from the anchor on. @type {Map<string, Uint8Array[]>} */
    this.values = new Map();
  }

  /**
   * A state has come: what to send now.
   * @param {State} state @param {string[]} seats of this connection @param {boolean} hello over a new connection
   * @returns {Message[]}
   */
  hear(state, seats, hello) {
    if (this.kept?.game !== state.game) {
      const rolled = state.entries.some(({ kind }) => kind === "dice" || kind === "first");
      const fresh = { tips: [], values: {}, taken: {}, nonces: [], unasked: {}, mine: {}, complaints: [] };
      this.changed = seats.length > 0;
      this.kept = load(`kept.${state.game}`) ?? {
        kept: 1,
        game: state.game,
        dice: state.from === 0 && !rolled ? state.dice : "",
        ...fresh,
      };
    }
    if (!hello) this.noteUnasked(state);
    this.check(state);
    const groups = state.over ? [] : (state.chains?.guests ?? []);
    const found = groups
      .filter((group) => [...group].some((seat) => seats.includes(seat)))
      .flatMap((group) => this.guest(group, state, hello));
    this.changed ||= found.length > 0;
    this.store();
    return found;
  }

  /** @param {string} group @param {State} state @param {boolean} hello @returns {Message[]} */
  guest(group, state, hello) {
    const { kept } = this;
    const info = state.chains;
    if (!kept || !info) return [];
    const letter = group[0] ?? "";
    const { ask } = info;
    const out = info.out[letter];
    const tip = info.tips[letter];
    const mine = kept.mine[letter];
    /** @type {Message[]} */
    const found = [];
    let inForce = false;
    let spoilt = false;
    if (mine && tip && tip.tip === mine.tip) {
      inForce = true;
      mine.taken = true;
      if (mine.since < 0) {
        mine.since = tip.k;
        this.changed = true;
        kept.tips.push(`${group}:${tip.tip}${tip.k ? `@${tip.k}` : ""}`);
      }
      spoilt = info.next - tip.k > LENGTH - SPARE;
      if (ask?.seats.includes(letter)) {
        const entry = JSON.stringify([ask.seq, ask.seats, ask.nonce, state.position]);
        const last = Math.max(-1, ...Object.keys(mine.shown).map(Number));
        if (mine.shown[ask.k] === undefined && ask.k > last) {
          mine.shown[ask.k] = entry;
          const value = this.chain(mine.seed)[ask.k - mine.since + 1];
          kept.values[letter] = { ...kept.values[letter], [ask.k]: hex(value ?? new Uint8Array()) };
          found.push(this.value(letter, ask.k));
        } else if (mine.shown[ask.k] !== entry)
          spoilt = true; // another log than the one it was shown for
        else if (hello) found.push(this.value(letter, ask.k));
      }
    }
    // Another device of mine may have the chain that is in force: it is left alone unless it fails.
    if (!mine || spoilt || (mine.taken && !inForce && (hello || out !== undefined))) {
      const seed = hex(crypto.getRandomValues(new Uint8Array(32)));
      const anchor = this.chain(seed)[0] ?? new Uint8Array();
      const own = hex(
        sha256(frame("pickomino dice 2 guest", state.game, group, state.dice.split(" ")[1] ?? "", anchor)),
      );
      kept.mine[letter] = { seed, seats: group, tip: own, since: -1, taken: false, shown: {} };
      found.push(this.tip(letter));
    } else if (!mine.taken && (hello || out !== undefined)) found.push(this.tip(letter));
    if (out === 0 && inForce && !spoilt) found.push({ type: "in", rest: { seat: letter }, done: () => undefined });
    return found;
  }

  /** @param {string} seed */
  chain(seed) {
    const found = this.values.get(seed) ?? chain(seed);
    this.values.set(seed, found);
    return found;
  }

  /** @param {string} letter @returns {Message} */
  tip(letter) {
    const mine = this.kept?.mine[letter];
    return {
      type: "tip",
      rest: { seat: letter, d: { tip: mine?.tip } },
      done: (ok) => {
        if (mine && ok) mine.taken = this.changed = true;
      },
    };
  }

  /** @param {string} letter @param {number} k @returns {Message} */
  value(letter, k) {
    const { kept } = this;
    return {
      type: "value",
      rest: { seat: letter, d: { k, value: kept?.values[letter]?.[k] } },
      done: (ok) => {
        if (!ok || !kept) return;
        kept.taken[letter] = [...new Set([...(kept.taken[letter] ?? []), k])];
        this.changed = true;
        if (kept === this.kept) this.store();
      },
    };
  }

  /** A nonce of mine that the server has taken. @param {string} game @param {string} nonce */
  sent(game, nonce) {
    if (this.kept?.game !== game || this.kept.nonces.includes(nonce)) return;
    this.kept.nonces.push(nonce);
    this.changed = true;
    this.store();
  }

  /** Whether rolls have what was shown for them, and void ones name somebody else. @param {State} state */
  check(state) {
    for (const { k, kind, values, seats } of state.entries) {
      if (k === undefined || k === null) continue;
      for (const [letter, mine] of Object.entries(this.kept?.mine ?? {})) {
        if (mine.shown[k] === undefined) continue;
        const asked = JSON.parse(mine.shown[k])[1].join();
        if (kind === "dice" || kind === "first") {
          if (values?.[letter] !== this.kept?.values[letter]?.[k])
            this.complain(`roll ${k}: the value of ${letter} is not in it`);
          else if (
            Object.keys(values ?? {})
              .sort()
              .join() !== asked
          )
            this.complain(`roll ${k}: it is not the roll that ${letter} was asked for`);
        } else if (kind === "void" && seats?.includes(letter) && this.kept?.taken[letter]?.includes(k))
          this.complain(`roll ${k}: ${letter} is called missing, and the server had its value`);
      }
    }
  }

  /** Rolls that this browser was there for, and that the server let fall without asking it. @param {State} state */
  noteUnasked({ entries, chains }) {
    const { kept } = this;
    for (const { k, kind, values } of entries) {
      if (!kept || !chains || typeof k !== "number" || (kind !== "dice" && kind !== "first")) continue;
      for (const [letter, { since, shown }] of Object.entries(kept.mine)) {
        const waited = since >= 0 && since <= k && chains.out[letter] === undefined;
        if (!waited || shown[k] !== undefined || values?.[letter] !== undefined) continue;
        kept.unasked[letter] = [...(kept.unasked[letter] ?? []), k];
        this.changed = true;
      }
    }
  }

  /** @param {string} text */
  complain(text) {
    if (!this.kept || this.kept.complaints.includes(text)) return;
    this.kept.complaints.push(text);
    this.changed = true;
  }

  /** Also over a reload; where nothing can be stored, as long as the page is open. */
  store() {
    if (!this.kept || !this.changed) return;
    this.changed = false;
    const { game } = this.kept;
    /** @type {string[]} */
    const games = load("kept") ?? [];
    if (!games.includes(game)) {
      for (const old of games.slice(0, 1 - GAMES)) drop(`kept.${old}`);
      save("kept", [...games.slice(1 - GAMES), game]);
    }
    save(`kept.${game}`, this.kept);
  }
}
