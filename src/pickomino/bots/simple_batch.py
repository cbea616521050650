"""The simple bots' choices for whole batches."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.games import legal_mask
from pickomino.bots.protocol import Games
from pickomino.compact.moves import MoveTable, move_table
from pickomino.compact.packed import NONE, dice_counts
from pickomino.rules.edition import WORM

__all__ = ["cautious_moves", "random_moves"]

_LIKED: Final = {
    "x": 4,
    "t": 3,
    "r": 2,
    "n": 1,
}  # CautiousBot's order; of each kind the last move in text order
_MANY: Final = 1 << 20  # above every number of points


def random_moves(games: Games, rng: np.random.Generator) -> NDArray[np.int64]:
    """Any legal move, all equally likely."""
    legal = legal_mask(games)
    chosen = (rng.random(len(games)) * legal.sum(axis=1)).astype(np.int64)
    found: NDArray[np.int64] = (legal.cumsum(axis=1) > chosen[:, None]).argmax(axis=1)
    return found


def cautious_moves(games: Games) -> NDArray[np.int64]:
    """The moves of `CautiousBot`."""
    table, edition = move_table(games.edition), games.edition
    liking = np.broadcast_to(_kinds(table), (len(games), len(table))).copy()
    first, faces = table.index(f"k{edition.faces[0].sign}"), len(edition.faces)
    rows = games.positions
    counts = dice_counts(rows["rolled"], faces)
    golden = np.flatnonzero(rows["gold_rolled"] != NONE)
    counts[golden, rows["gold_rolled"][golden]] += 1
    points = counts * [face.pips for face in edition.faces]
    points[:, [face.sign for face in edition.faces].index(WORM)] += _MANY
    liking[:, first : first + faces] = points
    found: NDArray[np.int64] = np.where(legal_mask(games), liking, -_MANY).argmax(axis=1)
    return found


def _kinds(table: MoveTable) -> NDArray[np.int64]:
    """Of each kind, and among the kinds, the later the better; all else as listed, below every keep."""
    kinds = [_LIKED.get(text[0], 0) for text in table.texts]
    return np.array([kind * 2 * _MANY + index if kind else -1 for index, kind in enumerate(kinds)])
