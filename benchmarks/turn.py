"""How fast a turn is solved, beside a plain-Python solver written as the literature does it.

Run ``python -m benchmarks.turn``: medians of five, one core, all in one run, with ratios. ``--json`` for
machines.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np

from pickomino import Position, parse_position
from pickomino.compact import turn_tables
from pickomino.solver import Worms, exact_odds, load_numba, odds, solve_turn, solve_turns
from pickomino.solver.objective import move_values
from pickomino.solver.position import TurnSolver

RUNS = 5
LANES = 256
PIPS = (1, 2, 3, 4, 5, 5)
WORM = 5


def plain_python(values: list[float], bust: float) -> float:
    """Recursion with a memo over (faces kept, dice left, total) and all rolls, straight from the rules."""

    @cache
    def rolls(dice: int) -> list[tuple[tuple[int, ...], float]]:
        found = []
        for roll in combinations_with_replacement(range(6), dice):
            counts = tuple(roll.count(face) for face in range(6))
            found.append((counts, factorial(dice) / prod(map(factorial, counts)) / 6**dice))
        return found

    @cache
    def before_roll(kept: int, dice: int, total: int) -> float:
        expected = 0.0
        for counts, prob in rolls(dice):
            options = [
                after_keep(kept | 1 << face, dice - count, total + count * PIPS[face])
                for face, count in enumerate(counts)
                if count and not kept >> face & 1
            ]
            expected += prob * max(options, default=bust)
        return expected

    @cache
    def after_keep(kept: int, dice: int, total: int) -> float:
        stop = values[total] if kept >> WORM & 1 else bust
        if not dice or kept == 63:
            return stop
        return max(stop, before_roll(kept, dice, total))

    return before_roll(0, 8, 0)


def median_seconds(work: Callable[[], object], least: float = 0.1) -> float:
    """The median of five runs; a run repeats the work until it takes a tenth of a second."""
    work()
    began = time.perf_counter()
    work()
    times = max(1, round(least / max(time.perf_counter() - began, 1e-9)))
    runs = []
    for _ in range(RUNS):
        began = time.perf_counter()
        for _ in range(times):
            work()
        runs.append((time.perf_counter() - began) / times)
    return statistics.median(runs)


def fresh_process(code: str) -> float:
    """Median wall time of a new Python process that runs the code."""
    runs = []
    for _ in range(RUNS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
        runs.append(time.perf_counter() - began)
    return statistics.median(runs)


def measure() -> dict[str, float]:
    """Seconds by name; batched ones per turn."""
    worms = [float(1 + (min(total, 36) - 21) // 4) if total >= 21 else 0.0 for total in range(41)]
    ready = np.array(worms)
    generator = np.random.default_rng(1)
    many, busts = generator.random((LANES, 41)), -generator.random(LANES)
    many32, busts32 = many.astype(np.float32), busts.astype(np.float32)
    first_roll = parse_position("pkp1 classic 21-36 -/- A -:1333445W")
    deluxe = parse_position("pkp1 deluxe 13,21-24,26-36 25/- A -:? weasel@A 0/0")
    turn_tables("classic"), turn_tables("deluxe")

    def advise(position: Position) -> object:
        solver = TurnSolver(position)
        return solver.solve(Worms().payoff(position, solver.endings)).here

    seconds = {"plain Python, one turn": median_seconds(lambda: plain_python(worms, 0.0), least=0)}
    seconds["NumPy, one turn"] = median_seconds(lambda: solve_turn(ready, 0.0, kernel="numpy"))
    seconds[f"NumPy, {LANES} turns float64"] = (
        median_seconds(lambda: solve_turns(many, busts, kernel="numpy")) / LANES
    )
    seconds["a classic position, all moves (NumPy)"] = median_seconds(lambda: advise(first_roll))
    seconds["a deluxe position with weasel (NumPy)"] = median_seconds(lambda: advise(deluxe))
    seconds["odds of all tiles (NumPy)"] = median_seconds(lambda: odds("classic"))
    seconds["exact odds of one tile"] = median_seconds(lambda: exact_odds("classic", [21])) / 2
    if load_numba("bulk") is not None:
        seconds["numba, one turn"] = median_seconds(lambda: solve_turn(ready, 0.0))
        seconds[f"numba, {LANES} turns float64"] = median_seconds(lambda: solve_turns(many, busts)) / LANES
        seconds[f"numba, {LANES} turns float32"] = (
            median_seconds(lambda: solve_turns(many32, busts32)) / LANES
        )
    assert abs(solve_turn(ready, 0.0) - plain_python(worms, 0.0)) < 1e-12
    assert abs(move_values(first_roll, Worms()).value - 1.38470529) < 5e-9
    return seconds


def measure_starts() -> dict[str, float]:
    """Seconds from the start of a process to its first answer."""
    values = "[0] * 21 + [1] * 20"
    command = "from pickomino.cli import main; main(['advise', 'pkp1 classic 21-36 -/- A -:1333445W'])"
    starts = {
        "Python alone": fresh_process("pass"),
        "import pickomino": fresh_process("import pickomino"),
        "import numpy": fresh_process("import numpy"),
        "pickomino advise": fresh_process(command),
        "pickomino odds": fresh_process("from pickomino.cli import main; main(['odds'])"),
    }
    if load_numba("bulk") is not None:
        code = f"from pickomino.solver import solve_turn; solve_turn({values}, 0)"
        starts["solve_turn with numba, kernel cached"] = fresh_process(code)
    return starts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true", help="seconds by name, as JSON")
    args = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one core
    seconds, starts = measure(), measure_starts()
    if args.json:
        print(json.dumps({"turn": seconds, "start": starts}, indent=2))
        return
    base = seconds["plain Python, one turn"]
    print(f"{'':<40}{'a turn':>12}{'plain Python':>16}")
    for name, value in seconds.items():
        print(f"{name:<40}{value * 1e6:>9.1f} µs{base / value:>14.1f} ×")
    print()
    print(f"{'from a cold start':<40}{'wall':>12}")
    for name, value in starts.items():
        print(f"{name:<40}{value * 1e3:>9.0f} ms")


if __name__ == "__main__":
    main()
