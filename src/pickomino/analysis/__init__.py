"""What positions, moves and games are worth."""

from __future__ import annotations

from pickomino.analysis.evaluation import evaluate
from pickomino.analysis.objectives import find_objective

__all__ = ["evaluate", "find_objective"]
