"""How good a policy is while it learns: a quick match, and curves as CSV."""

from __future__ import annotations

import csv
import time
from pathlib import Path

import numpy as np

from pickomino.bots import Bot
from pickomino.bots.games import as_policy
from pickomino.bots.protocol import BatchBot
from pickomino.simulate import Simulator


def duel(policy: Bot | BatchBot, other: Bot | BatchBot, games: int = 1000, seed: int = 1) -> float:
    """A policy's share of the wins in `classic` games of two, as many from either seat with the same dice."""
    choose = as_policy(policy, seed), as_policy(other, seed)
    shares = []
    for own in range(2):
        simulator = Simulator("classic", 2, games // 2, seed)
        while len(running := np.flatnonzero(simulator.legal_bits)):
            actions = np.zeros(len(simulator), dtype=np.int64)
            for seat in range(2):
                at = running[simulator.seat[running] == seat]
                if len(at):
                    actions[at] = choose[seat != own](simulator.view(at))
            simulator.step(actions)
        shares.append(float(simulator.final_shares[:, own].mean()))
    return sum(shares) / 2


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
