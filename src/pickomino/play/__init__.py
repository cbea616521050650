"""A match: seats around one game, a log of entries, and the one loop that plays it."""

from pickomino.play.entries import (
    CameBack,
    CameIn,
    Change,
    DiceFell,
    Entry,
    FirstFell,
    MoveMade,
    Replaced,
    Resigned,
    RollAsked,
    RollStep,
    RollVoided,
    TimedOut,
    TipGiven,
    format_entry,
    parse_entry,
)
from pickomino.play.loop import Decider, Player, Quit, Watcher, bot_decider, play_game, play_match
from pickomino.play.match import STAND_IN, Match, Refusal, Seat
from pickomino.play.result import Result

__all__ = [
    "STAND_IN",
    "CameBack",
    "CameIn",
    "Change",
    "Decider",
    "DiceFell",
    "Entry",
    "FirstFell",
    "Match",
    "MoveMade",
    "Player",
    "Quit",
    "Refusal",
    "Replaced",
    "Resigned",
    "Result",
    "RollAsked",
    "RollStep",
    "RollVoided",
    "Seat",
    "TimedOut",
    "TipGiven",
    "Watcher",
    "bot_decider",
    "format_entry",
    "parse_entry",
    "play_game",
    "play_match",
]
