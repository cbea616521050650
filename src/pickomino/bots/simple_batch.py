"""The simple bots' choices for whole batches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.games import legal_mask
from pickomino.bots.protocol import Games
from pickomino.compact import bulk


def random_moves(games: Games, rng: np.random.Generator) -> NDArray[np.int64]:
    """Any legal move, all equally likely."""
    legal = legal_mask(games)
    chosen = (rng.random(len(games)) * legal.sum(axis=1)).astype(np.int64)
    found: NDArray[np.int64] = (legal.cumsum(axis=1) > chosen[:, None]).argmax(axis=1)
    return found


def cautious_moves(games: Games) -> NDArray[np.int64]:
    """The moves of `CautiousBot`."""
    return bulk.cautious_moves(games.edition, games.positions, games.legal_bits)
