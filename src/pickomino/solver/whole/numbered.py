"""What the work on values needs to know of a game's positions, however they are found and stored."""

from __future__ import annotations

from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.rules import Edition, Position

__all__ = ["Floats", "Group", "Index", "Numbered", "Rows", "final_values"]

Floats: TypeAlias = NDArray[np.float64]
Index: TypeAlias = NDArray[np.int32]
Rows: TypeAlias = "slice | NDArray[np.intp]"


class Group(NamedTuple):
    """The positions with one number of face-down tiles and one of tiles in stacks: a slice of all of them.

    In a game with specialists, those of one level.
    """

    face_down: int
    stacked: int
    first: int
    last: int

    @property
    def rows(self) -> slice:
        return slice(self.first, self.last)


class Numbered(Protocol):
    """Turn starts as numbers, seen from the seat to act.

    ``count`` is how many there are; the numbers ``count + winners`` stand for finished games, where bit j of
    ``winners`` is the seat j places behind the one whose turn it would be.
    """

    edition: Edition
    tiles: tuple[int, ...]
    players: int
    count: int

    @property
    def start(self) -> int:
        """Where the game begins."""

    @property
    def levels(self) -> tuple[tuple[Group, ...], ...]:
        """Turns never lead from a level to a later one: the order in which they can be solved."""

    def successors(self, rows: Rows) -> Index:
        """Where every end of a turn leads, one row a position.

        ``count``, a finished game without winners, marks an end that the position does not have.
        """

    def number(self, position: Position) -> int:
        """The number of a position at a turn start or within a turn, whichever seat is to act."""

    def position(self, number: int, seat: int = 0) -> Position:
        """The position of that number, at the start of the turn of that seat."""


def final_values(players: int) -> Floats:
    """What the numbers from ``count`` on are worth: one divided by the number of winners."""
    winners = np.arange(2**players)[:, None] >> np.arange(players) & 1
    values: Floats = winners / np.maximum(winners.sum(axis=1, keepdims=True), 1)
    return values
