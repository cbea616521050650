"""Moves, and the one thing that is not a move: dice falling. ``str`` gives the text of the notation.

What no edition could know is refused here, when it is made; what a position does not allow, by `Position.apply`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn, TypeAlias

from pickomino.rules.edition import FACES, SEATS, SPECIALISTS
from pickomino.rules.errors import NotationError, quote, said


def _refuse(kind: str, value: object, expected: str) -> NoReturn:
    raise NotationError(
        "{kind}({value}): expected {expected}", kind=kind, value=quote(value), expected=expected
    )


def _check_tile(kind: str, tile: object) -> None:
    if type(tile) is not int or not 0 <= tile <= 99:
        _refuse(kind, tile, said("a tile, a whole number of at most two digits"))


@dataclass(frozen=True, slots=True)
class Keep:
    """Set aside all dice of one face (R2.2)."""

    face: str

    def __post_init__(self) -> None:
        if self.face not in tuple(FACES):
            _refuse("Keep", self.face, said("a face as text, '1' to '9' or 'W'"))

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

    def __post_init__(self) -> None:
        _check_tile("Take", self.tile)

    def __str__(self) -> str:
        return f"t{self.tile:02}"


@dataclass(frozen=True, slots=True)
class Steal:
    """Stop and steal the tile on top of another stack (R3.3), or its owner's hen (D10.3)."""

    tile: int

    def __post_init__(self) -> None:
        _check_tile("Steal", self.tile)

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

    def __post_init__(self) -> None:
        if type(self.giver) is not int or not 0 <= self.giver < len(SEATS):
            _refuse("TakeRoundWorm", self.giver, said("a seat, 0 to {seats}", seats=len(SEATS) - 1))

    def __str__(self) -> str:
        return f"^{SEATS[self.giver]}"


@dataclass(frozen=True, slots=True)
class PutBack:
    """Choose which of two specialists goes back to the grill (D10.4)."""

    specialist: str

    def __post_init__(self) -> None:
        if self.specialist not in SPECIALISTS:
            _refuse(
                "PutBack", self.specialist, said("one of {specialists}", specialists=", ".join(SPECIALISTS))
            )

    def __str__(self) -> str:
        return f"<{self.specialist}"


Move: TypeAlias = Keep | RollOn | Take | Steal | Stop | UseGold | LeaveGold | Reroll | TakeRoundWorm | PutBack


@dataclass(frozen=True, slots=True)
class Roll:
    """Fallen dice: white faces, sorted here, then ``+`` and the golden die's face where it was rolled.

    >>> Roll("W5432111")
    Roll(dice='1112345W')
    """

    dice: str

    def __post_init__(self) -> None:
        if not isinstance(self.dice, str):
            _refuse("Roll", self.dice, _DICE_EXPECTED)
        object.__setattr__(self, "dice", _sorted_dice(self.dice))

    def __str__(self) -> str:
        return f"={self.dice}"


_DICE = re.compile(rf"(?=.)([{FACES}]*)((?:\+[{FACES}])?)")
_DICE_EXPECTED = "dice as text, as in '1123455W', or '1124+W' with the golden die"


@lru_cache(maxsize=4096)  # eight dice fall in 1,287 ways; the same texts come again and again
def _sorted_dice(dice: str) -> str:
    found = _DICE.fullmatch(dice)
    if found is None:
        _refuse("Roll", dice, _DICE_EXPECTED)
    return "".join(sorted(found[1])) + found[2]


Ply: TypeAlias = Move | Roll
