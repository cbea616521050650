"""Objectives by name: the one table of what a turn can be played for, from `solver` and from `bots`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Final

from pickomino.rules import PickominoError
from pickomino.solver import Objective, Worms


def _win() -> Objective:
    from pickomino.bots.champion import Win  # the weights are loaded only for those who ask

    return Win(far=True)


OBJECTIVES: Final[dict[str, tuple[Callable[..., Objective], tuple[str, ...]]]] = {
    "worms": (Worms, tuple(field.name for field in fields(Worms))),
    "win": (_win, ()),
}
"""Name -> how to make it, and the options it takes, each a number."""


def find_objective(text: str) -> Objective:
    """The objective that a text names: a name, and options after a colon, as in ``worms:loss=1,steal=0``."""
    name, colon, rest = text.partition(":")
    if name not in OBJECTIVES:
        raise PickominoError(
            "objective {text!r}: expected one of {objectives}", text=text, objectives=", ".join(OBJECTIVES)
        )
    make, names = OBJECTIVES[name]
    if colon and not names:
        raise PickominoError("objective {text!r}: {name} takes no options", text=text, name=name)
    options: dict[str, float] = {}
    for part in rest.split(",") if colon else ():
        key, _, number = part.partition("=")
        try:
            value = float(number)
        except ValueError:
            value = float("nan")
        if key not in names or key in options or not abs(value) < float("inf"):
            known = ", ".join(f"{known}=NUMBER" for known in names)
            raise PickominoError(
                "objective {text!r}: cannot read {part!r}, expected {known}, each at most once",
                text=text,
                part=part,
                known=known,
            )
        options[key] = value
    return make(**options)
