"""Solved turns of many games, in editions with specialists.

A turn may need several solutions, each on a *page* of its own: one for every seat that could give a round worm
(D11.1), and for the weasel's holder one before and one after its use (D8.2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.ends import Ends, TurnEnds, turn_ends
from pickomino.bots.payoffs import Payoffs, stop_values, turn_starts
from pickomino.bots.solved import LANES, kernel_for
from pickomino.bots.turn_cache import TurnCache, grown
from pickomino.compact.packed import COUNT_BITS, FACES_AT, GOLD_KEPT, HELD, PHASES, SIZE_AT, Packed
from pickomino.compact.turn import TurnTables, turn_tables
from pickomino.rules import MAX_SEATS, SPECIALISTS, WORM, Edition, Phase
from pickomino.solver import solve_tables
from pickomino.solver.numpy_kernel import Floats

__all__ = ["Dice", "EndValues", "SpecialTurns"]

Indices = NDArray[np.intp]
EndValues = Callable[[Edition, Ends], NDArray[np.float64]]

_GIVER: Final = PHASES.index(Phase.GIVER)
_PAGE: Final = ("roll", "stop", "take", "steal", "bust", "scale")


class Dice:
    """States of the tables by what is kept."""

    def __init__(self, edition: Edition, tables: TurnTables) -> None:
        signs = [face.sign for face in edition.faces]
        self._white = edition.dice
        self.one = signs.index("1") if tables.flags == 2 and "1" in signs else -1  # D8.4
        self._totals = tables.max_total + 1
        key = self._key(tables.mask, tables.white, tables.gold, tables.ones, tables.total)
        self._order = np.argsort(key)
        self._sorted = key[self._order]

    def _key(self, mask: Indices, white: Indices, gold: Indices, ones: Indices, total: Indices) -> Indices:
        key: Indices = (((mask << 4 | white) << 1 | gold) << 1 | ones) * self._totals + total
        return key

    def ones(self, rows: Packed) -> NDArray[np.bool_]:
        """Where two or more 1s are kept."""
        if self.one < 0:
            return np.zeros(len(rows), dtype=np.bool_)
        white = rows["kept"] >> COUNT_BITS * self.one & 15
        return np.asarray(white + (rows["gold"] == GOLD_KEPT + self.one) >= 2)

    def state(self, rows: Packed) -> Indices:
        """The states of the kept dice."""
        mask, left = self._kept(rows)
        return self._find(mask, left, rows["gold"] == 1, self.ones(rows), rows["total"])

    def after(self, rows: Packed, face: Indices, pips: Indices) -> tuple[Indices, NDArray[np.bool_]]:
        """The states after keeping a face each, and whether that earns a round worm."""
        mask, left = self._kept(rows)
        white = rows["rolled"] >> COUNT_BITS * face & 15
        golden = rows["gold_rolled"] == face
        count = white + golden
        earns = (face == self.one) & (count >= 2)
        gold_left = (rows["gold"] == 1) & ~golden
        total = rows["total"] + count * pips
        return self._find(mask | 1 << face, left - white, gold_left, self.ones(rows) | earns, total), earns

    def _kept(self, rows: Packed) -> tuple[Indices, Indices]:
        """The faces kept, as bits, and the white dice left."""
        kept, gold = rows["kept"], rows["gold"].astype(np.intp)
        golden = np.where(gold >= GOLD_KEPT, 1 << np.maximum(gold - GOLD_KEPT, 0), 0)
        return kept >> FACES_AT | golden, self._white - (kept >> SIZE_AT & 15)

    def _find(
        self,
        mask: Indices,
        white: Indices,
        gold: NDArray[np.bool_],
        ones: NDArray[np.bool_],
        total: Indices,
    ) -> Indices:
        key = self._key(mask, white, gold.astype(np.intp), ones.astype(np.intp), total)
        return self._order[np.searchsorted(self._sorted, key)]


class SpecialTurns(TurnCache):
    """The solved turns of one edition with specialists, of those who hold the golden die or of all others."""

    def __init__(self, edition: Edition, gold: bool, end_values: EndValues) -> None:
        super().__init__()
        self.edition = edition
        self._end_values = end_values
        self.tables = tables = turn_tables(edition, gold=gold)
        self.dice = Dice(edition, tables)
        tiles = len(edition.tiles)
        self.pages = np.empty(
            (0, 2, MAX_SEATS - 1), dtype=np.intp
        )  # per slot: weasel unused or used, by giver
        self._free: list[int] = []
        self.roll = np.empty((0, tables.states))  # before the dice fall
        self.stop = np.empty((0, tables.slots))
        self.take = np.empty((0, tables.flags, tiles))
        self.steal = np.empty((0, tables.flags, tiles))
        self.bust = np.empty((0, tables.flags))
        self.scale = np.empty(0)

    def slot_arrays(self) -> tuple[str, ...]:
        return ("pages",)

    def forget(self, slots: Indices) -> None:
        self._free += np.unique(self.pages[slots]).tolist()

    def of(self, rows: Packed) -> Indices:
        """The slots of the turns that are being played.

        Once a round worm was earned on the way it is another turn: kept 1s in its start say so.
        """
        starts = turn_starts(rows)
        earned = self.dice.ones(rows) & (rows["phase"] != _GIVER)
        starts["kept"] = np.where(earned, 2 << COUNT_BITS * max(self.dice.one, 0), 0)
        return self.find(starts)

    def value(self, page: Indices, state: Indices) -> NDArray[np.float64]:
        """After a keep: the better of stopping and rolling."""
        value: NDArray[np.float64] = np.maximum(
            self.stop[page, self.tables.slot[state]], self.roll[page, state]
        )
        return value

    def solve(self, starts: Packed, slots: Indices) -> None:
        found = turn_ends(self.edition, starts)
        payoffs = found.payoffs(self.edition, self._end_values(self.edition, found.ends))
        scale = np.maximum.reduce([np.abs(part).reshape(len(part), -1).max(axis=1) for part in payoffs])
        stops = self._stops(found.rows, payoffs)
        weasel = starts["place"][:, SPECIALISTS.index("weasel")] == HELD + starts["seat"]
        kinds = found.lanes * 2 + weasel
        for kind in np.unique(kinds).tolist():
            lanes, at = kind // 2, np.flatnonzero(kinds == kind)
            for first in range(0, len(at), LANES // lanes):
                turns = at[first : first + LANES // lanes]
                flags = _variants(found, turns, lanes, self.tables.flags)
                stop, bust = stops[flags], payoffs.bust[flags]
                layers = self._layers(stop, bust, bool(kind & 1), lanes)
                pages = self._new_pages(len(layers) * len(turns) * lanes).reshape(len(layers), -1)
                for page, roll in zip(pages, layers, strict=True):
                    self.roll[page] = roll
                    self.stop[page] = np.moveaxis(stop, 0, 1).reshape(len(page), -1)
                    self.take[page] = np.moveaxis(payoffs.take[flags], 0, 1)
                    self.steal[page] = np.moveaxis(payoffs.steal[flags], 0, 1)
                    self.bust[page] = bust.T
                    self.scale[page] = np.maximum(scale[flags].max(axis=0), 1)
                self._note(slots[turns], pages.reshape(len(layers), len(turns), lanes))

    def _stops(self, rows: Packed, payoffs: Payoffs) -> NDArray[np.float64]:
        """(variants, worm, totals): without a worm a bust (R3.1), or five more by the can (D9.1)."""
        totals, pips = self.tables.max_total + 1, self.edition.pips[WORM]
        with_worm = stop_values(self.edition, rows, payoffs, totals + pips)
        can = rows["place"][:, SPECIALISTS.index("can")] == HELD + rows["seat"]
        without = np.where(can[:, None], with_worm[:, pips:], payoffs.bust[:, None])
        return np.stack([without, with_worm[:, :totals]], axis=1)

    def _layers(
        self, stops: NDArray[np.float64], busts: NDArray[np.float64], weasel: bool, lanes: int
    ) -> list[Floats]:
        """Roll values (payoffs, states): the weasel unused, if it is held, then used."""
        payoffs = stops.shape[1]
        stop = np.ascontiguousarray(np.moveaxis(stops, 1, 3)).reshape(-1, payoffs)
        kernel = kernel_for(payoffs)
        used = solve_tables(self.tables, stop, busts, givers=lanes, kernel=kernel).roll
        if not weasel:
            return [used.T]
        floor = np.ascontiguousarray(used)
        return [solve_tables(self.tables, stop, busts, floor, givers=lanes, kernel=kernel).roll.T, used.T]

    def _new_pages(self, count: int) -> Indices:
        if len(self._free) < count:
            size = len(self.scale)
            more = max(size, 64, count)
            for name in _PAGE:
                setattr(self, name, grown(getattr(self, name), more))
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


def _variants(found: TurnEnds, turns: Indices, lanes: int, flags: int) -> Indices:
    """(flags, payoffs): which variant each payoff has before and after two 1s."""
    before = np.repeat(turns, lanes)
    return np.stack([before, found.variant[turns, :lanes].reshape(-1)][:flags])
