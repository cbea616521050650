"""Tables between two turns as arrays: what the nets look at. The seat to act comes first, the others in turn order.

A stack is kept as heights: 0 for a tile that is elsewhere, 1 for the bottom of the stack, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.packed import HELD, Packed, grill_mask, pack
from pickomino.rules import Edition, Position
from pickomino.tensor import Arrays, Batch, Rules

__all__ = ["Special", "Table", "in_turn_order"]


class Special(NamedTuple):
    """What tables have besides in editions with specialists."""

    place: NDArray[
        np.int8
    ]  # (tables, specialists): its tile, the number of tiles + its seat, or -1 if it left
    round_worms: NDArray[np.int8]  # (tables, seats)


@dataclass(frozen=True)
class Table:
    """A batch of tables."""

    edition: Edition
    grill: NDArray[np.bool_]  # (tables, tiles): face up
    heights: NDArray[np.int8]  # (tables, seats, tiles)
    special: Special | None = None

    def __len__(self) -> int:
        return len(self.grill)

    def __getitem__(self, index: Any) -> Table:
        special = None if self.special is None else Special(*(column[index] for column in self.special))
        return Table(self.edition, self.grill[index], self.heights[index], special)

    @property
    def seats(self) -> int:
        return int(self.heights.shape[1])

    @property
    def over(self) -> NDArray[np.bool_]:
        """R5.1."""
        return np.asarray(~self.grill.any(axis=1))

    @staticmethod
    def of(positions: Sequence[Position]) -> Table:
        """From positions between turns, all of one edition and number of seats; seat A first where all is over."""
        rows = pack(positions)
        return Table.packed(
            positions[0].edition, rows, np.where(rows["grill"] == 0, np.int8(0), rows["seat"])
        )

    @staticmethod
    def packed(edition: Edition, rows: Packed, first: NDArray[np.int8]) -> Table:
        """From packed positions of one number of seats; `first` is the seat to put first in each."""
        seats, tiles = int(rows["seats"][0]), len(edition.tiles)
        heights = _heights(in_turn_order(rows["top"], first, seats), rows["below"], tiles)
        special = None
        if edition.specialists:
            place = rows["place"]
            held = tiles + (place - HELD - first[:, None]) % seats
            round_worms = in_turn_order(rows["round_worms"], first, seats)
            special = Special(np.where(place < HELD, place, held), round_worms)
        return Table(edition, grill_mask(rows, tiles), heights, special)

    @property
    def batch(self) -> Batch:
        """The same as the trainer's code has it."""
        size, rules = len(self), _rules(self.edition, self.seats)
        place, round_worms = self.special or (
            np.empty((size, 0), dtype=np.int8),
            np.zeros((size, self.seats), dtype=np.int8),
        )
        switches = np.broadcast_to(rules.switches, (size, rules.switches.shape[1]))
        return Batch(rules, self.grill, self.heights, place, round_worms, switches)

    def final_shares(self) -> NDArray[np.float32]:
        """Every seat's share of the win if the game ended now (R5.2, R5.3): (tables, seats)."""
        shares: NDArray[np.float32] = self.batch.tally().shares
        return shares


@cache
def _rules(edition: Edition, seats: int) -> Rules:
    return Rules(edition, seats, Arrays())


def in_turn_order(by_seat: NDArray[np.int8], first: NDArray[np.int8], seats: int) -> NDArray[np.int8]:
    """What every seat has (rows, places), from the first seat of each row on: (rows, seats)."""
    return np.take_along_axis(by_seat, (first[:, None] + np.arange(seats)) % seats, axis=1)


def _heights(tops: NDArray[np.int8], below: NDArray[np.int8], tiles: int) -> NDArray[np.int8]:
    """Stacks from linked lists, all of them a tile at a time."""
    from_top = np.zeros((*tops.shape, tiles), dtype=np.int8)
    row, seat = np.nonzero(tops >= 0)
    tile = tops[row, seat]
    depth = 0
    while len(tile):
        depth += 1
        from_top[row, seat, tile] = depth
        tile = below[row, tile]
        more = tile >= 0
        row, seat, tile = row[more], seat[more], tile[more]
    height = from_top.max(axis=2, keepdims=True)
    return np.where(from_top > 0, height - from_top + np.int8(1), np.int8(0))
