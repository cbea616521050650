"""The rest of a turn by brute force over the rules engine: slow, plain, without the solver's tables."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction

from pickomino.rules import Move, Phase, Position, Steal, Take
from pickomino.rules.events import Busted, GameOver, GotRoundWorm, TurnStarted
from pickomino.solver import SUPPLY, Ending

Value = Callable[[Position], int]


def some_value(end: Position) -> int:
    """A value that depends on every detail of a position, and on nothing else."""
    details = (end.grill, end.stacks, end.seat, end.phase.value, end.kept, repr(end.specialists))
    return zlib.crc32(repr(details).encode()) % 1000


class Brute:
    """Best play for the seat to act, which values the position after its turn by `value`."""

    def __init__(self, value: Value) -> None:
        self.value = value
        self.known: dict[Position, Fraction] = {}

    def worth(self, position: Position) -> Fraction:
        if position not in self.known:
            self.known[position] = self._worth(position)
        return self.known[position]

    def _worth(self, position: Position) -> Fraction:
        if position.phase is Phase.ROLL:
            rolls = position.rolls()
            total = sum(weight * self.after(position, roll) for roll, weight in rolls.items())
            return Fraction(total) / sum(rolls.values())
        return max(self.moves(position).values())

    def moves(self, position: Position) -> dict[Move, Fraction]:
        return {move: self.after(position, move) for move in position.moves()}

    def after(self, position: Position, ply: object) -> Fraction:
        end, events = position.apply(ply)  # type: ignore[arg-type]  # a roll or a move that the position listed
        if isinstance(events[-1], TurnStarted | GameOver) if events else False:
            return Fraction(self.value(end))
        return self.worth(end)


def follow(position: Position, choose: Callable[[Position], Move]) -> dict[Ending, float]:
    """How often the turn ends in which way when ``choose`` plays it."""
    found: dict[Ending, float] = defaultdict(float)

    def walk(position: Position, prob: float, giver: int | None) -> None:
        if position.phase is Phase.ROLL:
            rolls = position.rolls()
            total = sum(rolls.values())
            for roll, weight in rolls.items():
                step(position, roll, prob * weight / total, giver)
        else:
            step(position, choose(position), prob, giver)

    def step(position: Position, ply: object, prob: float, giver: int | None) -> None:
        if isinstance(ply, Take | Steal):
            found[Ending(ply, giver)] += prob
            return
        end, events = position.apply(ply)  # type: ignore[arg-type]
        for event in events:
            if isinstance(event, GotRoundWorm):
                giver = SUPPLY if event.giver is None else event.giver
            if isinstance(event, Busted):
                found[Ending(None, giver)] += prob
                return
        walk(end, prob, giver)

    walk(position, 1.0, None)
    return dict(found)
