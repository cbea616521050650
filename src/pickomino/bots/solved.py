"""Solved turns of many games, in editions without specialists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.payoffs import Payoffs, scales, stop_values, turn_starts
from pickomino.bots.turn_cache import TurnCache
from pickomino.compact.packed import Packed
from pickomino.compact.turn import turn_tables
from pickomino.rules import Edition
from pickomino.rules.edition import WORM
from pickomino.solver import Kernel, solve_tables

__all__ = ["LANES", "SolvedTurns", "kernel_for"]

LANES: Final = 128  # payoffs solved at a time, as many as the compiled kernel takes side by side
_BULK: Final = 16  # turns at a time that are worth the second it takes to load the compiled kernel

Indices = NDArray[np.intp]


def kernel_for(turns: int) -> Kernel:
    """Which kernel solves so many turns at a time."""
    return "bulk" if turns >= _BULK else "auto"


class SolvedTurns(TurnCache):
    """The solved turns of one edition without specialists."""

    def __init__(
        self,
        edition: Edition,
        payoffs: Callable[[Edition, Packed], Payoffs],
        relevant: Callable[[Packed], Packed],
    ) -> None:
        super().__init__()
        self.edition = edition
        self._payoffs = payoffs
        self._relevant = relevant
        self._tables = tables = turn_tables(edition)
        self._key = tables.mask << 4 | tables.white
        self._key = self._key * (tables.max_total + 1) + tables.total
        self._order = np.argsort(self._key)
        self._key = self._key[self._order]
        self._worm = 1 << [face.sign for face in edition.faces].index(WORM)
        tiles, totals = len(edition.tiles), tables.max_total + 1
        self.roll = np.empty((0, tables.states))  # before the dice fall
        self.stop = np.empty((0, totals))  # stopping with a worm
        self.take = np.empty((0, tiles))
        self.steal = np.empty((0, tiles))
        self.bust = np.empty(0)
        self.scale = np.empty(0)

    def slot_arrays(self) -> tuple[str, ...]:
        return ("roll", "stop", "take", "steal", "bust", "scale")

    def of(self, rows: Packed) -> Indices:
        """The slots of the turns that are being played."""
        return self.find(self._relevant(turn_starts(rows)))

    def solve(self, starts: Packed, slots: Indices) -> None:
        payoffs = self._payoffs(self.edition, starts)
        stop = stop_values(self.edition, starts, payoffs, self.stop.shape[1])
        self.take[slots], self.steal[slots], self.bust[slots] = payoffs
        self.stop[slots] = stop
        self.scale[slots] = scales(self.edition, starts, payoffs)
        for first in range(0, len(starts), LANES):
            part = slice(first, first + LANES)
            bust = np.ascontiguousarray(payoffs.bust[part])
            without_worm = np.broadcast_to(bust, (stop.shape[1], len(bust)))  # R3.1
            stops = np.concatenate([without_worm, stop[part].T])
            solved = solve_tables(self._tables, stops, bust[None], kernel=kernel_for(len(starts)))
            self.roll[slots[part]] = solved.roll.T

    def state(self, mask: Indices, white: Indices, total: Indices) -> Indices:
        """States by faces kept, white dice left and total."""
        key = (mask << 4 | white) * (self._tables.max_total + 1) + total
        return self._order[np.searchsorted(self._key, key)]

    def value(self, slots: Indices, mask: Indices, white: Indices, total: Indices) -> NDArray[np.float64]:
        """After a keep: the better of stopping and rolling."""
        stop = np.where(mask & self._worm, self.stop[slots, total], self.bust[slots])
        value: NDArray[np.float64] = np.maximum(stop, self.roll[slots, self.state(mask, white, total)])
        return value
