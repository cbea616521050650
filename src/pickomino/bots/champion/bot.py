"""The champion as a bot, for one game and for thousands."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.champion.net import has_weights
from pickomino.bots.champion.win import Win, win_values
from pickomino.bots.ends import Ends
from pickomino.bots.ev import worms_values
from pickomino.bots.turn_value import TurnValueBot
from pickomino.rules import Edition, Position
from pickomino.solver import MoveValues, Worms, move_values

_UNLEARNED = Worms(loss=1, steal=1)


class ChampionBot(TurnValueBot):
    """Plays to win where there is a learned estimate; elsewhere for worms, steals counted double.

    Deluxe with switches is played by the estimate learned without them: `pickomino.bots.champion.net.learned` says so.
    """

    def __init__(self) -> None:
        super().__init__(Win())

    def explain(self, position: Position) -> MoveValues:
        """The value of every move: the probability to win, or worms where nothing was learned."""
        learned = has_weights(position.edition, len(position.stacks))
        return move_values(position, self.objective if learned else _UNLEARNED)

    def end_values(self, edition: Edition, ends: Ends) -> NDArray[np.float64]:
        if not has_weights(edition, int(ends.rows["seats"][0])):
            return worms_values(_UNLEARNED, edition, ends)
        return win_values(edition, ends)
