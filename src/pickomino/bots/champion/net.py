"""The learned estimate in NumPy: features of a game between two turns in, every seat's probability to win out."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.switches import switch_bits
from pickomino.rules import EDITIONS, Edition, PickominoError
from pickomino.rules.edition import SWITCHES
from pickomino.tensor import Array, Arrays, Batch, encode

_AT_ONCE: Final = 2048  # games per pass: larger ones leave the cache
_MANY: Final = 256  # games that are worth the compiled layers, where numba is loaded already
WEIGHTS: Final = Path(__file__).parent / "weights"
_PARTS: Final = ("", "-b", "-c")  # several nets for one key: ``classic-2.npz``, ``classic-2-b.npz``, …


class WinNet:
    """One or more multilayer perceptrons with residual middle layers; of several the mean counts.

    `family`: what they were learned for, and so what they see: ``classic``, ``switches`` or ``deluxe``.
    """

    def __init__(self, family: str, *weights: Mapping[str, NDArray[Any]]) -> None:
        self.family = family
        self._nets = [
            [
                (_floats(arrays[f"weight{index}"]), _floats(arrays[f"bias{index}"]))
                for index in range(len(arrays) // 2)
            ]
            for arrays in weights
        ]

    def shares(self, batch: Batch) -> NDArray[np.float32]:
        """(batch, seats), the seat to act first; exact where the game is over."""
        over = batch.over
        if over.any():
            shares: NDArray[np.float32] = batch.tally().shares.astype(np.float32)
            shares[~over] = self._estimate(batch[~over])
            return shares
        return self._estimate(batch)

    def _estimate(self, batch: Batch) -> NDArray[np.float32]:
        result = np.empty((len(batch), batch.rules.seats), dtype=np.float32)
        for first in range(0, len(batch), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            features = encode(batch[part], switches=self.family == "switches")
            result[part] = np.mean([_forward(layers, features) for layers in self._nets], axis=0)
        return result


def _floats(array: NDArray[Any]) -> NDArray[np.float32]:
    return np.ascontiguousarray(array, dtype=np.float32)


def _forward(
    layers: list[tuple[NDArray[np.float32], NDArray[np.float32]]], x: NDArray[np.float32]
) -> NDArray[np.float32]:
    first, *middle, (last, last_bias) = layers
    x = _rectified(x, *first, adds=False)
    for layer in middle:
        x = _rectified(x, *layer, adds=True)
    logits = x @ last + last_bias
    logits -= logits.max(axis=1, keepdims=True)
    odds = np.exp(logits)
    shares: NDArray[np.float32] = odds / odds.sum(axis=1, keepdims=True)
    return shares


def _rectified(
    x: NDArray[np.float32], weight: NDArray[np.float32], bias: NDArray[np.float32], *, adds: bool
) -> NDArray[np.float32]:
    """``max(0, x @ weight + bias)``, in a residual layer (`adds`) with x added."""
    if len(x) >= _MANY and "numba" in sys.modules:
        from pickomino.bots.champion.sparse import rectified

        out = np.empty((len(x), len(bias)), dtype=np.float32)
        rectified(x, weight, bias, adds, out)
        return out
    used = np.flatnonzero(x.any(axis=0))
    if 2 * len(used) < len(weight):  # in games that are alike, as the ends of a turn, few units count
        out = x.take(used, axis=1) @ weight.take(used, axis=0)
    else:
        out = x @ weight
    out += bias
    np.maximum(out, 0, out=out)
    if adds:
        out += x
    return out


def _but_for_switches(edition: Edition, printed: Edition) -> bool:
    """Whether two editions are the same in all but switches and name."""
    switches = {part: getattr(printed, part) for changes in SWITCHES.values() for part in changes}
    return replace(edition, key=printed.key, name="", **switches) == printed


def families(edition: Edition) -> tuple[str, ...]:
    """The families of weights that serve an edition, the best first; none for other tiles, dice or specialists."""
    if any(_but_for_switches(edition, EDITIONS[key]) for key in ("deluxe", "extrawurm")):
        return ("deluxe",)
    if not _but_for_switches(edition, EDITIONS["classic"]):
        return ()
    return ("switches",) if any(switch_bits(edition)) else ("classic", "switches")


def learned(edition: Edition) -> bool:
    """Whether the nets that serve an edition were learned in it: not so with switches in deluxe."""
    named = families(edition)
    if named != ("deluxe",):
        return bool(named)
    return switch_bits(edition) == switch_bits(EDITIONS["deluxe"])


def _files(family: str, seats: int, suffix: str, folder: Path) -> list[Path]:
    names = (f"{family}-{seats}{part}.{suffix}" for part in _PARTS)
    return [file for file in map(folder.joinpath, names) if file.is_file()]


@lru_cache(maxsize=256)  # house editions come and go
def _family(edition: Edition, seats: int, folder: Path) -> str | None:
    """The first family with weights for this number of seats."""
    return next((name for name in families(edition) if _files(name, seats, "npz", folder)), None)


def has_weights(edition: Edition, seats: int, folder: Path = WEIGHTS) -> bool:
    """Whether there is a learned estimate for an edition and a number of seats."""
    return _family(edition, seats, folder) is not None


def load_net(edition: Edition, seats: int, folder: Path = WEIGHTS) -> WinNet:
    """The net for an edition and a number of seats."""
    family = _family(edition, seats, folder)
    if family is None:
        raise PickominoError("no learned estimate for {key} with {seats} seats", key=edition.key, seats=seats)
    return _load(family, seats, folder)


def load_estimate(edition: Edition, seats: int, xp: Arrays) -> Callable[[Batch], Array]:
    """Every seat's probability to win, the seat to act first, for games on arrays of NumPy or of PyTorch."""
    net = load_net(edition, seats)
    if xp.library is np:
        return net.shares
    from pickomino.tensor.torch_net import TorchNet

    (path,) = _files(net.family, seats, "npz", WEIGHTS)
    estimate: Callable[[Batch], Array] = TorchNet.load(net.family, path).to(xp.device).shares
    return estimate


@cache
def _load(family: str, seats: int, folder: Path) -> WinNet:
    weights = []
    for path in _files(family, seats, "npz", folder):
        with path.open("rb") as file, np.load(file) as arrays:
            weights.append(dict(arrays))
    return WinNet(family, *weights)


def weights_digest(edition: Edition, seats: int) -> str | None:
    """Which weights play here, as 16 hexadecimal digits; None where nothing was learned."""
    family = _family(edition, seats, WEIGHTS)
    if family is None:
        return None
    found = blake2b(digest_size=8)
    for path in _files(family, seats, "npz", WEIGHTS):
        found.update(path.read_bytes())
    return found.hexdigest()


def cards(edition: Edition, seats: int, folder: Path = WEIGHTS) -> list[dict[str, Any]]:
    """Where the weights come from: data, seed, figures; one card for each set that counts."""
    family = _family(edition, seats, folder)
    found = [] if family is None else _files(family, seats, "json", folder)
    return [json.loads(path.read_text(encoding="utf-8")) for path in found]
