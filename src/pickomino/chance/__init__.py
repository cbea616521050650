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
from pickomino.chance.dice_record import DiceCheck, Problem, add_dice, check_dice
from pickomino.chance.sources import DiceSource, ScriptedDice, SeededDice, SystemDice

__all__ = [
    "CheckableRoll",
    "DiceChain",
    "DiceCheck",
    "DiceSource",
    "GameSoFar",
    "HandOver",
    "Problem",
    "ScriptedDice",
    "SeededDice",
    "SystemDice",
    "add_dice",
    "bot_nonce",
    "check_dice",
    "check_nonce",
    "fall",
    "game_so_far",
]
