"""The coach: a word before a blunder, while it can still be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pickomino.analysis.advice import advise
from pickomino.analysis.judgement import grade_of
from pickomino.analysis.sentences import mistake_sentence
from pickomino.analysis.words import Words
from pickomino.rules import IllegalMoveError, Move, Position


def warning(position: Position, move: Move, names: Sequence[str], language: str = "en") -> str:
    """Why this move would be a blunder, in a sentence; empty if it is none."""
    advice = advise(position)
    if advice.decision is None or move not in advice.decision.values:
        raise IllegalMoveError(f"move {str(move)!r} is not legal in {str(position)!r}")
    chosen = replace(advice.decision, played=move)
    if grade_of(chosen, advice.goal) != "blunder":
        return ""
    return mistake_sentence(chosen, Words(names, language, advice.goal))
