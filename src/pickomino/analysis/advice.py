"""``advise(position)``: every seat's chance, every move with what it costs, and the reasons in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pickomino.analysis.model import Decision, Shares
from pickomino.analysis.reviewing import decide
from pickomino.analysis.sentences import best_sentence, second_sentence
from pickomino.analysis.values import Goal, goal_for, value_turns
from pickomino.analysis.words import Words
from pickomino.rules import InvalidPositionError, Move, Position

TIED = 1e-9
"""Values this close count as equal: rounding of the exact turn is far below, differences of the estimate far above."""


@dataclass(frozen=True, slots=True)
class RankedMove:
    """A move, and what it gives away against the best."""

    move: Move
    value: float
    cost: float
    tied: bool  # with the best, and not the best itself


def rank(values: Mapping[Move, float], best: Move) -> list[RankedMove]:
    """Best first; among equals in the order that they come in."""
    top = values[best]
    found = [
        RankedMove(move, value, max(top - value, 0.0), move != best and top - value <= TIED)
        for move, value in values.items()
    ]
    return sorted(found, key=lambda one: (one.move != best, not one.tied, -one.value))


@dataclass(frozen=True, slots=True)
class MoveAdvice:
    """What to do in a position. Where dice are due there is nothing to choose, and `decision` is None."""

    position: Position
    goal: Goal
    values: Shares  # every seat's, if the seat to act plays on best
    decision: Decision | None

    def __repr__(self) -> str:
        best = "dice are due" if self.decision is None else f"best {self.decision.best}"
        return f"<MoveAdvice {self.values[self.position.seat]:.5g}, {best}>"

    @property
    def ranked(self) -> list[RankedMove]:
        """Best first; among equals in text order."""
        if self.decision is None:
            return []
        return rank(self.decision.values, self.decision.best)

    def sentences(self, names: Sequence[str], language: str = "en", digits: int = 0) -> list[str]:
        """One for the best move, one for each that is as good, one for the tempting other if there is one.

        `digits`: the decimals of the percentages that are shown beside them, so that costs are their differences.
        """
        if self.decision is None:
            return []
        decision, words = self.decision, Words(names, language, self.goal, digits)
        equal = [one.move for one in self.ranked if one.tied]
        return [
            best_sentence(decision, words),
            *(words.tie(self.position, decision.best, move) for move in equal),
            *filter(None, [second_sentence(decision, words)]),
        ]


def advise(position: Position, objective: str = "win") -> MoveAdvice:
    """Advice for the seat to act: to win where something was learned, else for worms; or ``objective="worms"``."""
    if position.over:
        raise InvalidPositionError(
            "{position!r}: the game is over, there is nothing to choose", position=str(position)
        )
    goal = goal_for(position, objective)
    (turn,) = value_turns([position], goal)
    here = turn.at(position)
    decision = None if here.best is None else decide(position, here, turn)
    return MoveAdvice(position, goal, tuple(here.value.tolist()), decision)
