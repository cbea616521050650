"""``evaluate(position, objective)``: the one judgement of a position behind advice, hints and bots."""

from __future__ import annotations

from collections.abc import Mapping

from pickomino.rules import Position
from pickomino.solver import OBJECTIVES, MoveValues, Objective, find_objective, move_values

__all__ = ["evaluate"]


def _win(_: Mapping[str, float]) -> Objective:
    from pickomino.bots.champion import Win  # the weights are loaded only for those who ask

    return Win()


OBJECTIVES.setdefault("win", (_win, ()))


def evaluate(position: Position, objective: Objective | str = "worms") -> MoveValues:
    """What a position is worth to the seat to act, each of its moves in text order, and the best of them.

    Ties go to the first move in text order. Where dice are due there is a value, but no move and no best.

    >>> from pickomino import parse_position
    >>> found = evaluate(parse_position("pkp1 classic 21-36 -/- A -:1333445W"))
    >>> str(found.best), round(found.value, 8)
    ('k4', 1.38470529)
    """
    return move_values(position, find_objective(objective) if isinstance(objective, str) else objective)
