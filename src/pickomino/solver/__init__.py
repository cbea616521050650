"""Exact mathematics of the turn."""

from __future__ import annotations

from pickomino.solver.turn import solve_turn, solve_turns

__all__ = ["solve_turn", "solve_turns"]
