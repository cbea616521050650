"""A small game that is solved whole as Parquet files: one row per turn start, with its exact values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from pickomino import __version__
from pickomino.dataset.games import position_meanings, tile_codes
from pickomino.dataset.parquet import Columns
from pickomino.dataset.writing import Part, write_folder
from pickomino.rules import PickominoError
from pickomino.solver.whole import WholeGame
from pickomino.tensor import packed_batch


def write_solved(
    out: Path,
    game: WholeGame,
    per_file: int = 1 << 20,
    report: Callable[[dict[str, Any]], None] = lambda entry: None,
) -> dict[str, Any]:
    """Write what is missing of a solved game; the card."""
    if game.edition.specialists:
        raise PickominoError(f"{game.edition.key}: tables of positions are for editions without specialists")
    named = f"{game.edition.key} with tiles {', '.join(map(str, game.tiles))} and {game.players} seats"
    card: dict[str, Any] = {
        "title": f"{named}, solved whole: every turn start",
        "made_with": {"version": __version__},
        "edition": game.edition.key,
        "seats": game.players,
        "tiles": list(game.tiles),
        "start_value": game.start_value,
        "residual": game.residual,
        "converged": game.converged,
        "columns": position_meanings(game.tiles, game.players),
        "known_errors": "Values are exact up to the residual: how far one more turn, played anew, would move one. "
        "One row serves every seat to act; turn starts that no game reaches are not there.",
    }

    def part(first: int) -> Part:
        rows = slice(first, min(first + per_file, game.positions))
        return f"solved-{first // per_file:05}.parquet", {}, lambda: _columns(game, rows)

    return write_folder(out, card, map(part, range(0, game.positions, per_file)), report)


def _columns(game: WholeGame, rows: slice) -> Columns:
    packed = game.space.packed(rows)
    codes = tile_codes(packed_batch(game.edition, packed, packed["seat"])).astype(np.int8)
    columns = [*codes[:, game.space.tile_index].T, *game.table[rows].T]
    names = position_meanings(game.tiles, game.players)
    return dict(zip(names, map(np.ascontiguousarray, columns), strict=True))
