"""The moves of `pickomino.bots.CautiousBot` over packed positions, beside the bulk form of the rules."""

from __future__ import annotations

from typing import Any

from pickomino.compact.bits import highest_bit, lowest_bit
from pickomino.compact.packed import COUNT_BITS, NONE


def cautious_move(tables: Any, position: Any, legal: int) -> Any:
    """The first tile it can have; until then a worm if there is one, else the most points. `legal`: not 0."""
    all_tiles = (1 << tables.tiles) - 1
    if legal >> tables.steal & all_tiles:
        return tables.steal + highest_bit(legal >> tables.steal & all_tiles)
    if legal >> tables.take & all_tiles:
        return tables.take + highest_bit(legal >> tables.take & all_tiles)
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
    while keeps >> face:
        if keeps >> face & 1:
            count = (position.rolled >> COUNT_BITS * face & 15) + (position.gold_rolled == face)
            points = count * tables.pips[face]
            if points > most:
                best, most = face, points
        face += 1
    return tables.keep + best
