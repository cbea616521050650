"""Whole turns of many positions with specialists, those of one kind side by side."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pickomino.rules import Phase
from pickomino.solver.kernels import Kernel
from pickomino.solver.position import SolvedTurn, TurnSolver
from pickomino.solver.whole.numbered import Floats
from pickomino.solver.whole.reached import Reached

__all__ = ["KindTurns"]

_LANES = 128  # turns side by side, as the compiled passes take them


class KindTurns:
    """Plays the turns of positions by what the ends are worth to the seat to act: (positions, columns)."""

    def __init__(self, reached: Reached, kernel: Kernel, margin: float) -> None:
        self._kinds, self._margin = reached.kinds, margin
        self._kind = np.array(
            [self._kinds.of(reached.position(number)).number for number in range(reached.count)],
            dtype=np.intp,
        )
        self._solvers = [_with_kernel(kind.solver, kernel) for kind in self._kinds.all]

    def best(self, rows: NDArray[np.intp], ends: Floats) -> Floats:
        """What the turns are worth at their start."""
        result = np.empty(len(rows))
        for solver, at in self._batches(rows):
            payoffs = self._choose(solver, ends[at], 0.0)[0]
            result[at] = solver.values(payoffs)[0]
        return result

    def play(self, rows: NDArray[np.intp], ends: Floats, margin: float | None = None) -> Floats:
        """How likely best play comes to each end, (positions, columns); ties: first in text order."""
        margin = self._margin if margin is None else margin
        probs = np.zeros_like(ends)
        for solver, at in self._batches(rows):
            payoffs, chosen = self._choose(solver, ends[at], margin)
            by_ending = _ending_probs(solver, payoffs, margin)
            columns = np.arange(payoffs.shape[1]) * self._kinds.choices + chosen
            np.put_along_axis(part := np.zeros((len(at), ends.shape[1])), columns, by_ending, axis=1)
            probs[at] = part
        return probs

    def _batches(self, rows: NDArray[np.intp]) -> Iterator[tuple[TurnSolver, NDArray[np.intp]]]:
        """The rows by kind: a solver, and where its rows are."""
        kinds = self._kind[rows]
        order = np.argsort(kinds, kind="stable")
        for part in np.split(order, np.flatnonzero(np.diff(kinds[order])) + 1):
            for first in range(0, len(part), _LANES):
                yield self._solvers[kinds[part[0]]], part[first : first + _LANES]

    def _choose(self, solver: TurnSolver, ends: Floats, margin: float) -> tuple[Floats, NDArray[np.intp]]:
        """What the endings are worth where the best is chosen after the claim, and which that is."""
        choices = self._kinds.choices
        each = ends[:, : len(solver.endings) * choices].reshape(len(ends), -1, choices)
        best = each.max(axis=2)
        return best, (each >= best[:, :, None] - margin).argmax(axis=2)


def _with_kernel(solver: TurnSolver, kernel: Kernel) -> TurnSolver:
    solver.kernel = kernel
    return solver


def _ending_probs(solver: TurnSolver, payoffs: Floats, margin: float) -> Floats:
    """How likely each ending is, (turns, endings)."""
    if solver.kernel != "numba" or len(solver.turn.givers) > 1:
        return np.stack([solver.solve(payoff).probs for payoff in payoffs])
    from pickomino.solver.whole.forward_numba import forward_layers

    turn, look = solver.turn, SolvedTurn(solver, payoffs)
    tables, lanes = turn.tables, np.arange(len(payoffs))
    first = np.zeros((tables.states, len(payoffs)))
    if solver.position.phase is Phase.GOLD:
        plain, gold = tables.start(False), tables.start(True)
        roll = look.layers[0].roll
        joins = roll[gold] >= roll[plain] - margin  # ``g`` comes before ``n``
        first[np.where(joins, gold, plain), lanes] = 1.0
    else:
        first[turn.state] = 1.0
    stopped, busted = forward_layers(tables, first, look.layers, look.busts, margin)  # (slots, …), (flags, …)
    choices = solver.choices.reshape(tables.slots, -1)
    values = look.payoffs.T[choices]  # (slots, most claims, turns)
    best = (values >= values.max(axis=1, keepdims=True) - margin).argmax(axis=1)
    place = np.take_along_axis(choices, best, axis=1)  # (slots, turns)
    probs = np.zeros((len(solver.endings) + 1, len(payoffs)))  # the last row: what is out of reach
    np.add.at(probs, (place, lanes), stopped)
    for flag in range(tables.flags):
        probs[solver.place(None, flag, 0)] += busted[flag]
    return probs[:-1].T
