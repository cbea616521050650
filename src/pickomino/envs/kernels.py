"""What agents see, written by one loop over the rows of a simulator.

Each kernel that Python calls takes the tables of the simulator: so machine code that numba keeps on disk is never
older than the sources (see `pickomino.compact.tables`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from pickomino.compact.packed import APPLE, COUNT_BITS, GOLD_KEPT, HELD, NONE
from pickomino.envs.layout import PARTS
from pickomino.rules import SPECIALISTS
from pickomino.rules.specialists import APPLE_WORMS
from pickomino.simulate.kernels import step

_GRILL, _STACKS, _TOPS, _COVER, _WORMS, _SPECIALISTS, _ROUND_WORMS = range(7)
_TURN, _PHASE, _KEPT, _ROLLED, _TOTAL, _GOLD, _GOLD_ROLLED, _WEASEL_USED = range(7, len(PARTS))
_COUNT = len(SPECIALISTS)
_SPREAD = np.array(  # a byte -> its bits as eight bytes, the lowest first in memory
    [[byte >> bit & 1 for bit in range(8)] for byte in range(256)], dtype=np.uint8
).view(np.uint64)[:, 0]


@njit(cache=True, nogil=True)
def see(table_row: Any, positions: Any, runs: Any, sight: Any) -> None:
    """What the `viewer` of every run sees, and what it may do there: nothing unless it is to act.

    `sight`: the offsets of a `Layout`, and scale, rows and words of `Seen`.

    Where nothing is `changed`, the parts that stay as they are within a turn are left as they were. `masks` has
    eight moves in each of its numbers. One long function: to hand an array on to another one costs a count of
    its references, which is as much as a decision.
    """
    tables, (at, scale, out, masks) = table_row[0], sight
    grill, stacks, tops, cover, at_worms = at[_GRILL], at[_STACKS], at[_TOPS], at[_COVER], at[_WORMS]
    at_specialists, round_worms, turn = at[_SPECIALISTS], at[_ROUND_WORMS], at[_TURN]
    kept, rolled, gold, gold_rolled = at[_KEPT], at[_ROLLED], at[_GOLD], at[_GOLD_ROLLED]
    tiles, faces, size, words = tables.tiles, rolled - kept, scale.size, masks.shape[1]
    for lane in range(runs.size):
        position, run = positions[lane], runs[lane]
        seats, viewer = position.seats, run.viewer
        if run.changed:
            run.changed = False
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
        golden = position.gold - GOLD_KEPT
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
        legal = run.legal if position.seat == viewer else 0
        for word in range(words):
            masks[lane, word] = _SPREAD[legal >> 8 * word & 255]


@njit(cache=True, nogil=True)
def step_and_see(state: Any, lanes: Any, actions: Any, strict: bool, sight: Any) -> int:
    """`step` and then `see`: to call a kernel costs a single game more than what it does there."""
    count = step(state, lanes, actions, strict)
    see(state[0], state[2], state[3], sight)
    return count
