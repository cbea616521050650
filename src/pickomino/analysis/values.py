"""What every point of a turn is worth to every seat, and how the turn is likely to end from there.

Between turns a position is valued by an objective: ``win`` by the champion's estimate of every seat's chance to win,
``worms`` by the worms that every seat has. Inside the turn nothing is guessed: the seat to act plays it best by these
values, exactly. Each end of a turn is valued once, and that number is used wherever the end is met.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.analysis.turn_shares import Columns, TurnShares
from pickomino.rules import Move, PickominoError, Position, Roll
from pickomino.solver import TurnSolver, after
from pickomino.solver.point import Claim, in_turn

Goal: TypeAlias = Literal["win", "worms"]
GOALS: Final[tuple[Goal, ...]] = ("win", "worms")


def goal_for(position: Position, objective: str = "win") -> Goal:
    """The goal to judge a game by: ``win`` becomes ``worms`` where nothing was learned for edition and seats."""
    for goal in GOALS:
        if goal == objective:
            if goal == "win":
                from pickomino.bots.champion.net import has_weights  # who counts worms loads no champion

                return "win" if has_weights(position.edition, len(position.stacks)) else "worms"
            return goal
    raise PickominoError(f"objective {objective!r}: expected {' or '.join(GOALS)}")


def _between(positions: Sequence[Position], goal: Goal) -> NDArray[np.float64]:
    """Positions between two turns or over: (positions, seats)."""
    if goal == "worms":
        return np.array([position.scores for position in positions], dtype=np.float64)
    from pickomino.bots.champion.win import estimate

    values = estimate(positions, far=True)
    for index, position in enumerate(positions):
        if position.outcome is not None:
            values[index] = position.outcome.shares  # in full precision
    return values


class PointValues(NamedTuple):
    """A point of a turn: what it is worth to every seat, the best move, and the columns of each legal move."""

    value: NDArray[np.float64]
    best: Move | None  # None where dice are due, and at the end of the turn
    moves: dict[Move, Columns]  # in text order


class TurnValues:
    """The turn of a position, solved. Columns: first every seat's value, then the chance of every way it may end."""

    def __init__(
        self,
        position: Position,
        ends: Sequence[tuple[Position, ...]],
        values: Mapping[Position, Columns],
        *,
        odds: bool = True,
    ) -> None:
        """`odds`: whether anybody will ask for the chances."""
        self.start = position
        self.seats = len(position.stacks)
        self.ends = {end: values[end] for choices in ends for end in choices}
        self.claims: tuple[Claim | None, ...] = ()
        self._turn: TurnShares | None = None
        if in_turn(position):
            solver = _solver(position)
            self.claims = tuple(dict.fromkeys(ending.claim for ending in solver.endings))
            which = [self.claims.index(ending.claim) for ending in solver.endings]
            best = np.array([self._choose([self.ends[end] for end in choices]) for choices in ends])
            chances = np.eye(len(self.claims))[which]
            columns = np.concatenate([best, chances], axis=1) if odds else best
            self._turn = TurnShares(solver, columns, position.seat)

    def _choose(self, choices: Iterable[Columns]) -> Columns:
        """Of the choices after a claim the first that is best for the seat whose turn it was."""
        return max(choices, key=lambda columns: float(columns[self.start.seat]))

    def at(self, position: Position) -> PointValues:
        """A point of this turn, or one of its ends; at an end there is no move."""
        if position in self.ends:
            return PointValues(self.ends[position], None, {})
        if self._turn is not None and in_turn(position):
            value, columns = self._turn.at(position)
        else:
            columns = {move: self.ends[position.apply(move).position] for move in position.moves()}
            value = self._choose(columns.values())
        best = next((move for move, column in columns.items() if column is value), None)
        return PointValues(value[: self.seats], best, columns)

    def spread(self, position: Position) -> NDArray[np.float64]:
        """Where dice are due: the variance of every seat's luck in this roll."""
        if self._turn is None:
            raise ValueError(f"{str(position)!r}: the claim is made, no dice are due")
        prob, columns = self._turn.outcomes(position)
        values = columns[:, : self.seats]
        spread: NDArray[np.float64] = prob @ (values - prob @ values) ** 2
        return spread


@lru_cache(maxsize=256)
def _solver(position: Position) -> TurnSolver:
    return TurnSolver(position)


def _ends(position: Position) -> list[tuple[Position, ...]]:
    """The positions after every ending of the turn, or after every choice where the claim is made."""
    if not in_turn(position):
        return [(position.apply(move).position,) for move in position.moves()]
    return [after(position, ending) for ending in _solver(position).endings]


def value_turns(
    positions: Sequence[Position], goal: Goal, *, deep: bool = False, odds: bool = True
) -> list[TurnValues]:
    """The turns that begin at these positions of one edition and number of seats; all their ends valued at once.

    `deep`: an end is worth what the next turn, solved exactly, makes of the net's values of its own ends. Worms are
    counted as they lie, so that there is nothing deeper.
    """
    ends = [_ends(position) for position in positions]
    flat = list(dict.fromkeys(end for turn in ends for choices in turn for end in choices))
    values = dict(zip(flat, _between(flat, goal), strict=True)) if flat else {}
    if deep and goal == "win":
        going = [end for end in flat if not end.over]
        found = value_turns(going, goal, odds=False) if going else []
        values |= {end: turn.at(end).value for end, turn in zip(going, found, strict=True)}
    return [
        TurnValues(position, turn, values, odds=odds) for position, turn in zip(positions, ends, strict=True)
    ]


def luck(position: Position, roll: Roll, objective: str = "win") -> tuple[float, ...]:
    """The luck of a roll for every seat: its value after the dice minus the exact expectation before them.

    Over the rolls of `Position.rolls`, by their weights, it has mean zero, whatever the values are.
    """
    turn = _turn_from(position, goal_for(position, objective))
    found = turn.at(position.apply(roll).position).value - turn.at(position).value
    return tuple(found.tolist())


@lru_cache(maxsize=64)
def _turn_from(position: Position, goal: Goal) -> TurnValues:
    return value_turns([position], goal)[0]
