"""Looking further ahead: exact turns between a position and the net's estimates.

A turn solved exactly for estimates of its ends is closer to the truth than the estimate of its start, two turns are
closer still, and each costs as many times more as a turn has ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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

Reach: TypeAlias = Mapping[tuple[bool, int], tuple[int, ...]]
"""(specialists, seats) -> the most tiles on the grill for one exact turn before the net, for two, …"""

_SHOWN: Final[Reach] = {
    (False, 2): (8, 4, 2, 1, 1),
    (False, 3): (6, 3, 2, 1),
    (False, 4): (5, 2, 1),
    **{(False, seats): (4, 2) for seats in (5, 6, 7)},
    (True, 2): (99, 3, 2, 2),
}
_PLAYED: Final[Reach] = {(True, 2): (1,)}
_AT_ONCE: Final = 128  # turns solved side by side: with more, NumPy's arrays leave the cache
# Equal ends: the one listed first is liked so much more, so that every payoff means one play.
_TIE: Final = 1e-6
_STEP: Final = 1e-9  # far less than lies between two such ends, and six digits above rounding errors


def closer(batch: Batch, estimate: Estimate, *, far: bool) -> NDArray[np.float32]:
    """The estimate, with a closer look where the net is least certain.

    The champion plays the last tile of deluxe with two seats by one exact turn more. `far` is for people, who can wait
    longer for a number than for a move. Figures are in docs/champion.md and docs/review.md.
    """
    rules = batch.rules
    reach = (_SHOWN if far else _PLAYED).get((bool(rules.specialists), rules.seats))
    if reach is None:
        return estimate(batch)
    turns = (batch.grill.sum(-1)[:, None] <= np.array(reach)).sum(1)
    shares = np.empty((len(batch), rules.seats), np.float32)
    for count in np.unique(turns).tolist():
        at = turns == count
        shares[at] = further(batch[at], estimate, count)
    return shares


def further(batch: Batch, estimate: Estimate, turns: int) -> NDArray[np.float32]:
    """The estimate of games with so many exact turns before it; games that end on the way are counted.

    All games of one turn are opened before the next, so that those alike, which most are near the end of a game, are
    solved and estimated once.
    """
    if not turns:
        return estimate(batch)
    opened = list[_Opened]()
    while len(batch) and len(opened) < turns:
        level, batch = _open(batch)
        opened.append(level)
    shares = np.empty((0, batch.rules.seats), np.float32)  # all may be over
    if len(batch):
        first, which = _distinct(batch)
        shares = estimate(batch[first])[which]
    for level in reversed(opened):
        shares = level.shares(shares)
    return shares


@dataclass(frozen=True)
class _Opened:
    """Games whose next turn has been ended in every way."""

    games: Batch  # each kind once
    going: NDArray[np.intp]  # those of them that are not over, the golden die out of reach first
    parts: list[tuple[slice, bool]]  # of these, to be solved side by side; whether with the golden die (D8.1)
    possible: NDArray[np.bool_]  # their ends: (going, endings)
    which: NDArray[np.intp]  # of the games, for every game that was asked for

    def shares(self, ends: NDArray[np.float32]) -> NDArray[np.float32]:
        """Every seat's share, from the shares at the possible ends: (games asked for, seats)."""
        found = self.games.tally().shares
        first = np.concatenate([[0], self.possible.sum(1).cumsum()])
        for at, gold in self.parts:
            theirs = ends[first[at.start] : first[at.stop]]
            found[self.going[at]] = _best_turn(self.games[self.going[at]], gold, self.possible[at], theirs)
        shares: NDArray[np.float32] = found[self.which]
        return shares


def _open(batch: Batch) -> tuple[_Opened, Batch]:
    """Games with their ends, and the games that these are."""
    first, which = _distinct(batch)
    games = batch[first]
    golden = np.zeros(len(games), np.bool_) if games.kinds is None else games.kinds & GOLD_TURN > 0
    order = golden.argsort(kind="stable")
    going = order[~games.over[order]]
    plain = int((~golden[going]).sum())
    parts = [
        (slice(begin, min(begin + _AT_ONCE, last)), gold)
        for gold, start, last in ((False, 0, plain), (True, plain, len(going)))
        for begin in range(start, last, _AT_ONCE)
    ]
    ends = [endings(games[going[at]]) for at, _ in parts] or [endings(games[:0])]
    possible = np.concatenate([possible for _, possible in ends])
    flat = [after.flatten()[possible.reshape(-1)].columns() for after, possible in ends]
    columns = map(np.concatenate, zip(*flat, strict=True))
    return _Opened(games, going, parts, possible, which), Batch(batch.rules, *columns)


def _best_turn(batch: Batch, gold: bool, possible: NDArray[np.bool_], ends: NDArray[np.float32]) -> Floats:
    """Every seat's share if the seat to act plays its turn best by the shares at its ends: (batch, seats).

    What a turn is worth to whoever plays it is piecewise linear in the values of its ends, and the slope is how often
    each end comes. So another seat's share is what is gained if every end is worth a little of that share more: one
    more payoff for the same kernel, where a pass that carries every seat's values takes several times longer.
    """
    tables, seats = turn_tables(batch.rules.edition, gold=gold), batch.rules.seats
    shares = np.zeros((*possible.shape, seats), np.float32 if seats == 2 else np.float64)
    shares[possible] = np.roll(ends, 1, axis=1)  # who played was last
    mine = shares[..., 0]
    others = shares[..., 1:-1]  # the last seat has the rest
    if seats > 2:
        mine = mine - _TIE * np.linspace(0, 1, mine.shape[1])
    claim = claims(batch, tables.max_total, mine)
    worth = np.concatenate([mine[None], mine + _STEP * np.moveaxis(others, -1, 0)])
    stop = np.take_along_axis(worth, claim[None], 2).transpose(2, 0, 1).reshape(tables.slots, -1)
    value = _best(batch, tables, np.ascontiguousarray(stop)).reshape(seats - 1, len(batch))
    gained = (value[1:] - value[0]) / _STEP
    return np.stack([value[0], *gained, 1 - value[0] - gained.sum(0)], 1)


def _best(batch: Batch, tables: TurnTables, stop: Floats) -> Floats:
    """What turns are worth before the first roll, for values of stopping (slots, payoffs times games)."""
    bust = stop[:: 2 * (tables.max_total + 1)]  # nothing kept, without a worm
    roll = solve_tables(tables, stop, bust).roll
    value: Floats = roll[tables.start()]
    if batch.kinds is None:
        return value
    weasel = np.flatnonzero(np.tile(batch.kinds & WEASEL_TURN, stop.shape[1] // len(batch)))
    if len(weasel):
        stops, busts, floor = (np.ascontiguousarray(part[:, weasel]) for part in (stop, bust, roll))
        roll[:, weasel] = solve_tables(tables, stops, busts, floor).roll  # not used yet (D8.2)
        value = roll[tables.start()]
    return np.maximum(value, roll[tables.start(True)]) if tables.gold.any() else value  # D8.1


def _distinct(batch: Batch) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where each game stands first, and which of those each one is."""
    columns = [column.reshape(len(batch), -1).astype(np.int8) for column in batch.columns()]
    rows = np.ascontiguousarray(np.concatenate(columns, axis=1))
    _, first, which = np.unique(
        rows.view(np.dtype((np.void, rows.shape[1])))[:, 0], return_index=True, return_inverse=True
    )
    return first, which
