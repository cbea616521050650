"""The champion as a bot."""

from __future__ import annotations

import random

from pickomino.bots.champion.net import has_weights
from pickomino.bots.champion.win import Win
from pickomino.rules import Move, Position
from pickomino.solver import MoveValues, Worms, move_values

__all__ = ["ChampionBot"]


class ChampionBot:
    """Plays to win where there is a learned estimate; elsewhere for worms, steals counted double."""

    def choose(self, position: Position, rng: random.Random) -> Move:
        best = self.explain(position).best
        assert best is not None  # a seat is to act
        return best

    def explain(self, position: Position) -> MoveValues:
        """The value of every move: the probability to win, or worms where nothing was learned."""
        if has_weights(position.edition, len(position.stacks)):
            return move_values(position, Win())
        return move_values(position, Worms(loss=1, steal=1))
