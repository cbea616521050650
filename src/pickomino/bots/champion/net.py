"""The learned estimate in NumPy: features of a table between two turns in, every seat's probability to win out."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.champion.table import Table
from pickomino.rules import Edition, PickominoError

__all__ = ["WinNet", "card", "has_weights", "load_net"]

_SCALARS: Final = 3  # per seat: worms, highest tile, number of tiles; as in pickomino.training.features
_AT_ONCE: Final = 8192  # tables per pass: larger ones leave the cache


class WinNet:
    """A multilayer perceptron with residual middle layers."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        count = len(arrays) // 2
        self._layers = [
            (arrays[f"weight{index}"].astype(np.float32), arrays[f"bias{index}"].astype(np.float32))
            for index in range(count)
        ]

    def shares(self, table: Table) -> NDArray[np.float32]:
        """(tables, seats), the seat to act first; exact where the game is over."""
        result = np.empty((len(table), table.seats), dtype=np.float32)
        for first in range(0, len(table), _AT_ONCE):
            part = table[first : first + _AT_ONCE]
            result[first : first + _AT_ONCE] = self.shares_of(encode(part))
        over = table.over
        if over.any():
            result[over] = table[over].final_shares()
        return result

    def shares_of(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        """The estimate for features as `encode` makes them."""
        (weight, bias), *middle, (last, last_bias) = self._layers
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


def _name(edition: Edition, seats: int) -> str:
    """Weights by what they were learned for. Switches change little of what a table is worth, so that the
    classic weights serve there too; specialists change everything."""
    return f"{'specialists' if edition.specialists else 'classic'}-{seats}"


def has_weights(edition: Edition, seats: int) -> bool:
    """Whether there is a learned estimate for an edition; its tiles must be those of the weights."""
    return (
        len(edition.tiles) == _TILES
        and (files(__package__) / "weights" / f"{_name(edition, seats)}.npz").is_file()
    )


_TILES: Final = 16  # the classic tile table, which the weights were learned for


@cache
def load_net(edition: Edition, seats: int) -> WinNet:
    """The net for an edition and a number of seats."""
    if not has_weights(edition, seats):
        raise PickominoError(f"no learned estimate for {edition.key} with {seats} seats")
    path = files(__package__) / "weights" / f"{_name(edition, seats)}.npz"
    with path.open("rb") as file, np.load(file) as arrays:
        return WinNet(dict(arrays))


def card(edition: Edition, seats: int) -> dict[str, Any]:
    """Where the weights come from: data, seed, figures."""
    path = files(__package__) / "weights" / f"{_name(edition, seats)}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
