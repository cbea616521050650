"""A turn solved for the seat that plays it, and what its best play means to everybody else.

`pickomino.solver` says what a point of a turn is worth to the seat to act. A review asks for more: every seat's value
there, and how the turn is likely to end. One backward pass carries a whole vector for each way a turn can end, its
*columns*; the seat to act chooses by its own column, and among equals the first move in text order, as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.turn import RollPattern
from pickomino.rules import Move, Phase, Position
from pickomino.solver import TurnSolver
from pickomino.solver.point import Claim, read
from pickomino.solver.position import TIE

Columns: TypeAlias = NDArray[np.float64]


class _Layer(NamedTuple):
    """Every state of a turn, arrays (states, lanes, columns)."""

    value: Columns  # after a keep: the better of stopping and rolling
    roll: Columns  # before the dice fall


class TurnShares:
    """A solved turn that can be read at every point of it.

    ``payoffs``: (endings of the solver, columns); ``mover``: the column by which the seat to act chooses.
    """

    def __init__(self, solver: TurnSolver, payoffs: Columns, mover: int) -> None:
        self.solver = solver
        self._mover = mover
        self._tie = TIE * max(1.0, float(np.abs(payoffs[:, mover]).max()))
        # An ending out of reach is never chosen; whatever stands for it must not spoil the arithmetic.
        self._payoffs = np.concatenate([payoffs, np.zeros((1, payoffs.shape[1]))])
        turn = solver.turn
        tables, lanes = turn.tables, len(turn.givers)
        choices = solver.choices.reshape(tables.slots, lanes, -1)
        first = self._first(self._payoffs[choices, mover], axis=2)
        self._stops = self._payoffs[np.take_along_axis(choices, first[:, :, None], axis=2)[:, :, 0]]
        busts = [[solver.place(None, flag, lane) for lane in range(lanes)] for flag in range(tables.flags)]
        self._busts = self._payoffs[np.array(busts)]
        used = self._solve(None)
        self._layers = [self._solve(used.roll), used] if turn.weasel else [used]

    def at(self, position: Position) -> tuple[Columns, dict[Move, Columns]]:
        """The columns of a point of the turn under best play, and of each of its legal moves in text order."""
        self.solver.turn.check(position)
        return read(self.solver.turn, position, self)

    def outcomes(self, position: Position) -> tuple[Columns, Columns]:
        """Where dice are due: the probability of every roll that makes a difference (R,), and its columns (R, …)."""
        if position.phase is not Phase.ROLL:
            raise ValueError(f"{str(position)!r}: no dice are due")
        turn = self.solver.turn
        tables, state, lane = turn.tables, turn.state_of(position), turn.lane(position)
        pattern = tables.patterns[tables.pattern[state]]
        used = turn.used(position)
        floor = None if used else self._layers[-1].roll[state, lane][None]
        keep = self._keep(self._layers[-1 if used else 0].value, pattern, state - pattern.states.start)
        best, chosen = self._choose(keep[:, lane, self._mover][:, None], pattern)
        columns = keep[chosen[:, 0], lane]
        dead = self._busts[tables.ones[state], lane][None]
        if floor is not None:
            columns = np.where((floor[:, self._mover] > best[:, 0] + self._tie)[:, None], floor, columns)
            dead = floor if floor[0, self._mover] > dead[0, self._mover] + self._tie else dead
        return np.concatenate([[pattern.dead_prob], pattern.prob]), np.concatenate([dead, columns])

    # --- a `Look`, for `read` ---

    def best(self, values: Sequence[Columns]) -> Columns:
        return values[int(self._first(np.array([value[self._mover] for value in values]), axis=0))]

    def stop(self, claim: Claim | None, state: int, lane: int) -> Columns:
        row: Columns = self._payoffs[self.solver.place(claim, int(self.solver.turn.tables.ones[state]), lane)]
        return row

    def bust(self, state: int, lane: int) -> Columns:
        return self.stop(None, state, lane)

    def value(self, used: bool, state: int, lane: int) -> Columns:
        row: Columns = self._layers[-1 if used else 0].value[state, lane]
        return row

    def roll(self, used: bool, state: int, lane: int) -> Columns:
        row: Columns = self._layers[-1 if used else 0].roll[state, lane]
        return row

    # --- the backward pass ---

    def _first(self, values: Columns, axis: int) -> NDArray[np.intp]:
        """The first of the best."""
        first: NDArray[np.intp] = (values >= values.max(axis=axis, keepdims=True) - self._tie).argmax(
            axis=axis
        )
        return first

    def _solve(self, floor: Columns | None) -> _Layer:
        """``floor``: what the weasel's second roll is worth (D8.2), where it may still be had."""
        tables, mover = self.solver.turn.tables, self._mover
        value = self._stops[tables.slot]
        roll = np.zeros_like(value)
        bust_of = self._busts[tables.ones]
        for pattern in reversed(tables.patterns):
            here = pattern.states
            keep = self._keep(value, pattern, None)
            edges, states, lanes, columns = keep.shape
            keep = keep.reshape(edges, states * lanes, columns)
            best, chosen = self._choose(keep[:, :, mover], pattern)
            mass = np.broadcast_to(pattern.prob[:, None], best.shape)
            dead = bust_of[here].reshape(-1, columns)
            total = np.zeros_like(dead)
            if floor is not None:
                other = floor[here].reshape(-1, columns)
                again = other[:, mover] > best + self._tie
                total += (mass * again).sum(axis=0)[:, None] * other
                mass = np.where(again, 0.0, mass)
                dead = np.where((other[:, mover] > dead[:, mover] + self._tie)[:, None], other, dead)
            cell = chosen * (states * lanes) + np.arange(states * lanes)
            kept = np.bincount(cell.ravel(), mass.ravel(), edges * states * lanes).reshape(
                edges, states * lanes
            )
            total += (kept.T[:, None] @ keep.transpose(1, 0, 2))[:, 0] + pattern.dead_prob * dead
            roll[here] = total.reshape(states, lanes, columns)
            rolls_on = roll[here][..., mover] >= value[here][..., mover] - self._tie
            value[here] = np.where(rolls_on[..., None], roll[here], value[here])
        return _Layer(value, roll)

    def _keep(self, value: Columns, pattern: RollPattern, at: int | None) -> Columns:
        """What every keep of a pattern leads to: (edges, states, lanes, columns); of one state (edges, lanes, …)."""
        ones = self.solver.turn.tables.ones
        children, here = pattern.children, ones[pattern.states]
        if at is not None:
            children, here = children[:, at], here[at]
        keep = value[children]
        if keep.shape[-2] > 1:  # the keep that earns a round worm also chooses who gives it (D11.1)
            earns = ones[children] > here
            groups = keep[earns]
            best = np.take_along_axis(groups, self._first(groups[..., self._mover], 1)[:, None, None], axis=1)
            keep[earns] = best
        return keep

    def _choose(self, mover: Columns, pattern: RollPattern) -> tuple[Columns, NDArray[np.intp]]:
        """For the values of keeps (edges, places): the best of every roll, and the edge that it takes."""
        options = mover[pattern.options]  # (options, rolls, places)
        first = self._first(options, axis=0)
        chosen = pattern.options[first, np.arange(len(first))[:, None]]
        return np.take_along_axis(mover, chosen, axis=0), chosen
