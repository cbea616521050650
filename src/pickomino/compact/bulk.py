"""The loops of `pickomino.compact.loops` over packed rows: compiled for many, as they stand for a few.

To load numba takes longer than to settle a few turns in plain Python; where it is loaded already it is used.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.compact import loops
from pickomino.compact.packed import PACKED, Packed
from pickomino.compact.tables import edition_tables
from pickomino.rules import MAX_SEATS, SPECIALISTS, Edition

Indices = NDArray[np.intp]
Floats = NDArray[np.float64]

_BULK: Final = 4096  # a turn takes 50 to 200 µs as it stands, and to load numba takes a second
_HAS_NUMBA: Final = find_spec("numba") is not None


class ClaimValues(NamedTuple):
    """Values of the ways turns can end; 0 for what cannot happen."""

    take: Floats  # (turns, tiles): taking a tile from the grill
    steal: Floats  # (turns, tiles): stealing a tile
    bust: Floats  # (turns,)
    scale: Floats  # (turns,): the largest size of a value, at least 1


class _PlainRow:
    """A packed position as Python numbers: to read and write a field takes a fifth of what a record takes."""

    __slots__ = PACKED.names or ()

    def __init__(self, *values: Any) -> None:
        for name, value in zip(self.__slots__, values, strict=True):
            setattr(self, name, value)

    def copy(self) -> _PlainRow:
        values = (getattr(self, name) for name in self.__slots__)
        return _PlainRow(*(value.copy() if isinstance(value, list) else value for value in values))


class _PlainRows(list[Any]):
    """Rows that are copied when they are put in a place, as in an array of records."""

    def __setitem__(self, index: Any, row: Any) -> None:
        super().__setitem__(index, row.copy())


class _Plain:
    """The loops as they stand."""

    loops: Any = loops

    @staticmethod
    @lru_cache(maxsize=256)  # house editions come and go
    def tables(edition: Edition) -> Any:
        row = edition_tables(edition)[0]
        return SimpleNamespace(**{name: row[name].tolist() for name in row.dtype.names or ()})

    @staticmethod
    def rows(rows: Packed) -> Any:
        return _PlainRows(map(_PlainRow, *(rows[name].tolist() for name in _PlainRow.__slots__)))

    @staticmethod
    def bits(bits: NDArray[np.int64]) -> Any:
        return bits.tolist()  # those of NumPy overflow

    @staticmethod
    def room(count: int) -> Any:
        return _PlainRows([None] * count)

    @staticmethod
    def packed(rows: Any, count: int) -> Packed:
        found = np.zeros(count, dtype=PACKED)
        for name in _PlainRow.__slots__:
            found[name] = [getattr(row, name) for row in rows[:count]]
        return found


class _Compiled:
    """The loops under numba."""

    def __init__(self) -> None:
        from pickomino.compact import compiled

        self.loops: Any = compiled

    @staticmethod
    def tables(edition: Edition) -> Any:
        return edition_tables(edition)[0]

    @staticmethod
    def rows(rows: Packed) -> Any:
        return rows

    @staticmethod
    def bits(bits: NDArray[np.int64]) -> Any:
        return bits

    @staticmethod
    def room(count: int) -> Any:
        return np.zeros(count, dtype=PACKED)

    @staticmethod
    def packed(rows: Any, count: int) -> Packed:
        found: Packed = rows[:count]
        return found


def _form(rows: int) -> _Plain | _Compiled:
    if _HAS_NUMBA and ("numba" in sys.modules or rows >= _BULK):
        return _Compiled()
    return _Plain()


def turn_variants(edition: Edition, starts: Packed) -> tuple[Packed, Indices, Indices]:
    """Turns with what they may earn on the way: rows, of which turn, and who gives it. See `loops.turn_variants`."""
    form = _form(len(starts))
    most = len(starts) * (MAX_SEATS if edition.round_worms else 1)
    rows, turn, giver = form.room(most), np.empty(most, np.intp), np.empty(most, np.intp)
    count = form.loops.turn_variants(form.tables(edition), form.rows(starts), rows, turn, giver)
    return form.packed(rows, count), turn[:count], giver[:count]


def end_turns(edition: Edition, rows: Packed) -> tuple[Packed, Indices, Indices, Indices]:
    """Every end of every turn: positions, of which row, how, and the tile claimed. See `loops.end_turns`."""
    form = _form(len(rows))
    ends = len(edition.tiles) + MAX_SEATS  # takes, steals and the bust,
    if edition.specialists:
        ends += len(SPECIALISTS) + 2 * MAX_SEATS  # and choices: two specialists, or who gives for the crow
    most = len(rows) * ends
    ended = form.room(most)
    of, how, tile = np.empty(most, np.intp), np.empty(most, np.intp), np.empty(most, np.intp)
    count = form.loops.end_turns(form.tables(edition), form.rows(rows), ended, of, how, tile)
    return form.packed(ended, count), of[:count], how[:count], tile[:count]


def claim_values(
    edition: Edition, turns: int, values: Floats, of: Indices, how: Indices, tile: Indices
) -> ClaimValues:
    """Values of the ends that `end_turns` found for so many turns, by claim: the best of every choice."""
    tiles = len(edition.tiles)
    found = ClaimValues(np.zeros((turns, tiles)), np.zeros((turns, tiles)), np.zeros(turns), np.ones(turns))
    _form(turns).loops.claim_values(values, of, how, tile, *found)
    return found


def choose_rows(edition: Edition, rows: Packed, moves: Indices) -> Packed:
    """The positions after a choice that a claim left, a move of the move table in each."""
    form = _form(len(rows))
    chosen = form.rows(rows.copy())
    form.loops.choose_rows(form.tables(edition), chosen, moves)
    return form.packed(chosen, len(rows))


def stop_values(
    edition: Edition, rows: Packed, take: Floats, steal: Floats, bust: Floats, totals: int
) -> Floats:
    """The value of stopping with a worm: (rows, totals), the best claim of each total (section 3)."""
    form, stop = _form(len(rows)), np.empty((len(rows), totals))
    form.loops.stop_values(form.tables(edition), form.rows(rows), take, steal, bust, stop)
    return stop


def best_claims(
    edition: Edition, rows: Packed, totals: Indices, take: Floats, steal: Floats, margin: float
) -> Indices:
    """The best claims by move index: (rows, totals), NONE where nothing can be claimed. See `loops.best_claims`."""
    form, moves = _form(len(rows)), np.empty((len(rows), len(totals)), np.intp)
    form.loops.best_claims(form.tables(edition), form.rows(rows), totals, take, steal, margin, moves)
    return moves


def worm_counts(edition: Edition, seats: int, rows: Packed) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
    """Worms per seat, and who would win if the games ended now, as bits (R5.2, R5.3)."""
    form = _form(len(rows))
    scores, leaders = np.zeros((len(rows), seats), dtype=np.int32), np.zeros(len(rows), dtype=np.int8)
    form.loops.count_worms(form.tables(edition), form.rows(rows), scores, leaders)
    return scores, leaders


def win_shares(leaders: NDArray[np.int8], seats: int) -> Floats:
    """Winners as bits -> the share of each seat in the win: (games, seats), every row sums to 1."""
    won = (leaders[:, None] >> np.arange(seats) & 1).astype(np.float64)
    shares: Floats = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    return shares


def legal_moves(edition: Edition, rows: Packed) -> NDArray[np.int64]:
    """The legal moves at points of turns as bits of the move table, where a keep or what follows it is due."""
    form, legal = _form(len(rows)), np.empty(len(rows), dtype=np.int64)
    form.loops.legal_moves(form.tables(edition), form.rows(rows), legal)
    return legal


def cautious_moves(edition: Edition, rows: Packed, legal: NDArray[np.int64]) -> NDArray[np.int64]:
    """The cautious bot's move in every game, as an index of the move table; `legal`: its moves, as bits."""
    form, moves = _form(len(rows)), np.empty(len(rows), dtype=np.int64)
    form.loops.cautious_moves(form.tables(edition), form.rows(rows), form.bits(legal), moves)
    return moves
