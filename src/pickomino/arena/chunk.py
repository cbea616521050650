"""What comes of a chunk of games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pickomino.arena.spec import Spec

LUCK: Final = 420_000
"""Luck is counted in parts of a win of which every shared win is a whole number, and fine enough to forget about."""


@dataclass(frozen=True)
class Chunk:
    """The result of a chunk: small, and text only."""

    number: int
    ranks: str  # a digit a seat, game by game: rotations of the first group, of the second, …; 0 for winners
    unfinished: int = 0  # games that no end was in sight of; they count as shared by all
    records: str | None = None  # not kept in checkpoints
    luck: str = ""  # whole numbers of `LUCK` a win, in the order of the ranks; empty: not measured
    failures: tuple[int, ...] = ()  # per entrant, decisions that `cautious` made in its place; empty: none

    def as_json(self) -> dict[str, Any]:
        luck = {"luck": self.luck} if self.luck else {}
        failures = {"failures": list(self.failures)} if self.failures else {}
        return {"chunk": self.number, "ranks": self.ranks, "unfinished": self.unfinished, **luck, **failures}

    def table(self, spec: Spec) -> NDArray[np.int8]:
        """The ranks: (rotations, groups, seats)."""
        digits = np.frombuffer(self.ranks.encode("ascii"), dtype=np.int8) - ord("0")
        return digits.reshape(self._shape(spec)).transpose(1, 0, 2)

    def luck_table(self, spec: Spec) -> NDArray[np.int64]:
        """The luck, so many parts of a win: (rotations, groups, seats)."""
        numbers = np.array(self.luck.split(), dtype=np.int64)
        return numbers.reshape(self._shape(spec)).transpose(1, 0, 2)

    def _shape(self, spec: Spec) -> tuple[int, int, int]:
        return len(spec.groups_of(self.number)), spec.players, spec.players

    def fits(self, spec: Spec) -> bool:
        """Whether these are the games that the specification has under this number."""
        games = len(spec.groups_of(self.number)) * spec.players if 0 <= self.number < spec.chunks else 0
        digits = {str(rank) for rank in range(spec.players)}
        whole = len(self.luck.split()) == (len(self.ranks) if spec.luck_adjusted else 0)
        whole &= len(self.failures) in (0, len(spec.entrants))
        return whole and 0 < games * spec.players == len(self.ranks) and set(self.ranks) <= digits
