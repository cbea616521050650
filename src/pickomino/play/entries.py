"""Entries: what is put into a match. They are stored, one text each; everything else is derived from them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from pickomino.notation import parse_move, parse_roll
from pickomino.rules import SEATS, Move, NotationError, Roll


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
    """The person is back and plays on."""

    seat: int


@dataclass(frozen=True, slots=True)
class TipGiven:
    """A guest commits to a chain of values, which it adds to the dice from the next roll on. The guest's first seat
    stands for the guest."""

    seat: int
    seats: str  # all of the guest, AC
    tip: str


@dataclass(frozen=True, slots=True)
class CameIn:
    """A guest whose value was missing adds to the dice again."""

    seat: int


@dataclass(frozen=True, slots=True)
class RollAsked:
    """A roll begins: these guests are asked for their values. The nonce came with the decision."""

    k: int
    seats: tuple[int, ...]
    nonce: str | None = None


@dataclass(frozen=True, slots=True)
class RollVoided:
    """The roll is void: the values of these guests were missing, and they are left out."""

    k: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FirstFell:
    """It was decided who starts."""

    seat: int


Change: TypeAlias = TimedOut | Resigned | Replaced | CameBack
"""What changes who plays a seat, not the position."""
RollStep: TypeAlias = TipGiven | CameIn | RollAsked | RollVoided | FirstFell
"""What leads to dice that every seat adds to."""
Entry: TypeAlias = MoveMade | DiceFell | Change | RollStep

_WORDS: dict[str, type[TimedOut | Resigned | CameBack | CameIn | FirstFell]] = {
    "timeout": TimedOut,
    "resign": Resigned,
    "back": CameBack,
    "in": CameIn,
    "first": FirstFell,
}
_TIP = re.compile(r"tip ([A-G]{1,7}) ([0-9a-f]{64})")
_ROLL = re.compile(r"#(0|[1-9][0-9]{0,5}) (roll|void) ([A-G]{1,7})(?: ([A-Za-z0-9_-]{16,64}))?")


def format_entry(entry: Entry) -> str:
    """``A kW`` ``=1123`` ``A timeout`` ``A resign`` ``A bot cautious`` ``A back``; where every seat adds to the dice
    ``A tip AC <hex>`` ``A in`` ``#12 roll AB nonce`` ``#12 void B`` ``B first``.

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
        case TipGiven(seat, seats, tip):
            return f"{SEATS[seat]} tip {seats} {tip}"
        case RollAsked(k, guests, nonce):
            return f"#{k} roll {_letters(guests)}{f' {nonce}' if nonce else ''}"
        case RollVoided(k, guests):
            return f"#{k} void {_letters(guests)}"
        case _:
            word = next(word for word, kind in _WORDS.items() if isinstance(entry, kind))
            return f"{SEATS[entry.seat]} {word}"


def parse_entry(text: str) -> Entry:
    """The entry that a text names; ``format_entry`` is the way back."""
    if text[:1] == "=":
        return DiceFell(parse_roll(text))
    if found := _ROLL.fullmatch(text):
        k, seats, nonce = int(found[1]), tuple(map(SEATS.index, found[3])), found[4]
        if list(seats) == sorted(set(seats)) and (found[2] == "roll" or nonce is None):
            return RollAsked(k, seats, nonce) if found[2] == "roll" else RollVoided(k, seats)
    letter, blank, what = text.partition(" ")
    if len(letter) != 1 or letter not in SEATS or not blank:
        raise NotationError(
            f"entry {text[:80]!r}: expected = and dice, # and a roll, or a seat, a blank and what it did"
        )
    seat = SEATS.index(letter)
    if what in _WORDS:
        return _WORDS[what](seat)
    if (found := _TIP.fullmatch(what)) and found[1][0] == letter:
        return TipGiven(seat, found[1], found[2])
    if what.startswith("bot ") and len(what) > len("bot "):
        return Replaced(seat, what[len("bot ") :])
    return MoveMade(seat, parse_move(what))


def _letters(seats: tuple[int, ...]) -> str:
    return "".join(SEATS[seat] for seat in seats)
