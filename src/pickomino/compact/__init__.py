"""The game packed into arrays, built from an `Edition`: what every kernel loops over."""

from __future__ import annotations

from pickomino.compact.turn import RollPattern, TurnTables, turn_tables

__all__ = ["RollPattern", "TurnTables", "turn_tables"]
