"""The language of a sitting: texts of the catalogue, counted nouns, lists, percentages."""

from __future__ import annotations

from collections.abc import Sequence

from pickomino.locale import spoken, translate, translate_count


class Speech:
    """Says things in one language; without one, in that of the command."""

    def __init__(self, language: str = "") -> None:
        self._language = language

    @property
    def language(self) -> str:
        return self._language or spoken()

    def t(self, text: str, /, **values: object) -> str:
        return translate(self.language, text, **values)

    def tn(self, one: str, many: str, n: int, /, **values: object) -> str:
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


def capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


SPOKEN = Speech()
"""As the command speaks."""
