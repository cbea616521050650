"""How the table looks: colours for dark, light and 16-colour terminals, frames where there is no colour, ASCII."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rich.style import Style
from rich.text import Text

from pickomino.drawing.names import spelled

_DARK: Final = {
    "bg": "#171a1d",
    "panel": "#22282b",
    "line": "#434b4c",
    "text": "#f8eedd",
    "muted": "#c3b7a3",
    "board": "#3a2a20",
    "well": "#2b1f18",
    "grill": "#1d1512",
    "ivory": "#fffcf1",  # tiles and dice: upper half, lower half, edge, ink
    "ivory2": "#f0e2c2",
    "side": "#bd9e69",
    "ink": "#33271c",
    "worm": "#c8402a",
    "contour": "#85291c",  # a worm on gold
    "ember": "#f0692a",  # yours to do
    "gold": "#f0b02e",  # yours to take, chosen
    "lost": "#ff7a66",  # bust and risk; nothing else is red
    "dead": "#5b5148",
    "deadink": "#a3978a",
    "char": "#3b302a",  # a tile turned face down
    "out": "#85786b",  # the number of an empty place
    "top": "#fffcf1",  # the tile on top of a stack
    "call": "#f0692a",  # ember and gold as letters on the ground
    "name": "#f0b02e",
    "grilled": "#f0e2c2",  # letters on the grill
}
_LIGHT: Final = _DARK | {
    "bg": "#fbf3e2",
    "panel": "#f3e6cd",
    "line": "#c9b48e",
    "text": "#33271c",
    "muted": "#66543e",
    "board": "#ecd2a5",
    "well": "#f7e6c6",
    "grill": "#6b5848",
    "side": "#a5834f",
    "dead": "#cdbb9a",
    "deadink": "#7d6c55",
    "char": "#4a3c33",
    "lost": "#a3210f",
    "ember": "#d9541a",
    "out": "#b8a78f",
    "top": "#e6cf9c",
    "call": "#a83a0a",
    "name": "#85291c",
}
_SIXTEEN: Final = {
    **dict.fromkeys(("bg", "panel", "board", "well", "grill"), "default"),
    **dict.fromkeys(("text", "muted", "grilled"), "default"),
    **dict.fromkeys(("line", "side", "dead", "char", "out"), "bright_black"),
    **dict.fromkeys(("ivory", "ivory2", "top"), "bright_white"),
    **dict.fromkeys(("ink", "deadink"), "black"),
    **dict.fromkeys(("worm", "contour"), "red"),
    **dict.fromkeys(("ember", "call"), "yellow"),
    **dict.fromkeys(("gold", "name"), "bright_yellow"),
    "lost": "bright_red",
}

_ASCII: Final = str.maketrans(
    {
        **dict.fromkeys("╭╮╰╯┏┓┗┛", "+"),
        **dict.fromkeys("│┃▌▐", "|"),
        **dict.fromkeys("▸→", ">"),
        **dict.fromkeys("·–─", "-"),
        "━": "=",
        "█": "#",
        "▒": "%",
        "░": ".",
        "▾": "v",
        "«": "<",
        "●": "o",
        "×": "x",
        "’": "'",
        "…": "~",
        "−": "-",
        "←": "<",
        "↑": "^",
        "↓": "v",
        "\u00a0": " ",
        "\u202f": " ",
    }
)


@dataclass(frozen=True)
class Skin:
    """One look. Without `fill` tiles and dice are framed instead of painted."""

    name: str
    colours: Mapping[str, str]
    fill: bool = True
    ascii: bool = False

    def style(
        self, fg: str = "text", bg: str = "", *, bold: bool = False, reverse: bool = False, line: bool = False
    ) -> Style:
        """A style by roles; `reverse` and `line` (underline) count where colour is missing."""
        if not self.fill:
            return Style(bold=bold, reverse=reverse, underline=line, dim=fg in ("dead", "out"))
        back = self.colours[bg] if bg else None
        return Style(color=self.colours[fg], bgcolor=None if back == "default" else back, bold=bold)

    def text(self, *parts: Text | str | tuple[str, Style]) -> Text:
        """One line of plain and styled parts."""
        line = Text(no_wrap=True, end="")
        for part in parts:
            if isinstance(part, Text):
                line.append_text(part)
            elif isinstance(part, str):
                line.append(self.signs(part), self.style())
            else:
                line.append(self.signs(part[0]), part[1])
        return line

    def signs(self, text: str) -> str:
        """The text in signs that the terminal has."""
        if not self.ascii:
            return text
        one = (sign if sign.isascii() else spelled(sign)[:1] for sign in text.translate(_ASCII))
        return "".join(one)

    def ground(self, role: str) -> str:
        """The background of a region, as Textual's styles name it."""
        colour = self.colours[role] if self.fill else "default"
        return "ansi_default" if colour == "default" else colour


SKINS: Final = {
    skin.name: skin
    for skin in (
        Skin("dark", _DARK),
        Skin("light", _LIGHT),
        Skin("16", _SIXTEEN),
        Skin("mono", _DARK, fill=False),
        Skin("ascii", _DARK, fill=False, ascii=True),
    )
}
"""By name, as ``--theme`` and F2 have them."""
