"""The loops of the environments: one decision, the bots' answers to it, and what the agent sees then.

All compiled code of this package is in this one file, and each kernel that Python calls takes the tables of the
simulator: so machine code that numba keeps on disk is never older than the sources (see
`pickomino.compact.tables`).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit

from pickomino.compact.bits import count_bits, highest_bit, lowest_bit, nth_bit
from pickomino.compact.packed import APPLE, COUNT_BITS, HELD, NONE
from pickomino.envs.layout import PARTS
from pickomino.rules import SPECIALISTS
from pickomino.rules.specialists import APPLE_WORMS
from pickomino.simulate.decisions import decide, proceed
from pickomino.simulate.dice import choose, seed_game

__all__ = [
    "AGENT",
    "BROKEN_OFF",
    "CAUTIOUS",
    "ILLEGAL",
    "OVER",
    "RANDOM",
    "RUNNING",
    "begin",
    "cautious_moves",
    "sample",
    "see",
    "step_lanes",
    "step_one",
]

AGENT: Final = 0  # who chooses for a seat: somebody outside,
CAUTIOUS: Final = 1  # the bot of that name, move for move,
RANDOM: Final = 2  # or any legal move, all equally likely

RUNNING: Final = 0  # how a step leaves a game
OVER: Final = 1
BROKEN_OFF: Final = 2  # after too many decisions
ILLEGAL: Final = 3  # ended by a move that was not legal

_GRILL, _STACKS, _TOPS, _COVER, _WORMS, _SPECIALISTS, _ROUND_WORMS = range(7)
_TURN, _PHASE, _KEPT, _ROLLED, _TOTAL, _GOLD, _GOLD_ROLLED, _WEASEL_USED = range(7, len(PARTS))
_COUNT = len(SPECIALISTS)
_SPREAD = np.array(  # a byte -> its bits as eight bytes, the lowest first in memory
    [[byte >> bit & 1 for bit in range(8)] for byte in range(256)], dtype=np.uint8
).view(np.uint64)[:, 0]


# --- bots ---


@njit(cache=True)
def _between(bits: int, first: int, count: int) -> int:
    """The bits of one run of the move table, where they are."""
    return bits >> first << first & (1 << first + count) - 1


@njit(cache=True)
def _cautious(tables: Any, position: Any, legal: int) -> Any:
    """`pickomino.bots.CautiousBot`, move for move."""
    claim = _between(legal, tables.steal, tables.tiles)
    if not claim:
        claim = _between(legal, tables.take, tables.tiles)
    if claim:
        return highest_bit(claim)
    if legal >> tables.roll_on & 1:
        return tables.roll_on
    if tables.leave_gold != NONE and legal >> tables.leave_gold & 1:
        return tables.leave_gold
    keeps = legal >> tables.keep & tables.all_faces
    if not keeps:
        return lowest_bit(legal)
    if keeps & tables.worm:
        return tables.keep + lowest_bit(tables.worm)
    best, most, face = 0, -1, 0
    while keeps:
        if keeps & 1:
            count = (position.rolled >> COUNT_BITS * face & 15) + (position.gold_rolled == face)
            if count * tables.pips[face] > most:
                best, most = face, count * tables.pips[face]
        keeps >>= 1
        face += 1
    return tables.keep + best


@njit(cache=True)
def cautious_moves(tables: Any, positions: Any, runs: Any, actions: Any) -> None:
    """What `cautious` does in every game that goes on, 0 elsewhere."""
    for index in range(runs.size):
        legal = runs[index].legal
        actions[index] = _cautious(tables, positions[index], legal) if legal else 0


@njit(cache=True)
def _answer(tables: Any, position: Any, run: Any, policies: Any, history: Any, lane: int, log: Any) -> None:
    """The bots move until an agent's seat is to act, or the game ends."""
    while run.legal:
        policy = policies[position.seat]
        if policy == CAUTIOUS:
            move = _cautious(tables, position, run.legal)
        elif policy == RANDOM:
            options = count_bits(run.legal)
            move = nth_bit(run.legal, choose(run, options) if options > 1 else 0)
        else:
            return
        if history.shape[1]:
            history[lane, run.decisions] = move
        decide(tables, position, run, move, log)


