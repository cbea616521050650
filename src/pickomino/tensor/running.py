"""Games in the middle of turns, as columns of arrays beside a `Batch`. The seat to act is its seat 0."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from pickomino.compact.packed import GOLD_KEPT, HELD, NONE, PACKED, Packed, dice_words
from pickomino.tensor.arrays import Array
from pickomino.tensor.batch import Batch


@dataclass
class RunningGames:
    """The first axis of every column is the game. Dice are counted by kind, white and golden, and by face."""

    batch: Batch
    seat: Array  # (games,) int8: to act
    first: Array  # (games,) int8: began this game
    phase: Array  # (games,) int8: an index into `PHASES`
    kept: Array  # (games, kinds, faces) int8
    rolled: Array  # (games, kinds, faces) int8, while a keep is due
    joined: Array  # (games,) bool: the golden die is in the turn (D8.1)
    weasel_used: Array  # (games,) bool
    decisions: Array  # (games,) int32: in this game so far
    legal: Array  # (games, moves) bool: by index of the move table

    def columns(self) -> list[Array]:
        """All but the batch."""
        return [getattr(self, field.name) for field in fields(self)[1:]]

    def map(self, change: Callable[[Array], Array]) -> RunningGames:
        return RunningGames(self.batch.map(change), *map(change, self.columns()))

    def write(self, other: RunningGames, at: Array = ...) -> None:
        """Take over another's games, in place: all, or those at some numbers."""
        self.batch.write(other.batch, at)
        for mine, its in zip(self.columns(), other.columns(), strict=True):
            mine[at] = its

    def __len__(self) -> int:
        return len(self.seat)

    def __getitem__(self, index: Array) -> RunningGames:
        return self.map(lambda column: column[index])


def packed_games(games: RunningGames) -> Packed:
    """The games as packed positions, which `pickomino.compact.packed.unpack` reads. From a GPU they are copied."""
    columns: Any = games.map(on_host)
    batch, seat = columns.batch, columns.seat.astype(np.int64)
    rows = np.zeros(len(games), dtype=PACKED)
    seats, tiles = batch.rules.seats, batch.rules.tiles
    rows["seats"], rows["seat"], rows["phase"] = seats, seat, columns.phase
    rows["grill"] = (batch.grill << np.arange(tiles)).sum(1)
    for name in ("top", "below", "place", "gold_rolled"):
        rows[name] = NONE
    everyone = np.arange(len(rows))
    for behind in range(seats):
        heights, owner = batch.heights[:, behind], (seat + behind) % seats
        for tile in range(tiles):
            under = heights[:, tile, None] - 1 == np.where(heights > 0, heights, -1)
            held = heights[:, tile] > 0
            rows["below"][held, tile] = np.where(under.any(1), under.argmax(1), NONE)[held]
        rows["top"][everyone, owner] = np.where(heights.any(1), heights.argmax(1), NONE)
        rows["round_worms"][everyone, owner] = batch.round_worms[:, behind]
    place = batch.place.astype(np.int64)
    held_by = HELD + (place - tiles + seat[:, None]) % seats
    rows["place"][:, : place.shape[1]] = np.where(place < tiles, place, held_by)
    pips = np.array([face.pips for face in batch.rules.edition.faces])
    rows["total"] = (columns.kept.sum(1) * pips).sum(1)
    for name in ("kept", "rolled"):
        rows[name] = dice_words(getattr(columns, name)[:, 0].astype(np.int64))
    golden, shown = columns.kept[:, 1:].sum(1), columns.rolled[:, 1:].sum(1)
    rows["gold"] = np.where(golden.any(1), GOLD_KEPT + golden.argmax(1), columns.joined)
    rows["gold_rolled"] = np.where(shown.any(1), shown.argmax(1), NONE)
    rows["weasel_used"] = columns.weasel_used
    return rows


def on_host(column: Array) -> Array:
    """As NumPy's array; from a GPU it is copied."""
    return column if isinstance(column, np.ndarray) else column.cpu().numpy()
