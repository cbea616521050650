"""Names of seats, fit to be shown: no control characters, no more columns than there is room for."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from pickomino.locale import t
from pickomino.rules import SEATS


def printable(text: str) -> str:
    """The text without anything that could steer a terminal or break XML."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


_SPELLED: Final = {
    **dict.fromkeys("–−─", "-"),
    **dict.fromkeys("’", "'"),
    **dict.fromkeys("“”«»", '"'),
    **dict.fromkeys("\u00a0\u202f", " "),
    "×": "x",
    "…": "...",
    "·": "-",
    "±": "+-",
    "→": "->",
    "█": "#",
    "°": "o",
    "œ": "oe",
    "Œ": "Oe",
    "ß": "ss",
}


def spelled(sign: str) -> str:
    """A sign in ASCII: what stands for it, its letter without the accent, or its number."""
    plain = _SPELLED.get(sign) or unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return plain or sign.encode("ascii", "backslashreplace").decode()


def seat_names(seats: int, names: Sequence[str] | None) -> list[str]:
    """One printable name per seat; its letter where there is none."""
    given = list(names or ())[:seats]
    given += [""] * (seats - len(given))
    return [
        printable(name).strip() or t("seat {letter}", letter=SEATS[seat]) for seat, name in enumerate(given)
    ]


def columns(text: str) -> int:
    """How many columns a terminal needs for the text."""
    from wcwidth import wcswidth  # tens of milliseconds, which a command that draws nothing does without

    return max(0, wcswidth(text))


def pad(text: str, width: int) -> str:
    """Exactly `width` columns: cut or filled up."""
    while columns(text) > width:
        text = text[:-1]
    return text + " " * (width - columns(text))
