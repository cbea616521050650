"""The learned estimate in NumPy: features of a table between two turns in, every seat's probability to win out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.champion.table import Table
from pickomino.rules import Edition, PickominoError

__all__ = ["WinNet", "cards", "encode", "has_weights", "load_net"]

_SCALARS: Final = 3  # per seat: worms, highest tile, number of tiles; as in pickomino.training.features
_AT_ONCE: Final = 8192  # tables per pass: larger ones leave the cache
_TILES: Final = 16  # of the classic tile table, which the weights were learned for


class WinNet:
    """One or more multilayer perceptrons with residual middle layers; of several the mean counts."""

    def __init__(self, *weights: Mapping[str, NDArray[Any]]) -> None:
        self._nets = [
            [
                (arrays[f"weight{index}"].astype(np.float32), arrays[f"bias{index}"].astype(np.float32))
                for index in range(len(arrays) // 2)
            ]
            for arrays in weights
        ]

    def shares(self, table: Table) -> NDArray[np.float32]:
        """(tables, seats), the seat to act first; exact where the game is over."""
        result = np.empty((len(table), table.seats), dtype=np.float32)
        for first in range(0, len(table), _AT_ONCE):
            features = encode(table[first : first + _AT_ONCE])
            part = [_forward(layers, features) for layers in self._nets]
            result[first : first + _AT_ONCE] = np.mean(part, axis=0)
        over = table.over
        if over.any():
            result[over] = table[over].final_shares()
        return result


def _forward(
    layers: list[tuple[NDArray[np.float32], NDArray[np.float32]]], x: NDArray[np.float32]
) -> NDArray[np.float32]:
    (weight, bias), *middle, (last, last_bias) = layers
    x = x @ weight
    x += bias
    np.maximum(x, 0, out=x)
    for weight, bias in middle:
        step = x @ weight
        step += bias
        np.maximum(step, 0, out=step)
        x += step
    logits = x @ last + last_bias
    logits -= logits.max(axis=1, keepdims=True)
    odds = np.exp(logits)
    shares: NDArray[np.float32] = odds / odds.sum(axis=1, keepdims=True)
    return shares


def encode(table: Table) -> NDArray[np.float32]:
    """The features of `pickomino.training.features`, in the same order."""
    heights = table.heights
    count, seats, tiles = heights.shape
    owned = heights > 0
    height = heights.max(axis=2, keepdims=True)
    features = np.empty((count, tiles + seats * (3 * tiles + _SCALARS)), dtype=np.float32)
    features[:, :tiles] = table.grill
    per_seat = features[:, tiles:].reshape(count, seats, 3 * tiles + _SCALARS)
    per_seat[:, :, :tiles] = owned
    per_seat[:, :, tiles : 2 * tiles] = owned & (heights == height)
    per_seat[:, :, 2 * tiles : 3 * tiles] = owned & (heights == height - 1)
    per_seat[:, :, 3 * tiles] = (owned @ table.worms) / 10
    per_seat[:, :, 3 * tiles + 1] = (owned * np.arange(1, tiles + 1)).max(axis=2) / tiles
    per_seat[:, :, 3 * tiles + 2] = owned.sum(axis=2) / 8
    return features


def _files(edition: Edition, seats: int, ending: str) -> list[Traversable]:
    """Weights by what they were learned for: ``classic-2.npz``, ``classic-2-b.npz``, …

    Switches change little of what a table is worth, so the classic weights serve there too; another tile table
    or specialists change everything.
    """
    if edition.specialists or len(edition.tiles) != _TILES:
        return []
    folder = files(__package__) / "weights"
    names = (f"classic-{seats}{part}.{ending}" for part in ("", "-b", "-c"))
    return [file for file in map(folder.joinpath, names) if file.is_file()]


@cache
def has_weights(edition: Edition, seats: int) -> bool:
    """Whether there is a learned estimate for an edition and a number of seats."""
    return bool(_files(edition, seats, "npz"))


@cache
def load_net(edition: Edition, seats: int) -> WinNet:
    """The net for an edition and a number of seats."""
    weights = []
    for path in _files(edition, seats, "npz"):
        with path.open("rb") as file, np.load(file) as arrays:
            weights.append(dict(arrays))
    if not weights:
        raise PickominoError(f"no learned estimate for {edition.key} with {seats} seats")
    return WinNet(*weights)


def cards(edition: Edition, seats: int) -> list[dict[str, Any]]:
    """Where the weights come from: data, seed, figures; one card for each set that counts."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in _files(edition, seats, "json")]
