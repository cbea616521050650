"""The conformance kit: random games to test with, and checks that say what is wrong.

Everything that plays, stores, sends or simulates games can be run against it:

>>> from pickomino.testing import check_game, random_game
>>> game = random_game("deluxe", seats=3, seed=7)
>>> game.over
True
>>> check_game(game)  # silent when all is well

A failed check raises `ConformanceError`, an `AssertionError`, with the position and what was expected of it.
"""

from pickomino.testing.checks import (
    ConformanceError,
    assert_same_game,
    check_bot,
    check_game,
    check_position,
    check_refusals,
    check_step,
)
from pickomino.testing.games import (
    Chooser,
    Policy,
    all_moves,
    careful,
    has_text,
    mixed,
    random_game,
    random_positions,
    uniform,
)

__all__ = [
    "Chooser",
    "ConformanceError",
    "Policy",
    "all_moves",
    "assert_same_game",
    "careful",
    "check_bot",
    "check_game",
    "check_position",
    "check_refusals",
    "check_step",
    "has_text",
    "mixed",
    "random_game",
    "random_positions",
    "uniform",
]
