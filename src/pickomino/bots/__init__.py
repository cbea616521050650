"""Programs that choose moves: the protocol, the registry, and the ladder from random upwards."""

from pickomino.bots.protocol import Bot
from pickomino.bots.registry import bot_names, make_bot, register_bot
from pickomino.bots.simple import CautiousBot, RandomBot

__all__ = ["Bot", "CautiousBot", "RandomBot", "bot_names", "make_bot", "register_bot"]
