"""Tiles, dice and figures as lines of styled text."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final, TypeAlias

from rich.style import Style
from rich.text import Text

from pickomino.terminal.skins import Skin

Lines: TypeAlias = list[Text]


def fit(line: Text, width: int, *, right: bool = False) -> Text:
    """Exactly so many columns: cut or filled up."""
    line = line.copy()
    line.truncate(max(0, width))
    blank = " " * (width - line.cell_len)
    return Text(blank, end="").append_text(line) if right else line.append(blank)


def beside(blocks: Sequence[Lines], gap: int = 1) -> Lines:
    """Blocks next to each other, aligned at the top."""
    widths = [max((line.cell_len for line in block), default=0) for block in blocks]
    lines = []
    for row in range(max(map(len, blocks), default=0)):
        line = Text(no_wrap=True, end="")
        for number, (block, width) in enumerate(zip(blocks, widths, strict=True)):
            line.append(" " * gap if number else "")
            line.append_text(fit(block[row] if row < len(block) else Text(), width))
        lines.append(line)
    return lines


def wrap(text: str, width: int) -> list[str]:
    """Words on lines of at most that width; a longer one goes over several. One line at least."""
    return textwrap.wrap(text, max(1, width), break_on_hyphens=False) or [""]


def wrapped(
    skin: Skin, text: str, width: int, fg: str = "text", *, bold: bool = False, lead: str = ""
) -> Lines:
    """`wrap` in one style; `lead`: what stands before every line."""
    return [skin.text((lead + row, skin.style(fg, bold=bold))) for row in wrap(text, width)]


def _framed(skin: Skin, inner: Lines, width: int, *, label: str = "", heavy: bool = False) -> Lines:
    left, right, low_left, low_right, line, side = "┏┓┗┛━┃" if heavy else "╭╮╰╯─│"
    style = skin.style(bold=heavy)
    low = label.center(width, line) if label and len(label) <= width else line * width
    return [
        skin.text((left + line * width + right, style)),
        *(skin.text((side, style), fit(row, width), (side, style)) for row in inner),
        skin.text((low_left + low + low_right, style)),
    ]


def tile(
    skin: Skin,
    value: int,
    worms: int,
    state: str = "up",
    *,
    width: int = 6,
    height: int = 4,
    guest: str | None = None,
    label: str = "",
) -> Lines:
    """A domino: numeral over worms. States: up, out (taken), back (face down), mine (to be claimed, with a label).

    `guest` is the specialist on it; None where the edition has none, then its line is left out.
    """
    mark = "~" * worms if worms < width - 1 else f"{worms}~"
    if not skin.fill:
        return _framed_tile(skin, value, mark, state, width, height, guest, label)
    if state == "out":
        rows = [skin.text((" " * width, skin.style(bg="grill")))] * height
        rows[0 if height == 3 else 1] = skin.text((str(value).center(width), skin.style("out", "grill")))
        return rows
    face, lower, edge, ink, worm = ("ivory", "ivory2", "side", "ink", "worm")
    if state == "mine":
        face = lower = edge = "gold"
        worm = "contour"
    if state == "back":
        face = lower = edge = "char"
        ink = worm = "dead"
    number, mark = (("▒" * (width - 2),) * 2) if state == "back" else (str(value), mark)
    lines = [] if height == 3 else [skin.text(("▄" * width, skin.style(face, "grill")))]
    lines.append(skin.text((number.center(width), skin.style(ink, face, bold=True))))
    if height == 5:
        name = _short(guest or (number if state == "back" else ""), width)
        style = skin.style("gold", "ink", bold=True) if guest else skin.style(ink, face)
        lines.append(skin.text((name.center(width), style)))
    lines.append(skin.text((mark.center(width), skin.style(worm, lower, bold=True))))
    if label:
        lines.append(skin.text((f"▲{label}".center(width), skin.style("gold", "grill", bold=True))))
    elif guest and height < 5:
        lines.append(skin.text((_short(guest, width).center(width), skin.style("gold", "ink", bold=True))))
    else:
        lines.append(skin.text(("▀" * width, skin.style(edge, "grill"))))
    return lines


def _short(name: str, width: int) -> str:
    return name if len(name) <= width else f"{name[: width - 1]}."


def _framed_tile(
    skin: Skin,
    value: int,
    mark: str,
    state: str,
    width: int,
    height: int,
    guest: str | None,
    label: str,
) -> Lines:
    inside = width - 2
    if state == "out":
        return [skin.text(("··" if row == 1 else "").center(width)) for row in range(height)]
    if height == 3:  # too low for frames: brackets
        if state == "back":
            return [skin.text(f"[{'▒' * inside}]")] * 2 + [skin.text("")]
        rows = (str(value).center(inside), mark.center(inside))
        style = skin.style(bold=True, reverse=bool(label))
        below = (label or _short(guest or "", width)).center(width)
        return [*(skin.text((f"[{row}]", style)) for row in rows), skin.text(below)]
    if state == "back":
        return _framed(skin, [skin.text("▒" * inside)] * (height - 2), inside)
    body = [skin.text((str(value).center(inside), skin.style(bold=True, reverse=bool(label))))]
    if height == 5:
        body.append(skin.text(_short(guest or "", inside).center(inside)))
    body.append(skin.text(mark.center(inside)))
    below = label or (_short(guest or "", inside) if height == 4 else "")
    return _framed(skin, body, inside, label=below, heavy=bool(label))


_PIPS: Final = {
    "1": ("     ", "  ●  ", "     "),
    "2": ("●    ", "     ", "    ●"),
    "3": ("●    ", "  ●  ", "    ●"),
    "4": ("●   ●", "     ", "●   ●"),
    "5": ("●   ●", "  ●  ", "●   ●"),
    "W": (" ▄▄  ", "▀  █●", "   ▀ "),  # a worm that lifts its head
    "?": ("     ", "  ?  ", "     "),
}
_LETTER: Final = {"W": ("     ", " ~W~ ", "     ")}


def die(skin: Skin, face: str, state: str = "can", *, small: bool = False, gold: bool = False) -> Lines:
    """Seven columns and five lines; small: five and three. States: can, lit, dead, wait, air (still rolling)."""
    pips = _PIPS.get(face, ("     ", f"  {face}  ", "     "))
    if face == "W" and (skin.ascii or not skin.fill):
        pips = _LETTER["W"]
    if small and face != "W":
        pips = tuple(f" {row[0]}{row[2]}{row[4]} " for row in pips)  # type: ignore[assignment]  # three of them
    if not skin.fill:
        style = skin.style("dead" if state == "dead" else "text", bold=state != "dead")
        rows = [skin.text((row, style)) for row in pips]
        if small:
            sides = {"lit": "()", "dead": "  "}.get(state, "  ")
            return [rows[0], skin.text((sides[0] + pips[1][1:4] + sides[1], style)), rows[2]]
        if state == "dead":
            return [skin.text(" " * 7), *(skin.text(" ", row, " ") for row in rows), skin.text(" " * 7)]
        return _framed(skin, rows, 5, heavy=state == "lit", label="gold" if gold else "")
    face_colour, ink, edge = {
        "can": ("ivory", "ink", "side"),
        "lit": ("gold", "ink", "ember"),
        "dead": ("dead", "deadink", "dead"),
        "wait": ("side", "ink", "dead"),
        "air": ("ivory", "ink", "well"),
    }[state]
    if face == "W" and state in ("can", "lit", "air"):
        ink = "contour" if state == "lit" else "worm"
    if gold and state in ("can", "air"):
        face_colour, edge = "gold", "ink" if state == "can" else "well"
    blank = "" if small else " "
    body = [skin.text((blank + row + blank, skin.style(ink, face_colour, bold=True))) for row in pips]
    if small:
        return body
    above = skin.text(("▄" * 7, skin.style(face_colour, "well")))
    return [above, *body, skin.text(("▀" * 7, skin.style(edge, "well")))]


def chip(skin: Skin, face: str, *, used: bool = True, gold: bool = False) -> Text:
    """A die on one line: three columns and a blank."""
    sign = "~" if face == "W" and skin.fill else face
    if not skin.fill:
        sides = ("()" if gold else "[]") if used else "  "
        return skin.text(f"{sides[0]}{sign}{sides[1]} ")
    if not used:
        return skin.text((f" {sign} ", skin.style("deadink", "dead")), " ")
    style = skin.style("worm" if face == "W" else "ink", "gold" if gold else "ivory", bold=True)
    return skin.text((f" {sign} ", style), " ")


_FIGURES: Final = {
    sign: rows.split()
    for sign, rows in {
        "0": "### #.# #.# #.# ###",
        "1": ".#. ##. .#. .#. ###",
        "2": "### ..# ### #.. ###",
        "3": "### ..# ### ..# ###",
        "4": "#.# #.# ### ..# ..#",
        "5": "### #.. ### ..# ###",
        "6": "### #.. ### #.# ###",
        "7": "### ..# ..# ..# ..#",
        "8": "### #.# ### #.# ###",
        "9": "### #.# ### ..# ###",
    }.items()
}


def big(skin: Skin, number: int) -> Lines:
    """Three lines of half blocks: the total that one sees from across the room."""
    style = skin.style("text", bold=True)
    if skin.ascii:
        return [skin.text(""), skin.text((f"== {number} ==", style)), skin.text("")]
    rows = [".".join(_FIGURES[digit][row] for digit in str(number)) for row in range(5)]
    rows.append("." * len(rows[0]))
    halves = {"##": "█", "#.": "▀", ".#": "▄", "..": " "}
    return [
        skin.text(("".join(halves[a + b] for a, b in zip(rows[row], rows[row + 1], strict=True)), style))
        for row in (0, 2, 4)
    ]


_LETTERS: Final = {
    "B": ("█▀▄", "█▀▄", "▀▀ "),
    "L": ("█  ", "█  ", "▀▀▀"),
    "N": ("█▄ █", "█ ▀█", "▀  ▀"),
    "S": ("█▀▀", "▀▀█", "▀▀▀"),
    "T": ("▀█▀", " █ ", " ▀ "),
    "U": ("█ █", "█ █", "▀▀▀"),
}


def banner(skin: Skin, word: str) -> Lines:
    """A short word in half blocks; empty where a letter is missing or the terminal has none."""
    if skin.ascii or not set(word) <= set(_LETTERS):
        return []
    style = skin.style("lost", bold=True)
    return [skin.text((" ".join(_LETTERS[letter][row] for letter in word), style)) for row in range(3)]


def key(skin: Skin, sign: str, on: str = "ember") -> Text:
    """A key cap."""
    ink = "text" if on == "line" else "ink"
    return skin.text((f" {sign} ", skin.style(ink, on, bold=True, reverse=True)))


def stack_top(skin: Skin, value: int | None, worms: int, none: str, *, mark: bool) -> Text:
    """The tile on top of a stack on one line."""
    if value is None:
        return skin.text((f" {none} ", skin.style("muted")))
    body = f"{value} {'~' * worms:<4}"
    if skin.fill:
        return skin.text((f" {body} ", skin.style("ink", "gold" if mark else "top", bold=True)))
    left, right = (">", "<") if mark else ("[", "]")
    return skin.text((f"{left}{body.strip()}{right}".ljust(9), skin.style(bold=True)))


def bar(skin: Skin, share: float, width: int, fg: str = "gold") -> Text:
    # Halves go up, whatever the last bits of a share are.
    full = int(max(0.0, min(share, 1.0)) * width + 0.5 + 1e-9)
    return skin.text(("█" * full, skin.style(fg)), ("░" * (width - full), skin.style("line")))


def blank(style: Style, width: int) -> Text:
    return Text(" " * width, style, end="")
