"""The work itself: levels one after the other, each in rounds of policy improvement.

A round plays the turn of every position by the values so far, group by group with most tiles in stacks first,
which gives the probability of every ending; then it solves for the values of a table where everybody plays
just so (`relax_level`). That is Newton's method for the equations of the game: a handful of rounds where
plain value iteration needs dozens, or thousands where nobody wants to move (tiles 21,36). Turns whose ends
did not change are not played again.

With two seats the equations have one solution. Should rounds not settle (two players who improve at the same
time may chase each other), plain value iteration takes over: it is slower and always gets there, as every
turn can take a tile. With three and more seats neither is certain; the residual shows.

Where a bust may be free, rounds work with a small cost of delay, and value iteration without it ends a level
(`Solving.__init__`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.bulk import win_shares
from pickomino.solver.kernels import Kernel
from pickomino.solver.whole.relax import Played, relax_group, relax_level, turn_values
from pickomino.solver.whole.space import Floats, Group, Index, Space
from pickomino.solver.whole.turns import SpaceTurns

_CHUNK = 4096  # turns between two reports: a fraction of a second
_STILL = 1e-14  # a turn whose ends moved less is not played again; its own value follows linearly
_SOLVED = 1e-13  # rounding alone moves values by a part of this where turns rarely end a game
_FIRST_SWEEPS = 4
_IMPROVING_ROUNDS = 40
_ENOUGH = 100  # delays: more than the rounds can distinguish from the truth
_SHRINK = 1e-6  # towards even, more than any error: then sweeps without delay come from the right side
_HASTE = 1e-3  # parts of the delay: a turn that could be played so much sooner is played anew
_STALE = 1e-6  # a turn that gains more over its old coefficients gets new ones


class SolvingProgress(NamedTuple):
    """Where the work stands; reported a few times a second."""

    level: int  # of ``levels``, from 1
    levels: int
    round: int  # within the level, from 1
    done: int  # turns played in this round, of ``turns``
    turns: int
    change: float  # the largest of the round before
    solved: int  # positions of finished levels
    positions: int


Report: TypeAlias = Callable[[SolvingProgress], None]


def initial_values(space: Space) -> Floats:
    """Finished games as they are, all else even."""
    even = np.full((space.count, space.players), 1 / space.players)
    return np.concatenate([even, win_shares(np.arange(2**space.players, dtype=np.int8), space.players)])


class Solving:
    """Values on their way to the solution."""

    def __init__(self, space: Space, turns: SpaceTurns, kernel: Kernel, delay: float = 0.0) -> None:
        """``delay``: how much closer to an equal share one turn more makes every value.

        Where a bust may cost nothing (D12.1), a seat that is sure to win could put it off for ever, and the
        equations would have no single solution. With a small delay it wins sooner rather than later. The
        sweeps that finish a level are without it.
        """
        self.space, self.turns, self.delay = space, turns, delay
        self.kernel: Kernel = kernel
        self.values: Floats = initial_values(space)

    def ends(self, successors: Index) -> Floats:
        """What the ends of turns are worth to the seats to act when they choose: (positions, ends)."""
        values: Floats = self.values[successors, -1]
        if self.delay:
            more = np.where(successors < self.space.count, self.delay, 0.0)
            values -= more * (values - 1 / self.space.players)
        return values

    def level(
        self, level: Sequence[Group], most_rounds: int, report: Callable[[int, int, int, float], None]
    ) -> int:
        """Solve a level whose successors in other levels are solved; gives the rounds it took."""
        begin, end = level[0].first, level[-1].last
        successors = self.space.successors(slice(begin, end))
        probs = np.zeros(successors.shape)
        played = Played(successors, probs, probs, np.zeros(end - begin))
        active = np.ones(end - begin, dtype=np.bool_)
        two = self.space.players == 2
        change, improving = 1.0, _IMPROVING_ROUNDS
        for number in range(1, most_rounds + 1):
            before = self.values[begin:end].copy()
            sweeping = number > improving or (two and number <= _FIRST_SWEEPS)
            turns, done = int(active.sum()), 0
            report(number, 0, turns, change)
            for group in level:
                rows = np.flatnonzero(active[group.first - begin : group.last - begin]) + group.first - begin
                for first in range(0, len(rows), _CHUNK):
                    self._turns(rows[first : first + _CHUNK], begin, played, sweeping)
                    done += len(rows[first : first + _CHUNK])
                    report(number, done, turns, change)
                if not sweeping:
                    part = played.part(slice(group.first - begin, group.last - begin))
                    relax_group(group.rows, part, self.values, self.kernel, sweeps=3)
            if not sweeping:
                slow = self.delay > 0
                relax_level(level, played, self.values, self.kernel, slow=slow, brief=slow)
            moved = np.abs(self.values[begin:end] - before).max(axis=1)
            last_change, change = change, float(moved.max())
            changed = np.zeros(len(self.values), dtype=np.bool_)
            changed[begin:end] = moved > _STILL
            if not two or number > _FIRST_SWEEPS:
                active = np.any(changed[successors], axis=1)
                if self.delay and not sweeping:
                    if number == improving or change <= self.delay * _ENOUGH:
                        improving = number
                        active[:] = True
                        self.values[begin:end] += _SHRINK * (1 / self.space.players - self.values[begin:end])
                elif max(change, last_change) <= _SOLVED or not active.any():
                    break
        return number

    def _turns(self, rows: NDArray[np.intp], begin: int, played: Played, sweeping: bool) -> None:
        """Play these turns of a level anew; what they are worth goes into values or coefficients."""
        successors = played.successors[rows]
        two = self.space.players == 2
        ends = self.values[successors, -1] if two and sweeping else self.ends(successors)
        if not two:
            played.own[rows] = self.turns.play(rows + begin, ends)
            if sweeping:
                self.values[rows + begin] = turn_values(played.own[rows], self.values[successors])
            return
        best = self.turns.best(rows + begin, ends)
        if sweeping:
            self.values[rows + begin] = np.stack([best, 1 - best], axis=1)
            return
        scale = np.where(successors < self.space.count, 1 - self.delay, 1.0)
        slack = best - (played.own[rows] / scale * ends).sum(axis=1)
        stale = np.abs(slack) > (self.delay * _HASTE or _STALE)
        if stale.any():
            played.own[rows[stale]] = self.turns.play(rows[stale] + begin, ends[stale]) * scale[stale]
        played.gain[rows] = best - (played.own[rows] * self.values[successors, -1]).sum(axis=1)

    def residual(self, level: Sequence[Group]) -> float:
        """How far one more turn, played anew from every position of the level, would move a value."""
        worst = 0.0
        for group in level:
            for first in range(group.first, group.last, _CHUNK):
                rows = np.arange(first, min(first + _CHUNK, group.last))
                successors = self.space.successors(rows)
                after = self.values[successors]
                if self.space.players == 2:
                    best = self.turns.best(rows, np.ascontiguousarray(after[:, :, -1]))
                    error = best - self.values[rows, 0]
                else:  # which of equal moves is played matters to the others
                    error = (
                        turn_values(self.turns.play(rows, self.ends(successors)), after) - self.values[rows]
                    )
                worst = max(worst, float(np.abs(error).max()))
        return worst
