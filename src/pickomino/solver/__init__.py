"""Exact mathematics of the turn.

`solve_turn` and `solve_turns` take plain arrays "total -> value"; `solve_position` any position and any
payoff over the ways a turn can end; `odds` gives the chances of totals; `move_values` values moves for an
objective.
"""

from __future__ import annotations

from pickomino.solver.ending import Ending, after, endings
from pickomino.solver.kernels import Kernel, load_numba, solve_tables
from pickomino.solver.numpy_kernel import Solved
from pickomino.solver.objective import Objective, Worms, move_values
from pickomino.solver.point import SUPPLY
from pickomino.solver.position import MoveValues, TurnSolution, TurnSolver, solve_position
from pickomino.solver.totals import Odds, exact_odds, odds
from pickomino.solver.turn import solve_turn, solve_turns

__all__ = [
    "SUPPLY",
    "Ending",
    "Kernel",
    "MoveValues",
    "Objective",
    "Odds",
    "Solved",
    "TurnSolution",
    "TurnSolver",
    "Worms",
    "after",
    "endings",
    "exact_odds",
    "load_numba",
    "move_values",
    "odds",
    "solve_position",
    "solve_tables",
    "solve_turn",
    "solve_turns",
]
