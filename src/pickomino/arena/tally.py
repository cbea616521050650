"""From ranks to shares of the wins, with their errors.

The games of a group share their dice, so a group is one sample, not several. Sums are whole numbers: they come out
the same in whatever order chunks arrive.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pickomino.arena.chunk import LUCK, Chunk
from pickomino.arena.spec import Spec
from pickomino.arena.student import t95
from pickomino.rules import MAX_SEATS

# A win in parts of which every shared win is a whole number: 420.
WHOLE: Final = lcm(*range(1, MAX_SEATS + 1))


@dataclass(frozen=True)
class Share:
    """The share of the wins that an entrant's seats had: 1 per game would be all."""

    groups: int  # in which it sat
    games: int
    seats: int  # that it had in them, copies counted
    wins: float  # a win shared by n seats counts 1/n
    share: float  # wins per seat
    error: float | None  # standard error of the share; None with fewer than two groups
    low: float | None  # the 95 % confidence interval; None without any game
    high: float | None


@dataclass(frozen=True)
class FairShare:
    """The same share with the luck of the dice taken out: the same mean, a smaller error."""

    share: float
    error: float | None
    groups: int

    @property
    def low(self) -> float | None:
        """Lower end of the 95 % confidence interval."""
        return None if self.error is None else self.share - t95(self.groups - 1) * self.error

    @property
    def high(self) -> float | None:
        return None if self.error is None else self.share + t95(self.groups - 1) * self.error


def shared_wins(spec: Spec, chunk: Chunk) -> NDArray[np.int64]:
    """What every seat won, in parts of which `WHOLE` are a win: (rotations, groups, seats)."""
    won = chunk.table(spec) == 0
    return np.where(won, WHOLE // won.sum(axis=2, keepdims=True), 0).astype(np.int64)


def won_parts(spec: Spec, chunk: Chunk) -> NDArray[np.int64]:
    """The same in parts of which `LUCK` are a win, luck taken out where it was measured."""
    parts = shared_wins(spec, chunk) * (LUCK // WHOLE)
    return parts - chunk.luck_table(spec) if spec.luck_adjusted else parts


class Tally:
    """Adds chunks up."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.chunks = self.groups = self.games = self.unfinished = 0
        entrants = len(spec.entrants)
        self.failures = [0] * entrants  # decisions that `cautious` made in place of each
        self._games = [0] * entrants
        self._groups = [0] * entrants
        # sums over groups, for every entrant: seats, wins, and their squares and products
        self._sums = [[0] * 5 for _ in range(entrants)]
        self._fair = [[0] * 5 for _ in range(entrants)]  # the same, luck taken out

    def add(self, chunk: Chunk) -> None:
        spec = self.spec
        wins = shared_wins(spec, chunk)
        fair = won_parts(spec, chunk)
        seating = spec.seating(chunk.number)
        for entrant in range(len(spec.entrants)):
            sits: NDArray[np.bool_] = seating == entrant
            here = sits.any(axis=2)
            seats = sits.sum(axis=(0, 2))
            for sums, each in ((self._sums, wins), (self._fair, fair)):
                parts = np.where(sits, each, 0).sum(axis=(0, 2))
                more = (seats, parts, seats * seats, seats * parts, parts * parts)
                sums[entrant] = [old + int(new.sum()) for old, new in zip(sums[entrant], more, strict=True)]
            self._games[entrant] += int(here.sum())
            self._groups[entrant] += int(here.any(axis=0).sum())
        self.chunks += 1
        self.groups += wins.shape[1]
        self.games += wins.shape[0] * wins.shape[1]
        self.unfinished += chunk.unfinished
        for entrant, failures in enumerate(chunk.failures):
            self.failures[entrant] += failures

    def share(self, entrant: int) -> Share:
        """So far. The error is that of a ratio, wins by seats; with equally many seats a group, of the mean."""
        seats, parts, *_ = self._sums[entrant]
        groups, games, wins = self._groups[entrant], self._games[entrant], parts / WHOLE
        if not seats:
            return Share(0, 0, 0, 0.0, 0.0, None, None, None)
        share, error = parts / (seats * WHOLE), _error(self._sums[entrant], groups, WHOLE)
        low, high = _interval(share, error or 0.0, groups)
        return Share(groups, games, seats, wins, share, error, low, high)

    def fair_share(self, entrant: int) -> FairShare | None:
        """Luck taken out; None where it was not measured."""
        seats, parts, *_ = self._fair[entrant]
        if not seats or not self.spec.luck_adjusted:
            return None
        groups = self._groups[entrant]
        return FairShare(parts / (seats * LUCK), _error(self._fair[entrant], groups, LUCK), groups)

    def shares(self) -> list[Share]:
        return [self.share(entrant) for entrant in range(len(self.spec.entrants))]


def _error(sums: list[int], groups: int, whole: int) -> float | None:
    """The standard error of parts per seat, from its sums over groups; None with fewer than two groups."""
    seats, parts, seats2, seats_parts, parts2 = sums
    # Σ (parts − share · seats)², with share = parts / seats, times seats²: whole numbers, no cancellation
    squares = parts2 * seats * seats - 2 * parts * seats * seats_parts + parts * parts * seats2
    return sqrt(squares * groups / (groups - 1)) / (seats * seats * whole) if groups > 1 else None


def _interval(share: float, error: float, groups: int) -> tuple[float, float]:
    """The 95 % interval, as if half a group more had won everything and half a group nothing.

    So it has a width where all groups came out alike, and Student's t makes it wide enough where there are few. Both
    together hold 95 % from two groups on, for shares near 0 and 1 too: tests/arena/test_tally.py simulates it.
    """
    more = groups + 1
    centre = (share * groups + 0.5) / more
    # Σ (x − centre)² over the groups and both halves; the error says Σ (x − share)² = error² · groups · (groups − 1)
    squares = error * error * groups * (groups - 1) + groups * (share - centre) ** 2
    squares += 0.5 * centre * centre + 0.5 * (1 - centre) ** 2
    half = t95(groups) * sqrt(squares / groups / more)
    return max(0.0, centre - half), min(1.0, centre + half)
