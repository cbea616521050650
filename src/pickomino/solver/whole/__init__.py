"""Small games solved whole: every position's probability to win under best play (docs/small-games.md)."""

from __future__ import annotations

from pickomino.solver.whole.files import load_whole
from pickomino.solver.whole.game import MoveShares, TurnEnd, WholeGame
from pickomino.solver.whole.policies import (
    PolicyValue,
    TurnOdds,
    TurnPolicy,
    evaluate_policy,
    evaluate_turns,
    evaluate_values,
)
from pickomino.solver.whole.rounds import Report, SolvingProgress
from pickomino.solver.whole.small import small_start
from pickomino.solver.whole.solve import MAX_POSITIONS, solve_from, solve_whole
from pickomino.solver.whole.space import count_bound, turn_start

__all__ = [
    "MAX_POSITIONS",
    "MoveShares",
    "PolicyValue",
    "Report",
    "SolvingProgress",
    "TurnEnd",
    "TurnOdds",
    "TurnPolicy",
    "WholeGame",
    "count_bound",
    "evaluate_policy",
    "evaluate_turns",
    "evaluate_values",
    "load_whole",
    "small_start",
    "solve_from",
    "solve_whole",
    "turn_start",
]
