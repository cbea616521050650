"""The language of a sitting: texts of the catalogue, counted nouns, lists, percentages."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from pickomino.locale import languages, translate, translate_count

__all__ = ["Speech", "chosen_language"]


class Speech:
    """Says things in one language."""

    def __init__(self, language: str = "en") -> None:
        self.language = language

    def t(self, text: str, **values: object) -> str:
        return translate(self.language, text, **values)

    def tn(self, one: str, many: str, n: int, **values: object) -> str:
        return translate_count(self.language, one, many, n, **values)

    def worms(self, n: int) -> str:
        return self.tn("{n} worm", "{n} worms", n)

    def dice(self, n: int) -> str:
        return self.tn("{n} die", "{n} dice", n)

    def tiles(self, n: int) -> str:
        return self.tn("{n} tile", "{n} tiles", n)

    def either(self, parts: Sequence[str]) -> str:
        """``a, b or c``."""
        return self._list(parts, self.t("or"))

    def both(self, parts: Sequence[str]) -> str:
        """``a, b and c``."""
        return self._list(parts, self.t("and"))

    def _list(self, parts: Sequence[str], word: str) -> str:
        return f" {word} ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""

    def percent(self, share: float) -> str:
        """Without decimals; ``under 1 %`` where that would be 0."""
        if 0 < share < 0.01:
            return self.t("under 1 %")
        if 0.99 < share < 1:
            return self.t("over 99 %")
        return f"{100 * share:.0f} %"


def chosen_language(asked: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The language that was asked for, else that of the locale, else English."""
    if asked is not None:
        return asked
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            language = environment[name].partition(".")[0].partition("_")[0].lower()
            return language if language in languages() else "en"
    return "en"
