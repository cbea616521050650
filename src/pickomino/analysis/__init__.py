"""The value of positions, moves and games."""

from __future__ import annotations

from pickomino.analysis.evaluation import evaluate
from pickomino.analysis.model import Balance, Decision, Review, RollReview, TurnReview
from pickomino.analysis.objectives import find_objective
from pickomino.analysis.reviewing import review
from pickomino.analysis.values import luck

__all__ = [
    "Balance",
    "Decision",
    "Review",
    "RollReview",
    "TurnReview",
    "evaluate",
    "find_objective",
    "luck",
    "review",
]
