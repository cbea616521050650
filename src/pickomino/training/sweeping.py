"""Small games for two solved by ordered sweeps over all their positions, on a GPU or with NumPy.

Value iteration: the turn of every position is solved anew by what its ends are worth so far, level by level as a
flipped tile never comes back, and within a level groups with most tiles in stacks first. A turn is solved again only
where one of its ends has moved. `Ranking` numbers the positions, `pickomino.tensor` ends the turns,
`pickomino.training.backup` solves them; totals between two tiles are alike, so that a turn has few values of stopping
(*classes*).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from pickomino.rules import Edition
from pickomino.tensor import Array, Arrays, Batch, Rules, endings
from pickomino.tensor.stopping import allowed
from pickomino.training.backup import TurnGraph, solve
from pickomino.training.ranking import Ranking, RankingGroup

__all__ = ["PolicyShares", "Sweeping", "SweptGame"]

_CHUNK = 1 << 17  # positions whose ends are looked up at once: a few hundred megabytes
_HOST_CHUNK = 1 << 11


class Sweeping(NamedTuple):
    """Where the work stands."""

    down: int  # tiles face down in this level
    sweep: int
    turns: int  # solved in this sweep
    change: float  # the largest
    seconds: float


class PolicyShares(NamedTuple):
    """What a way to value positions wins against best play, from the start of the game."""

    beginning: float
    second: float

    @property
    def loss(self) -> float:
        """Against best play, with the seat drawn by lot."""
        return 0.5 - (self.beginning + self.second) / 2


class _Classes(TurnGraph):
    """The turn tables of an edition, with a class of totals for every value of stopping."""

    def __init__(self, edition: Edition, xp: Arrays) -> None:
        super().__init__(edition, xp)
        tiles = np.array(edition.values)
        total = np.arange(self.tables.max_total + 1)
        below = np.searchsorted(tiles, total, side="right")  # tiles up to this total
        with_worm = np.where(below == 0, 0, 2 * below - np.isin(total, tiles))
        of_slot = np.concatenate([np.zeros_like(with_worm), with_worm])  # R3.1
        self.slot = xp.asarray(of_slot[self.tables.slot], xp.int32)
        self.dead_slot = xp.asarray(np.zeros(self.tables.states, dtype=np.int32), xp.int32)
        #: A total of each class: below all tiles, exactly the first, above it, exactly the second …
        self.totals = xp.asarray(np.concatenate([[0], np.stack([tiles, tiles + 1], 1).reshape(-1)]), xp.int64)


class SweptGame:
    """The values of a small game: of every position the probability to win for the seat to act."""

    def __init__(self, edition: Edition, xp: Arrays, lanes: int = 8192) -> None:
        """`lanes`: turns that are solved side by side; 8,192 of them fill the fast memory of a GPU."""
        self.ranking, self.xp, self.lanes = Ranking(edition, xp), xp, lanes
        self._graph = _Classes(edition, xp)
        self._chunk = _CHUNK if xp.on_gpu else _HOST_CHUNK
        positions = self.ranking.count
        self.finals = xp.asarray([0.0, 0.5, 1.0], xp.float64)  # lost, shared, won
        self.values = xp.concatenate((xp.full((positions,), 0.5, xp.float64), self.finals))
        self.successors = xp.empty((positions, self.ranking.rules.endings), xp.int32)
        for group, rows in self._chunks(self.ranking.groups):
            ends, possible = endings(self.ranking.batch(group, rows))
            found = self.ranking.numbers(ends.flatten()).reshape(possible.shape)
            self.successors[rows] = xp.astype(xp.fill(found, ~possible, positions), xp.int32)
        start = Batch.start(self.ranking.rules, 1)
        self.start = int(self.ranking.numbers(start)[0])

    def solve(
        self,
        tolerance: float = 1e-12,
        single: bool = False,
        seconds: float = float("inf"),
        report: Callable[[Sweeping], None] | None = None,
    ) -> int:
        """Sweep until no value of a level moves by more than the tolerance; how many turns were solved.

        `single`: turns in single precision, twice as fast on a GPU and good to about 1e-6. After so many seconds it
        ends as it stands, and `residual` tells how well.
        """
        began, solved = monotonic(), 0
        moved = self.xp.full((len(self.values),), False, self.xp.bool)
        for level in self.ranking.levels:
            for sweep in count(1):
                if monotonic() - began > seconds:
                    return solved
                turns, change = 0, 0.0
                for group in level:
                    done, largest = self._sweep(group, moved, tolerance, single, everywhere=sweep == 1)
                    turns, change = turns + done, max(change, largest)
                solved += turns
                if report is not None:
                    report(Sweeping(level[0].down, sweep, turns, change, monotonic() - began))
                if change <= tolerance:
                    break
            moved[level[0].first : level[-1].last] = False
        return solved

    def residual(self) -> float:
        """How far one more turn, solved anew in double precision, would move any value."""
        worst = 0.0
        for group, rows in self._chunks(self.ranking.groups):
            worst = max(worst, float(abs(self._turns(group, rows, False) - self.values[rows]).max()))
        return worst

    def opinions(self, estimate: Callable[[Batch], Array], rules: Rules) -> Array:
        """What an estimate for a larger edition says of every position, to the seat to act: as `values`.

        Tiles of that edition that this game does not have are face down.
        """
        xp = self.xp
        there = xp.asarray(
            [rules.edition.values.index(tile) for tile in self.ranking.edition.values], xp.int64
        )

        def widened(small: Array) -> Array:
            wide = xp.full((*small.shape[:-1], rules.tiles), 0, small.dtype)
            wide[..., there] = small
            return wide

        found = xp.zeros_like(self.values)
        found[self.ranking.count :] = self.finals
        for group, rows in self._chunks(self.ranking.groups):
            batch = self.ranking.batch(group, rows)
            wide = replace(batch, rules=rules, grill=widened(batch.grill), heights=widened(batch.heights))
            found[rows] = xp.astype(estimate(wide)[:, 0], xp.float64)
        return found

    def evaluate(self, opinions: Array, tolerance: float = 1e-8, most: int = 200) -> PolicyShares:
        """One seat plays turns perfectly for opinions, the other for the values of this game, which is solved.

        `opinions`: what every position and every end is thought to be worth to the seat to act there, as `values`.
        """
        xp = self.xp
        mine = xp.concatenate(
            (self.values[: self.ranking.count], self.finals)
        )  # of who has the opinions, when it is to act
        other = 1 - mine  # … and when the other one is
        for level in self.ranking.levels:
            for _ in range(most):
                change = 0.0
                for group, rows in self._chunks(level):
                    batch, ends = self.ranking.batch(group, rows), xp.astype(self.successors[rows], xp.int64)
                    for table, liked, after in ((mine, opinions, other), (other, self.values, mine)):
                        found = self._solved(batch, 1 - liked[ends], after[ends])
                        change = max(change, float(abs(found - table[rows]).max()))
                        table[rows] = found
                if change <= tolerance:
                    break
        return PolicyShares(float(mine[self.start]), float(other[self.start]))

    def reached(self) -> Array:
        """The positions that a game can come to: (positions,) bool."""
        xp, positions = self.xp, self.ranking.count
        found = xp.full((len(self.values),), False, xp.bool)
        found[self.start] = True
        fresh = xp.asarray([self.start], xp.int64)
        while len(fresh):
            ends = xp.astype(self.successors[fresh], xp.int64).reshape(-1)
            before = found[:positions] & True
            found[ends] = True
            fresh = (found[:positions] & ~before).nonzero()
            fresh = fresh[0] if isinstance(fresh, tuple) else fresh[:, 0]
        return found[:positions]

    def _chunks(self, groups: Any) -> Iterator[tuple[RankingGroup, Array]]:
        for group in groups:
            for first in range(group.first, group.last, self._chunk):
                size = min(self._chunk, group.last - first)
                yield group, self.xp.arange(size) + first

    def _sweep(
        self, group: RankingGroup, moved: Array, tolerance: float, single: bool, everywhere: bool
    ) -> tuple[int, float]:
        """Solve the turns of a group; how many, and the largest change of a value."""
        xp, turns, change = self.xp, 0, 0.0
        flags = xp.full((group.last - group.first,), False, xp.bool)
        for _, chunk in self._chunks([group]):
            rows = chunk
            if not everywhere:
                rows = rows[moved[xp.astype(self.successors[rows], xp.int64)].any(-1)]
                if not len(rows):
                    continue
            found = self._turns(group, rows, single)
            moves = abs(found - self.values[rows])
            self.values[rows] = found
            flags[rows - group.first] = moves > tolerance
            turns, change = turns + len(rows), max(change, float(moves.max()))
        moved[group.first : group.last] = flags
        return turns, change

    def _turns(self, group: RankingGroup, rows: Array, single: bool) -> Array:
        """What turns are worth by the values of their ends: (rows,)."""
        ends = 1 - self.values[self.xp.astype(self.successors[rows], self.xp.int64)]
        if single:
            ends = self.xp.astype(ends, self.xp.float32)
        return self._solved(self.ranking.batch(group, rows), ends)

    def _solved(self, batch: Batch, liked: Array, worth: Array | None = None) -> Array:
        """Turns played best for what is liked of the ends; what that is worth, in liking or otherwise: (rows,)."""
        xp, rules = self.xp, self.ranking.rules
        may = xp.concatenate(allowed(batch, self._graph.totals), -1)  # (rows, classes, endings but the bust)
        best = xp.argmax(xp.fill(liked[:, None, : rules.bust], ~may, -xp.inf), -1)
        ending = xp.fill(best, ~may.any(-1), rules.bust)
        parts = [liked] if worth is None else [liked, worth]
        stop = xp.stack([xp.take(part, ending).T for part in parts], 1)  # (classes, 1 or 2, rows)
        found = [
            solve(self._graph, xp.contiguous(stop[..., first : first + self.lanes])).value[self._graph.start]
            for first in range(0, len(batch), self.lanes)
        ]
        return xp.astype(xp.concatenate([part[-1] for part in found]), xp.float64)
