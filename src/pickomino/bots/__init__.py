"""Programs that choose moves: the protocol, the registry, and the ladder from random upwards.

Importing this does not load NumPy. The parts that need it are separate modules: `pickomino.bots.turn_value`
(the base of bots that value the ends of a turn), `pickomino.bots.games` (batches), `pickomino.bots.ev`,
`pickomino.bots.levels`.
"""

from pickomino.bots.protocol import BatchBot, Bot, ExplainingBot, Games
from pickomino.bots.registry import bot_descriptions, bot_names, make_bot, register_bot
from pickomino.bots.simple import CautiousBot, RandomBot

__all__ = [
    "BatchBot",
    "Bot",
    "CautiousBot",
    "ExplainingBot",
    "Games",
    "RandomBot",
    "bot_descriptions",
    "bot_names",
    "make_bot",
    "register_bot",
]
