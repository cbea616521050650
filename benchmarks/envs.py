"""Steps per second of the environments, beside the nearest neighbour, all in one process.

Run ``OPENBLAS_NUM_THREADS=1 python -m benchmarks.envs``: five rounds on one core, in processor time, so that other work
on the machine counts little (threads that wait for work would count). In every round each environment is measured
once, the neighbour too; a ratio is the median of the rounds' own ratios. ``--json`` for machines, ``--no-peers`` to
install nothing.

Single env: the agent's steps against the bot ``cautious``, whose moves are inside the step and not counted. One step of
`pickomino-env`, put into a temporary folder, is a keep and the choice to roll or stop, which are two steps here; the
second ratio counts it as two. Both agents choose at random among legal actions.

Vector env: self-play with uniformly random legal moves, every seat's step counted, observations written.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

import numpy as np

from pickomino.envs import PickominoEnv, PickominoVectorEnv, pickomino_v0
from pickomino.simulate import sample_legal

RUNS: Final = 5
SECONDS: Final = 0.4
LANES: Final = 4096
STEPS: Final = 200
PEERS: Final = ("pickomino-env==1.4.1", "pygame-ce==2.5.6")  # it, and what it imports beside what is here
AGAINST_CHAMPION: Final = ("single env against champion", "vector env against champion")

Work = Callable[[], int]
"""Some steps; it says how many."""


def speeds(works: dict[str, Work]) -> dict[str, list[float]]:
    """Steps per second of each, round by round; a first round warms up and is not counted."""
    found: dict[str, list[float]] = {name: [] for name in works}
    for number in range(RUNS + 1):
        for name, work in works.items():
            began = time.process_time()
            steps = work()
            if number:
                found[name].append(steps / (time.process_time() - began))
    return found


def single(form: Any = "flat", bots: tuple[str, ...] = ("cautious",)) -> Work:
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

    return work


def pettingzoo() -> Work:
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

    return work


def vector(form: Any = "flat", *, by_mask: bool = False, steps: int = STEPS, **options: Any) -> Work:
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

    return work


def peer(folder: str) -> Work | str:
    """pickomino-env against its bot in this process, or why not."""
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "-qq",
        "install",
        "--no-deps",
        "--target",
    ]
    try:
        subprocess.run([*pip, folder, *PEERS], check=True, capture_output=True, timeout=300)
        sys.path.append(folder)
        os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
        env = import_module("pickomino_env.pickomino").PickominoEnv(number_of_bots=1)
    except (subprocess.SubprocessError, OSError, ImportError) as error:
        return f"{PEERS[0]} could not be installed or imported: {type(error).__name__}"
    rng, observation = random.Random(1), env.reset(seed=1)[0]

    def work() -> int:
        nonlocal observation
        steps, began = 0, time.process_time()
        while time.process_time() - began < SECONDS:
            rolled, kept = observation["dice_rolled"], observation["dice_collected"]
            faces = [face for face in range(6) if rolled[face] and not kept[face]]
            observation, _, over, broken_off, _ = env.step((rng.choice(faces or [0]), rng.randrange(2)))
            steps += 1
            if over or broken_off:
                observation, _ = env.reset()
        return steps

    return work


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.envs", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--no-peers", action="store_true", help="do not install pickomino-env")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        other = "left out by --no-peers" if arguments.no_peers else peer(folder)
        works: dict[str, Work] = {
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
            AGAINST_CHAMPION[0]: single(bots=("champion",)),
            AGAINST_CHAMPION[1]: vector(bots=["champion"], steps=20),
        }
        if not isinstance(other, str):
            works[PEERS[0]] = other
        found = speeds(works)
    if arguments.json:
        print(json.dumps({name: round(statistics.median(rounds)) for name, rounds in found.items()}))
        return 0
    print(f"{'steps per second, median of five':<46}{'':>12}{'× peer':>10}{'× peer, two a step':>20}")
    for name, rounds in found.items():
        beside = found.get(PEERS[0])
        ratio = None if beside is None else _ratio(rounds, beside)
        shown = ["–" if ratio is None else f"{ratio / each:,.1f}" for each in (1, 2)]
        print(f"{name:<46}{statistics.median(rounds):>12,.0f}{shown[0]:>10}{shown[1]:>20}")
    one, many = (found[name] for name in AGAINST_CHAMPION)
    print(f"against champion: {_ratio(many, one):,.0f} times the steps of the single env in the vector env")
    print(other if isinstance(other, str) else f"peer: {PEERS[0]} with one bot of its own, in this process")
    return 0


def _ratio(rounds: list[float], others: list[float]) -> float:
    return statistics.median(own / other for own, other in zip(rounds, others, strict=True))


if __name__ == "__main__":
    sys.exit(main())
