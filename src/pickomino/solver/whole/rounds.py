"""The work itself: levels one after the other, each in rounds of policy improvement.

A round plays the turn of every position by the values so far, group by group with most tiles in stacks first,
which gives the probability of every ending; then it solves for the values of a table where everybody plays
just so (`relax_level`). That is Newton's method for the equations of the game: a handful of rounds where
plain value iteration needs dozens, or thousands where nobody wants to move (tiles 21,36). Turns whose ends
did not change are not played again.

With two seats the equations have one solution. Should rounds not settle (two players who improve at the same
time may chase each other), plain value iteration takes over: it is slower and always gets there, as every
turn can take a tile. With three and more seats neither is certain; the residual tells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.solver.kernels import Kernel
from pickomino.solver.whole.relax import Played, relax_group, relax_level, turn_values
from pickomino.solver.whole.space import Floats, Group, Space
from pickomino.solver.whole.stops import Stops, choose_stops, tie_margin
from pickomino.solver.whole.turns import Turns

__all__ = ["Progress", "Report", "Solving"]

_CHUNK = 4096  # turns between two reports: a fraction of a second
_STILL = 1e-14  # a turn whose ends moved less is not played again; its own value follows linearly
_SOLVED = 1e-13  # rounding alone moves values by a part of this where turns rarely end a game
_FIRST_SWEEPS = 4
_IMPROVING_ROUNDS = 40
_STALE = 1e-6  # a turn that gains more over its old coefficients gets new ones


class Progress(NamedTuple):
    """Where the work stands; reported a few times a second."""

    level: int  # of ``levels``, from 1
    levels: int
    round: int  # within the level, from 1
    done: int  # turns played in this round, of ``turns``
    turns: int
    change: float  # the largest of the round before
    solved: int  # positions of finished levels
    positions: int


Report: TypeAlias = Callable[[Progress], None]


class Solving:
    """Values on their way to the solution."""

    def __init__(self, space: Space, kernel: Kernel) -> None:
        self.space = space
        self.kernel: Kernel = kernel
        self.margin = tie_margin(space.players)
        self.turns = Turns(space.edition, space.tiles, kernel, self.margin)
        even = np.full((space.count, space.players), 1 / space.players)
        self.values: Floats = np.concatenate([even, space.final_values()])

    def stops(self, rows: NDArray[np.intp], ends: Floats, margin: float | None = None) -> Stops:
        """The claims of these positions, chosen by what the endings are worth to the seat to act."""
        digits = self.space.digits(self.space.codes[rows])
        tops = self.space.tops(digits)
        margin = self.margin if margin is None else margin
        return choose_stops(self.space.edition, self.space.tiles, digits, tops, ends, margin)

    def play(self, rows: NDArray[np.intp], ends: Floats, margin: float | None = None) -> Floats:
        """How likely each ending is, (positions, endings), when turns are played by what it is worth."""
        stops = self.stops(rows, ends, margin)
        by_class = self.turns.play(stops.value, margin)
        probs = np.zeros_like(ends)
        at = np.arange(len(rows))
        for column in range(by_class.shape[1]):
            probs[at, stops.ending[:, column]] += by_class[:, column]
        return probs

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
        change = 1.0
        for number in range(1, most_rounds + 1):
            before = self.values[begin:end].copy()
            sweeping = number > _IMPROVING_ROUNDS or (two and number <= _FIRST_SWEEPS)
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
                relax_level(level, played, self.values, self.kernel)
            moved = np.abs(self.values[begin:end] - before).max(axis=1)
            last_change, change = change, float(moved.max())
            changed = np.zeros(len(self.values), dtype=np.bool_)
            changed[begin:end] = moved > _STILL
            if not two or number > _FIRST_SWEEPS:
                active = np.any(changed[successors], axis=1)
                if max(change, last_change) <= _SOLVED or not active.any():
                    break
        return number

    def _turns(self, rows: NDArray[np.intp], begin: int, played: Played, sweeping: bool) -> None:
        """Play these turns of a level anew; what they are worth goes into values or coefficients."""
        after = self.values[played.successors[rows]]
        ends = np.ascontiguousarray(after[:, :, -1])
        if self.space.players > 2:
            played.own[rows] = self.play(rows + begin, ends)
            if sweeping:
                self.values[rows + begin] = turn_values(played.own[rows], after)
            return
        best = self.turns.best(self.stops(rows + begin, ends).value)
        if sweeping:
            self.values[rows + begin] = np.stack([best, 1 - best], axis=1)
            return
        played.gain[rows] = best - (played.own[rows] * ends).sum(axis=1)
        stale = np.abs(played.gain[rows]) > _STALE
        if stale.any():
            played.own[rows[stale]] = self.play(rows[stale] + begin, ends[stale])
            played.gain[rows] = best - (played.own[rows] * ends).sum(axis=1)

    def residual(self, level: Sequence[Group]) -> float:
        """How far one more turn, played anew from every position of the level, would move a value."""
        worst = 0.0
        for group in level:
            for first in range(group.first, group.last, _CHUNK):
                rows = np.arange(first, min(first + _CHUNK, group.last))
                after = self.values[self.space.successors(rows)]
                ends = np.ascontiguousarray(after[:, :, -1])
                if self.space.players == 2:
                    error = self.turns.best(self.stops(rows, ends).value) - self.values[rows, 0]
                else:  # which of equal moves is played matters to the others
                    error = turn_values(self.play(rows, ends), after) - self.values[rows]
                worst = max(worst, float(np.abs(error).max()))
        return worst
