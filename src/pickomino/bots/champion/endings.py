"""The tables that the ends of many turns leave behind, straight from packed positions.

A fast path beside `pickomino.rules.settle`, for editions without specialists; tests compare the two.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.champion.net import WinNet
from pickomino.bots.champion.table import Table
from pickomino.bots.payoffs import Payoffs, stealable, takeable
from pickomino.compact.packed import Packed
from pickomino.rules import Edition

__all__ = ["win_payoffs"]


class _Turns(NamedTuple):
    """Turns about to begin, the seat to act first."""

    grill: NDArray[np.bool_]  # (turns, tiles)
    heights: NDArray[np.int8]  # (turns, seats, tiles)
    tops: NDArray[np.intp]  # (turns, seats), -1 for none
    height: NDArray[np.int8]  # (turns,), of the own stack


def win_payoffs(net: WinNet, edition: Edition, rows: Packed) -> Payoffs:
    """The probability to win after every way the turns can end, for the seat whose turn it is."""
    turns = _unpack(edition, rows)
    seats = turns.heights.shape[1]
    take_row, take_tile = np.nonzero(turns.grill)
    steal_row, steal_tile = np.nonzero(stealable(edition, rows))
    every = np.arange(len(rows))
    row = np.concatenate([take_row, steal_row, every])
    # After the turn the next seat comes first, and the seat that played it last.
    grill, heights = turns.grill[row], np.roll(turns.heights[row], -1, axis=1)
    at = np.arange(len(row))
    takes, steals, busts = np.split(at, [len(take_row), len(take_row) + len(steal_row)])
    grill[takes, take_tile] = False
    heights[takes, -1, take_tile] = turns.height[take_row] + 1
    victim = (turns.tops[steal_row] == steal_tile[:, None]).argmax(axis=1)
    heights[steals, victim - 1, steal_tile] = 0
    heights[steals, -1, steal_tile] = turns.height[steal_row] + 1
    _bust(edition, grill, heights, busts, turns.tops[:, 0])
    mine = net.shares(Table(edition, grill, heights))[:, seats - 1]
    take, steal = np.zeros(turns.grill.shape), np.zeros(turns.grill.shape)
    take[take_row, take_tile] = mine[takes]
    steal[steal_row, steal_tile] = mine[steals]
    return Payoffs(take, steal, mine[busts].astype(np.float64))


def _bust(
    edition: Edition,
    grill: NDArray[np.bool_],
    heights: NDArray[np.int8],
    at: NDArray[np.intp],
    top: NDArray[np.intp],
) -> None:
    """Section 4, in place."""
    returns = top >= 0
    grill[at[returns], top[returns]] = True  # R4.1
    heights[at[returns], -1, top[returns]] = 0
    tiles = grill.shape[1]
    highest = tiles - 1 - grill[at][:, ::-1].argmax(axis=1)
    flips = returns & ((highest != top) | edition.fast)  # R4.2, R4.4
    if edition.flip_when_nothing_returned:
        flips |= ~returns  # R4.3
    grill[at[flips], highest[flips]] = False


def _unpack(edition: Edition, rows: Packed) -> _Turns:
    count, tiles, seats = len(rows), len(edition.tiles), int(rows["seats"][0])
    order = (rows["seat"][:, None] + np.arange(seats)) % seats
    tops = np.take_along_axis(rows["top"][:, :seats], order, axis=1).astype(np.intp)
    below = rows["below"].astype(np.intp)
    from_top = np.zeros((count, seats, tiles), dtype=np.int8)
    where, who = np.nonzero(tops >= 0)
    tile = tops[where, who]
    depth = 0
    while len(tile):
        depth += 1
        from_top[where, who, tile] = depth
        tile = below[where, tile]
        more = tile >= 0
        where, who, tile = where[more], who[more], tile[more]
    height = from_top.max(axis=2)
    heights = np.where(from_top > 0, height[:, :, None] - from_top + 1, 0).astype(np.int8)
    return _Turns(takeable(edition, rows), heights, tops, height[:, 0])
