"""Texts in the player's language: one catalogue (``<language>.po``) for Python and for the page.

The English text is the key. The page reads the same catalogue as JSON, made by ``tools/catalogue.py``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from pickomino.locale.po import read_po

__all__ = [
    "chosen_language",
    "figure",
    "languages",
    "local",
    "speaking",
    "spoken",
    "t",
    "tn",
    "translate",
    "translate_count",
]

_FOLDER = Path(__file__).parent
_NONE_IS_ONE = ("fr", "pt_BR")
"""Languages in which nothing is said as one is."""
_THOUSANDS = {"fr": "\u202f"}
"""What parts thousands where it is not the point; every language here but English has a decimal comma."""


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, English first."""
    return ("en", *sorted(path.stem for path in _FOLDER.glob("*.po")))


@cache
def _catalogue(language: str) -> dict[str, str | list[str]]:
    path = _FOLDER / f"{language}.po"
    return read_po(path.read_text("utf-8")) if language in languages() and path.exists() else {}


def translate(language: str, text: str, /, **values: object) -> str:
    """The text in that language, its ``{places}`` filled; English where it is not translated.

    >>> translate("fr", "Take {tile}", tile=24)
    'Prendre le 24'
    """
    found = _catalogue(language).get(text)
    return (found if isinstance(found, str) else text).format(**values)


def translate_count(language: str, one: str, many: str, n: int, /, **values: object) -> str:
    """One or many; ``{n}`` is the number.

    >>> translate_count("fr", "{n} worm", "{n} worms", 3)
    '3 vers'
    """
    found = _catalogue(language).get(one)
    forms = found if isinstance(found, list) else [one, many]
    single = n in (0, 1) if language in _NONE_IS_ONE else n == 1
    return forms[0 if single else -1].format(n=n, **values)


# --- the language of a command: what is printed once, by one process, for one person ---

_spoken: ContextVar[str] = ContextVar("spoken", default="en")


def spoken() -> str:
    """The language that is spoken here."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak that language."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def t(text: str, /, **values: object) -> str:
    """The text in the language that is spoken here."""
    return translate(spoken(), text, **values)


def tn(one: str, many: str, n: int, /, **values: object) -> str:
    """One or many in the language that is spoken here."""
    return translate_count(spoken(), one, many, n, **values)


def figure(value: float, form: str) -> str:
    """A formatted number, with the signs of the language that is spoken here.

    >>> with speaking("fr"):
    ...     figure(1234.5, ",.2f")
    '1\u202f234,50'
    """
    shown = format(value, form)
    if spoken() == "en":
        return shown
    return shown.translate({ord("."): ",", ord(","): _THOUSANDS.get(spoken(), ".")})


def local(text: object) -> str:
    """What was said in English (`pickomino.rules.said`), as it is said in the language that is spoken here."""
    if isinstance(text, BaseException):
        text = text.args[0] if len(text.args) == 1 else str(text)
    values: dict[str, object] = getattr(text, "values", {})
    words = {
        name: local(value) if isinstance(value, str | Exception) else value for name, value in values.items()
    }
    template = getattr(text, "template", None)
    return str(text) if template is None else t(template, **words)


def chosen_language(asked: str | None) -> str:
    """The language that was asked for, else that of the locale, else English."""
    if asked is not None:
        return asked
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            wished = _tongue(os.environ[name].partition(".")[0])
            return next((known for known in languages() if _tongue(known) == wished), "en")
    return "en"


def _tongue(name: str) -> str:
    """Without the country: there is one of each language."""
    return name.partition("_")[0].lower()
