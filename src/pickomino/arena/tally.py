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
from pickomino.rules import MAX_SEATS

__all__ = ["FairShare", "Share", "Tally"]

WHOLE: Final = lcm(
    *range(1, MAX_SEATS + 1)
)  # a win in parts of which every shared win is a whole number: 420
TAIL: Final = 0.025  # on either side of a 95 % interval
Z95: Final = 1.959963984540054  # 97.5 % point of the normal distribution


@dataclass(frozen=True)
class Share:
    """How much of the wins fell to the seats of an entrant: 1 for each game would be all."""

    groups: int  # in which it sat
    games: int
    seats: int  # that it had in them, copies counted
    wins: float  # a win shared by n seats counts 1/n
    share: float  # wins per seat
    error: float | None  # standard error of the share; None with fewer than two groups

    @property
    def low(self) -> float | None:
        """Lower end of the 95 % confidence interval; exact where everything was won."""
        if self.share == 1:
            return float(TAIL ** (1 / self.groups))
        return None if self.error is None else max(0.0, self.share - Z95 * self.error)

    @property
    def high(self) -> float | None:
        """Upper end; exact where nothing was won."""
        if self.wins == 0:
            return float(1 - TAIL ** (1 / self.groups)) if self.groups else None
        return None if self.error is None else min(1.0, self.share + Z95 * self.error)


@dataclass(frozen=True)
class FairShare:
    """The same share with the luck of the dice taken out: the same mean, a smaller error."""

    share: float
    error: float | None

    @property
    def low(self) -> float | None:
        """Lower end of the 95 % confidence interval."""
        return None if self.error is None else self.share - Z95 * self.error

    @property
    def high(self) -> float | None:
        return None if self.error is None else self.share + Z95 * self.error


class Tally:
    """Adds chunks up."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.chunks = self.groups = self.games = self.unfinished = 0
        entrants = len(spec.entrants)
        self._games = [0] * entrants
        self._groups = [0] * entrants
        # sums over groups, for every entrant: seats, wins, and their squares and products
        self._sums = [[0] * 5 for _ in range(entrants)]
        self._fair = [[0] * 5 for _ in range(entrants)]  # the same, luck taken out

    def add(self, chunk: Chunk) -> None:
        spec = self.spec
        won = chunk.table(spec) == 0
        wins = np.where(won, WHOLE // won.sum(axis=2, keepdims=True), 0).astype(np.int64)
        fair = wins * (LUCK // WHOLE) - (chunk.luck_table(spec) if spec.luck_adjusted else 0)
        seating = spec.seating(chunk.number)
        for entrant in range(len(spec.entrants)):
            sits: NDArray[np.bool_] = seating == entrant
            here = sits.any(axis=2)
            seats = sits.sum(axis=(0, 2))
            for sums, won_parts in ((self._sums, wins), (self._fair, fair)):
                parts = np.where(sits, won_parts, 0).sum(axis=(0, 2))
                more = (seats, parts, seats * seats, seats * parts, parts * parts)
                sums[entrant] = [old + int(new.sum()) for old, new in zip(sums[entrant], more, strict=True)]
            self._games[entrant] += int(here.sum())
            self._groups[entrant] += int(here.any(axis=0).sum())
        self.chunks += 1
        self.groups += won.shape[1]
        self.games += won.shape[0] * won.shape[1]
        self.unfinished += chunk.unfinished

    def share(self, entrant: int) -> Share:
        """So far. The error is that of a ratio, wins by seats; with equally many seats a group, of the mean."""
        seats, parts, *_ = self._sums[entrant]
        groups, games, wins = self._groups[entrant], self._games[entrant], parts / WHOLE
        if not seats:
            return Share(0, 0, 0, 0.0, 0.0, None)
        return Share(
            groups, games, seats, wins, parts / (seats * WHOLE), _error(self._sums[entrant], groups, WHOLE)
        )

    def fair_share(self, entrant: int) -> FairShare | None:
        """Luck taken out; None where it was not measured."""
        seats, parts, *_ = self._fair[entrant]
        if not seats or not self.spec.luck_adjusted:
            return None
        return FairShare(parts / (seats * LUCK), _error(self._fair[entrant], self._groups[entrant], LUCK))

    def shares(self) -> list[Share]:
        return [self.share(entrant) for entrant in range(len(self.spec.entrants))]


def _error(sums: list[int], groups: int, whole: int) -> float | None:
    """The standard error of parts per seat, from its sums over groups; None with fewer than two groups."""
    seats, parts, seats2, seats_parts, parts2 = sums
    # Σ (parts − share · seats)², with share = parts / seats, times seats²: whole numbers, no cancellation
    squares = parts2 * seats * seats - 2 * parts * seats * seats_parts + parts * parts * seats2
    return sqrt(squares * groups / (groups - 1)) / (seats * seats * whole) if groups > 1 else None
