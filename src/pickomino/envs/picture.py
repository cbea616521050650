"""Render modes: ``ansi`` is the drawing of the terminal, which ``human`` prints; ``rgb_array`` is a small picture made
of NumPy alone."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import ceil
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pickomino.drawing import draw
from pickomino.rules import SEATS, PickominoError, Position

PICTURES: Final = ("ansi", "rgb_array")
MODES: Final = ("human", *PICTURES)

NIGHT, COALS, PANEL, ACTIVE = (29, 35, 38), (70, 40, 34), (45, 54, 58), (255, 183, 77)
CREAM, INK, CORAL, BACK, GOLD = (250, 240, 215), (40, 40, 40), (224, 90, 72), (88, 74, 66), (244, 200, 80)
TILE: Final = (28, 38)  # width, height
DIE: Final = 20
STEP: Final = 34
MARGIN: Final = 8
IN_ROW: Final = 9
SEAT: Final = (150, 46)

# Three columns by five rows a sign, the top row first; each digit is a row of three bits.
FONT: Final = {
    "0": "75557", "1": "26227", "2": "71747", "3": "71717", "4": "55711", "5": "74717", "6": "74757",
    "7": "71111", "8": "75757", "9": "75717", "A": "25755", "B": "65656", "C": "34443", "D": "65556",
    "E": "74647", "F": "74644", "G": "34553", "H": "55755", "O": "75557", "P": "65644", "R": "65655",
    "W": "55775", "=": "07070", "+": "02720",
}  # fmt: skip

# Two letters and a colour for each specialist: on the tile where it stands, at the seat that holds it.
BADGES: Final = {
    "apple": (214, 64, 69), "can": (143, 163, 173), "crow": (96, 80, 130), "gold": (228, 178, 50),
    "hen": (240, 150, 60), "weasel": (150, 108, 66),
}  # fmt: skip

# Where the pips of a die are, on a grid of three by three.
PIPS: Final = {
    "1": (4,), "2": (0, 8), "3": (0, 4, 8), "4": (0, 2, 6, 8), "5": (0, 2, 4, 6, 8), "6": (0, 2, 3, 5, 6, 8),
}  # fmt: skip


def check_mode(mode: str | None, modes: Sequence[str] = MODES) -> str | None:
    if mode is not None and mode not in modes:
        raise PickominoError(f"render mode {mode!r}: expected one of {', '.join(modes)}")
    return mode


def render(position: Position, mode: str | None) -> Any:
    """Text, an array of (height, width, 3) bytes, or nothing for people and without a mode."""
    if mode == "human":
        sys.stdout.write(draw(position) + "\n")
    if mode == "ansi":
        return draw(position)
    return pixels(position) if mode == "rgb_array" else None


class _Canvas:
    def __init__(self, width: int, height: int) -> None:
        self.pixels: NDArray[np.uint8] = np.empty((height, width, 3), dtype=np.uint8)
        self.pixels[:] = NIGHT

    def box(self, x: int, y: int, width: int, height: int, colour: tuple[int, int, int]) -> None:
        self.pixels[y : y + height, x : x + width] = colour

    def write(self, text: str, x: int, y: int, colour: tuple[int, int, int], size: int = 2) -> None:
        for sign in text:
            for row, bits in enumerate(FONT.get(sign, "00000")):
                for column in range(3):
                    if int(bits) >> 2 - column & 1:
                        self.box(x + column * size, y + row * size, size, size, colour)
            x += 4 * size

    def tile(self, value: int, worms: int, x: int, y: int) -> None:
        self.box(x, y, *TILE, CREAM)
        self.write(f"{value:02}", x + 6, y + 5, INK)
        for worm in range(min(worms, 8)):
            self.box(x + 3 + worm % 4 * 6, y + 24 + worm // 4 * 6, 4, 4, CORAL)

    def badge(self, specialist: str, x: int, y: int) -> None:
        self.box(x, y, 20, 14, BADGES[specialist])
        self.write(specialist[:2].upper(), x + 3, y + 2, CREAM)

    def dice(self, dice: str, x: int, y: int) -> None:
        white, _, gold = dice.partition("+")
        for index, face in enumerate(white + gold):
            left = x + index * (DIE + 4)
            self.box(left, y, DIE, DIE, CREAM if index < len(white) else GOLD)
            if face in PIPS:
                for pip in PIPS[face]:
                    self.box(left + 3 + pip % 3 * 6, y + 3 + pip // 3 * 6, 3, 3, INK)
            else:
                self.write(face, left + 6, y + 4, CORAL if face == "W" else INK)


def pixels(position: Position) -> NDArray[np.uint8]:
    """The table: the grill, the seats with worms, top tile and specialists, the kept dice with total, the roll."""
    edition, seats = position.edition, len(position.stacks)
    rows = ceil(len(edition.tiles) / IN_ROW)
    in_seat_row = 2
    seat_rows = ceil(seats / in_seat_row)
    width = 2 * MARGIN + IN_ROW * STEP
    grill_height = rows * (TILE[1] + 6) + 6
    seats_at = 2 * MARGIN + grill_height
    dice_at = seats_at + seat_rows * (SEAT[1] + 6) + MARGIN
    canvas = _Canvas(width, dice_at + 2 * (DIE + 6) + MARGIN)
    _grill(canvas, position, width - 2 * MARGIN, grill_height)
    for seat, (stack, worms) in enumerate(zip(position.stacks, position.scores, strict=True)):
        x = MARGIN + seat % in_seat_row * (SEAT[0] + 6)
        y = seats_at + seat // in_seat_row * (SEAT[1] + 6)
        canvas.box(x, y, *SEAT, ACTIVE if seat == position.seat else PANEL)
        canvas.box(x + 2, y + 2, SEAT[0] - 4, SEAT[1] - 4, PANEL)
        canvas.write(SEATS[seat], x + 8, y + 8, CREAM)
        canvas.write(str(worms), x + 8, y + 24, CORAL, 3)
        if stack:
            canvas.tile(stack[-1], edition.worms[stack[-1]], x + SEAT[0] - TILE[0] - 6, y + 4)
        for place, specialist in enumerate(position.specialists.held[seat] if position.specialists else ()):
            canvas.badge(specialist, x + 50 + 24 * place, y + 6)
    canvas.dice(position.kept, MARGIN, dice_at)
    if position.kept:
        canvas.write(f"={position.total}", width - 44, dice_at + 4, CREAM)
    canvas.dice(position.rolled, MARGIN, dice_at + DIE + 6)
    return canvas.pixels


def _grill(canvas: _Canvas, position: Position, width: int, height: int) -> None:
    canvas.box(MARGIN, MARGIN, width, height, COALS)
    flipped = set(position.flipped)
    for index, (value, worms) in enumerate(position.edition.tiles):
        x = MARGIN + 3 + index % IN_ROW * STEP
        y = MARGIN + 6 + index // IN_ROW * (TILE[1] + 6)
        if value in position.grill:
            canvas.tile(value, worms, x, y)
            specialist = position.specialists.on(value) if position.specialists else None
            if specialist is not None:
                canvas.badge(specialist, x + 4, y + 30)
        elif value in flipped:
            canvas.box(x, y, *TILE, BACK)
