"""Hints: what the analysis thinks of each move."""

from __future__ import annotations

from typing import Final

from pickomino.protocol.bodies import Advice, HintValue
from pickomino.rules import PickominoError, Position
from pickomino.server.errors import Refused

OBJECTIVES: Final = ("win", "worms")
"""The chance to win where there is a learned estimate for the edition and the number of seats, else worms."""


def advise(version: int, position: Position) -> Advice:
    """Every legal move with its value, best first; none while dice are due."""
    # Only here: the analysis brings the champion, and a server that nobody asks for hints does without.
    from pickomino.analysis import evaluate

    reason = ""
    for objective in OBJECTIVES:
        try:
            found = evaluate(position, objective)
        except PickominoError as error:
            reason = str(error)
            continue
        values = [HintValue(str(move), round(float(value), 6)) for move, value in found.moves.items()]
        best = "" if found.best is None else str(found.best)
        values.sort(key=lambda item: (item.move != best, -item.value, item.move))
        return Advice(version, objective, str(position), values)
    raise Refused("unavailable", reason)
