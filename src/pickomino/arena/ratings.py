"""Ratings of the entrants by maximum likelihood, their errors by a bootstrap over groups.

The model is that of Bradley and Terry, with more seats that of Plackett and Luce for first places: a seat wins as
often as its strength is part of the table's, and a rating is the strength on Elo's scale, 0 for the mean of all. Only
who wins counts: a bot that plays to win cares little for worms when it does not. Each entrant has also shared one
made-up game with a player of strength 1, so that one that won or lost everything has a rating too.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.arena.chunk import LUCK, Chunk
from pickomino.arena.spec import Spec
from pickomino.arena.student import t95
from pickomino.arena.tally import won_parts

ELO: Final = 400 / log(10)
_DRAWS: Final = 200  # of the bootstrap: the error itself is known to 5 %
_STEPS: Final = 100
_STILL: Final = 1e-9

Floats = NDArray[np.float64]


class Rating(NamedTuple):
    """On Elo's scale; None with fewer than two groups."""

    elo: float
    error: float | None
    low: float | None
    high: float | None


def rate(spec: Spec, chunks: Iterable[Chunk]) -> list[Rating]:
    """The ratings of all entrants, in whatever order chunks come; luck is taken out where it was measured."""
    games = [_games(spec, chunk) for chunk in sorted(chunks, key=lambda chunk: chunk.number)]
    if not games:
        return [Rating(0.0, None, None, None)] * len(spec.entrants)
    lines, wins = (np.concatenate(part) for part in zip(*games, strict=True))
    tables, line = np.unique(lines, axis=0, return_inverse=True)
    line = line.reshape(-1)
    best = _fitted(tables, np.bincount(line) * spec.players, wins.sum(axis=0))
    groups = len(line)
    if groups < 2:
        return [Rating(elo, None, None, None) for elo in best.tolist()]
    rng = np.random.default_rng(spec.seed)
    drawn = np.empty((_DRAWS, len(best)))
    for draw in drawn:
        often = rng.multinomial(groups, np.full(groups, 1 / groups))
        counts = np.bincount(line, weights=often, minlength=len(tables)) * spec.players
        draw[:] = _fitted(tables, counts, often @ wins)
    error = drawn.std(axis=0, ddof=1) * np.sqrt(groups / (groups - 1))
    half = t95(groups - 1) * error
    found = np.stack([best, error, best - half, best + half], axis=1)
    return [Rating(*row) for row in found.tolist()]


def _games(spec: Spec, chunk: Chunk) -> tuple[NDArray[np.int64], Floats]:
    """Per group: how many seats each entrant had at the table, and what it won there in all rotations."""
    seating = spec.seating(chunk.number)
    parts = won_parts(spec, chunk) / LUCK
    lines = np.stack([(seating[0] == entrant).sum(axis=1) for entrant in range(len(spec.entrants))], axis=1)
    wins = [np.where(seating == entrant, parts, 0).sum(axis=(0, 2)) for entrant in range(len(spec.entrants))]
    return lines, np.stack(wins, axis=1)


def _fitted(tables: NDArray[np.int64], counts: Floats | NDArray[np.int64], wins: Floats) -> Floats:
    """The likeliest ratings: `counts` games of each table (tables, entrants), and what everybody won in all."""
    most = (counts[:, None] * (tables > 0)).sum(axis=0)
    wins = np.clip(wins, 0, most)  # with luck taken out it may be less than nothing
    strength = np.zeros(tables.shape[1])  # its logarithm
    for _ in range(_STEPS):  # Newton's: the likelihood is concave
        shares = np.multiply(tables, np.exp(strength), dtype=np.float64)
        shares /= shares.sum(axis=1, keepdims=True)
        own = 1 / (1 + np.exp(-strength))
        slope = wins - counts @ shares + 0.5 - own
        bend = (shares * counts[:, None]).T @ shares - np.diag(counts @ shares + own * (1 - own))
        step = np.linalg.solve(bend, -slope)
        step *= min(1.0, 1.0 / max(float(np.abs(step).max()), 1e-300))  # far away it would overshoot
        strength += step
        if np.abs(step).max() < _STILL:
            break
    rating: Floats = ELO * (strength - strength.mean())
    return rating
