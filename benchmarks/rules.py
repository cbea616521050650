"""The plain engine: microseconds per ply over uniformly random games, moves() and validating apply together.

Before that, what ``import pickomino`` costs a fresh process.

python -m benchmarks.rules
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from statistics import median

from pickomino.chance import SeededDice
from pickomino.rules import Phase, Position

GAMES = 20
RUNS = 5


def microseconds_a_ply(edition: str, seats: int, seed: int) -> float:
    """Dice are rolled outside the clock: they are not the engine's."""
    rng, dice = random.Random(seed), SeededDice(seed)
    spent, plies = 0.0, 0
    clock = time.perf_counter
    for _ in range(GAMES):
        position = Position.start(edition, seats)
        while not position.over:
            if position.phase is Phase.ROLL:
                roll = dice.roll(position)
                began = clock()
                position.moves()
                position = position.apply(roll).position
                spent += clock() - began
            else:
                choice = rng.random()
                began = clock()
                moves = position.moves()
                position = position.apply(moves[int(choice * len(moves))]).position
                spent += clock() - began
            plies += 1
    return spent / plies * 1e6


def import_milliseconds() -> float:
    code = "import time; began = time.perf_counter(); import pickomino; print(time.perf_counter() - began)"
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(RUNS)
    ]
    return median(float(run.stdout) for run in runs) * 1e3


def main() -> None:
    print(f"import pickomino: {import_milliseconds():.0f} ms (median of {RUNS} runs)", flush=True)
    for edition, seats in (("classic", 2), ("classic", 5), ("deluxe", 3)):
        figures = [microseconds_a_ply(edition, seats, seed) for seed in range(RUNS)]
        print(
            f"{edition}, {seats} seats: {median(figures):.2f} µs per ply (median of {RUNS} runs)", flush=True
        )


if __name__ == "__main__":
    main()
