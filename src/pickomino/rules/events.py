"""What a ply brought about: frozen records, in the order in which things happen at the table.

Without slots: they would double what making these classes adds to ``import pickomino``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pickomino.rules.outcome import Outcome

__all__ = [
    "Busted",
    "Event",
    "Flipped",
    "GameOver",
    "GoldUsed",
    "GotRoundWorm",
    "GotSpecialist",
    "Kept",
    "Returned",
    "Rolled",
    "SpecialistLeft",
    "SpecialistMoved",
    "Stole",
    "Took",
    "TurnStarted",
    "WeaselUsed",
]


@dataclass(frozen=True)
class TurnStarted:
    seat: int


@dataclass(frozen=True)
class Rolled:
    seat: int
    dice: str


@dataclass(frozen=True)
class Kept:
    seat: int
    face: str
    count: int
    total: int


@dataclass(frozen=True)
class Took:
    seat: int
    tile: int


@dataclass(frozen=True)
class Stole:
    seat: int
    tile: int
    victim: int


@dataclass(frozen=True)
class Busted:
    seat: int


@dataclass(frozen=True)
class Returned:
    seat: int
    tile: int


@dataclass(frozen=True)
class Flipped:
    tile: int


@dataclass(frozen=True)
class GoldUsed:
    seat: int


@dataclass(frozen=True)
class WeaselUsed:
    seat: int


@dataclass(frozen=True)
class GotRoundWorm:
    seat: int
    giver: int | None  # None: from the supply


@dataclass(frozen=True)
class GotSpecialist:
    seat: int
    specialist: str
    victim: int | None  # None: from the grill


@dataclass(frozen=True)
class SpecialistMoved:
    specialist: str
    tile: int


@dataclass(frozen=True)
class SpecialistLeft:
    """No free tile was left for it (D13.1)."""

    specialist: str


@dataclass(frozen=True)
class GameOver:
    outcome: Outcome


Event: TypeAlias = (
    TurnStarted
    | Rolled
    | Kept
    | Took
    | Stole
    | Busted
    | Returned
    | Flipped
    | GoldUsed
    | WeaselUsed
    | GotRoundWorm
    | GotSpecialist
    | SpecialistMoved
    | SpecialistLeft
    | GameOver
)
