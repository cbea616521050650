"""What a bot is: anything with `choose`."""

from __future__ import annotations

import random
from typing import Protocol, runtime_checkable

from pickomino.rules import Move, Position

__all__ = ["Bot"]


@runtime_checkable
class Bot(Protocol):
    """Chooses one of ``position.moves()``; all its randomness comes from `rng`, so that a seed fixes the game."""

    def choose(self, position: Position, rng: random.Random) -> Move:
        """A legal move of a position where a seat is to act."""
        ...
