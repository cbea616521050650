"""Positions as a batch: what a net at the table looks at."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.packed import HELD, Packed, grill_mask, pack
from pickomino.rules import Edition, Position
from pickomino.tensor.arrays import Arrays
from pickomino.tensor.batch import Batch
from pickomino.tensor.rules import Rules


def batch_of(positions: Sequence[Position]) -> Batch:
    """Positions between turns, all of one edition and number of seats; seat A is first where all is over."""
    rows = pack(positions)
    first = np.where(rows["grill"] == 0, np.int8(0), rows["seat"])
    return packed_batch(positions[0].edition, rows, first)


def packed_batch(edition: Edition, rows: Packed, first: NDArray[np.int8]) -> Batch:
    """Packed positions of one number of seats; `first` is the seat to put first in each."""
    rules = _rules(edition, int(rows["seats"][0]))
    seats, tiles = rules.seats, rules.tiles
    place = rows["place"][:, : rules.specialists]
    held = tiles + (place - HELD - first[:, None]) % seats
    return Batch(
        rules,
        grill_mask(rows, tiles),
        _heights(_in_turn_order(rows["top"], first, seats), rows["below"], tiles),
        np.where(place < HELD, place, held),
        _in_turn_order(rows["round_worms"], first, seats),
        np.broadcast_to(rules.switches, (len(rows), rules.switches.shape[1])),
    )


@lru_cache(maxsize=256)  # house editions come and go
def _rules(edition: Edition, seats: int) -> Rules:
    return Rules(edition, seats, Arrays())


def _in_turn_order(by_seat: NDArray[np.int8], first: NDArray[np.int8], seats: int) -> NDArray[np.int8]:
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