# --- observations ---


@njit(cache=True, nogil=True)
def see(
    tables: Any,
    positions: Any,
    runs: Any,
    viewers: Any,
    whole: Any,
    at: Any,
    scale: Any,
    out: Any,
    masks: Any,
) -> None:
    """What a seat sees of every game, and what it may do there: nothing unless it is to act.

    Where `whole` is false, the parts that stay as they are within a turn are left as they were. `masks` has
    eight moves in each of its numbers. One long function: to hand an array on to another one costs a count of
    its references, which is as much as a decision.
    """
    grill, stacks, tops, cover, at_worms = at[_GRILL], at[_STACKS], at[_TOPS], at[_COVER], at[_WORMS]
    at_specialists, round_worms, turn = at[_SPECIALISTS], at[_ROUND_WORMS], at[_TURN]
    kept, rolled, gold, gold_rolled = at[_KEPT], at[_ROLLED], at[_GOLD], at[_GOLD_ROLLED]
    tiles, faces, size, words = tables.tiles, rolled - kept, scale.size, masks.shape[1]
    for lane in range(viewers.size):
        position, viewer = positions[lane], viewers[lane]
        seats = position.seats
        if whole[lane]:
            for place in range(turn):
                out[lane, place] = 0
            for tile in range(tiles):
                out[lane, grill + tile] = position.grill >> tile & 1
            seat = viewer
            for relative in range(seats):
                worms, depth, tile = 0, 0, position.top[seat]
                if tile != NONE:
                    out[lane, tops + relative * tiles + tile] = 1
                while tile != NONE:
                    out[lane, stacks + relative * tiles + tile] = 1
                    out[lane, cover + tile] = depth * scale[cover]
                    worms += tables.worms[tile]
                    depth += 1
                    tile = position.below[tile]
                if tables.specialists:
                    worms += position.round_worms[seat] + APPLE_WORMS * (position.place[APPLE] == HELD + seat)
                    out[lane, round_worms + relative] = position.round_worms[seat] * scale[round_worms]
                out[lane, at_worms + relative] = worms * scale[at_worms]
                seat = seat + 1 if seat + 1 < seats else 0
            if tables.specialists:
                for specialist in range(_COUNT):
                    place = position.place[specialist]
                    if place >= HELD:
                        place = tiles + (place - HELD - viewer) % seats
                    if place != NONE:
                        out[lane, at_specialists + specialist * (tiles + seats) + place] = 1
        for place in range(turn, size):
            out[lane, place] = 0
        if position.seat < seats:
            relative = position.seat - viewer
            out[lane, turn + (relative if relative >= 0 else relative + seats)] = 1
        out[lane, at[_PHASE] + position.phase] = 1
        golden = position.gold - 2
        for face in range(faces):
            count = (position.kept >> COUNT_BITS * face & 15) + (golden == face)
            out[lane, kept + face] = count * scale[kept]
            count = (position.rolled >> COUNT_BITS * face & 15) + (position.gold_rolled == face)
            out[lane, rolled + face] = count * scale[rolled]
        out[lane, at[_TOTAL]] = position.total * scale[at[_TOTAL]]
        if gold != NONE:
            out[lane, gold + position.gold] = 1
            if position.gold_rolled != NONE:
                out[lane, gold_rolled + position.gold_rolled] = 1
        if at[_WEASEL_USED] != NONE:
            out[lane, at[_WEASEL_USED]] = position.weasel_used
        legal = runs[lane].legal if position.seat == viewer else 0
        for word in range(words):
            masks[lane, word] = _SPREAD[legal >> 8 * word & 255]


