"""The champion that looks one turn further: it values the ends of its turn by one more exact turn of the next seat.

For two seats and editions without specialists. If the champion's estimate is consistent, it wins no more than half.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pickomino.arena.games import play_chunk
from pickomino.arena.spec import Spec
from pickomino.arena.tally import Share, Tally
from pickomino.bots import register_bot
from pickomino.bots.champion import ChampionBot
from pickomino.bots.payoffs import Payoffs, stealable, stop_values, takeable
from pickomino.compact.packed import NONE, Packed, unpack
from pickomino.compact.turn import turn_tables
from pickomino.rules import Edition
from pickomino.solver import solve_turns

__all__ = ["DeeperBot", "deeper_share"]

_AT_ONCE = 4096  # tables that the net looks at times their ends: some hundred megabytes
_GROUPS = 64  # games with the same dice come in twos


class DeeperBot(ChampionBot):
    """Two seats: what the next seat wins in its turn, this one loses."""

    def payoffs(self, edition: Edition, starts: Packed) -> Payoffs:
        ends, row, column = turn_ends(edition, starts)
        found, place = np.unique(ends.view(np.uint8).reshape(len(ends), -1), axis=0, return_inverse=True)
        rows: Packed = np.ascontiguousarray(found).view(ends.dtype).reshape(-1)
        tables = [self._values(edition, rows[at : at + _AT_ONCE]) for at in range(0, len(rows), _AT_ONCE)]
        mine = np.concatenate(tables)[place.reshape(-1)]
        tiles = len(edition.tiles)
        all_ends = np.zeros((len(starts), 2 * tiles + 1))
        all_ends[row, column] = mine
        return Payoffs(all_ends[:, :tiles], all_ends[:, tiles:-1], all_ends[:, -1].copy())

    def _values(self, edition: Edition, rows: Packed) -> NDArray[np.float64]:
        """What tables after a turn are worth to the seat that has played it."""
        values = np.empty(len(rows))
        over = rows["grill"] == 0
        for at in np.flatnonzero(over).tolist():
            winners = unpack(rows[at], edition).standings.winners
            values[at] = (1 - int(rows["seat"][at]) in winners) / len(winners)
        going = rows[~over]
        if len(going):
            payoffs = super().payoffs(edition, going)
            stop = stop_values(edition, going, payoffs, turn_tables(edition).max_total + 1)
            values[~over] = 1 - solve_turns(stop, payoffs.bust, edition=edition)
        return values


def turn_ends(edition: Edition, starts: Packed) -> tuple[Packed, NDArray[np.intp], NDArray[np.intp]]:
    """The tables after every end of every turn: rows, of which turn, and which end (takes, steals, the bust)."""
    tiles = len(edition.tiles)
    take_row, take_tile = np.nonzero(takeable(edition, starts))
    steal_row, steal_tile = np.nonzero(stealable(edition, starts))
    row = np.concatenate([take_row, steal_row, np.arange(len(starts))])
    takes, steals, busts = np.split(np.arange(len(row)), [len(take_row), len(take_row) + len(steal_row)])
    ends = starts[row]
    grill, top, below, seat = ends["grill"], ends["top"], ends["below"], ends["seat"].astype(np.intp)
    grill[takes] &= ~(1 << take_tile)
    victim = (top[steals] == steal_tile[:, None]).argmax(axis=1)
    top[steals, victim] = below[steals, steal_tile]
    claims, tile = np.concatenate([takes, steals]), np.concatenate([take_tile, steal_tile])
    below[claims, tile] = top[claims, seat[claims]]  # R3.6
    top[claims, seat[claims]] = tile
    _bust(edition, grill, top, below, busts, seat[busts])
    ends["seat"] = (seat + 1) % ends["seats"]
    column = np.concatenate([take_tile, tiles + steal_tile, np.full(len(starts), 2 * tiles)])
    return ends, row, column


def _bust(
    edition: Edition,
    grill: NDArray[np.int32],
    top: NDArray[np.int8],
    below: NDArray[np.int8],
    at: NDArray[np.intp],
    seat: NDArray[np.intp],
) -> None:
    """Section 4, in place."""
    returned = top[at, seat].astype(np.intp)
    has = returned != NONE
    back, tile = at[has], returned[has]
    top[back, seat[has]] = below[back, tile]
    below[back, tile] = NONE
    grill[back] |= 1 << tile  # R4.1
    highest = np.frexp(grill[at])[1] - 1
    flips = np.where(has, edition.fast | (highest != returned), edition.flip_when_nothing_returned)
    grill[at[flips]] &= ~(1 << highest[flips])  # R4.2 to R4.4


def deeper_share(edition: str, games: int, seed: int = 1) -> Share:
    """How many games it wins against the plain champion, seats rotated, dice in common."""
    register_bot("deeper", DeeperBot)
    spec = Spec(("deeper", "champion"), edition, 2, games, seed, chunk_groups=min(_GROUPS, (games + 1) // 2))
    tally = Tally(spec)
    for number in range(spec.chunks):
        tally.add(play_chunk(spec, number))
    return tally.share(0)
