"""Texts in the player's language: one catalogue (``<language>.po``) for Python and for the page.

The English text is the key. The page reads the same catalogue as JSON, made by ``tools/catalogue.py``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pickomino.locale.po import read_po

__all__ = ["languages", "translate", "translate_count"]

_FOLDER = Path(__file__).parent


def languages() -> tuple[str, ...]:
    """The languages there are, English first."""
    return ("en", *sorted(path.stem for path in _FOLDER.glob("*.po")))


@cache
def _catalogue(language: str) -> dict[str, str | list[str]]:
    path = _FOLDER / f"{language}.po"
    return read_po(path.read_text("utf-8")) if language in languages() and path.exists() else {}


def translate(language: str, text: str, **values: object) -> str:
    """The text in that language, its ``{places}`` filled; English where it is not translated.

    >>> translate("fr", "Take {tile}", tile=24)
    'Prendre le 24'
    """
    found = _catalogue(language).get(text)
    return (found if isinstance(found, str) else text).format(**values)


def translate_count(language: str, one: str, many: str, n: int, **values: object) -> str:
    """One or many; ``{n}`` is the number.

    >>> translate_count("fr", "{n} worm", "{n} worms", 3)
    '3 vers'
    """
    found = _catalogue(language).get(one)
    forms = found if isinstance(found, list) else [one, many]
    single = n in (0, 1) if language == "fr" else n == 1
    return forms[0 if single else -1].format(n=n, **values)
