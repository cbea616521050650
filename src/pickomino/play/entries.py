"""Entries: what is put into a match. They are stored, one text each; everything else is derived from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pickomino.notation import parse_move, parse_roll
from pickomino.rules import SEATS, Move, NotationError, Roll

__all__ = [
    "CameBack",
    "Change",
    "DiceFell",
    "Entry",
    "MoveMade",
    "Replaced",
    "Resigned",
    "TimedOut",
    "format_entry",
    "parse_entry",
]


@dataclass(frozen=True, slots=True)
class MoveMade:
    """A seat chose a move."""

    seat: int
    move: Move


@dataclass(frozen=True, slots=True)
class DiceFell:
    """Chance spoke."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The turn's time ran out: a bot finishes the turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """The seat gives up: it cannot win any more."""

    seat: int


@dataclass(frozen=True, slots=True)
class Replaced:
    """The person is away: a bot plays the seat until the person is back."""

    seat: int
    bot: str


@dataclass(frozen=True, slots=True)
class CameBack:
    """The person is here again and plays on."""

    seat: int


Change: TypeAlias = TimedOut | Resigned | Replaced | CameBack
"""What changes who plays a seat, not the position."""
Entry: TypeAlias = MoveMade | DiceFell | Change

_WORDS: dict[str, type[TimedOut] | type[Resigned] | type[CameBack]] = {
    "timeout": TimedOut,
    "resign": Resigned,
    "back": CameBack,
}


def format_entry(entry: Entry) -> str:
    """``A kW`` ``=1123`` ``A timeout`` ``A resign`` ``A bot cautious`` ``A back``.

    >>> from pickomino import Keep
    >>> format_entry(MoveMade(0, Keep("W")))
    'A kW'
    """
    match entry:
        case DiceFell(roll):
            return str(roll)
        case MoveMade(seat, move):
            return f"{SEATS[seat]} {move}"
        case Replaced(seat, bot):
            return f"{SEATS[seat]} bot {bot}"
        case _:
            word = next(word for word, kind in _WORDS.items() if isinstance(entry, kind))
            return f"{SEATS[entry.seat]} {word}"


def parse_entry(text: str) -> Entry:
    """The entry that a text names; ``format_entry`` is the way back."""
    if text[:1] == "=":
        return DiceFell(parse_roll(text))
    letter, blank, what = text.partition(" ")
    if len(letter) != 1 or letter not in SEATS or not blank:
        raise NotationError(f"entry {text[:80]!r}: expected = and dice, or a seat, a blank and what it did")
    seat = SEATS.index(letter)
    if what in _WORDS:
        return _WORDS[what](seat)
    if what.startswith("bot ") and len(what) > len("bot "):
        return Replaced(seat, what[len("bot ") :])
    return MoveMade(seat, parse_move(what))
