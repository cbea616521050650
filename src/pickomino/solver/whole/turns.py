"""Whole turns of many positions: the best play for given values, and how likely it ends the turn in each way.

The backward pass is the turn solver's (`pickomino.solver.kernels`). What is added here is the pass forward:
from the first roll along the chosen moves to the stops.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.turn import TurnTables, turn_tables
from pickomino.rules import Edition
from pickomino.solver.kernels import Kernel, load_numba, solve_tables
from pickomino.solver.whole.numbered import Floats
from pickomino.solver.whole.space import Space
from pickomino.solver.whole.stops import NOTHING, Stops, choose_stops, classes_of

__all__ = ["SpaceTurns", "Turns", "kernel_for"]

_LANES = 128  # turns side by side, as the compiled backward pass takes them
_WORTH_COMPILING = 150  # positions: below, NumPy is done before numba is loaded


def kernel_for(positions: int) -> Kernel:
    """The kernel that is done first for that many positions."""
    return "numba" if positions >= _WORTH_COMPILING and find_spec("numba") is not None else "numpy"


class Turns:
    """Plays turns of one small game by their stop values."""

    def __init__(self, edition: Edition, tiles: Sequence[int], kernel: Kernel, margin: float) -> None:
        self.tables = turn_tables(edition)
        self.classes = 1 + 2 * len(tiles)
        self._kernel: Kernel = kernel
        self._margin = margin
        self._class_of_slot = classes_of(self.tables, tiles)
        self.class_of_state = self._class_of_slot[self.tables.slot]

    def values(self, stop: Floats) -> tuple[Floats, Floats]:
        """Values of all states and of rolling in them, (states, turns), for stops (turns, classes)."""
        by_slot = np.ascontiguousarray(stop.T[self._class_of_slot])
        value, roll = solve_tables(self.tables, by_slot, stop.T[:1].copy(), kernel=self._kernel)
        return value.astype(np.float64, copy=False), roll.astype(np.float64, copy=False)

    def best(self, stop: Floats) -> Floats:
        """What the turns are worth at their start."""
        parts = [self._start(stop[first : first + _LANES]) for first in range(0, len(stop), _LANES)]
        return np.concatenate([*parts, np.empty(0)])

    def play(self, stop: Floats, margin: float | None = None) -> Floats:
        """How likely best play stops in each class, (turns, classes); ties: first in text order."""
        margin = self._margin if margin is None else margin
        parts = [self._forward(stop[first : first + _LANES], margin) for first in range(0, len(stop), _LANES)]
        return np.concatenate([*parts, np.empty((0, self.classes))])

    def _start(self, stop: Floats) -> Floats:
        compiled = load_numba(self._kernel)
        start = self.tables.start()
        if compiled is None:
            return np.asarray(self.values(stop)[1][start])
        by_slot = np.ascontiguousarray(stop.T[self._class_of_slot])
        found: Floats = compiled.solve_start(self.tables, by_slot, stop.T[:1].copy(), start)
        return found

    def _forward(self, stop: Floats, margin: float) -> Floats:
        value, roll = self.values(stop)
        if self._kernel == "numba":
            from pickomino.solver.whole.forward_numba import forward

            return forward(self.tables, self.class_of_state, self.classes, value, roll, margin)
        return _forward(self.tables, self.class_of_state, self.classes, value, roll, margin)


class SpaceTurns:
    """Plays the turns of a space's positions by what their ends are worth to the seat to act."""

    def __init__(self, space: Space, kernel: Kernel, margin: float) -> None:
        self._space, self._margin = space, margin
        self.turns = Turns(space.edition, space.tiles, kernel, margin)

    def stops(self, rows: NDArray[np.intp], ends: Floats, margin: float | None = None) -> Stops:
        """The claims of these positions; ends: (positions, endings)."""
        space = self._space
        digits = space.digits(space.codes[rows])
        margin = self._margin if margin is None else margin
        return choose_stops(space.edition, space.tiles, digits, space.tops(digits), ends, margin)

    def best(self, rows: NDArray[np.intp], ends: Floats) -> Floats:
        """What the turns are worth at their start."""
        return self.turns.best(self.stops(rows, ends).value)

    def play(self, rows: NDArray[np.intp], ends: Floats, margin: float | None = None) -> Floats:
        """How likely each ending is, (positions, endings), in best play; ties: first in text order."""
        stops = self.stops(rows, ends, margin)
        by_class = self.turns.play(stops.value, margin)
        probs = np.zeros_like(ends)
        at = np.arange(len(rows))
        for column in range(by_class.shape[1]):
            probs[at, stops.ending[:, column]] += by_class[:, column]
        return probs


def stop_here(
    tables: TurnTables, value: Floats, roll: Floats, stop: Floats, margin: float
) -> NDArray[np.bool_]:
    """Where best play stops: it must (R2.4), or that is better than ``r``, the first in text order."""
    stops: NDArray[np.bool_] = (tables.pattern < 0)[:, None] | (stop > roll + margin)
    stops[tables.start()] = False  # nothing is kept yet: no stop (R2.4)
    return stops


def choose_keeps(options: NDArray[np.intp], keep: Floats, margin: float) -> NDArray[np.intp]:
    """The edge kept in every outcome; ``options`` is in the order of the faces, that of the texts."""
    chosen = np.broadcast_to(options[0][:, None, None], options.shape[1:] + keep.shape[1:]).copy()
    best = keep[options[0]]
    for row in options[1:]:
        better = keep[row] > best + margin
        np.copyto(best, keep[row], where=better)
        np.copyto(chosen, row[:, None, None], where=better)
    return chosen


def _forward(
    tables: TurnTables,
    class_of_state: NDArray[np.intp],
    classes: int,
    value: Floats,
    roll: Floats,
    margin: float,
) -> Floats:
    turns = value.shape[1]
    # After a keep the value is the better of stop and roll: where it is not the roll's, the turn stops.
    stops = stop_here(tables, value, roll, value, margin)
    reach = np.zeros((tables.states, turns))
    reach[tables.start()] = 1.0
    ends = np.zeros((classes, turns))
    for pattern in tables.patterns:
        here = pattern.states
        stopped = np.where(stops[here], reach[here], 0.0)
        np.add.at(ends, class_of_state[here], stopped)
        going = reach[here] - stopped
        ends[NOTHING] += pattern.dead_prob * going.sum(axis=0)  # R2.3
        keep = value[pattern.children]
        edges, states, _ = keep.shape
        chosen = choose_keeps(pattern.options, keep, margin)
        cell = chosen * (states * turns) + np.arange(states * turns).reshape(states, turns)
        weight = np.broadcast_to(pattern.prob[:, None, None], cell.shape)
        share = np.bincount(cell.ravel(), weight.ravel(), edges * states * turns).reshape(keep.shape)
        np.add.at(reach, pattern.children, share * going)
    final = tables.pattern < 0
    np.add.at(ends, class_of_state[final], reach[final])
    return ends.T.copy()
