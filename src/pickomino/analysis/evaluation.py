"""``evaluate(position, objective)``: the one judgement of a position behind advice, hints and bots."""

from __future__ import annotations

from pickomino.analysis.objectives import find_objective
from pickomino.rules import Position
from pickomino.solver import MoveValues, Objective, move_values


def evaluate(position: Position, objective: Objective | str = "worms") -> MoveValues:
    """What a position is worth to the seat to act, each of its moves in text order, and the best of them.

    Ties go to the first move in text order. Where dice are due there is a value, but no move and no best.

    >>> from pickomino import parse_position
    >>> evaluate(parse_position("pkp1 classic 21-36 -/- A -:1333445W"))
    <MoveValues 1.3847, best k4 of 5 moves>
    """
    return move_values(position, find_objective(objective) if isinstance(objective, str) else objective)
