"""Ratings of the entrants: Plackett–Luce by openskill, game by game in the order of the chunks.

Who wins comes first and all others are equal: a bot that plays to win cares little for worms when it does not.

Bots do not get better while they play, so the model's drift is 0 and the uncertainty shrinks with every game. The
order of games matters a little; it is always the same.
"""

from __future__ import annotations

from typing import NamedTuple

from pickomino.arena.chunk import Chunk
from pickomino.arena.spec import Spec
from pickomino.rules import PickominoError

__all__ = ["Rating", "Ratings"]


class Rating(NamedTuple):
    mu: float
    sigma: float


class Ratings:
    """Takes chunks in any order and rates them in theirs."""

    def __init__(self, spec: Spec) -> None:
        try:
            from openskill.models import PlackettLuce
        except ImportError:
            raise PickominoError(
                "arena needs the extra arena for ratings: pip install pickomino[arena]"
            ) from None
        self.spec = spec
        self._model = PlackettLuce(tau=0.0)
        self._ratings = [self._model.rating() for _ in spec.entrants]
        self._waiting: dict[int, Chunk] = {}
        self._next = 0

    def add(self, chunk: Chunk) -> None:
        self._waiting[chunk.number] = chunk
        while (ready := self._waiting.pop(self._next, None)) is not None:
            self._rate(ready)
            self._next += 1

    def _rate(self, chunk: Chunk) -> None:
        rate, ratings = self._model.rate, self._ratings
        seating = self.spec.seating(chunk.number).transpose(1, 0, 2).reshape(-1, self.spec.players)
        ranks = (chunk.table(self.spec) > 0).transpose(1, 0, 2).reshape(-1, self.spec.players)
        for seated, ranked in zip(seating.tolist(), ranks.astype(float).tolist(), strict=True):
            updated = rate([[ratings[entrant]] for entrant in seated], ranks=ranked)
            for entrant in set(seated):  # copies of one bot: the mean of what their seats say
                mine = [updated[seat][0] for seat, who in enumerate(seated) if who == entrant]
                mu = sum(rating.mu for rating in mine) / len(mine)
                sigma = sum(rating.sigma for rating in mine) / len(mine)
                ratings[entrant] = self._model.rating(mu=mu, sigma=sigma)

    def ratings(self) -> list[Rating]:
        """Of the chunks rated so far: all up to the first one that is missing."""
        return [Rating(rating.mu, rating.sigma) for rating in self._ratings]
