// What the server sends, as types for the checker. docs/protocol.md is the description.

/** @typedef {{seat: string, kind: "person"|"bot"|"empty", name: string, bot: string|null, connected: boolean, stand_in: string|null, resigned: boolean}} SeatInfo */
/** @typedef {{id: string, code: string, rev: number, phase: "open"|"playing"|"over"|"closed", public: boolean, hints: boolean, edition: string, first: string, timer: number|null, away: number|null, pace_ms: number, host: string|null, seats: SeatInfo[], game: string|null, created: number}} TableInfo */
/** @typedef {{host: boolean, seats: {seat: string, secret: string}[]}} You */
/** @typedef {{table: TableInfo, you: You|null}} TableAndYou */
/** @typedef {{winners: string[], scores: number[], ranks: number[], reason: string}} Result */
/** @typedef {{move: string, tile: number, worms: number, from: string, specialist?: string|null}} Claim */
/** @typedef {{move: string, face: string, count: number, total: number, has_worm: boolean, bust: boolean, claims: Claim[]}} Keep */
/** @typedef {{returned: number|null, flipped: number|null, worms: number, specialist?: string|null}} Bust */
/**
 * @typedef {object} View
 * @property {string} edition
 * @property {string} position
 * @property {string} phase
 * @property {string|null} seat
 * @property {number[]} grill
 * @property {number[]} flipped
 * @property {number[][]} stacks
 * @property {(number|null)[]} tops
 * @property {string} kept
 * @property {string} rolled
 * @property {number} total
 * @property {boolean} has_worm
 * @property {number} dice_left
 * @property {string[]} moves
 * @property {Keep[]} keeps
 * @property {Claim[]} claims
 * @property {Bust|null} bust
 * @property {number[]} scores
 * @property {boolean} over
 * @property {string[]} winners
 * @property {string|null} reason
 * @property {number[]|null} ranks
 * @property {Record<string, number|string|null>} [specialists]
 * @property {number[]} [round_worms]
 * @property {number} [supply]
 * @property {boolean} [golden_die]
 */
/**
 * @typedef {object} GameEvent
 * @property {string} event
 * @property {string} [seat]
 * @property {string} [dice]
 * @property {string} [face]
 * @property {number} [count]
 * @property {number} [total]
 * @property {number} [tile]
 * @property {string|null} [victim]
 * @property {string|null} [giver]
 * @property {string} [specialist]
 * @property {string[]} [winners]
 * @property {string} [reason]
 */
/** @typedef {{seq: number, kind: string, seat: string, move?: string, by?: string, dice?: string, k?: number, value?: string, nonce?: string, bot?: string}} Entry */
/** @typedef {{game: string, v: number, from: number, position: string, view: View, seat: string|null, moves: string[], entries: Entry[], events: GameEvent[], left_ms: number|null, dice: string, over: boolean, result: Result|null}} State */
/** @typedef {{key: string, tiles: number[], worms: number[], specialists: string[], takes_switches: boolean}} EditionInfo */
/** @typedef {{version: string, editions: EditionInfo[], switches: string[], bots: string[], reactions: string[], limits: object}} About */
/** @typedef {{game: string, table: string, edition: string, started: number, finished: number|null, players: {seat: string, name: string, bot: string|null}[], dice: string, result: Result|null}} Summary */
/** @typedef {{ply: string|null, turn: number, seat: string|null, position: string, view: View, events: GameEvent[], comments: string[]}} Frame */
/** @typedef {{edition: string, names: string[], headers: Record<string, string>, result: string, frames: Frame[]}} Replay */
/** @typedef {{v: number, objective: string, position: string, moves: {move: string, value: number}[]}} Advice */

export {};
