"""How a match ended: the rules' outcome, with seats that resigned behind all others."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pickomino.rules import Position
from pickomino.rules.outcome import rank

Reason: TypeAlias = Literal["worms", "tie-break", "shared", "resignation"]


@dataclass(frozen=True, slots=True)
class Result:
    """Worms and rank of every seat, the winners, and what decided."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    reason: Reason


def result_of(position: Position, resigned: Set[int]) -> Result:
    """Ranks as the rules have them among the seats that can win; those that resigned share the last rank."""
    seats = range(len(position.stacks))
    left = [seat for seat in seats if seat not in resigned]
    highest = [max(position.stacks[seat], default=0) for seat in left]
    scores = position.scores
    outcome = rank([scores[seat] for seat in left], highest, position.edition.tie_break == "shared")
    ranks = [len(left) + 1] * len(seats)
    for seat, place in zip(left, outcome.ranks, strict=True):
        ranks[seat] = place
    reason: Reason = outcome.reason if position.over else "resignation"
    return Result(scores, tuple(ranks), tuple(left[winner] for winner in outcome.winners), reason)
