"""What a net sees of a table: the features of `pickomino.training.features`, in the same order; tests compare."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.champion.table import Special, Table, tile_worms
from pickomino.rules import Edition
from pickomino.rules.edition import SWITCHES

__all__ = ["encode", "switch_bits"]

_DEPTHS: Final = (1, 2, 3)  # top, second, third
_ROUND: Final = 16  # rows are filled with zeros to a multiple of this


def switch_bits(edition: Edition) -> list[bool]:
    """The switches of an edition in the order of `SWITCHES`."""
    return [
        all(getattr(edition, name) == value for name, value in changes.items())
        for changes in SWITCHES.values()
    ]


def encode(table: Table, *, switches: bool = False) -> NDArray[np.float32]:
    """(tables, features); `switches`: with those of the edition, for nets that were learned with any of them.

    First what is or is not: the grill, what else belongs to nobody, then for every seat its tiles, those on top,
    second and third. Then numbers in the same order.
    """
    common: list[NDArray[np.bool_]] = [table.grill]
    worms: NDArray[np.float32] = table.grill.astype(np.float32) @ tile_worms(table.edition)
    numbers = [worms[:, None] / np.float32(10)]
    if table.special is not None:
        _add_common(table.special, table.edition, common, numbers)
    elif switches:
        common.append(np.broadcast_to(switch_bits(table.edition), (len(table), len(SWITCHES))))
    marks, seat_numbers = _seat_marks(table), _seat_numbers(table)
    parts = [*common, marks.reshape(len(table), -1), *numbers, seat_numbers.reshape(len(table), -1)]
    width = sum(part.shape[1] for part in parts)
    features = np.empty((len(table), width + -width % _ROUND), dtype=np.float32)
    features[:, width:] = 0
    at = 0
    for part in parts:
        features[:, at : at + part.shape[1]] = part
        at += part.shape[1]
    return features


def _add_common(
    special: Special, edition: Edition, marks: list[NDArray[np.bool_]], numbers: list[NDArray[np.float32]]
) -> None:
    """Where the specialists stand and who left, whether and how many round worms are left."""
    place, tiles = special.place, np.arange(len(edition.tiles), dtype=np.int8)
    supply = edition.round_worms - special.round_worms.sum(axis=1, keepdims=True, dtype=np.float32)
    marks += [(place[:, :, None] == tiles).reshape(len(place), -1), place < 0, supply == 0]
    numbers.append(supply / 7)


def _seat_marks(table: Table) -> NDArray[np.bool_]:
    """(tables, seats, marks): tiles, those of the first depths, specialists."""
    heights, owned = table.heights, table.owned
    depth = heights.max(axis=2, keepdims=True) + np.int8(1) - heights
    parts = [owned, *(owned & (depth == place) for place in _DEPTHS)]
    if table.special is not None:
        seat = len(table.edition.tiles) + np.arange(table.seats, dtype=np.int8)
        parts.append(table.special.place[:, None, :] == seat[:, None])
    return np.concatenate(parts, axis=2)


def _seat_numbers(table: Table) -> NDArray[np.float32]:
    """(tables, seats, numbers): one over the depth of each tile, worms, lead, share of the win, tiles, round worms."""
    tiles, scores = len(table.edition.tiles), table.scores
    numbers = np.zeros((len(table), table.seats, tiles + 5 + (table.special is not None)), dtype=np.float32)
    depth = table.heights.max(axis=2, keepdims=True) + np.float32(1) - table.heights
    np.divide(1, depth, out=numbers[:, :, :tiles], where=table.owned)
    numbers[:, :, tiles] = scores / 10
    numbers[:, :, tiles + 1] = _lead(scores) / 10
    numbers[:, :, tiles + 2] = table.final_shares()
    numbers[:, :, tiles + 3] = table.highest / np.float32(tiles)
    numbers[:, :, tiles + 4] = table.owned.sum(axis=2, dtype=np.float32) / 8
    if table.special is not None:
        numbers[:, :, tiles + 5] = table.special.round_worms / np.float32(7)
    return numbers


def _lead(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each seat's score less the best of the others'."""
    second, best = np.partition(scores, -2, axis=1)[:, -2:, None].swapaxes(0, 1)
    lead: NDArray[np.float32] = scores - np.where(scores == best, second, best)
    return lead
