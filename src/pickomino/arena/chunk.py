"""What comes of a chunk of games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pickomino.arena.spec import Spec

__all__ = ["Chunk"]


@dataclass(frozen=True)
class Chunk:
    """What came of a chunk: small, and text only."""

    number: int
    ranks: str  # a digit a seat, game by game: rotations of the first group, of the second, …; 0 for winners
    unfinished: int = 0  # games that no end was in sight of; they count as shared by all
    records: str | None = None  # not kept in checkpoints

    def as_json(self) -> dict[str, Any]:
        return {"chunk": self.number, "ranks": self.ranks, "unfinished": self.unfinished}

    def table(self, spec: Spec) -> NDArray[np.int8]:
        """The ranks: (rotations, groups, seats)."""
        digits = np.frombuffer(self.ranks.encode("ascii"), dtype=np.int8) - ord("0")
        shape = (len(spec.groups_of(self.number)), spec.players, spec.players)
        return digits.reshape(shape).transpose(1, 0, 2)

    def fits(self, spec: Spec) -> bool:
        """Whether these are the games that the specification asks for under this number."""
        games = len(spec.groups_of(self.number)) * spec.players if 0 <= self.number < spec.chunks else 0
        digits = {str(rank) for rank in range(spec.players)}
        return 0 < games * spec.players == len(self.ranks) and set(self.ranks) <= digits
