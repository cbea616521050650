"""What a batched policy sees: one row per game, every column an array."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.bulk import worm_counts
from pickomino.compact.moves import MoveTable, move_table
from pickomino.compact.packed import GOLD_KEPT, HELD, NONE, Packed, dice_counts, grill_mask, unpack
from pickomino.compact.tables import edition_tables
from pickomino.rules import SPECIALISTS, Edition, PickominoError, Position
from pickomino.simulate.kernels import pick, random_moves, spread

Ints: TypeAlias = NDArray[np.int64]


class LaneView:
    """Games side by side: tiles and faces as in `pickomino.compact.packed`, moves as in `move_table`."""

    def __init__(self, edition: Edition, seats: int, positions: Packed, runs: NDArray[Any]) -> None:
        self.edition = edition
        self.seats = seats
        self._rows = positions
        self._runs = runs
        self._tables = edition_tables(edition)

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_tables", "legal")  # made again from the edition, and cached
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._tables = edition_tables(self.edition)

    @staticmethod
    def join(views: Sequence[LaneView]) -> LaneView:
        """The games of several views as one, in their order; all of one edition and one number of seats."""
        rows, runs = zip(*((view._rows, view._runs) for view in views), strict=True)
        return LaneView(views[0].edition, views[0].seats, np.concatenate(rows), np.concatenate(runs))

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def positions(self) -> Packed:
        """The packed positions: all that follows, as one record array."""
        return self._column(self._rows[:])

    @property
    def table(self) -> MoveTable:
        """Index <-> move of this edition."""
        return move_table(self.edition)

    @property
    def numbers(self) -> Ints:
        """Which games these are: with the seed, the number of a game decides all its dice."""
        return self._column(self._runs["number"])

    @property
    def decisions(self) -> Ints:
        """Moves made so far in every game."""
        return self._column(self._runs["decisions"])

    @property
    def legal_bits(self) -> Ints:
        """The legal moves as the bits of one integer; 0 once the game is over."""
        return self._column(self._runs["legal"])

    @cached_property
    def legal(self) -> NDArray[np.bool_]:
        """The legal moves: (games, moves)."""
        mask = np.empty((len(self), len(self.table)), dtype=np.bool_)
        spread(self._runs, mask)
        return mask

    def random_moves(self) -> Ints:
        """A uniformly random legal move per game, from the game's own stream; 0 where the game is over."""
        actions = np.empty(len(self), dtype=np.int64)
        random_moves(self._runs, actions)
        return actions

    # --- the table ---

    @property
    def seat(self) -> NDArray[np.int8]:
        """To act; 7 once the game is over."""
        return self._column(self._rows["seat"])

    @property
    def phase(self) -> NDArray[np.int8]:
        """Index into `pickomino.compact.packed.PHASES`."""
        return self._column(self._rows["phase"])

    @property
    def grill(self) -> NDArray[np.int32]:
        """Bit i: tile i is face up."""
        return self._column(self._rows["grill"])

    @property
    def grill_mask(self) -> NDArray[np.bool_]:
        """Face-up tiles: (games, tiles)."""
        return grill_mask(self._rows, len(self.edition.tiles))

    @property
    def tops(self) -> NDArray[np.int8]:
        """The visible tile of every stack, or -1: (games, seats)."""
        return self._column(self._rows["top"][:, : self.seats])

    @property
    def owners(self) -> NDArray[np.int8]:
        """In whose stack a tile lies, or -1: (games, tiles)."""
        owners = np.full((len(self), len(self.edition.tiles)), NONE, dtype=np.int8)
        rows = np.arange(len(self))
        for seat in range(self.seats):
            tile = self._rows["top"][:, seat].astype(np.int64)
            at = rows
            while len(at := at[tile != NONE]):
                tile = tile[tile != NONE]
                owners[at, tile] = seat
                tile = self._rows["below"][at, tile].astype(np.int64)
        return owners

    @property
    def scores(self) -> NDArray[np.int32]:
        """Worms of every seat as things stand: (games, seats)."""
        return worm_counts(self.edition, self.seats, self._rows)[0]

    # --- the dice of the turn ---

    @property
    def total(self) -> NDArray[np.int32]:
        """Of the kept dice; the can is no die (D9.1)."""
        return self._column(self._rows["total"])

    @property
    def kept(self) -> Ints:
        """Kept dice per face, white and golden alike (D8.3): (games, faces)."""
        gold = self._rows["gold"].astype(np.int64)
        return self._counts("kept", np.where(gold >= GOLD_KEPT, gold - GOLD_KEPT, NONE))

    @property
    def rolled(self) -> Ints:
        """Rolled dice per face while a keep is due, white and golden alike: (games, faces)."""
        return self._counts("rolled", self._rows["gold_rolled"].astype(np.int64))

    def _counts(self, field: str, golden: Ints) -> Ints:
        counts = dice_counts(self._rows[field], len(self.edition.faces))
        at = np.flatnonzero(golden != NONE)
        counts[at, golden[at]] += 1
        return counts

    # --- deluxe ---

    @property
    def gold(self) -> NDArray[np.int8]:
        """The golden die: 0 not in this turn, 1 in it and not kept, 2 + face once kept."""
        return self._column(self._rows["gold"])

    @property
    def weasel_used(self) -> NDArray[np.int8]:
        return self._column(self._rows["weasel_used"])

    @property
    def round_worms(self) -> NDArray[np.int8]:
        """Per seat: (games, seats)."""
        return self._column(self._rows["round_worms"][:, : self.seats])

    @property
    def specialists(self) -> NDArray[np.int8]:
        """Per specialist the tile it stands on, 32 + seat, or -1 once it left the game: (games, 6)."""
        return self._column(self._rows["place"])

    def holds(self, specialist: str) -> NDArray[np.bool_]:
        """Where the seat to act holds a specialist."""
        held: NDArray[np.bool_] = self.specialists[:, SPECIALISTS.index(specialist)] == HELD + self.seat
        return held

    def position(self, index: int) -> Position:
        """One game as the rules see it."""
        return unpack(self._rows[index], self.edition)

    def _column(self, column: NDArray[Any]) -> NDArray[Any]:
        """A column to look at: the games themselves are changed by moves only."""
        column.flags.writeable = False
        return column


def sample_legal(legal: NDArray[np.bool_], uniforms: NDArray[np.float64]) -> Ints:
    """Per row of a mask one of its true entries, by numbers from [0, 1) of a generator of one's own."""
    if legal.ndim != 2 or uniforms.shape != legal.shape[:1]:
        raise PickominoError(f"mask {legal.shape} and numbers {uniforms.shape}: expected (n, moves) and (n,)")
    actions = np.empty(len(legal), dtype=np.int64)
    mask = np.ascontiguousarray(legal, dtype=np.bool_)
    pick(mask, np.ascontiguousarray(uniforms, dtype=np.float64), actions)
    return actions
