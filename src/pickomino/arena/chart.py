"""The running estimate and its 95 % band, as a small SVG."""

from __future__ import annotations

from html import escape
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pickomino.arena.run import ArenaResult
from pickomino.arena.student import t95
from pickomino.arena.tally import WHOLE, shared_wins
from pickomino.rules import find_edition

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 20, 44, 48
POINTS: Final = 240
COLOURS: Final = ("#c2452d", "#2b6c8f", "#5b7f2b", "#8a4f9e", "#b07d12", "#3f3f46", "#0f8f7a", "#a8326b")

Floats = NDArray[np.float64]


def plot(outcome: ArenaResult) -> str:
    """The share of the wins per seat as games are played: of the first entrant, or of all in a free-for-all."""
    spec = outcome.spec
    shown = [0] if spec.alone else list(range(len(spec.entrants)))
    curves = {entrant: curve for entrant in shown if len((curve := _running(outcome, entrant))[0])}
    equal = outcome.equal_share
    # The wild beginning may leave the frame.
    settled = [curve[:, len(curve[0]) // 20 :] for curve in curves.values()]
    low = min([equal, *(float((part[1] - part[2]).min()) for part in settled)])
    high = max([equal, *(float((part[1] + part[2]).max()) for part in settled)])
    margin = max(0.05 * (high - low), 0.005)
    low, high = max(0.0, low - margin), min(1.0, high + margin)

    def across(games: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * games / spec.games_played

    def up(share: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - min(max(share, low), high)) / (high - low)

    parts = [svg_head(WIDTH, HEIGHT, _title(outcome), LEFT)]
    for tick in _ticks(low, high):
        y = up(tick)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#e4dfd2"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{100 * tick:.4g} %</text>')
    below = HEIGHT - BOTTOM + 18
    parts += [
        f'<text x="{across(tick):.1f}" y="{below}" text-anchor="middle">{tick:,.0f}</text>'
        for tick in _ticks(0, spec.games_played)
    ]
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 10}" text-anchor="end">games</text>')
    parts.append(
        f'<path d="M{LEFT} {up(equal):.1f}H{WIDTH - RIGHT}" stroke="#777" stroke-dasharray="5 4"/>'
        f'<text x="{WIDTH - RIGHT}" y="{up(equal) - 5:.1f}" text-anchor="end" fill="#777">equal share</text>'
    )
    for place, (entrant, (games, share, half)) in enumerate(curves.items()):
        colour = COLOURS[place % len(COLOURS)]
        xs = [across(number) for number in games.tolist()]
        upper = [(x, up(y)) for x, y in zip(xs, (share + half).tolist(), strict=True)]
        lower = [(x, up(y)) for x, y in zip(xs, (share - half).tolist(), strict=True)]
        line = [(x, up(y)) for x, y in zip(xs, share.tolist(), strict=True)]
        parts.append(f'<path d="{_path(upper + lower[::-1])}Z" fill="{colour}" fill-opacity="0.16"/>')
        parts.append(f'<path d="{_path(line)}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        parts.append(
            f'<text x="{LEFT + 8 + 160 * (place % 4)}" y="{TOP - 8 + 16 * (place // 4)}" fill="{colour}">'
            f"{escape(spec.entrants[entrant])}</text>"
        )
    return "\n".join((*parts, "</svg>\n"))


def svg_head(width: float, height: float, title: str, left: int = 10) -> str:
    """How every picture begins."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="#333">'
        f'<title>{escape(title)}</title><rect width="100%" height="100%" fill="#fffdf7"/>'
        f'<text x="{left}" y="20" font-size="14" font-weight="600">{escape(title)}</text>'
    )


def _title(outcome: ArenaResult) -> str:
    spec = outcome.spec
    if spec.alone:
        copies = f"{spec.players - 1} × " if spec.players > 2 else ""
        what = f"{spec.entrants[0]} against {copies}{spec.entrants[1]}"
    else:
        what = f"free-for-all of {len(spec.entrants)}"
    return f"Wins per seat, {find_edition(spec.edition).key}, {spec.players} seats: {what}"


def _running(outcome: ArenaResult, entrant: int) -> Floats:
    """Rows: games so far, share, half the width of the 95 % interval."""
    spec = outcome.spec
    seats, wins = [], []
    for chunk in outcome.chunks:
        sits = spec.seating(chunk.number) == entrant
        seats.append(sits.sum(axis=(0, 2)))
        wins.append(np.where(sits, shared_wins(spec, chunk), 0).sum(axis=(0, 2)) / WHOLE)
    m, x = (np.concatenate(column).astype(np.float64) for column in (seats, wins))
    groups = np.arange(1, len(m) + 1)
    at = np.unique(np.linspace(min(9, len(m) - 1), len(m) - 1, POINTS).astype(int))
    sums = [np.cumsum(column)[at] for column in (m, x, m * m, m * x, x * x, m > 0)]
    enough = sums[5] > 1
    total, won_, mm, mx, xx, sat = (column[enough] for column in sums)
    share = won_ / total
    squares = np.maximum(xx - 2 * share * mx + share * share * mm, 0)
    enough_t = np.array([t95(int(count) - 1) for count in sat])
    half = enough_t * np.sqrt(squares * sat / (sat - 1)) / total
    return np.stack([groups[at][enough] * spec.players, share, half])


def _path(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers in a range, at most eight of them."""
    step = 10.0 ** np.floor(np.log10(high - low) - 1)
    step = next(step * factor for factor in (1, 2, 5, 10, 20, 50) if (high - low) / (step * factor) < 8)
    first, last = int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9))
    return [float(number * step) for number in range(first, last + 1)]
