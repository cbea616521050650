"""The tables that the ends of many turns leave behind, straight from packed positions.

Where there are no specialists, a fast path beside `pickomino.rules.settle`; with them see `pickomino.bots.ends`.
Tests compare both with the rules.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.champion.net import WinNet
from pickomino.bots.champion.table import Table, in_turn_order
from pickomino.bots.ends import Ends
from pickomino.bots.payoffs import Payoffs, stealable
from pickomino.compact.packed import Packed
from pickomino.rules import Edition

__all__ = ["win_payoffs", "win_values"]


def win_values(net: WinNet, edition: Edition, ends: Ends) -> NDArray[np.float64]:
    """The probability to win at the ends of turns, for the seats whose turns they were."""
    seats = int(ends.rows["seats"][0])
    table = Table.packed(edition, ends.rows, (ends.seats + 1) % seats)
    return net.shares(table)[:, -1].astype(np.float64)


def win_payoffs(net: WinNet, edition: Edition, rows: Packed) -> Payoffs:
    """The probability to win after every way the turns can end, for the seat whose turn it is.

    `rows`: turns about to begin, in an edition without specialists.
    """
    turns = Table.packed(edition, rows, rows["seat"])
    tops = in_turn_order(rows["top"], rows["seat"], turns.seats).astype(np.intp)
    higher = turns.heights[:, 0].max(axis=1) + np.int8(1)
    take_row, take_tile = np.nonzero(turns.grill)
    steal_row, steal_tile = np.nonzero(stealable(edition, rows))
    row = np.concatenate([take_row, steal_row, np.arange(len(rows))])
    # After the turn the next seat comes first, and the seat that played it last.
    grill, heights = turns.grill[row], np.roll(turns.heights, -1, axis=1)[row]
    takes, steals, busts = np.split(np.arange(len(row)), [len(take_row), len(take_row) + len(steal_row)])
    grill[takes, take_tile] = False
    heights[takes, -1, take_tile] = higher[take_row]
    victim = (tops[steal_row] == steal_tile[:, None]).argmax(axis=1)
    heights[steals, victim - 1, steal_tile] = 0
    heights[steals, -1, steal_tile] = higher[steal_row]
    _bust(edition, grill, heights, busts, tops[:, 0])
    mine = net.shares(Table(edition, grill, heights))[:, -1]
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