@njit(cache=True, nogil=True)
def sample(tables: Any, runs: Any, uniforms: Any, actions: Any) -> None:
    """Per game the legal move that a number from [0, 1) points at."""
    for lane in range(runs.size):
        legal = runs[lane].legal
        options = count_bits(legal)
        actions[lane] = nth_bit(legal, min(int(uniforms[lane] * options), options - 1))


# --- games ---


@njit(cache=True)
def _begin(
    tables: Any,
    positions: Any,
    runs: Any,
    starts: Any,
    lane: int,
    seed: Any,
    number: int,
    policies: Any,
    history: Any,
    log: Any,
) -> None:
    positions[lane] = starts[number % starts.size]
    seed_game(runs[lane], seed, number)
    proceed(tables, positions[lane], runs[lane], log)
    _answer(tables, positions[lane], runs[lane], policies, history, lane, log)


@njit(cache=True)
def begin(
    tables: Any,
    positions: Any,
    runs: Any,
    starts: Any,
    seed: Any,
    first: int,
    policies: Any,
    history: Any,
    log: Any,
) -> None:
    """Game `first` + i of a seed begins in row i; the bots before an agent have moved."""
    for lane in range(positions.size):
        _begin(tables, positions, runs, starts, lane, seed, first + lane, policies, history, log)


@njit(cache=True)
def step_one(
    tables: Any,
    positions: Any,
    runs: Any,
    policies: Any,
    history: Any,
    action: int,
    most: int,
    viewers: Any,
    whole: Any,
    at: Any,
    scale: Any,
    out: Any,
    masks: Any,
    log: Any,
) -> int:
    """A decision in row 0, the bots' answers, and what the viewer sees then; how that leaves the game.

    An illegal one changes nothing. No viewer saves the looking: to call a kernel costs more than what it does
    here, so one call does both.
    """
    position, run = positions[0], runs[0]
    if action < 0 or action >= tables.moves or not run.legal >> action & 1:
        return ILLEGAL
    history[0, run.decisions] = action
    decide(tables, position, run, action, log)
    _answer(tables, position, run, policies, history, 0, log)
    see(tables, positions, runs, viewers, whole, at, scale, out, masks)
    if not run.legal:
        return OVER
    return BROKEN_OFF if run.decisions >= most else RUNNING


@njit(cache=True, nogil=True)
def step_lanes(
    tables: Any,
    positions: Any,
    runs: Any,
    starts: Any,
    seed: Any,
    policies: Any,
    actions: Any,
    most: int,
    actors: Any,
    state: Any,
    ended: Any,
    lengths: Any,
    history: Any,
    played: Any,
    whole: Any,
    log: Any,
) -> int:
    """A decision in every row and the bots' answers; how many games ended.

    `actors` gets the seats that made the decisions, `whole` where a turn or a game has ended. Where a game
    ends, `state` says how, its last position and its decisions are kept in `ended` and `lengths`, and the game
    whose number is higher by the number of rows begins.
    """
    count, logs = 0, history.shape[1] > 0
    bots = policies.any()
    for lane in range(positions.size):
        position, run, action = positions[lane], runs[lane], actions[lane]
        seat, how = position.seat, RUNNING
        actors[lane] = seat
        if action < 0 or action >= tables.moves or not run.legal >> action & 1:
            how = ILLEGAL
        else:
            if logs:
                history[lane, run.decisions] = action
            decide(tables, position, run, action, log)
            whole[lane] = tables.specialists != 0 or position.seat != seat
            if bots:
                _answer(tables, position, run, policies, history, lane, log)
            if not run.legal:
                how = OVER
            elif run.decisions >= most:
                how = BROKEN_OFF
        state[lane] = how
        if how != RUNNING:
            count += 1
            whole[lane] = True
            ended[lane] = position
            lengths[lane] = run.decisions
            for index in range(run.decisions if logs else 0):
                played[lane, index] = history[lane, index]
            number = run.number + positions.size
            _begin(tables, positions, runs, starts, lane, seed, number, policies, history, log)
    return count
