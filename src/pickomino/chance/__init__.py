"""Where dice come from: the system, a seed, a script, or a chain that anyone can check. Rules never roll."""

from pickomino.chance.checkable import (
    CheckableRoll,
    DiceChain,
    GameSoFar,
    HandOver,
    bot_nonce,
    check_nonce,
    fall,
    game_so_far,
)
from pickomino.chance.contributor import Contributor
from pickomino.chance.dice_check import DiceCheck, Problem, check_dice
from pickomino.chance.dice_record import FirstRoll, JointDice, VoidRoll, add_dice
from pickomino.chance.guests import GuestChain, GuestLinks, GuestTip, mix, parse_mix, who_starts
from pickomino.chance.kept import KeptCheck, KeptValues, compare_kept
from pickomino.chance.sources import DiceSource, ScriptedDice, SeededDice, SystemDice

__all__ = [
    "CheckableRoll",
    "Contributor",
    "DiceChain",
    "DiceCheck",
    "DiceSource",
    "FirstRoll",
    "GameSoFar",
    "GuestChain",
    "GuestLinks",
    "GuestTip",
    "HandOver",
    "JointDice",
    "KeptCheck",
    "KeptValues",
    "Problem",
    "ScriptedDice",
    "SeededDice",
    "SystemDice",
    "VoidRoll",
    "add_dice",
    "bot_nonce",
    "check_dice",
    "check_nonce",
    "compare_kept",
    "fall",
    "game_so_far",
    "mix",
    "parse_mix",
    "who_starts",
]
