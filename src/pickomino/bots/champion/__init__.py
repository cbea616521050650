"""The champion: plays the whole game to win, by a learned estimate and the exact turn solver.

A turn ends in a dozen or two ways. The net values each of the tables it could leave behind by every seat's probability
to win; the solver then plays the turn perfectly for these values. `pickomino.training` makes the weights.
"""

from pickomino.bots.champion.bot import ChampionBot
from pickomino.bots.champion.win import Win, win_shares

__all__ = ["ChampionBot", "Win", "win_shares"]
