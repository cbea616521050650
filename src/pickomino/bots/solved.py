"""Solved turns of many games.

A turn may need several solutions, each on a *page* of its own: one for every seat that could give a round worm
(D11.1), and for the weasel's holder one before and one after its use (D8.2). Elsewhere one page is all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from pickomino.bots.dice_states import DiceStates
from pickomino.bots.ends import Ends, TurnEnds, turn_ends, turn_starts
from pickomino.bots.slots import Slots
from pickomino.compact.bulk import ClaimValues, Floats, Indices, stop_values
from pickomino.compact.packed import CAN, COUNT_BITS, HELD, PHASE_GIVER, WEASEL, Packed
from pickomino.compact.turn import turn_tables
from pickomino.rules import MAX_SEATS, WORM, Edition
from pickomino.solver import Kernel, solve_tables

EndValues = Callable[[Edition, Ends], Floats]
Relevant = Callable[[Edition, Packed], Packed]

_LANES: Final = 128  # payoffs solved at a time, as many as the compiled kernel takes side by side
_BULK: Final = 16  # payoffs that are worth the second it takes to load the compiled kernel
_PAGE: Final = ("roll", "stop", "take", "steal", "bust", "scale")


class SolvedTurns:
    """The solved turns of one edition, of those who hold the golden die or of all others."""

    def __init__(self, edition: Edition, gold: bool, end_values: EndValues, relevant: Relevant) -> None:
        self.edition = edition
        self._end_values, self._relevant = end_values, relevant
        self._slots = Slots(self._solve, self._forget)
        self.tables = tables = turn_tables(edition, gold=gold)
        self.states = DiceStates(tables)
        tiles = len(edition.tiles)
        # Per slot: weasel unused or used, by giver.
        self.pages: Indices = np.zeros((0, 2, MAX_SEATS - 1), dtype=np.intp)
        self._free: list[int] = []
        self.roll = np.empty((0, tables.states))  # before the dice fall
        self.stop = np.empty((0, tables.slots))
        self.take = np.empty((0, tables.flags, tiles))
        self.steal = np.empty((0, tables.flags, tiles))
        self.bust = np.empty((0, tables.flags))
        self.scale = np.empty(0)  # the largest value, at least 1: what rounding errors are measured by

    def find(self, rows: Packed) -> Indices:
        """The pages of the turns that are being played: (games, 2, givers), see `pages`.

        Once a round worm was earned on the way it is another turn: kept 1s in its start say so.
        """
        starts = turn_starts(rows)
        if self.states.one >= 0:
            earned = self.states.ones(rows) * (rows["phase"] != PHASE_GIVER)
            starts["kept"] = 2 * earned << COUNT_BITS * self.states.one
        slots = self._slots.find(self._relevant(self.edition, starts))
        return self.pages[slots]

    def value(self, page: Indices, state: Indices) -> Floats:
        """After a keep: the better of stopping and rolling."""
        value: Floats = np.maximum(self.stop[page, self.tables.slot[state]], self.roll[page, state])
        return value

    def _forget(self, slots: Indices) -> None:
        self._free += np.unique(self.pages[slots]).tolist()

    def _solve(self, starts: Packed, slots: Indices) -> None:
        self.pages = _grown(self.pages, len(self._slots) - len(self.pages))
        found = turn_ends(self.edition, starts)
        values = found.claims(self.edition, self._end_values(self.edition, found.ends))
        stops = self._stops(found.variants, values)
        weasel = starts["place"][:, WEASEL] == HELD + starts["seat"]
        lanes, first = _lanes(found, len(starts))
        kinds = lanes * 2 + weasel
        for kind in np.unique(kinds).tolist():
            lane, at = np.arange(kind // 2), np.flatnonzero(kinds == kind)
            for begin in range(0, len(at), _LANES // len(lane)):
                turns = at[begin : begin + _LANES // len(lane)]
                earned = (first[turns, None] + lane).reshape(-1)
                # (flags, payoffs): which variant each payoff has before and after two 1s
                flags = np.stack([np.repeat(turns, len(lane)), earned][: self.tables.flags])
                layers = self._layers(stops[flags], values.bust[flags], bool(kind & 1), len(lane))
                pages = self._new_pages(len(layers) * flags.shape[1]).reshape(len(layers), -1)
                for page, roll in zip(pages, layers, strict=True):
                    self.roll[page], self.scale[page] = roll, values.scale[flags].max(axis=0)
                    worth = (self.stop, stops), (self.take, values.take), (self.steal, values.steal)
                    for array, part in (*worth, (self.bust, values.bust)):
                        array[page] = np.moveaxis(part[flags], 0, 1).reshape(len(page), *array.shape[1:])
                self._note(slots[turns], pages.reshape(len(layers), len(turns), -1))

    def _stops(self, rows: Packed, values: ClaimValues) -> Floats:
        """(variants, worm, totals): without a worm a bust (R3.1), or five more by the can (D9.1)."""
        totals, pips = self.tables.max_total + 1, self.edition.pips[WORM]
        with_worm = stop_values(self.edition, rows, values.take, values.steal, values.bust, totals + pips)
        can = rows["place"][:, CAN] == HELD + rows["seat"]
        without = np.where(can[:, None], with_worm[:, pips:], values.bust[:, None])
        return np.stack([without, with_worm[:, :totals]], axis=1)

    def _layers(self, stops: Floats, busts: Floats, weasel: bool, lanes: int) -> list[Floats]:
        """Roll values (payoffs, states): the weasel unused, if it is held, then used."""
        payoffs = stops.shape[1]
        stop = np.ascontiguousarray(np.moveaxis(stops, 1, 3)).reshape(-1, payoffs)
        kernel: Kernel = "bulk" if payoffs >= _BULK else "auto"
        layers = [solve_tables(self.tables, stop, busts, givers=lanes, kernel=kernel).roll]
        if weasel:
            floor = np.ascontiguousarray(layers[0])
            layers.insert(0, solve_tables(self.tables, stop, busts, floor, givers=lanes, kernel=kernel).roll)
        return [np.asarray(roll.T, dtype=np.float64) for roll in layers]

    def _new_pages(self, count: int) -> Indices:
        if len(self._free) < count:
            size = len(self.scale)
            more = max(size, 64, count)
            for name in _PAGE:
                setattr(self, name, _grown(getattr(self, name), more))
            self._free += range(size, size + more)
        pages = np.array(self._free[-count:], dtype=np.intp)
        del self._free[-count:]
        return pages

    def _note(self, slots: Indices, pages: Indices) -> None:
        """Pages by layer, turn and lane; what is not there repeats what is."""
        for layer in range(2):
            of_layer = pages[min(layer, len(pages) - 1)]
            self.pages[slots, layer] = of_layer[:, :1]
            self.pages[slots, layer, : of_layer.shape[1]] = of_layer


def _lanes(found: TurnEnds, turns: int) -> tuple[Indices, Indices]:
    """Per turn: how many could give the round worm, at least 1, and the first variant with it, else the turn."""
    count = np.bincount(found.turn[turns:], minlength=turns)
    first = turns + np.cumsum(count) - count
    return np.maximum(count, 1), np.where(count > 0, first, np.arange(turns))


def _grown(array: Any, more: int) -> Any:
    """With so many entries of zeros behind it."""
    return np.concatenate([array, np.zeros((more, *array.shape[1:]), array.dtype)])
