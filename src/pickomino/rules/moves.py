"""Moves, and the one thing that is not a move: dice falling. ``str`` gives the text of the notation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pickomino.rules.edition import SEATS

__all__ = [
    "Keep",
    "LeaveGold",
    "Move",
    "Ply",
    "PutBack",
    "Reroll",
    "Roll",
    "RollOn",
    "Steal",
    "Stop",
    "Take",
    "TakeRoundWorm",
    "UseGold",
]


@dataclass(frozen=True, slots=True)
class Keep:
    """Set aside all dice of one face (R2.2)."""

    face: str

    def __str__(self) -> str:
        return f"k{self.face}"


@dataclass(frozen=True, slots=True)
class RollOn:
    """Roll the remaining dice (R2.4)."""

    def __str__(self) -> str:
        return "r"


@dataclass(frozen=True, slots=True)
class Take:
    """Stop and take a tile from the grill (R3.2, R3.4)."""

    tile: int

    def __str__(self) -> str:
        return f"t{self.tile:02}"


@dataclass(frozen=True, slots=True)
class Steal:
    """Stop and steal the tile on top of another stack (R3.3), or its owner's hen (D10.3)."""

    tile: int

    def __str__(self) -> str:
        return f"x{self.tile:02}"


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop with nothing to claim, which is a bust (R2.5); also: do not use the weasel on a dead roll."""

    def __str__(self) -> str:
        return "s"


@dataclass(frozen=True, slots=True)
class UseGold:
    """Add the golden die to the turn (D8.1)."""

    def __str__(self) -> str:
        return "g"


@dataclass(frozen=True, slots=True)
class LeaveGold:
    """Play this turn without the golden die (D8.1)."""

    def __str__(self) -> str:
        return "n"


@dataclass(frozen=True, slots=True)
class Reroll:
    """Use the weasel: roll again all the dice just rolled (D8.2)."""

    def __str__(self) -> str:
        return "w"


@dataclass(frozen=True, slots=True)
class TakeRoundWorm:
    """Choose which seat gives the round worm (D11.1)."""

    giver: int

    def __str__(self) -> str:
        return f"^{SEATS[self.giver] if 0 <= self.giver < len(SEATS) else '?'}"


@dataclass(frozen=True, slots=True)
class PutBack:
    """Choose which of two specialists goes back to the grill (D10.4)."""

    specialist: str

    def __str__(self) -> str:
        return f"<{self.specialist}"


Move: TypeAlias = Keep | RollOn | Take | Steal | Stop | UseGold | LeaveGold | Reroll | TakeRoundWorm | PutBack


@dataclass(frozen=True, slots=True)
class Roll:
    """Fallen dice: sorted white faces, then ``+`` and the golden die's face where it was rolled."""

    dice: str

    def __str__(self) -> str:
        return f"={self.dice}"


Ply: TypeAlias = Move | Roll
