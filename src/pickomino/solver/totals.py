"""The chances of a turn: at least a total, or exactly a total, each under the best play for that goal."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.turn import TurnTables
from pickomino.rules import WORM, Edition, Position
from pickomino.solver.exact import ExactSolved, solve_exact
from pickomino.solver.kernels import solve_tables
from pickomino.solver.numpy_kernel import Solved
from pickomino.solver.point import Claim, Turn, read

Number = TypeVar("Number", float, Fraction)


class Odds(NamedTuple, Generic[Number]):
    """By total: the probability of stopping with a worm and at least, or exactly, that total."""

    at_least: dict[int, Number]
    exactly: dict[int, Number]

    def __repr__(self) -> str:
        return f"<Odds of {len(self.exactly)} totals>"


def odds(source: Position | Edition | str = "classic", totals: Sequence[int] | None = None) -> Odds[float]:
    """The chances from a position in a turn, or of an edition's opening turn; by default for its tiles.

    Can, weasel and golden die of the seat to act count (D8.1, D8.2, D9.1).
    """
    turn, goals = _prepare(source, totals)
    tables = turn.tables
    payoffs = np.stack([_payoff(turn, total, exact) for exact in (False, True) for total in goals], axis=1)
    stop, bust = payoffs.astype(float), np.zeros((tables.flags, 2 * len(goals)))
    used = solve_tables(tables, stop, bust)
    layers = [solve_tables(tables, stop, bust, used.roll), used] if turn.weasel else [used]
    value, _ = read(turn, turn.position, _Floats(stop[tables.slot], layers))
    chances = value.tolist()
    return Odds(dict(zip(goals, chances, strict=False)), dict(zip(goals, chances[len(goals) :], strict=True)))


def exact_odds(
    source: Position | Edition | str = "classic", totals: Sequence[int] | None = None
) -> Odds[Fraction]:
    """`odds` as exact fractions; about 20 ms for each of them."""
    turn, goals = _prepare(source, totals)

    def chance(total: int, exact: bool) -> Fraction:
        stop = _payoff(turn, total, exact).tolist()
        used = solve_exact(turn.tables, stop, [0] * turn.tables.flags)
        layers = [used]
        if turn.weasel:
            layers.insert(0, solve_exact(turn.tables, stop, [0] * turn.tables.flags, used))
        return read(turn, turn.position, _Fractions([stop[slot] for slot in turn.tables.slot], layers))[0]

    return Odds(
        {total: chance(total, exact=False) for total in goals},
        {total: chance(total, exact=True) for total in goals},
    )


def _prepare(source: Position | Edition | str, totals: Sequence[int] | None) -> tuple[Turn, list[int]]:
    position = source if isinstance(source, Position) else Position.start(source)
    return Turn(position, with_givers=False), list(position.edition.values if totals is None else totals)


def _payoff(turn: Turn, goal: int, exact: bool) -> NDArray[np.intp]:
    """1 for the stops that reach the goal, in an array over the slots."""
    tables: TurnTables = turn.tables
    shape = (tables.flags, 2, tables.max_total + 1)
    _, worm, total = np.indices(shape)
    if turn.position.has_can:  # D9.1: five more and a worm, where no die shows one
        total, worm = total + (1 - worm) * turn.position.edition.pips[WORM], np.ones(shape, dtype=np.intp)
    reached: NDArray[np.intp] = worm * (total == goal if exact else total >= goal)
    return reached.reshape(-1)


class _Floats:
    """A `Look` whose values are arrays over the goals."""

    def __init__(self, stops: NDArray[np.float64], layers: Sequence[Solved]) -> None:
        self.stops, self.layers = stops, layers

    def best(self, values: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        best: NDArray[np.float64] = np.max(values, axis=0)
        return best

    def stop(self, claim: Claim | None, state: int, lane: int) -> NDArray[np.float64]:
        stop: NDArray[np.float64] = self.stops[state]  # whatever is claimed, the total is the total
        return stop

    def bust(self, state: int, lane: int) -> NDArray[np.float64]:
        return np.zeros(self.stops.shape[1])

    def value(self, used: bool, state: int, lane: int) -> NDArray[np.float64]:
        value: NDArray[np.float64] = self.layers[-1 if used else 0].value[state].astype(np.float64)
        return value

    def roll(self, used: bool, state: int, lane: int) -> NDArray[np.float64]:
        roll: NDArray[np.float64] = self.layers[-1 if used else 0].roll[state].astype(np.float64)
        return roll


class _Fractions:
    """A `Look` at one goal in exact numbers."""

    def __init__(self, stops: Sequence[int], layers: Sequence[ExactSolved]) -> None:
        self.stops, self.layers = stops, layers

    def best(self, values: Sequence[Fraction]) -> Fraction:
        return max(values)

    def stop(self, claim: Claim | None, state: int, lane: int) -> Fraction:
        return Fraction(self.stops[state])

    def bust(self, state: int, lane: int) -> Fraction:
        return Fraction(0)

    def value(self, used: bool, state: int, lane: int) -> Fraction:
        return self.layers[-1 if used else 0].value_of(state)

    def roll(self, used: bool, state: int, lane: int) -> Fraction:
        return self.layers[-1 if used else 0].roll_of(state)
