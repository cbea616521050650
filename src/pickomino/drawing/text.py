"""A position as text, at most 80 columns wide and readable in 40: framed tiles, stacks, dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from pickomino.drawing.names import pad, seat_names
from pickomino.locale import local, t, tn
from pickomino.rules import SEATS, Position, claims, said
from pickomino.rules.phase import Phase

WIDTH: Final = 80
SEAT_WIDTH: Final = 19  # four in a row of 80 columns, two in one of 40


GUESTS: Final = {
    "apple": said("Apple"),
    "can": said("Can"),
    "crow": said("Crow"),
    "gold": said("Gold"),
    "hen": said("Hen"),
    "weasel": said("Weasel"),
}
"""The specialists, short enough to stand on a tile."""


class Ink(NamedTuple):
    """The signs that a picture is drawn with."""

    top: tuple[str, str, str]  # left corner, line, right corner
    middle: tuple[str, str, str]
    bottom: tuple[str, str, str]
    side: str
    back: str
    mark: str


BOXES: Final = Ink(("┌", "─", "┐"), ("├", "─", "┤"), ("└", "─", "┘"), "│", "░", "▶")
ASCII: Final = Ink(("+", "-", "+"), ("+", "-", "+"), ("+", "-", "+"), "|", "#", ">")


def draw(
    position: Position, names: Sequence[str] | None = None, *, ascii_only: bool = False, width: int = WIDTH
) -> str:
    """The table as a person sees it, in at most `width` columns (40 or more); lines end without blanks."""
    width = max(40, min(width, WIDTH))
    ink = ASCII if ascii_only else BOXES
    shown = seat_names(len(position.stacks), names)
    lines = [*_grill(position, ink, width), "", *_seats(position, shown, ink, width)]
    tray = _tray(position, width)
    if tray:
        lines += ["", *tray]
    return "\n".join(line.rstrip() for line in lines)


def _line(ends: tuple[str, str, str], width: int) -> str:
    left, line, right = ends
    return left + line * width + right


def _box(position: Position, tile: int, ink: Ink, width: int = 2, label: str | None = None) -> list[str]:
    """A tile: value, worms, and in a wide box a line for the specialist on it."""
    value, worms = f"{tile:02}".center(width), str(position.edition.worms[tile])
    rows = [value, worms.rjust(width) if label is None else _worms(int(worms)).center(width)]
    framed = [f"{ink.side}{pad(row, width)}{ink.side}" for row in rows]
    lines = [_line(ink.top, width), framed[0], _line(ink.middle, width), framed[1]]
    if label is not None:
        lines.append(f"{ink.side}{pad(label.center(width), width)}{ink.side}")
    return [*lines, _line(ink.bottom, width)]


def _worms(count: int) -> str:
    return "~" * count if count <= 4 else f"{count} ~"


def _back(height: int, width: int, ink: Ink) -> list[str]:
    inside = [f"{ink.side}{ink.back * width}{ink.side}"] * (height - 2)
    return [_line(ink.top, width), *inside, _line(ink.bottom, width)]


def _grill(position: Position, ink: Ink, room: int) -> list[str]:
    """Every tile of the edition in its place: face up, face down, or a gap where it was taken."""
    specialists = position.specialists
    width = 2 if specialists is None else 6
    height = 5 if specialists is None else 6
    flipped = set(position.flipped)
    boxes = []
    for tile in position.edition.values:
        if tile in position.grill:
            guest = None if specialists is None else specialists.on(tile)
            label = None if specialists is None else local(GUESTS[guest]) if guest else ""
            boxes.append(_box(position, tile, ink, width, label))
        elif tile in flipped:
            boxes.append(_back(height, width, ink))
        else:
            boxes.append([" " * (width + 2)] * height)
    in_row = room // (width + 2)
    rows = -(-len(boxes) // in_row)
    in_row = -(-len(boxes) // rows)  # as even as possible
    lines: list[str] = []
    for first in range(0, len(boxes), in_row):
        lines += map("".join, zip(*boxes[first : first + in_row], strict=True))
    return lines


def _seats(position: Position, names: list[str], ink: Ink, room: int) -> list[str]:
    lines: list[str] = []
    count = len(position.stacks)
    in_row = room // (SEAT_WIDTH + 1)
    for first in range(0, count, in_row):
        cells = [_seat(position, seat, names[seat], ink) for seat in range(first, min(first + in_row, count))]
        height = max(map(len, cells))
        full = [cell + [""] * (height - len(cell)) for cell in cells]
        lines += (" ".join(pad(part, SEAT_WIDTH) for part in row) for row in zip(*full, strict=True))
    return lines


def _seat(position: Position, seat: int, name: str, ink: Ink) -> list[str]:
    """A seat's name, the top of its stack, how high the stack is, and what else it has."""
    stack, specialists = position.stacks[seat], position.specialists
    mark = ink.mark if seat == position.seat else " "
    facts = [
        tn("{n} worm", "{n} worms", position.scores[seat]),
        tn("{n} tile", "{n} tiles", len(stack)),
    ]
    if specialists is not None:
        facts += [local(GUESTS[name]) for name in specialists.held[seat]]
        if specialists.round_worms[seat]:
            facts.append(t("{n} round", n=specialists.round_worms[seat]))
    letter = "" if name == t("seat {letter}", letter=SEATS[seat]) else f"{SEATS[seat]} "
    lines = [f"{mark} {letter}{name}"]
    if not stack:
        return lines + [f"  {fact}" for fact in facts]
    box = _box(position, stack[-1], ink)
    facts += [""] * (len(box) - len(facts))
    return lines + [f"  {row} {fact}" for row, fact in zip(box, facts, strict=True)]


def _dice(dice: str) -> str:
    """White dice in square brackets, the golden one in round ones."""
    white, _, gold = dice.partition("+")
    return " ".join([f"[{face}]" for face in white] + ([f"({gold})"] if gold else []))


def _tray(position: Position, width: int) -> list[str]:
    """The dice of the turn."""
    rows: list[tuple[str, str]] = []
    if position.kept:
        worm = t("with a worm") if position.has_worm else t("no worm yet")
        total = t("total {total}, {worm}", total=position.total, worm=worm)
        kept = f"{_dice(position.kept)}   {total}"
        rows += (
            [(t("Kept"), kept)]
            if len(kept) + 10 <= width
            else [(t("Kept"), _dice(position.kept)), ("", total)]
        )
    if position.rolled:
        rows.append((t("Rolled"), _dice(position.rolled)))
    if position.phase is Phase.GO:
        found = [
            t("take {tile}", tile=claim.tile) if str(claim)[0] == "t" else t("steal {tile}", tile=claim.tile)
            for claim in claims(position)
        ]
        rows.append((t("Claim"), f" {t('or')} ".join(found) or t("nothing yet")))
    if position.specialists is not None and position.edition.round_worms and not position.over:
        supply = position.specialists.supply(position.edition)
        rows.append((t("Supply"), tn("{n} round worm", "{n} round worms", supply)))
    room = max(6, *(len(name) for name, _ in rows)) if rows else 6
    return [f"  {name:<{room}}  {text}" for name, text in rows]
