"""What claims and busts do to packed positions, many at a time and in place (sections 3 to 5, 10 to 13).

The same as `pickomino.rules.settle` does for one position and `pickomino.simulate.settle` in compiled loops, with
NumPy alone. `at` are the rows that something happens to.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.packed import HELD, NONE, PHASES, Packed
from pickomino.rules import MAX_SEATS, NOBODY, SPECIALISTS, Edition, Phase

__all__ = ["bust", "copied", "finish", "give", "give_to", "givers", "put_back", "steal", "supply", "take"]

Indices = NDArray[np.intp]

_HEN: Final = SPECIALISTS.index("hen")
_GOLD: Final = SPECIALISTS.index("gold")
_PHASE_ROLL, _PHASE_GOLD, _PHASE_OVER = map(PHASES.index, (Phase.ROLL, Phase.GOLD, Phase.OVER))


def copied(rows: Packed, at: Indices) -> Packed:
    """``rows[at]``: NumPy copies plain bytes ten times as fast as records."""
    return rows.view(f"V{rows.itemsize}")[at].view(rows.dtype)


def take(rows: Packed, at: Indices, tile: Indices) -> Indices:
    """R3.2, R3.4, R3.6. Who stood on the tile comes back, or NONE; it stands there still."""
    specialist = _found(rows["place"][at] == tile[:, None])
    rows["grill"][at] &= ~(1 << tile).astype(np.int32)
    _put_on_top(rows, at, tile)
    return specialist


def steal(rows: Packed, at: Indices, tile: Indices) -> Indices:
    """R3.3, D10.3. The owner's specialist comes back, or NONE; it is held by the owner still."""
    tops = rows["top"][at]
    tops[np.arange(len(at)), rows["seat"][at]] = NONE
    victim = (tops == tile[:, None]).argmax(axis=1)
    specialist = _held(rows, at, victim)
    moves = specialist != _HEN
    at, tile, victim = at[moves], tile[moves], victim[moves]
    rows["top"][at, victim] = rows["below"][at, tile]
    _put_on_top(rows, at, tile)
    return specialist


def _put_on_top(rows: Packed, at: Indices, tile: Indices) -> None:
    seat = rows["seat"][at]
    rows["below"][at, tile] = rows["top"][at, seat]
    rows["top"][at, seat] = tile


def bust(edition: Edition, rows: Packed, at: Indices) -> None:
    """Section 4 and D12."""
    specialist = _held(rows, at, rows["seat"][at])
    returned = rows["top"][at, rows["seat"][at]].astype(np.intp)
    hen = specialist == _HEN
    some = np.flatnonzero(hen & (returned != NONE))  # D12.1
    put_back(rows, at[some], specialist[some])
    at, specialist, returned = at[~hen], specialist[~hen], returned[~hen]
    some = np.flatnonzero(returned != NONE)  # R4.1
    tile, row = returned[some], at[some]
    rows["top"][row, rows["seat"][row]] = rows["below"][row, tile]
    rows["below"][row, tile] = NONE
    rows["grill"][row] |= (1 << tile).astype(np.int32)
    some = np.flatnonzero(specialist != NONE)  # D12.2
    put_back(rows, at[some], specialist[some])
    highest = _highest_bit(rows["grill"][at])
    flips = np.where(  # R4.3, R4.4, R4.2
        returned == NONE, edition.flip_when_nothing_returned, edition.fast | (highest != returned)
    )
    at, highest = at[flips], highest[flips]
    rows["grill"][at] &= ~(1 << highest).astype(np.int32)
    specialist = _found(rows["place"][at] == highest[:, None])
    some = np.flatnonzero(specialist != NONE)
    put_back(rows, at[some], specialist[some])


def put_back(rows: Packed, at: Indices, specialist: Indices) -> None:
    """D13.1: to the smallest free tile, or out of the game."""
    place = rows["place"]
    place[at, specialist] = NONE
    standing = place[at].astype(np.int64)
    on_tile = (standing >= 0) & (standing < HELD)
    taken = np.bitwise_or.reduce(np.where(on_tile, 1 << np.maximum(standing, 0), 0), axis=1)
    free = rows["grill"][at] & ~taken
    place[at, specialist] = _highest_bit(free & -free)


def finish(rows: Packed) -> None:
    """R5.1: the next seat, or the end when no face-up tile is left."""
    for name in ("kept", "rolled", "total", "gold", "weasel_used"):
        rows[name] = 0
    rows["gold_rolled"] = NONE
    over = rows["grill"] == 0
    seat = np.where(over, NOBODY, (rows["seat"] + 1) % rows["seats"])
    gold = rows["place"][:, _GOLD] == HELD + seat  # D8.1
    rows["seat"] = seat
    rows["phase"] = np.where(over, _PHASE_OVER, np.where(gold, _PHASE_GOLD, _PHASE_ROLL))


def supply(edition: Edition, rows: Packed) -> NDArray[np.int64]:
    left: NDArray[np.int64] = edition.round_worms - rows["round_worms"].sum(axis=1, dtype=np.int64)
    return left


def givers(edition: Edition, rows: Packed) -> NDArray[np.bool_]:
    """D11.1: who could give a round worm, nobody while the supply lasts: (rows, seats)."""
    seats = np.arange(MAX_SEATS)
    able = (rows["round_worms"] > 0) & (seats != rows["seat"][:, None])
    able &= HELD + seats != rows["place"][:, _HEN, None]
    able &= supply(edition, rows)[:, None] == 0
    return np.asarray(able)


def give(rows: Packed, at: Indices, giver: Indices) -> None:
    """A round worm for the seat to act, from another seat or, for a negative one, from the supply."""
    rows["round_worms"][at, rows["seat"][at]] += 1
    some = giver >= 0
    rows["round_worms"][at[some], giver[some]] -= 1


def give_to(edition: Edition, rows: Packed, at: Indices) -> Indices:
    """D11.1 where there is nothing to choose; the rows where there is come back."""
    some = copied(rows, at)
    able = givers(edition, some)
    count = able.sum(axis=1)
    giver = np.where(count == 1, able.argmax(axis=1), NONE)
    gets = (count == 1) | (supply(edition, some) > 0)
    give(rows, at[gets], giver[gets])
    asks: Indices = at[count > 1]
    return asks


def _held(rows: Packed, at: Indices, seat: Indices) -> Indices:
    """The one specialist of a seat, or NONE."""
    return _found(rows["place"][at] == HELD + seat[:, None])


def _found(match: NDArray[np.bool_]) -> Indices:
    return np.where(match.any(axis=1), match.argmax(axis=1), NONE)


def _highest_bit(bits: NDArray[np.int32]) -> Indices:
    """The place of the highest set bit, NONE where none is: the exponent of a float, less one."""
    return np.frexp(bits.astype(np.float64))[1].astype(np.intp) - 1
