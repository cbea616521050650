"""Which turns are remembered, and where.

A turn is known by the position it began with, so games that stand alike share one solution, and it does not
matter which games come in one batch or in what order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from pickomino.compact.bulk import Indices
from pickomino.compact.packed import Packed, gathered

_FREE: Final = 1024  # turns remembered before old ones are forgotten: 16 MB with eight dice


class Slots:
    """Each turn has a slot, a number; those out of use for longest are given to new turns, once there are many."""

    def __init__(self, solve: Callable[[Packed, Indices], None], forget: Callable[[Indices], None]) -> None:
        """`solve` fills slots with new turns; `forget` is called before that with slots that held others."""
        self._solve, self._forget = solve, forget
        self._slots: dict[bytes, int] = {}
        self._keys: list[bytes | None] = []
        self._used = np.zeros(0, dtype=np.int64)  # per slot, the last call that wanted it
        self._calls = 0

    def __len__(self) -> int:
        return len(self._keys)

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
            self._solve(gathered(starts, np.array(list(first.values()))), new)
            self._used[new] = self._calls
            for slot, key in zip(new.tolist(), first, strict=True):
                self._slots[key], self._keys[slot] = slot, key
            slots[missing] = [self._slots[keys[index]] for index in missing]
        return slots

    def _room(self, wanted: int) -> Indices:
        """Slots to fill."""
        idle: Indices = np.flatnonzero(self._used < self._calls)
        unused: Indices = idle[self._used[idle] == 0]
        if len(unused) < wanted and (len(self) < _FREE or len(idle) < wanted):
            more = max(len(self), 64, wanted)
            unused = np.append(unused, np.arange(len(self), len(self) + more))
            self._used = np.append(self._used, np.zeros(more, dtype=np.int64))
            self._keys += [None] * more
        if len(unused) >= wanted:
            return unused[:wanted]
        chosen: Indices = idle[np.argsort(self._used[idle], kind="stable")[:wanted]]
        for slot in chosen.tolist():
            if (key := self._keys[slot]) is not None:
                del self._slots[key]
                self._keys[slot] = None
        self._forget(chosen[self._used[chosen] > 0])
        self._used[chosen] = 0  # forgotten once, even if solving fails
        return chosen
