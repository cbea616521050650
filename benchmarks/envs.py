"""Steps a second of the environments, beside the nearest neighbour, all in one run.

Run ``python -m benchmarks.envs``: medians of five, one core, in processor time, so that other work on the machine
counts little. ``--json`` for machines, ``--no-peers`` to install nothing.

Single env: the agent's steps against the bot ``cautious``, whose moves are inside the step and not counted. One
step of `pickomino-env`, put into a temporary environment of its own, is a keep and the choice to roll or stop,
which are two steps here; the second ratio counts it as two. Both agents choose at random among legal actions.

Vector env: self-play with uniformly random legal moves, every seat's step counted, observations written.
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
from typing import Any, Final

import numpy as np

from pickomino.envs import PickominoEnv, PickominoVectorEnv, pickomino_v0
from pickomino.simulate import sample_legal

RUNS: Final = 5
SECONDS: Final = 0.4
LANES: Final = 4096
STEPS: Final = 200
PEER: Final = "pickomino-env"
PEER_VERSION: Final = "1.4.1"

PEER_SCRIPT: Final = """
import random, statistics, time
from pickomino_env.pickomino import PickominoEnv

rng, env, speeds = random.Random(1), PickominoEnv(number_of_bots=1), []
observation, _ = env.reset(seed=1)
for _ in range(%d):
    steps, began = 0, time.process_time()
    while time.process_time() - began < %f:
        rolled, kept = observation["dice_rolled"], observation["dice_collected"]
        faces = [face for face in range(6) if rolled[face] and not kept[face]]
        observation, _, over, broken_off, _ = env.step((rng.choice(faces or [0]), rng.randrange(2)))
        steps += 1
        if over or broken_off:
            observation, _ = env.reset()
    speeds.append(steps / (time.process_time() - began))
print(statistics.median(speeds))
"""


def speed(work: Callable[[], int]) -> float:
    """Steps a second: the median of five runs of some work that says how many it made; the first warms up."""
    work()
    speeds = []
    for _ in range(RUNS):
        began = time.process_time()
        steps = work()
        speeds.append(steps / (time.process_time() - began))
    return statistics.median(speeds)


def single(form: Any = "flat", bots: tuple[str, ...] = ("cautious",)) -> float:
    """The agent's own steps, chosen at random by the mask."""
    env, rng = PickominoEnv(bots=bots, observation=form), random.Random(1)
    env.reset(seed=1)

    def work() -> int:
        _, info = env.reset()
        steps, began = 0, time.process_time()
        while time.process_time() - began < SECONDS:
            for _ in range(100):
                legal = info["action_mask"].nonzero()[0]
                _, _, over, broken_off, info = env.step(legal[int(rng.random() * len(legal))])
                if over or broken_off:
                    _, info = env.reset()
            steps += 100
        return steps

    return speed(work)


def pettingzoo() -> float:
    """Two agents in turn through PettingZoo's wrappers, with `last` before every step."""
    env, rng = pickomino_v0.env(), random.Random(1)
    env.reset(seed=1)

    def work() -> int:
        env.reset()
        steps = 0
        for agent in env.agent_iter(5000):
            observation, _, over, broken_off, _ = env.last()
            legal = observation["action_mask"].nonzero()[0]
            env.step(None if over or broken_off else int(legal[int(rng.random() * len(legal))]))
            steps += 1
            if not env.agents:
                env.reset()
            del agent
        return steps

    return speed(work)


def vector(form: Any = "flat", *, by_mask: bool = False, steps: int = STEPS, **options: Any) -> float:
    """Steps of 4,096 games side by side; every game makes one step each time."""
    envs = PickominoVectorEnv(LANES, observation=form, **options)
    _, infos = envs.reset(seed=1)
    rng = np.random.default_rng(1)

    def work() -> int:
        nonlocal infos
        for _ in range(steps):
            if by_mask:
                actions = sample_legal(infos["action_mask"].view(np.bool_), rng.random(LANES))
            else:
                actions = envs.sample_legal()
            infos = envs.step(actions)[4]
        return steps * LANES

    return speed(work)


def peer() -> float | str:
    """Steps a second of pickomino-env against its bot, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            venv.create(folder, with_pip=True)
            python = str(next(path for path in Path(folder).glob("*/python*") if path.stem == "python"))
            pip = [
                python,
                "-m",
                "pip",
                "--disable-pip-version-check",
                "-qq",
                "install",
                f"{PEER}=={PEER_VERSION}",
            ]
            subprocess.run(pip, check=True, capture_output=True, timeout=300)
            script = PEER_SCRIPT % (RUNS, SECONDS)
            run = subprocess.run(
                [python, "-c", script], check=True, capture_output=True, text=True, timeout=300
            )
        except (subprocess.SubprocessError, OSError, StopIteration) as error:
            return f"{PEER} could not be installed or run: {type(error).__name__}"
        return float(run.stdout)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.envs", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--no-peers", action="store_true", help="do not install pickomino-env")
    arguments = parser.parse_args(argv)
    other = "left out by --no-peers" if arguments.no_peers else peer()
    figures: dict[str, float] = {
        "single env against cautious, flat": single(),
        "single env against cautious, dict": single("dict"),
        "single env against three cautious": single(bots=("cautious",) * 3),
        "PettingZoo, two agents, its wrappers": pettingzoo(),
        "vector env, self-play, flat": vector(seats=2),
        "vector env, self-play, flat, no copies": vector(seats=2, copy=False),
        "vector env, self-play, counts": vector("counts", seats=2),
        "vector env, self-play, counts, by the mask": vector("counts", seats=2, by_mask=True),
        "vector env, deluxe, 4 seats, counts": vector("counts", edition="deluxe", seats=4),
        "vector env against cautious, flat": vector(bots=["cautious"]),
        "single env against champion": single(bots=("champion",)),
        "vector env against champion": vector(bots=["champion"], steps=20),
    }
    if isinstance(other, float):
        figures[PEER] = other
    if arguments.json:
        print(json.dumps({name: round(figure) for name, figure in figures.items()}))
        return 0
    print(f"{'steps per second, median of five':<46}{'':>12}{'× peer':>10}{'× peer, two a step':>20}")
    for name, figure in figures.items():
        ratios = [f"{figure / other / each:,.1f}" if isinstance(other, float) else "–" for each in (1, 2)]
        print(f"{name:<46}{figure:>12,.0f}{ratios[0]:>10}{ratios[1]:>20}")
    print(f"peer: {PEER} {PEER_VERSION} with one bot of its own" if isinstance(other, float) else other)
    return 0


if __name__ == "__main__":
    sys.exit(main())
