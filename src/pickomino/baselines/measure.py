"""How good a policy is while it learns: a quick match, and curves as CSV."""

from __future__ import annotations

import csv
import time
from pathlib import Path

from pickomino.bots import Bot
from pickomino.bots.games import as_policy
from pickomino.bots.protocol import BatchBot
from pickomino.simulate import play_games


def duel(policy: Bot | BatchBot, other: Bot | BatchBot, games: int = 1000, seed: int = 1) -> float:
    """A policy's share of the wins in `classic` games of two, as many from either seat with the same dice."""
    one, two = as_policy(policy, seed), as_policy(other, seed)
    first, second = (
        play_games(seats, games=games // 2, seed=seed).shares for seats in ([one, two], [two, one])
    )
    return float(first[:, 0].mean() + second[:, 1].mean()) / 2


class Curve:
    """Lines of figures, shown and written down as they come; the processor time spent so far is the first of them."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path, self._began, self._rows = path, time.process_time(), list[dict[str, float]]()

    def add(self, **figures: float) -> None:
        row = {"cpu_seconds": round(time.process_time() - self._began, 1), **figures}
        self._rows.append({name: round(value, 5) for name, value in row.items()})
        print("  ".join(f"{name} {value:g}" for name, value in self._rows[-1].items()), flush=True)
        with self._path.open("w", encoding="ascii", newline="") as file:
            lines = csv.DictWriter(file, fieldnames=list(row), lineterminator="\n")
            lines.writeheader()
            lines.writerows(self._rows)
