"""What can go wrong, by kind: bad text, bad position, bad move, bad edition."""

from __future__ import annotations


class Said(str):
    """A text for people that remembers how it was made, so that a terminal can say it in another language."""

    template: str
    values: dict[str, object]


def said(template: str, /, **values: object) -> Said:
    """The English text, its ``{places}`` filled."""
    text = Said(template.format(**values))
    text.template, text.values = template, values
    return text


class PickominoError(ValueError):
    """Base of every error that this package raises on purpose. Values fill the text's ``{places}``, as in `said`."""

    def __init__(self, text: str, /, **values: object) -> None:
        super().__init__(said(text, **values) if values else text)


class NotationError(PickominoError):
    """Text, or a part of a move or roll, that does not follow the notation (a syntax error)."""


class InvalidPositionError(PickominoError):
    """A well-formed position that cannot arise by the rules."""


class IllegalMoveError(PickominoError):
    """A well-formed move or roll that the position does not allow."""


class InvalidEditionError(PickominoError):
    """An unknown edition key, or edition data that are inconsistent.

    `part` names the part that is at fault, as `Edition` and a house edition's file do.
    """

    def __init__(self, text: str, part: str = "", /, **values: object) -> None:
        super().__init__(text, **values)
        self.part = part


def quote(text: object) -> str:
    """Input as an error message shows it: escaped, on one line, not endless."""
    shown = repr(text)
    return shown if len(shown) <= 160 else f"{shown[:150]}…{shown[-1]}"


class MissingExtraError(PickominoError, ImportError):
    """An optional dependency is not installed."""
