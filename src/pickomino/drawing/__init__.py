"""Positions as pictures: text for a terminal, SVG for a notebook or a page."""

from pickomino.drawing.svg import svg
from pickomino.drawing.text import draw

__all__ = ["draw", "svg"]
