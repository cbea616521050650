"""Positions of every edition, for tests of everything that is shown."""

from __future__ import annotations

from collections.abc import Iterator

from pickomino import Position
from pickomino.rules import EDITIONS
from pickomino.testing import random_game

__all__ = ["KEYS", "all_positions"]

KEYS = (*EDITIONS, "classic+any-lower+fast+flip-empty+mandatory-steal+shared-ties")


def all_positions() -> Iterator[Position]:
    """Random games of every edition, with 2 to 7 seats in turn."""
    for index, key in enumerate(KEYS):
        yield from random_game(key, 2 + index, index).positions
