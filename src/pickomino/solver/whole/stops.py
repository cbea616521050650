"""How a turn can be stopped, in arrays: which ending each total brings (rules, section 3), and what it is
worth.

Totals between two tiles of a small game are all alike, so a stop belongs to one of few *classes*: 0 where
nothing can be claimed (no worm, or less than the lowest tile), ``1 + 2 * i`` for exactly tile i, ``2 + 2 *
i`` for more than tile i and less than the next. A total above the highest tile of the small game is in the
last class: it steals nothing (R3.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.turn import TurnTables
from pickomino.rules import Edition
from pickomino.solver.whole.numbered import Floats
from pickomino.solver.whole.space import BUST

__all__ = ["NOTHING", "TIE", "Stops", "choose_stops", "classes_of", "tie_margin"]

NOTHING = 0  # the class of stops without a claim

TIE = 1e-12
"""With three or more seats, moves whose values differ by no more are equal, and the first in text order is
played.

Which of them is played matters to the others at the table, and must not hang on the last bits of a sum.
Rounding in a turn stays below 1e-14.
"""


def tie_margin(players: int) -> float:
    """How far apart two values must be to differ; with two seats any of equal moves will do."""
    return TIE if players > 2 else 0.0


def classes_of(tables: TurnTables, tiles: Sequence[int]) -> NDArray[np.intp]:
    """The class of stopping in every slot of `TurnTables.slot`."""
    total = np.arange(tables.max_total + 1)
    below = np.searchsorted(tiles, total, side="right")  # number of tiles up to this total
    exact = np.isin(total, tiles)
    with_worm = np.where(below == 0, NOTHING, 2 * below - exact)
    return np.concatenate([np.full_like(with_worm, NOTHING), with_worm])  # R3.1: without a worm nothing


class Stops(NamedTuple):
    """What stopping means in every class, one row a position."""

    value: Floats  # (positions, classes), for the seat to act
    ending: NDArray[np.int8]  # (positions, classes): the column of `Space.successors`


def choose_stops(
    edition: Edition,
    tiles: Sequence[int],
    digits: NDArray[np.uint8],
    tops: NDArray[np.bool_],
    value: Floats,
    margin: float,
) -> Stops:
    """The best claim of every class, the first in text order among equals.

    digits: of `Space`, 0 is on the grill. tops: (positions, other seats, tiles), what can be stolen from
    whom. value: (positions, endings), for the seat to act.
    """
    n, count = len(tiles), len(digits)
    rows = np.arange(count)
    ending = np.full((count, 1 + 2 * n), BUST, dtype=np.int8)
    lower = np.full(count, BUST, dtype=np.int8)  # the take below the total in hand; BUST where there is none
    for i, tile in enumerate(tiles):
        on_grill = digits[:, i] == 0
        take = np.int8(1 + i)
        exact = lower.copy()  # R3.4, R3.5: also where the tile is on top of the own stack
        for seat in range(tops.shape[1]):
            steal = np.int8(1 + n + seat)
            there = tops[:, seat, i]
            if edition.steal == "optional":  # a steal is text-wise behind every take
                there = there & ((lower == BUST) | (value[:, steal] > value[rows, lower] + margin))
            exact[there] = steal  # R3.3
        exact[on_grill] = take  # R3.2: no choice
        ending[:, 1 + 2 * i] = exact
        if tile not in edition.exact_only:
            if edition.lower == "any":
                on_grill = on_grill & ((lower == BUST) | (value[:, take] > value[rows, lower] + margin))
            lower[on_grill] = take
        ending[:, 2 + 2 * i] = lower
    return Stops(np.take_along_axis(value, ending.astype(np.intp), axis=1), ending)
