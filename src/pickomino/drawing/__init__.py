"""Positions as pictures: text for a terminal, SVG for a notebook or a page."""

from pickomino.drawing.names import columns, pad, printable, seat_names
from pickomino.drawing.picture import svg
from pickomino.drawing.text import GUESTS, draw

__all__ = ["GUESTS", "columns", "draw", "pad", "printable", "seat_names", "svg"]
