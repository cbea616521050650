"""Levels for people: a player who sees what moves are worth, but not too exactly.

Weaker play should look human. A person sees roughly what a move is worth, and mostly errs where it matters
little. So these bots value every move by the exact turn, and choose with a probability that falls off
with what the move gives away, ``exp(-given away / temperature)``; moves that give away more than `most` are
never made. Both are in worms of this turn. The weaker levels also look less far: they think less of what a bust
costs, or of what a steal takes from others.
"""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.ev import EvBot, number
from pickomino.bots.turn_value import ManyValues
from pickomino.rules import Move
from pickomino.solver import MoveValues


class SoftBot(EvBot):
    """Like `ev`, with softened choices."""

    def __init__(
        self,
        temperature: float | str = 0.1,
        most: float | str = 0.5,
        loss: float | str = 1.0,
        steal: float | str = 1.0,
    ) -> None:
        super().__init__(loss, steal)
        self.temperature = number("temperature", temperature, least=0.001)
        self.most = number("most", most, least=0.0)

    def __str__(self) -> str:
        return (
            f"soft:temperature={self.temperature:g},most={self.most:g},"
            f"loss={self.worms.loss:g},steal={self.worms.steal:g}"
        )

    def pick(self, found: MoveValues, rng: random.Random) -> Move:
        if not found.moves:
            return super().pick(found, rng)  # which complains
        values = np.array(list(found.moves.values()))
        chosen = self._softened(values[None], np.array([rng.random()]))[0]
        return list(found.moves)[int(chosen)]

    def pick_many(self, found: ManyValues, rng: np.random.Generator) -> NDArray[np.int64]:
        return self._softened(found.values, rng.random(len(found.values)))

    def _softened(self, values: NDArray[np.float64], uniforms: NDArray[np.float64]) -> NDArray[np.int64]:
        """One move a row, by a number from [0, 1) each."""
        given_away = values.max(axis=1, keepdims=True) - values
        weight = np.where(given_away <= self.most, np.exp(-given_away / self.temperature), 0.0)
        sums = weight.cumsum(axis=1)
        chosen: NDArray[np.int64] = (sums > (uniforms * sums[:, -1])[:, None]).argmax(axis=1)
        return chosen


def easy() -> SoftBot:
    """For a first game: busts seem half as bad as they are, and good moves are often not the best ones."""
    return SoftBot(temperature=0.4, most=0.8, loss=0.5, steal=0)


def medium() -> SoftBot:
    """Plays for worms with an eye for most of it; does not see that a steal also costs the other seat."""
    return SoftBot(temperature=0.3, most=0.55, loss=0.6, steal=0)


def hard() -> SoftBot:
    """Knows what a turn is worth and errs only in close calls."""
    return SoftBot(temperature=0.15, most=0.4, loss=1, steal=0.5)
