"""Where dice come from: the system, a seed, or a script. The rules themselves never roll."""

from pickomino.chance.sources import DiceSource, ScriptedDice, SeededDice, SystemDice

__all__ = ["DiceSource", "ScriptedDice", "SeededDice", "SystemDice"]
