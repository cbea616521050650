"""Uniformly random legal play, whole games in one kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pickomino.compact.packed import PACKED
from pickomino.compact.tables import edition_tables
from pickomino.rules import Edition, PickominoError
from pickomino.simulate.dice import LOG, RUN
from pickomino.simulate.kernels import run_random
from pickomino.simulate.results import Results, Start, check_seed, edition_of, packed_starts

MOST_DECISIONS = 1_000_000  # classic takes about 1,700; where the last tile is out of reach there is no end


def random_games(
    edition: Edition | str = "classic",
    seats: int = 2,
    games: int = 1000,
    seed: int = 0,
    *,
    first: int | Sequence[int] = 0,
    start: Start = None,
    most_decisions: int = MOST_DECISIONS,
) -> Results:
    """Games in which every decision is uniform among the legal moves.

    Game ``n`` depends on the seed and on ``n`` alone. `first` is the seat to begin, or several that take
    turns from game to game; `start` one position or several in the same way. A game longer than
    `most_decisions` is truncated.

    >>> results = random_games(games=100, seed=1)
    >>> results.shares.sum()
    np.float64(100.0)
    """
    if games < 1:
        raise PickominoError(f"{games} games: expected at least one")
    edition = edition_of(edition)
    tables: Any = edition_tables(edition)[0]
    starts = packed_starts(edition, seats, first, start)
    positions, lengths = np.zeros(games, dtype=PACKED), np.zeros(games, dtype=np.int64)
    runs, log = np.zeros(1, dtype=RUN), np.zeros(1, dtype=LOG)
    run_random(tables, positions, starts, runs, np.uint64(check_seed(seed)), most_decisions, lengths, log[0])
    return Results(edition, seats, seed, positions, lengths, starts)
