"""A match: seats around one game, and the one loop that plays it."""

from pickomino.play.loop import Decider, Quit, Watcher, bot_decider, play_match
from pickomino.play.match import DiceFell, Entry, Match, MoveMade, Refusal, Seat

__all__ = [
    "Decider",
    "DiceFell",
    "Entry",
    "Match",
    "MoveMade",
    "Quit",
    "Refusal",
    "Seat",
    "Watcher",
    "bot_decider",
    "play_match",
]
