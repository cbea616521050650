"""Two bots that need no arithmetic."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from pickomino.rules import LeaveGold, Move, Position, RollOn, Steal, Take
from pickomino.rules.dice import tally

if TYPE_CHECKING:  # importing pickomino.bots loads no NumPy
    import numpy as np
    from numpy.typing import NDArray

    from pickomino.bots.protocol import Games


class RandomBot:
    """Any legal move, all equally likely."""

    def choose(self, position: Position, rng: random.Random) -> Move:
        moves = position.moves()
        return moves[int(rng.random() * len(moves))]

    def choose_many(self, games: Games, rng: np.random.Generator) -> NDArray[np.int64]:
        from pickomino.bots.games import legal_mask

        legal = legal_mask(games)
        chosen = (rng.random(len(games)) * legal.sum(axis=1)).astype("int64")
        found: NDArray[np.int64] = (legal.cumsum(axis=1) > chosen[:, None]).argmax(axis=1)
        return found

    def probabilities(self, games: Games) -> NDArray[np.float64]:
        """See `pickomino.bots.protocol.MixedBot`."""
        from pickomino.bots.games import legal_mask

        legal = legal_mask(games)
        likely: NDArray[np.float64] = legal / legal.sum(axis=1, keepdims=True)
        return likely


class CautiousBot:
    """Takes the first tile it can; until then it keeps a worm if there is one, else the most points."""

    def choose(self, position: Position, rng: random.Random) -> Move:
        moves = position.moves()
        for wanted in (Steal, Take, RollOn, LeaveGold):
            for move in reversed(moves):
                if isinstance(move, wanted):
                    return move
        return max(moves, key=lambda move: self._liking(position, str(move)))

    def choose_many(self, games: Games, rng: np.random.Generator) -> NDArray[np.int64]:
        from pickomino.compact import bulk

        return bulk.cautious_moves(games.edition, games.positions, games.legal_bits)

    @staticmethod
    def _liking(position: Position, move: str) -> tuple[bool, int]:
        """Keeps: a worm first, then what counts most. Everything else: as listed."""
        if move[0] != "k":
            return False, -1
        face = move[1]
        points = tally(position.edition, face * position.rolled.count(face), can=False)[0]
        return face == "W", points
