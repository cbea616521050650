"""Hints: what the analysis thinks of each move, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pickomino.protocol.bodies import Advice, HintValue
from pickomino.rules import Position
from pickomino.server.errors import refusing

DIGITS: Final = 1
"""Decimals of the chances that the page writes on the choices: costs in the sentences are their differences."""


def advise(version: int, position: Position, names: Sequence[str], language: str) -> Advice:
    """Every legal move with its value, best first, and the reasons; none while dice are due."""
    # Only here: the analysis brings the champion, and a server that nobody asks for hints does without.
    from pickomino.analysis import advice

    with refusing("unavailable"):
        found = advice.advise(position)
    values = [HintValue(str(one.move), round(one.value, 6)) for one in found.ranked]
    return Advice(version, found.goal, str(position), values, found.sentences(names, language, DIGITS))
