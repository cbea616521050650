"""Moves and rolls out of text: ``kW``, ``r``, ``t25``, ``=1123455W``. ``str(move)`` is the way back."""

from __future__ import annotations

import re

from pickomino.rules.edition import FACES, SEATS, SPECIALISTS
from pickomino.rules.errors import NotationError, quote
from pickomino.rules.moves import (
    Keep,
    LeaveGold,
    Move,
    Ply,
    PutBack,
    Reroll,
    Roll,
    RollOn,
    Steal,
    Stop,
    Take,
    TakeRoundWorm,
    UseGold,
)

_SIMPLE: tuple[Move, ...] = (RollOn(), Stop(), UseGold(), LeaveGold(), Reroll(), *map(Keep, FACES))
_PLAIN = {str(move): move for move in _SIMPLE}
_TILE = re.compile(r"[tx][0-9]{2}")
_DICE = re.compile("".join(f"{face}*" for face in FACES) + rf"(\+[{FACES}])?")


def parse_move(text: str) -> Move:
    """The move that a text names; whether it is legal is the position's business."""
    if text in _PLAIN:
        return _PLAIN[text]
    if _TILE.fullmatch(text):
        return (Take if text[0] == "t" else Steal)(int(text[1:]))
    if len(text) == 2 and text[0] == "^" and text[1] in SEATS:
        return TakeRoundWorm(SEATS.index(text[1]))
    if text[:1] == "<" and text[1:] in SPECIALISTS:
        return PutBack(text[1:])
    raise NotationError(
        "move {text}: expected k and a face (k5, kW), r, s, t or x and a tile (t25, x25), g, n, w, ^ "
        "and a seat (^C), or < and a specialist (<hen)",
        text=quote(text),
    )


def shape_of_dice(text: str) -> bool:
    """Whether the text is at least one die, sorted, the golden one last: ``1124+W``."""
    return bool(text) and _DICE.fullmatch(text) is not None


def parse_roll(text: str) -> Roll:
    """Fallen dice: ``=1123455W``, with the golden die ``=1123455W+1``."""
    if text[:1] != "=" or not shape_of_dice(text[1:]):
        raise NotationError(
            "roll {text}: expected = and sorted dice, as in =1123455W or =1124+W", text=quote(text)
        )
    return Roll(text[1:])


def parse_ply(text: str) -> Ply:
    """A move or a roll."""
    return parse_roll(text) if text[:1] == "=" else parse_move(text)
