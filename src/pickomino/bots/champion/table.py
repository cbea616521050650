"""Tables between two turns as arrays: what the net looks at. The seat to act comes first, the others in turn order.

A stack is kept as heights: 0 for a tile that is elsewhere, 1 for the bottom of the stack, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pickomino.rules import Edition, Position

__all__ = ["Table"]


@dataclass(frozen=True)
class Table:
    """A batch of tables."""

    edition: Edition
    grill: NDArray[np.bool_]  # (tables, tiles): face up
    heights: NDArray[np.int8]  # (tables, seats, tiles)

    def __len__(self) -> int:
        return len(self.grill)

    def __getitem__(self, index: Any) -> Table:
        return Table(self.edition, self.grill[index], self.heights[index])

    @property
    def seats(self) -> int:
        return int(self.heights.shape[1])

    @property
    def worms(self) -> NDArray[np.float32]:
        return _worms(self.edition)

    @property
    def over(self) -> NDArray[np.bool_]:
        """R5.1."""
        return np.asarray(~self.grill.any(axis=1))

    @staticmethod
    def of(positions: Sequence[Position], first: int | None = None) -> Table:
        """From positions between turns, all of one edition and number of seats.

        `first` is the seat to put first; without it the one to act.
        """
        edition, seats = positions[0].edition, len(positions[0].stacks)
        index = {value: place for place, value in enumerate(edition.values)}
        grill = np.zeros((len(positions), len(index)), dtype=np.bool_)
        heights = np.zeros((len(positions), seats, len(index)), dtype=np.int8)
        for row, position in enumerate(positions):
            grill[row, [index[tile] for tile in position.grill]] = True
            begin = position.seat if first is None else first
            for seat, stack in enumerate(position.stacks):
                for height, tile in enumerate(stack, 1):
                    heights[row, (seat - begin) % seats, index[tile]] = height
        return Table(edition, grill, heights)

    def final_shares(self) -> NDArray[np.float32]:
        """Every seat's share of the win if the game ended now (R5.2, R5.3): (tables, seats)."""
        owned = self.heights > 0
        key = owned @ self.worms
        if self.edition.tie_break != "shared":
            tiles = owned.shape[2]
            key = key * (tiles + 1) + (owned * np.arange(1, tiles + 1)).max(axis=2)
        best = (key == key.max(axis=1, keepdims=True)).astype(np.float32)
        shares: NDArray[np.float32] = best / best.sum(axis=1, keepdims=True)
        return shares


@cache
def _worms(edition: Edition) -> NDArray[np.float32]:
    return np.array([worms for _, worms in edition.tiles], dtype=np.float32)
