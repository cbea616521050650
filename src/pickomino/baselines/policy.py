"""Nets as bots, so that the arena, the table and the bench play with them: ``pickomino.baselines:PpoBot``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pickomino.baselines.net import Mlp
from pickomino.bots.protocol import Games
from pickomino.envs.seeing import observed
from pickomino.rules import PickominoError

WEIGHTS: Final = Path(__file__).parent / "weights"


class NetBot:
    """Plays the move that a net likes best, or draws it as likely as the net says (`draw`).

    The net sees ``flat`` observations and has an output for every move; what else it has is not looked at.
    """

    def __init__(self, net: Mlp, *, draw: bool = False) -> None:
        self.net, self.draw = net, draw

    def choose_many(self, games: Games, rng: np.random.Generator) -> NDArray[np.int64]:
        seen = observed(games)
        if seen.rows.shape[1] != len(self.net.parameters[0]):
            raise PickominoError(
                f"{games.edition.key} with {games.seats} seats shows {seen.rows.shape[1]} numbers: "
                f"expected {len(self.net.parameters[0])}, as the net was trained with"
            )
        legal = seen.masks.astype(np.bool_)
        liking = np.where(legal, self.net.forward(seen.rows)[:, : legal.shape[1]], -np.inf)
        if self.draw:
            liking -= np.log(rng.standard_exponential(liking.shape))  # Gumbel's way to draw by probabilities
        chosen: NDArray[np.int64] = liking.argmax(axis=1)
        return chosen


def trained(learner: str, weights: str = "") -> Mlp:
    """What a baseline learned for `classic` with two seats, or the net in a file."""
    return Mlp.load(Path(weights) if weights else WEIGHTS / f"{learner}-classic-2.npz")


class PpoBot(NetBot):
    """The policy of `pickomino.baselines.ppo` for `classic` with two seats, or the one in a file."""

    def __init__(self, weights: str = "") -> None:
        super().__init__(trained("ppo", weights))
