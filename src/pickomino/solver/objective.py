"""What a turn is played for: objectives, and what a position and its moves are worth under one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Protocol

from pickomino.rules import InvalidPositionError, Phase, Position, Steal
from pickomino.rules.specialists import APPLE_WORMS
from pickomino.solver.ending import Ending, after
from pickomino.solver.point import at_start, in_turn
from pickomino.solver.position import MoveValues, TurnSolution, TurnSolver, first_best


class Objective(Protocol):
    """Values the ends of a turn, from the point of view of the seat whose turn it is. Hashable."""

    def __str__(self) -> str:
        """The text that `pickomino.find_objective` takes."""

    def __hash__(self) -> int: ...

    def payoff(self, position: Position, endings: Sequence[Ending]) -> Sequence[float]:
        """The value of every ending of the turn."""

    def choice(self, position: Position, end: Position) -> float:
        """After the claim, at ``^`` or ``<``: the value of a choice that leads to ``end``."""


@dataclass(frozen=True, slots=True)
class Worms:
    """Worms gained in a turn; a bust costs ``loss`` times what it loses, a steal counts 1 + ``steal`` times.

    Gained and lost is what a seat has: worms on its tiles, ``round`` for each of its round worms, and what its
    specialist is worth by name. As they stand the values are those of the score (R5.2, D13.2), so the hen that
    protects a tile makes a bust free of charge (D12.1), and stealing only the hen gains nothing (D10.3).
    """

    loss: float = 1.0
    steal: float = 0.0
    round: float = 1.0
    apple: float = float(APPLE_WORMS)
    can: float = 0.0
    gold: float = 0.0
    hen: float = 0.0
    weasel: float = 0.0

    def __str__(self) -> str:
        return f"worms:{self.options}"

    @property
    def options(self) -> str:
        """``loss=1,steal=0``, and what else is not as it stands above."""
        told = [
            field.name
            for field in fields(self)
            if field.name in ("loss", "steal") or getattr(self, field.name) != field.default
        ]
        return ",".join(f"{name}={getattr(self, name):g}" for name in told)

    def payoff(self, position: Position, endings: Sequence[Ending]) -> list[float]:
        return [self._value(position, ending) for ending in endings]

    def _value(self, position: Position, ending: Ending) -> float:
        factor = 1.0
        if ending.claim is None:
            factor = self.loss
        elif isinstance(ending.claim, Steal):
            factor = 1 + self.steal
        earned = 0.0 if ending.giver is None else self.round  # D8.4: kept whatever becomes of the turn
        return earned + max(factor * (self.choice(position, end) - earned) for end in after(position, ending))

    def choice(self, position: Position, end: Position) -> float:
        return self._worth(end, position.seat) - self._worth(position, position.seat)

    def _worth(self, position: Position, seat: int) -> float:
        """What a seat has."""
        worth = float(sum(map(position.edition.worms.__getitem__, position.stacks[seat])))
        if position.specialists is None:
            return worth
        held: float = sum(getattr(self, name) for name in position.specialists.held[seat])
        return worth + self.round * position.specialists.round_worms[seat] + held


def move_values(position: Position, objective: Objective) -> MoveValues:
    """What a position is worth to the seat to act, and each of its moves, in this turn."""
    if position.over:
        raise InvalidPositionError(
            "{position!r}: the game is over, there is nothing to choose", position=str(position)
        )
    if in_turn(position):
        return _solution(_turn_of(position), objective).at(position)
    moves = {move: objective.choice(position, position.apply(move).position) for move in position.moves()}
    return MoveValues(max(moves.values()), first_best(moves), moves)


def _turn_of(position: Position) -> Position:
    """The point to solve a turn from: its beginning, so that all points of a turn share one solution.

    Once a round worm was earned (D8.4) it is the point itself: nothing shows where that worm came from.
    """
    earned = position.kept.count("1") >= 2 and position.phase is not Phase.GIVER
    return position if earned and position.specialists is not None else at_start(position)


@lru_cache(maxsize=16)
def _solution(position: Position, objective: Objective) -> TurnSolution:
    solver = TurnSolver(position)
    return solver.solve(objective.payoff(position, solver.endings))
