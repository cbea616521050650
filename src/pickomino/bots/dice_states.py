"""From the dice of packed positions to the states of the turn tables."""

from __future__ import annotations

import numpy as np

from pickomino.compact.bulk import Indices
from pickomino.compact.packed import COUNT_BITS, FACES_AT, GOLD_KEPT, SIZE_AT, Packed
from pickomino.compact.turn import TurnTables


class DiceStates:
    """The states of one edition's tables by what is kept."""

    def __init__(self, tables: TurnTables) -> None:
        signs = [face.sign for face in tables.faces]
        self.one = signs.index("1") if tables.flags == 2 and "1" in signs else -1  # D8.4
        self._dice, self._totals = tables.dice, tables.max_total + 1
        key = self._key(tables.mask, tables.white, tables.gold, tables.ones, tables.total)
        self._order = np.argsort(key)
        self._sorted = key[self._order]
        parent = np.repeat(np.arange(tables.states), np.diff(tables.edge_first))
        golden = tables.gold[parent] - tables.gold[tables.edge_child]
        self._after = np.zeros((tables.states, len(signs), 2, tables.dice + 1), dtype=np.intp)
        self._after[parent, tables.edge_face, golden, tables.edge_count - golden] = tables.edge_child

    def _key(self, mask: Indices, white: Indices, gold: Indices, ones: Indices, total: Indices) -> Indices:
        key: Indices = (((mask << 4 | white) << 1 | gold) << 1 | ones) * self._totals + total
        return key

    def ones(self, rows: Packed) -> Indices:
        """1 where two or more 1s are kept and count, else 0."""
        if self.one < 0:
            return np.zeros(len(rows), dtype=np.intp)
        white = rows["kept"] >> COUNT_BITS * self.one & 15
        ones: Indices = (white + (rows["gold"] == GOLD_KEPT + self.one) >= 2).astype(np.intp)
        return ones

    def of(self, rows: Packed) -> Indices:
        """The states of the kept dice."""
        kept, gold = rows["kept"], rows["gold"].astype(np.intp)
        mask = kept >> FACES_AT | (gold >= GOLD_KEPT) << np.maximum(gold - GOLD_KEPT, 0)
        white = self._dice - (kept >> SIZE_AT & 15)
        key = self._key(mask, white, (gold == 1).astype(np.intp), self.ones(rows), rows["total"])
        return self._order[np.searchsorted(self._sorted, key)]

    def after(self, state: Indices, rows: Packed, game: Indices, face: Indices) -> Indices:
        """The states after keeping a face in some of the games; `state`: those of all."""
        white = rows["rolled"][game] >> COUNT_BITS * face & 15
        golden = (rows["gold_rolled"][game] == face).astype(np.intp)
        after: Indices = self._after[state[game], face, golden, white]
        return after
