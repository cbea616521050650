"""Who beat whom and how good everybody is, as numbers and small SVGs."""

from __future__ import annotations

import csv
import io
from html import escape
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pickomino.arena.chart import svg_head
from pickomino.arena.run import ArenaResult
from pickomino.arena.tally import shared_wins

_CELL, _ROW, _TEXT, _WIDE = 64, 28, 7.2, 420  # pixels: a cell, a line, a letter, the scale of ratings
_BAD, _EVEN, _GOOD = (0xC2, 0x45, 0x2D), (0xFF, 0xFD, 0xF7), (0x2B, 0x6C, 0x8F)
_COLUMNS: Final = (
    *("bot", "games", "seats", "wins", "share", "error", "low", "high"),
    *("fair_share", "fair_error", "fair_low", "fair_high"),
    *("elo", "elo_error", "elo_low", "elo_high", "decisions_by_cautious"),
)

Floats = NDArray[np.float64]


def win_matrix(outcome: ArenaResult) -> Floats:
    """Row against column: the row's part of the wins per seat that the two had at common tables.

    0.5 where they did equally well, NaN where they never met or neither won.
    """
    spec, count = outcome.spec, len(outcome.spec.entrants)
    wins, seats = np.zeros((count, count)), np.zeros((count, count))
    for chunk in outcome.chunks:
        seating, won = spec.seating(chunk.number), shared_wins(spec, chunk)
        sits = np.stack([seating == entrant for entrant in range(count)])
        here = sits.any(axis=3).astype(np.float64)
        wins += np.einsum("irg,jrg->ij", np.where(sits, won, 0).sum(axis=3), here)
        seats += np.einsum("irg,jrg->ij", sits.sum(axis=3), here)
    per_seat = np.divide(wins, seats, out=np.zeros_like(wins), where=seats > 0)
    both = per_seat + per_seat.T
    matrix: Floats = np.divide(per_seat, both, out=np.full_like(both, np.nan), where=both > 0)
    np.fill_diagonal(matrix, np.nan)
    return matrix


def plot_matrix(outcome: ArenaResult) -> str:
    """The win matrix as an SVG: blue where the row did better, red where the column did."""
    matrix, names = win_matrix(outcome), outcome.spec.entrants
    left, top = 20 + _TEXT * max(map(len, names)), 64
    width, height = left + _CELL * len(names) + 20, top + _ROW * len(names) + 20
    parts = [svg_head(max(width, 340), height, "Row against column: part of the wins per seat")]
    for row, name in enumerate(names):
        y, x = top + _ROW * row, left + _CELL * row
        parts.append(f'<text x="{left - 8:.0f}" y="{y + 18}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<text x="{x + _CELL / 2:.0f}" y="{top - 8}" text-anchor="middle">{row + 1}</text>')
        for column, part in enumerate(matrix[row].tolist()):
            at = f'x="{left + _CELL * column:.0f}" y="{y}" width="{_CELL - 2}" height="{_ROW - 2}"'
            shown = "–" if np.isnan(part) else f"{100 * part:.1f} %"
            middle = left + _CELL * column + _CELL / 2
            parts.append(
                f'<rect {at} fill="{_colour(part)}"/>'
                f'<text x="{middle:.0f}" y="{y + 18}" text-anchor="middle">{shown}</text>'
            )
    return "\n".join((*parts, "</svg>\n"))


def _colour(part: float) -> str:
    if np.isnan(part):
        return "#eee9dc"
    end, weight = (_GOOD if part > 0.5 else _BAD), 0.8 * abs(2 * part - 1)
    return "#" + "".join(f"{round(a + weight * (b - a)):02x}" for a, b in zip(_EVEN, end, strict=True))


def plot_ratings(outcome: ArenaResult) -> str:
    """Ratings with their 95 % intervals as an SVG, the best on top."""
    rated = sorted(zip(outcome.spec.entrants, outcome.ratings, strict=True), key=lambda pair: -pair[1].elo)
    ends = [value for _, one in rated for value in (one.elo, one.low, one.high) if value is not None]
    low, high = min(ends) - 20, max(ends) + 20
    left, top = 20 + _TEXT * max(map(len, outcome.spec.entrants)), 44
    width, height = left + _WIDE + 80, top + _ROW * len(rated) + 20
    parts = [svg_head(width, height, "Ratings (Elo, mean 0) with 95 % intervals")]

    def across(elo: float) -> float:
        return left + _WIDE * (elo - low) / (high - low)

    for row, (name, one) in enumerate(rated):
        y = top + _ROW * row + 12
        parts.append(f'<text x="{left - 8:.0f}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        if one.low is not None and one.high is not None:
            line = f"M{across(one.low):.1f} {y}H{across(one.high):.1f}"
            parts.append(f'<path d="{line}" stroke="#2b6c8f" stroke-width="2"/>')
        parts.append(f'<circle cx="{across(one.elo):.1f}" cy="{y}" r="4" fill="#c2452d"/>')
        parts.append(f'<text x="{left + _WIDE + 8:.0f}" y="{y + 4}">{one.elo:+.0f}</text>')
    return "\n".join((*parts, "</svg>\n"))


def as_csv(outcome: ArenaResult) -> str:
    """One line per entrant: shares, ratings and the row of the win matrix."""
    names, matrix = outcome.spec.entrants, win_matrix(outcome)
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow([*_COLUMNS, *(f"against {name}" for name in names)])
    for index, (name, share, fair) in enumerate(zip(names, outcome.shares, outcome.fair_shares, strict=True)):
        row = [name, share.games, share.seats, share.wins, share.share, share.error, share.low, share.high]
        row += [None] * 4 if fair is None else [fair.share, fair.error, fair.low, fair.high]
        row += [*outcome.ratings[index], outcome.failures[index]]
        lines.writerow([*row, *(None if np.isnan(part) else part for part in matrix[index].tolist())])
    return text.getvalue()
