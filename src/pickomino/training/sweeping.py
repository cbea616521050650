"""Small games for two solved by ordered sweeps over all their positions, on a GPU or with NumPy.

Value iteration: the turn of every position is solved anew by what its ends are worth so far, level by level as a
flipped tile never comes back, and within a level groups with most tiles in stacks first. A turn is solved again only
where one of its ends has moved. `Ranking` numbers the positions, `pickomino.tensor` ends the turns,
`pickomino.training.backup` solves them; totals between two tiles are alike, so that a turn has few values of stopping
(*classes*).

Where nobody has a tile a bust leaves everything as it is, for the other seat to act. With p the chance to get a tile,
the new value is p - 1 times the old one, plus something: for a tile that is hard to get, plain value iteration swings
to and fro for hundreds of sweeps, and single precision for ever, as it enlarges the rounding of a turn by 1 / p.
Halfway between the old value and the new one the factor is p / 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from pickomino.rules import Edition
from pickomino.tensor import Array, Arrays, Batch, Rules, endings
from pickomino.tensor.stopping import allowed
from pickomino.training.backup import TurnGraph, best, solve
from pickomino.training.ranking import Ranking, RankingGroup

_CHUNK = 1 << 17  # positions whose ends are looked up at once: a few hundred megabytes
_HOST_CHUNK = 1 << 11
# A level of fewer positions costs next to nothing, and all others rest on it: double precision, always to `_EXACT`.
_SMALL = 1 << 15
_EXACT = 1e-12
_PATIENCE = 20  # sweeps within which the largest change has to fall by a tenth


class Sweeping(NamedTuple):
    """Where the work on a level stands."""

    down: int  # tiles face down
    positions: int
    sweep: int
    turns: int  # solved in all sweeps
    change: float  # the largest of the last sweep
    seconds: float
    ended: str = ""  # "converged", "stalled" (the changes do not get smaller) or "out of time"


class PolicyShares(NamedTuple):
    """What a way to value positions wins against best play, from the start of the game."""

    beginning: float
    second: float
    change: float  # by which the last rounds still moved a value, at most

    @property
    def loss(self) -> float:
        """Against best play, averaged over both seats."""
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

    def __init__(self, edition: Edition, xp: Arrays, lanes: int = _CHUNK) -> None:
        """`lanes`: turns that are solved side by side."""
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
    ) -> list[Sweeping]:
        """Sweep until no value of a level moves by more than the tolerance; how each level ended that was begun.

        `single`: turns in single precision, faster on a GPU and good to about 1e-5; small levels are solved in double
        precision all the same. After so many seconds it ends as it stands, and `residual` tells how well.
        """
        began, ended = monotonic(), []
        moved = self.xp.full((len(self.values),), False, self.xp.bool)
        for level in self.ranking.levels:
            first, last = level[0].first, level[-1].last
            small = last - first < _SMALL
            goal = min(tolerance, _EXACT) if small else tolerance
            state = Sweeping(level[0].down, last - first, 0, 0, float("inf"), 0.0)
            least, least_at = float("inf"), 0
            while not state.ended:
                turns, change, why = state.turns, 0.0, ""
                for group in level:
                    if monotonic() - began > seconds:
                        change, why = max(change, state.change), "out of time"
                        break
                    done, largest = self._sweep(group, moved, goal, single and not small, state.sweep == 0)
                    turns, change = turns + done, max(change, largest)
                sweep = state.sweep + 1
                if change < 0.9 * least:
                    least, least_at = change, sweep
                if not why:
                    why = (
                        "converged" if change <= goal else "stalled" if sweep - least_at >= _PATIENCE else ""
                    )
                state = Sweeping(level[0].down, last - first, sweep, turns, change, monotonic() - began, why)
                if report is not None:
                    report(state)
            ended.append(state)
            if state.ended == "out of time":
                break
            moved[first:last] = False
        return ended

    def residual(self) -> float:
        """How far one more turn, solved anew in double precision, would move any value."""
        return max(self.residuals().values())

    def residuals(self) -> dict[int, float]:
        """The same for the positions with so many tiles face down."""
        found: dict[int, float] = {}
        for group, rows in self._chunks(self.ranking.groups):
            worst = float(abs(self._turns(group, rows, False) - self.values[rows]).max())
            found[group.down] = max(found.get(group.down, 0.0), worst)
        return found

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

    def evaluate(
        self, opinions: Array, tolerance: float = 1e-8, most: int = 200, seconds: float = float("inf")
    ) -> PolicyShares:
        """One seat plays turns perfectly for opinions, the other for the values of this game, which is solved.

        `opinions`: what every position and every end is thought to be worth to the seat to act there, as `values`.
        At most so many rounds per level; after so many seconds it ends as it stands, which `change` tells.
        """
        xp, began, worst = self.xp, monotonic(), 0.0
        # Of who has the opinions, when it is to act.
        mine = xp.concatenate((self.values[: self.ranking.count], self.finals))
        other = 1 - mine  # … and when the other one is
        for level in self.ranking.levels:
            change = float("inf")
            for _ in range(most):
                if change <= tolerance or monotonic() - began > seconds:
                    break
                change = 0.0
                for group, rows in self._chunks(level):
                    batch, ends = self.ranking.batch(group, rows), xp.astype(self.successors[rows], xp.int64)
                    for table, liked, after in ((mine, opinions, other), (other, self.values, mine)):
                        found = self._solved(batch, 1 - liked[ends], after[ends])
                        change = max(change, float(abs(found - table[rows]).max()))
                        table[rows] = found
            worst = max(worst, change)
        return PolicyShares(float(mine[self.start]), float(other[self.start]), worst)

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
        xp, size, change = self.xp, group.last - group.first, 0.0
        flags = xp.full((size,), False, xp.bool)
        due = xp.arange(size) + group.first
        if not everywhere:
            ends = (xp.astype(self.successors[rows], xp.int64) for _, rows in self._chunks([group]))
            due = due[xp.concatenate([moved[part].any(-1) for part in ends])]
        for first in range(0, len(due), self._chunk):
            rows = due[first : first + self._chunk]
            found, before = self._turns(group, rows, single), self.values[rows]
            moves = abs(found - before)
            itself = self.successors[rows, self.ranking.rules.bust] == rows
            self.values[rows] = xp.where(itself, (before + found) / 2, found)
            flags[rows - group.first] = moves > tolerance
            change = max(change, float(moves.max()))
        moved[group.first : group.last] = flags
        return len(due), change

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
        chosen = xp.argmax(xp.fill(liked[:, None, : rules.bust], ~may, -xp.inf), -1)
        ending = xp.fill(chosen, ~may.any(-1), rules.bust)
        if worth is None:
            stops = self._parts(xp.take(liked, ending).T)
            return xp.astype(xp.concatenate([best(self._graph, part) for part in stops]), xp.float64)
        stops = self._parts(xp.stack([xp.take(part, ending).T for part in (liked, worth)], 1))
        return xp.concatenate([solve(self._graph, part).value[self._graph.start, 1] for part in stops])

    def _parts(self, stop: Array) -> Iterator[Array]:
        for first in range(0, stop.shape[-1], self.lanes):
            yield self.xp.contiguous(stop[..., first : first + self.lanes])
