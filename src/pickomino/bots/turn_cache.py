"""Turns of many games, remembered while they last.

A turn is known by the position it began with, so games that stand alike share one solution, and it does not
matter which games come in one batch or in what order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.packed_settle import copied
from pickomino.compact.packed import Packed

__all__ = ["TurnCache"]

_FREE: Final = 1024  # turns remembered before old ones are forgotten: 16 MB with eight dice

Indices = NDArray[np.intp]


class TurnCache(ABC):
    """Each turn has a *slot*. A subclass says how turns are solved and keeps arrays with an entry for every slot."""

    def __init__(self) -> None:
        self._slots: dict[bytes, int] = {}
        self._keys: list[bytes | None] = []
        self._used = np.zeros(0, dtype=np.int64)  # per slot, the last call that wanted it
        self._calls = 0

    @abstractmethod
    def slot_arrays(self) -> tuple[str, ...]:
        """Names of the arrays with an entry for every slot."""

    @abstractmethod
    def solve(self, starts: Packed, slots: Indices) -> None:
        """Fill some slots."""

    def forget(self, slots: Indices) -> None:  # noqa: B027  # most have nothing else to forget
        """Slots that are about to be filled with other turns."""

    def find(self, starts: Packed) -> Indices:
        """The slots of turns by what they begin with, solved if they are new."""
        self._calls += 1
        keys: list[bytes] = starts.view(f"V{starts.itemsize}").tolist()
        get = self._slots.get
        slots = np.array([get(key, -1) for key in keys], dtype=np.intp)
        self._used[slots[slots >= 0]] = self._calls
        missing = np.flatnonzero(slots < 0)
        if len(missing):
            first = {keys[index]: index for index in reversed(missing.tolist())}
            new = self._room(len(first))
            self.solve(copied(starts, np.array(list(first.values()))), new)
            self._used[new] = self._calls
            for slot, key in zip(new.tolist(), first, strict=True):
                self._slots[key], self._keys[slot] = slot, key
            slots[missing] = [self._slots[keys[index]] for index in missing]
        return slots

    def _room(self, wanted: int) -> Indices:
        """Slots to fill: those out of use for longest are given up, once there are many."""
        size = len(self._used)
        idle: Indices = np.flatnonzero(self._used < self._calls)
        unused: Indices = idle[self._used[idle] == 0]
        if len(unused) < wanted and (size < _FREE or len(idle) < wanted):
            more = max(size, 64, wanted)
            for name in ("_used", *self.slot_arrays()):
                setattr(self, name, grown(getattr(self, name), more))
            self._keys += [None] * more
            unused = np.append(unused, np.arange(size, size + more))
        if len(unused) >= wanted:
            return unused[:wanted]
        chosen: Indices = idle[np.argsort(self._used[idle], kind="stable")[:wanted]]
        for slot in chosen.tolist():
            if (key := self._keys[slot]) is not None:
                del self._slots[key]
                self._keys[slot] = None
        self.forget(chosen[self._used[chosen] > 0])
        return chosen


def grown(array: NDArray[np.generic], more: int) -> NDArray[np.generic]:
    """With so many entries of zeros behind it."""
    return np.concatenate([array, np.zeros((more, *array.shape[1:]), array.dtype)])
