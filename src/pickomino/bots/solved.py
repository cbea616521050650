"""Solved turns of many games, remembered while they last.

A turn is known by the position it began with, so games that stand alike share one solution, and it does not
matter which games come in one batch or in what order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.payoffs import Payoffs, scales, stop_values, turn_starts
from pickomino.compact.packed import Packed
from pickomino.compact.turn import turn_tables
from pickomino.rules import Edition
from pickomino.rules.edition import WORM
from pickomino.solver import Kernel, solve_tables

__all__ = ["SolvedTurns"]

_FREE: Final = 1024  # turns remembered before old ones are forgotten: 16 MB with eight dice
_LANES: Final = 128  # payoffs solved at a time, as many as the compiled kernel takes side by side
_BULK: Final = 16  # turns at a time that are worth the second it takes to load the compiled kernel

Indices = NDArray[np.intp]


class SolvedTurns:
    """The solved turns of one edition without specialists, one *slot* each."""

    def __init__(
        self,
        edition: Edition,
        payoffs: Callable[[Edition, Packed], Payoffs],
        relevant: Callable[[Packed], Packed],
    ) -> None:
        self.edition = edition
        self._payoffs = payoffs
        self._relevant = relevant
        self._tables = tables = turn_tables(edition)
        self._key = tables.mask << 4 | tables.white
        self._key = self._key * (tables.max_total + 1) + tables.total
        self._order = np.argsort(self._key)
        self._key = self._key[self._order]
        self._worm = 1 << [face.sign for face in edition.faces].index(WORM)
        self._slots: dict[bytes, int] = {}
        self._keys: list[bytes | None] = []
        self._used = np.zeros(0, dtype=np.int64)  # per slot, the last call that wanted it
        self._calls = 0
        tiles, totals = len(edition.tiles), tables.max_total + 1
        self.roll = np.empty((0, tables.states))  # before the dice fall
        self.stop = np.empty((0, totals))  # stopping with a worm
        self.take = np.empty((0, tiles))
        self.steal = np.empty((0, tiles))
        self.bust = np.empty(0)
        self.scale = np.empty(0)

    def find(self, rows: Packed) -> Indices:
        """The slots of the turns that are being played, solved if they are new."""
        self._calls += 1
        starts = self._relevant(turn_starts(rows))
        keys: list[bytes] = starts.view(f"V{starts.itemsize}").tolist()
        get = self._slots.get
        slots = np.array([get(key, -1) for key in keys], dtype=np.intp)
        self._used[slots[slots >= 0]] = self._calls
        missing = np.flatnonzero(slots < 0)
        if len(missing):
            first = {keys[index]: index for index in reversed(missing.tolist())}
            new = self._room(len(first))
            self._solve(starts[list(first.values())], new)
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
            for name in ("_used", "roll", "stop", "take", "steal", "bust", "scale"):
                old: NDArray[np.float64] = getattr(self, name)
                setattr(self, name, np.concatenate([old, np.zeros((more, *old.shape[1:]), old.dtype)]))
            self._keys += [None] * more
            unused = np.append(unused, np.arange(size, size + more))
        if len(unused) >= wanted:
            return unused[:wanted]
        chosen: Indices = idle[np.argsort(self._used[idle], kind="stable")[:wanted]]
        for slot in chosen.tolist():
            if (key := self._keys[slot]) is not None:
                del self._slots[key]
                self._keys[slot] = None
        return chosen

    def _solve(self, starts: Packed, slots: Indices) -> None:
        payoffs = self._payoffs(self.edition, starts)
        stop = stop_values(self.edition, starts, payoffs)
        self.take[slots], self.steal[slots], self.bust[slots] = payoffs
        self.stop[slots] = stop
        self.scale[slots] = scales(self.edition, starts, payoffs)
        kernel: Kernel = "bulk" if len(starts) >= _BULK else "auto"
        for first in range(0, len(starts), _LANES):
            part = slice(first, first + _LANES)
            bust = np.ascontiguousarray(payoffs.bust[part])
            without_worm = np.broadcast_to(bust, (stop.shape[1], len(bust)))  # R3.1
            stops = np.concatenate([without_worm, stop[part].T])
            self.roll[slots[part]] = solve_tables(self._tables, stops, bust[None], kernel=kernel).roll.T

    def state(self, mask: Indices, white: Indices, total: Indices) -> Indices:
        """States by faces kept, white dice left and total."""
        key = (mask << 4 | white) * (self._tables.max_total + 1) + total
        return self._order[np.searchsorted(self._key, key)]

    def value(self, slots: Indices, mask: Indices, white: Indices, total: Indices) -> NDArray[np.float64]:
        """After a keep: the better of stopping and rolling."""
        stop = np.where(mask & self._worm, self.stop[slots, total], self.bust[slots])
        value: NDArray[np.float64] = np.maximum(stop, self.roll[slots, self.state(mask, white, total)])
        return value
