"""Decisions a second of the simulator, beside the plain engine and the nearest neighbour, all in one run.

Run ``python -m benchmarks.simulate``: medians of five, one core, in processor time, so that other work on the
machine counts little. ``--json`` for machines, ``--no-peers`` to install nothing.

A decision is one move of a seat: a keep, or roll, claim or stop. Dice and forced ends of turns are not
counted. `pickomino-env` is put into a temporary environment of its own; one of its steps is two decisions
(keep, and roll or stop), and those of its bot are counted too.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from pickomino.chance import SeededDice
from pickomino.rules import Phase, Position
from pickomino.simulate import LaneView, Simulator, play_games, random_games, sample_legal

RUNS: Final = 5
LANES: Final = 4096
STEPS: Final = 200
PEER: Final = "pickomino-env"

PEER_SCRIPT: Final = """
import random, statistics, time
from pickomino_env.pickomino import PickominoEnv

steps = 0
inner = PickominoEnv._step_dice
def counted(self):
    global steps
    steps += 1
    return inner(self)
PickominoEnv._step_dice = counted

rng, env, speeds = random.Random(1), PickominoEnv(number_of_bots=1), []
observation, _ = env.reset(seed=1)
for _ in range(%d):
    steps, began = 0, time.process_time()
    while time.process_time() - began < 1:
        rolled, kept = observation["dice_rolled"], observation["dice_collected"]
        faces = [face for face in range(6) if rolled[face] and not kept[face]]
        action = (rng.choice(faces or [0]), rng.randrange(2))
        observation, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            observation, _ = env.reset()
    speeds.append(2 * steps / (time.process_time() - began))
print(statistics.median(speeds))
"""


def speed(work: Callable[[], int], warm_up: bool = True) -> float:
    """Decisions a second: the median of five runs of some work that says how many it made."""
    if warm_up:
        work()
    speeds = []
    for _ in range(RUNS):
        began = time.process_time()
        decisions = work()
        speeds.append(decisions / (time.process_time() - began))
    return statistics.median(speeds)


def random_kernel(key: str, seats: int) -> float:
    return speed(lambda: int(random_games(key, seats, 5000, seed=1).lengths.sum()))


def lockstep(key: str, seats: int, choose: Callable[[LaneView], np.ndarray]) -> float:
    """Steps of 4,096 lanes with auto-reset: choose, then step; each lane makes one decision a step."""
    simulator = Simulator(key, seats, LANES, seed=1, auto_reset=True)

    def work() -> int:
        for _ in range(STEPS):
            simulator.step(choose(simulator))
        return STEPS * LANES

    return speed(work)


def over_the_mask() -> Callable[[LaneView], np.ndarray]:
    rng = np.random.default_rng(1)
    return lambda view: sample_legal(view.legal, rng.random(len(view)))


def first_legal(view: LaneView) -> np.ndarray:
    """The trivial NumPy policy: it reads the whole mask."""
    choice: np.ndarray = view.legal.argmax(axis=1)
    return choice


def whole_games() -> float:
    """`play_games` with everything around it: views of single seats, refilled lanes, results."""
    return speed(
        lambda: int(play_games([first_legal, LaneView.random_moves], games=10_000, seed=1).lengths.sum())
    )


def plain_engine() -> float:
    """Uniformly random moves through `pickomino.rules`."""
    rng, dice = random.Random(1), SeededDice(1)

    def work() -> int:
        position, decisions = Position.start(), 0
        while decisions < 20_000:
            if position.phase is Phase.ROLL:
                position = position.apply(dice.roll(position)).position
            elif position.over:
                position = Position.start()
            else:
                position = position.apply(rng.choice(position.moves())).position
                decisions += 1
        return decisions

    return speed(work, warm_up=False)


def peer() -> float | str:
    """Decisions a second of pickomino-env, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            venv.create(folder, with_pip=True)
            python = str(next(path for path in Path(folder).glob("*/python*") if path.stem == "python"))
            pip = [python, "-m", "pip", "--disable-pip-version-check", "-qq", "install", PEER]
            subprocess.run(pip, check=True, capture_output=True, timeout=300)
            run = subprocess.run(
                [python, "-c", PEER_SCRIPT % RUNS], check=True, capture_output=True, text=True, timeout=300
            )
        except (subprocess.SubprocessError, OSError, StopIteration) as error:
            return f"{PEER} could not be installed or run: {type(error).__name__}"
        return float(run.stdout)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulate", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--no-peers", action="store_true", help="do not install pickomino-env")
    arguments = parser.parse_args(argv)
    figures: dict[str, float] = {
        "random_games, classic, 2 seats": random_kernel("classic", 2),
        "random_games, classic, 5 seats": random_kernel("classic", 5),
        "random_games, deluxe, 4 seats": random_kernel("deluxe", 4),
        "Simulator, random_moves": lockstep("classic", 2, LaneView.random_moves),
        "Simulator, sample_legal over the mask": lockstep("classic", 2, over_the_mask()),
        "Simulator, NumPy policy": lockstep("classic", 2, first_legal),
        "Simulator, deluxe, sample_legal": lockstep("deluxe", 4, over_the_mask()),
        "play_games, two policies": whole_games(),
        "plain engine (pickomino.rules)": plain_engine(),
    }
    plain = figures["plain engine (pickomino.rules)"]
    other = "left out by --no-peers" if arguments.no_peers else peer()
    if isinstance(other, float):
        figures[PEER] = other
    if arguments.json:
        print(json.dumps({name: round(figure) for name, figure in figures.items()}))
        return 0
    print(f"{'decisions per second, median of five':<40}{'':>14}{'× plain':>10}{'× ' + PEER:>18}")
    for name, figure in figures.items():
        ratio = f"{figure / other:,.0f}" if isinstance(other, float) else "–"
        print(f"{name:<40}{figure:>14,.0f}{figure / plain:>10,.1f}{ratio:>18}")
    if isinstance(other, str):
        print(other)
    return 0


if __name__ == "__main__":
    sys.exit(main())
