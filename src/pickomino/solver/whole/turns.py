"""Whole turns of many positions: the best play for given values, and how likely it ends the turn in each way.

The backward pass is the turn solver's (`pickomino.solver.kernels`), the pass forward is `pickomino.solver.forward` or
its compiled form. Turns of one *kind* go through them side by side: the same help at hand (can, golden die, weasel)
and as many seats that could give a round worm.

Totals between two tiles of a small game are all alike, so a stop belongs to one of few *classes*: 0 below the lowest
tile, ``1 + 2 * i`` for exactly tile i, ``2 + 2 * i`` for more than tile i and less than the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.compact import bulk
from pickomino.compact.moves import move_table
from pickomino.compact.packed import CAN, GOLD, HELD, NONE, WEASEL, Packed
from pickomino.compact.turn import TurnTables, turn_tables
from pickomino.rules import WORM
from pickomino.solver.forward import stop_probs
from pickomino.solver.kernels import Kernel, load_numba, solve_tables
from pickomino.solver.numpy_kernel import Solved
from pickomino.solver.position import TurnSolver
from pickomino.solver.whole.space import Floats, Space

TIE = 1e-12
"""With three or more seats, moves whose values differ by no more are equal, and the first in text order is
played.

Which of them is played matters to the others at the table, and must not hang on the last bits of a sum.
Rounding in a turn stays below 1e-14.
"""

_LANES = 128  # turns side by side, as the compiled backward pass takes them
_WORTH_COMPILING = 150  # positions: below, NumPy is done before numba is loaded


def tie_margin(players: int) -> float:
    """How far apart two values must be to differ; with two seats any of equal moves will do."""
    return TIE if players > 2 else 0.0


def kernel_for(positions: int) -> Kernel:
    """The kernel that is done first for that many positions."""
    return "numba" if positions >= _WORTH_COMPILING and find_spec("numba") is not None else "numpy"


class _Kind(NamedTuple):
    """Turns that the solver plays alike."""

    can: bool
    gold: bool
    weasel: bool
    lanes: int  # seats that could give a round worm, 1 where there is nothing to choose
    earns: bool  # a round worm can be had at all


class _Stops(NamedTuple):
    """How the turns of some positions can be stopped, given what their ends are worth."""

    ends: Floats  # (positions, variants, endings): the best choice made
    choice: NDArray[np.intp]  # the same shape: which choice that is
    ending: NDArray[np.intp]  # (positions, variants, classes)

    @property
    def values(self) -> Floats:
        """(positions, variants, classes)."""
        return np.take_along_axis(self.ends, self.ending, axis=2)


class SpaceTurns:
    """Plays the turns of a space's positions by what their ends are worth to the seat to act: (positions, columns)."""

    def __init__(self, space: Space, kernel: Kernel, margin: float) -> None:
        self._space, self._margin = space, margin
        self._kernel: Kernel = kernel
        edition, tiles = space.edition, np.array(space.tiles)
        table = move_table(edition)
        lowest = f"{edition.values[0]:02}"
        self._take, self._steal = table.index(f"t{lowest}"), table.index(f"x{lowest}")
        self._class_totals = np.concatenate([[0], np.stack([tiles, tiles + 1], axis=1).reshape(-1)])
        self._classes: dict[tuple[bool, bool], NDArray[np.intp]] = {}

    def best(self, rows: NDArray[np.intp], ends: Floats) -> Floats:
        """What the turns are worth at their start."""
        result = np.empty(len(rows))
        compiled = load_numba(self._kernel)
        packed = self._space.packed(rows)
        values = self._stops(packed, ends, 0.0).values
        for kind, at in self._batches(packed):
            tables = self._tables(kind)
            stop, bust = self._payoffs(kind, values[at])
            if compiled is not None and not (kind.weasel or kind.gold or kind.lanes > 1):
                result[at] = compiled.solve_start(tables, stop, bust, tables.start())
                continue
            roll = self._layers(kind, stop, bust)[0].roll[:, :: kind.lanes]  # of equal lanes the first
            starts = [tables.start(gold) for gold in (False, True)[: 1 + kind.gold]]
            result[at] = roll[starts].max(axis=0)
        return result

    def play(self, rows: NDArray[np.intp], ends: Floats, margin: float | None = None) -> Floats:
        """How likely best play comes to each end, (positions, columns); ties: first in text order."""
        margin = self._margin if margin is None else margin
        probs = np.zeros(ends.shape)
        packed = self._space.packed(rows)
        stops = self._stops(packed, ends, margin)
        values, choices = stops.values, self._space.choices
        for kind, at in self._batches(packed):
            if kind.lanes > 1:
                for index in at.tolist():
                    probs[index] = self._play_one(int(rows[index]), stops, index)
                continue
            by_class = self._forward(kind, values[at], margin)  # (flags, classes, turns)
            for flag, variant in enumerate((0, int(kind.earns))[: len(by_class)]):
                for place, prob in enumerate(by_class[flag]):
                    ending = stops.ending[at, variant, place]
                    column = (variant * self._space.endings + ending) * choices
                    probs[at, column + stops.choice[at, variant, ending]] += prob
        return probs

    # --- kinds ---

    def _batches(self, packed: Packed) -> Iterator[tuple[_Kind, NDArray[np.intp]]]:
        """Positions by kind, some at a time: where they are."""
        mine = packed["place"] == HELD
        lanes, earns = self._givers(packed)
        keys = np.stack([mine[:, CAN], mine[:, GOLD], mine[:, WEASEL], lanes, earns], axis=1).astype(np.int64)
        code = keys @ [1, 2, 4, 16, 8]
        order = np.argsort(code, kind="stable")
        for part in np.split(order, np.flatnonzero(np.diff(code[order])) + 1):
            if not len(part):
                return
            can, gold, weasel, count, earning = keys[part[0]].tolist()
            kind = _Kind(bool(can), bool(gold), bool(weasel), count, bool(earning))
            for first in range(0, len(part), _LANES):
                yield kind, part[first : first + _LANES]

    def _givers(self, packed: Packed) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """How many could give a round worm, 1 without a choice; and whether one can be had."""
        if not self._space.edition.round_worms:
            return np.ones(len(packed), dtype=np.intp), np.zeros(len(packed), dtype=np.bool_)
        _, turn, _ = bulk.turn_variants(self._space.edition, packed)
        count = np.bincount(turn[len(packed) :], minlength=len(packed))
        return np.maximum(count, 1), count > 0

    def _tables(self, kind: _Kind) -> TurnTables:
        return turn_tables(self._space.edition, gold=kind.gold)

    def _class_of_slot(self, kind: _Kind) -> NDArray[np.intp]:
        """(worm, totals): the class of a stop; without a worm none, or that of five more by the can (D9.1)."""
        known = (kind.can, kind.gold)
        if known not in self._classes:
            tables, tiles = self._tables(kind), self._space.tiles
            pips = self._space.edition.pips[WORM]
            total = np.arange(tables.max_total + 1 + pips)
            below = np.searchsorted(tiles, total, side="right")  # tiles up to this total
            found = np.where(below == 0, 0, 2 * below - np.isin(total, tiles))
            with_worm = found[: tables.max_total + 1]
            without = found[pips:] if kind.can else np.zeros_like(with_worm)  # R3.1
            self._classes[known] = np.stack([without, with_worm])
        return self._classes[known]

    # --- stops ---

    def _stops(self, packed: Packed, ends: Floats, margin: float) -> _Stops:
        space, count = self._space, len(packed)
        each = ends.reshape(count, space.variants, space.endings, space.choices)
        best = each.max(axis=3)
        choice = (each >= best[..., None] - margin).argmax(axis=3)
        n, tiles = len(space.tiles), len(space.edition.tiles)
        victim = np.arange(1, space.players)
        tops = packed["top"][:, 1 : space.players].astype(np.intp)
        at, behind = np.nonzero(tops != NONE)
        steal_ending = np.zeros((count, tiles), dtype=np.intp)
        steal_ending[at, tops[at, behind]] = n + victim[behind]
        # The last: NONE, a bust.
        ending_of = np.zeros((count, len(move_table(space.edition)) + 1), dtype=np.intp)
        ending_of[:, self._take + space.tile_index] = 1 + np.arange(n)
        ending_of[:, self._steal : self._steal + tiles] = steal_ending
        ending = np.empty((count, space.variants, len(self._class_totals)), dtype=np.intp)
        for variant in range(space.variants):
            values = best[:, variant]
            take = np.zeros((count, tiles))
            take[:, space.tile_index] = values[:, 1 : 1 + n]
            steal = np.take_along_axis(values, steal_ending, axis=1)
            move = bulk.best_claims(space.edition, packed, self._class_totals, take, steal, margin)
            ending[:, variant] = np.take_along_axis(ending_of, move, axis=1)
        return _Stops(best, choice, ending)

    def _payoffs(self, kind: _Kind, values: Floats) -> tuple[Floats, Floats]:
        """Stop values (slots, payoffs) and busts (flags, payoffs) for the solver; lanes of a turn side by side."""
        stops, busts = [], []
        for flag in range(self._tables(kind).flags):
            earned = flag > 0 and kind.earns
            lanes = values[:, 1 : 1 + kind.lanes] if earned else values[:, :1].repeat(kind.lanes, axis=1)
            by_class = lanes.reshape(-1, values.shape[2]).T
            stops.append(by_class[self._class_of_slot(kind)].reshape(-1, by_class.shape[1]))
            busts.append(by_class[0])  # the class of nothing to claim
        return np.concatenate(stops), np.stack(busts)

    def _layers(self, kind: _Kind, stop: Floats, bust: Floats) -> list[Solved]:
        """The weasel unused, if it is held, then used (D8.2)."""
        tables = self._tables(kind)
        used = solve_tables(tables, stop, bust, givers=kind.lanes, kernel=self._kernel)
        if not kind.weasel:
            return [used]
        return [solve_tables(tables, stop, bust, used.roll, givers=kind.lanes, kernel=self._kernel), used]

    # --- forward ---

    def _forward(self, kind: _Kind, values: Floats, margin: float) -> Floats:
        """How likely turns stop in each class, before and after two 1s: (flags, classes, turns)."""
        tables = self._tables(kind)
        stop, bust = self._payoffs(kind, values)
        layers = self._layers(kind, stop, bust)
        turns = np.arange(stop.shape[1])
        rolling = np.zeros((tables.states, len(turns)))
        begin = np.full(len(turns), tables.start())
        if kind.gold:
            roll = layers[0].roll
            joins = roll[tables.start(True)] >= roll[tables.start(False)] - margin  # ``g`` comes before ``n``
            begin = np.where(joins, tables.start(True), tables.start(False))
        rolling[begin, turns] = 1.0
        if self._kernel == "numba":
            from pickomino.solver.whole.forward_numba import forward_layers

            stopped, busted = forward_layers(tables, rolling, layers, bust, margin)
        else:
            stopped, busted = stop_probs(tables, rolling, layers, stop, bust, margin)
        by_class = np.zeros((tables.flags, len(self._class_totals), len(turns)))
        class_of = self._class_of_slot(kind).reshape(-1)
        for flag, part in enumerate(np.split(stopped, tables.flags)):
            np.add.at(by_class[flag], class_of, part)
        by_class[:, 0] += busted
        return by_class

    def _play_one(self, row: int, stops: _Stops, place: int) -> Floats:
        """The same for one turn, where the best of several givers is chosen on the way."""
        space = self._space
        solver = TurnSolver(space.position(row), kernel="numpy")
        columns = []
        for ending, variant in space.endings_of(solver):
            columns.append(space.column(variant, ending, int(stops.choice[place, variant, ending])))
        ends = stops.ends[place].reshape(-1)
        payoff = ends[np.array(columns) // space.choices]
        probs = np.zeros(space.columns)
        probs[columns] = solver.solve(payoff).probs
        return probs
