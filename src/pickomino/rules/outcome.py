"""Who has won, and why (rules, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: worms and rank of every seat, the winners, and what decided."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]  # 1 is best; tied seats share a rank and the next ones are skipped
    winners: tuple[int, ...]
    reason: Literal["worms", "tie-break", "shared"]

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """Seats from best to worst, those of equal rank together."""
        return tuple(
            tuple(seat for seat, rank in enumerate(self.ranks) if rank == place)
            for place in sorted(set(self.ranks))
        )

    @property
    def shares(self) -> tuple[float, ...]:
        """Of the win, for every seat; winners who share it have equal parts (R5.3)."""
        return tuple((place == 1) / len(self.winners) for place in self.ranks)


def rank(scores: Sequence[int], highest_tiles: Sequence[int], shared_ties: bool) -> Outcome:
    """R5.2, R5.3: by worms, then by highest single tile (0 for none) unless ties are shared."""
    keys = [(score, 0 if shared_ties else tile) for score, tile in zip(scores, highest_tiles, strict=True)]
    ranks = tuple(1 + sum(other > key for other in keys) for key in keys)
    winners = tuple(seat for seat, place in enumerate(ranks) if place == 1)
    reason: Literal["worms", "tie-break", "shared"] = "worms"
    if len(winners) > 1:
        reason = "shared"
    elif list(scores).count(max(scores)) > 1:
        reason = "tie-break"
    return Outcome(tuple(scores), ranks, winners, reason)
