"""Looking further ahead: exact turns between a position and the net's estimates.

For two seats, where what the seat to act wins the other one loses. A turn solved exactly for estimates of its ends is
closer to the truth than the estimate of its start, two turns are closer still, and each costs as many times more as a
turn has ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.turn import TurnTables, turn_tables
from pickomino.solver import solve_tables
from pickomino.solver.numpy_kernel import Floats
from pickomino.tensor import Batch, claims, endings
from pickomino.tensor.batch import GOLD_TURN, WEASEL_TURN

Estimate: TypeAlias = Callable[[Batch], NDArray[np.float32]]
"""Games between two turns, or over -> every seat's probability to win, the seat to act first: (batch, seats)."""

_AT_ONCE: Final = 64  # turns solved side by side: with more, NumPy's arrays leave the cache
_FEW: Final = 4  # tiles on the grill with which a turn has so few ends that looking one turn further is cheap
_LAST: Final = 1  # and those with which it is cheap enough for every move


@dataclass
class SolvedBatch:
    """The turns of games with two seats, played best by the seat to act."""

    ends: Batch  # (games, endings, …)
    worth: NDArray[np.float32]  # (games, endings), to the seat to act; 0 where there is no such ending
    claim: NDArray[np.int64]  # (games, slots): the ending that stopping brings
    stop: Floats  # (slots, games): and what it is worth
    roll: Floats  # (states, games): of rolling
    fresh: Floats  # the same with the weasel not used yet, where it is held (D8.2)
    tables: TurnTables
    kinds: NDArray[np.int8] | None

    @property
    def value(self) -> Floats:
        """What the turns are worth to the seat to act: (games,)."""
        plain: Floats = self.fresh[self.tables.start()]
        if self.kinds is None:
            return plain
        gold = self.fresh[self.tables.start(True)]
        return np.where(self.kinds & GOLD_TURN > 0, np.maximum(plain, gold), plain)  # D8.1


def solve_batch(batch: Batch, estimate: Estimate) -> SolvedBatch:
    """Solve the turn of every game for an estimate of the games after it."""
    tables, kinds = turn_tables(batch.rules.edition), batch.kinds
    ends, possible = endings(batch)
    worth = np.zeros(possible.shape, np.float32)
    worth[possible] = estimate(ends.flatten()[possible.reshape(-1)])[:, -1]  # who played the turn is last now
    claim = claims(batch, tables.max_total, worth)
    stop = np.ascontiguousarray(np.take_along_axis(worth, claim, 1).T)
    bust = stop[:: 2 * (tables.max_total + 1)]  # nothing kept, without a worm
    roll = solve_tables(tables, stop, bust).roll
    fresh = roll
    weasel = np.flatnonzero(kinds & WEASEL_TURN) if kinds is not None else ()
    if len(weasel):
        stops, busts, floor = (np.ascontiguousarray(part[:, weasel]) for part in (stop, bust, roll))
        fresh = roll.copy()
        fresh[:, weasel] = solve_tables(tables, stops, busts, floor).roll
    return SolvedBatch(ends, worth, claim, stop, roll, fresh, tables, kinds)


def further(batch: Batch, estimate: Estimate, turns: int) -> NDArray[np.float32]:
    """The estimate of games with so many exact turns before it; games that end on the way are counted: (batch, 2)."""
    if not turns:
        return estimate(batch)
    first, which = _distinct(batch)
    games = batch[first]
    shares, going = games.tally().shares, np.flatnonzero(~games.over)
    for begin in range(0, len(going), _AT_ONCE):
        at = going[begin : begin + _AT_ONCE]
        mine = solve_batch(games[at], lambda ends: further(ends, estimate, turns - 1)).value
        shares[at] = np.stack([mine, 1 - mine], 1)
    found: NDArray[np.float32] = shares[which]
    return found


def closer(batch: Batch, estimate: Estimate, *, far: bool) -> NDArray[np.float32]:
    """The estimate, with a closer look where the net is least certain: in deluxe with two seats.

    The champion plays the last few tiles by one exact turn more. `far` is for people, who can wait longer for a number
    than for a move: two turns in endgames, one before. Figures are in docs/champion.md.
    """
    if batch.rules.seats != 2 or not batch.rules.specialists:
        return estimate(batch)
    tiles = batch.grill.sum(-1)
    turns = np.where(tiles <= _FEW, 2, 1) if far else np.where(tiles <= _LAST, 1, 0)
    shares = np.empty((len(batch), 2), np.float32)
    for count in np.unique(turns).tolist():
        at = turns == count
        shares[at] = further(batch[at], estimate, count)
    return shares


def _distinct(batch: Batch) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where each game stands first, and which of those each one is."""
    columns = [column.reshape(len(batch), -1).astype(np.int8) for column in batch.columns()]
    rows = np.ascontiguousarray(np.concatenate(columns, axis=1))
    _, first, which = np.unique(
        rows.view(np.dtype((np.void, rows.shape[1])))[:, 0], return_index=True, return_inverse=True
    )
    return first, which
