"""Families of editions that share one set of weights for a number of seats.

`classic` is that edition alone, `switches` is classic with any of its switches (summary and course among them), and
`deluxe` is deluxe with or without the apple, which is extrawurm.
"""

from __future__ import annotations

from typing import Final

from pickomino.rules import all_keys, find_edition
from pickomino.tensor import Arrays, Rules

FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "classic": ("classic",),
    "switches": ("classic", "classic+fast", "summary", "course"),
    "deluxe": ("deluxe", "extrawurm"),
}
"""Family -> the editions that it is measured in."""

_SWITCHED: Final = ("classic", *(key for key in all_keys() if key.startswith("classic+")))
_NAMED: Final = ("classic", "classic+fast", "classic+mandatory-steal", "summary", "course")
_MIXES: Final = {
    "classic": ("classic",),
    "switches": (*_SWITCHED, *_NAMED * 6),  # half of the games follow any of 32 sets, half one of five names
    "deluxe": ("deluxe", "deluxe", "extrawurm"),
}
"""Family -> the editions that games of a training batch start in, each as often as it stands here."""


def family_rules(family: str, seats: int, xp: Arrays, edition: str | None = None) -> Rules:
    """The rules of a whole family, or of one edition of it."""
    if edition is not None:
        return Rules(find_edition(edition), seats, xp)
    return Rules(find_edition(FAMILIES[family][0]), seats, xp, tuple(map(find_edition, _MIXES[family])))
