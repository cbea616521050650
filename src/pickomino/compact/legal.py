"""Which moves are legal, as bits over the move table (sections 2 and 3, D8 to D11)."""

from __future__ import annotations

from typing import Any

from pickomino.compact.bits import highest_bit
from pickomino.compact.packed import CAN, FACES_AT, HELD, HEN, NONE, SIZE_AT, WEASEL
from pickomino.compact.tables import TOTALS
from pickomino.rules import SPECIALISTS

_LAST_TOTAL = TOTALS - 1


def keep_moves(tables: Any, position: Any) -> Any:
    """R2.2, R2.3 and the weasel (D8.2): no move at all is a bust."""
    shown = position.rolled >> FACES_AT
    if position.gold_rolled != NONE:
        shown |= 1 << position.gold_rolled
    legal = (shown & ~_kept_faces(position)) << tables.keep
    if position.place[WEASEL] == HELD + position.seat and not position.weasel_used:
        if not legal:
            legal = 1 << tables.stop
        legal |= 1 << tables.reroll
    return legal


def go_moves(tables: Any, position: Any) -> Any:
    """R2.4, R2.5: roll on, claim, or stop with nothing; no move at all is a bust."""
    legal = claims(tables, position)
    dice = tables.dice + (position.gold > 0)
    kept = (position.kept >> SIZE_AT & 15) + (position.gold > 1)
    if kept < dice and _kept_faces(position) != tables.all_faces:
        if not legal:
            legal = 1 << tables.stop
        legal |= 1 << tables.roll_on
    return legal


def _kept_faces(position: Any) -> Any:
    faces = position.kept >> FACES_AT
    if position.gold > 1:
        faces |= 1 << position.gold - 2
    return faces


def claims(tables: Any, position: Any) -> Any:
    """What stopping now would allow (R3.1, D9.1)."""
    total = position.total
    if not _kept_faces(position) & tables.worm:
        if position.place[CAN] != HELD + position.seat:
            return 0  # R3.1
        total += tables.worm_pips  # D9.1
    return claims_at(tables, position, total)


def claims_at(tables: Any, position: Any, total: int) -> Any:
    """What stopping with a worm and this total allows (section 3, D9.2 to D9.4)."""
    total = min(total, _LAST_TOTAL)
    tile = tables.tile_at[total]
    steal = 0
    if tile != NONE:
        if position.grill >> tile & 1:
            return 1 << tables.take + tile  # R3.2
        if victim_of(position, tile) != NONE and not tables.exact_only >> tile & 1:
            steal = 1 << tables.steal + tile  # R3.3
            if tables.mandatory_steal:
                return steal
    lower = position.grill & tables.lower[total]
    if lower and not tables.any_lower:
        lower = 1 << highest_bit(lower)  # R3.4
    return lower << tables.take | steal


def victim_of(position: Any, tile: int) -> Any:
    """Another seat with the tile on top (R3.3)."""
    for seat in range(position.seats):
        if position.top[seat] == tile and seat != position.seat:
            return seat
    return NONE


def givers(tables: Any, position: Any) -> Any:
    """D11.1: the seats that could give a round worm, as bits; none while the supply lasts."""
    supply = tables.round_worms
    seats = 0
    for seat in range(position.seats):
        worms = position.round_worms[seat]
        supply -= worms
        if worms and seat != position.seat and position.place[HEN] != HELD + seat:
            seats |= 1 << seat
    return 0 if supply else seats


def giver_moves(tables: Any, position: Any) -> Any:
    return givers(tables, position) << tables.giver


def put_back_moves(tables: Any, position: Any) -> Any:
    """D10.4: the two specialists of the seat."""
    legal = 0
    for specialist in range(len(SPECIALISTS)):
        if position.place[specialist] == HELD + position.seat:
            legal |= 1 << tables.put_back[specialist]
    return legal
