"""Make the champion's weights, on a GPU: ``python -m pickomino.training``.

Without one, --smoke goes through all of it in a minute with a small net: it learns, shows how far it is, and writes
weights, card and curve; good weights take a GPU.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import torch

from pickomino.rules import PickominoError
from pickomino.training.families import FAMILIES
from pickomino.training.learn import Learner, TrainingSettings

_SMOKE = {"batch": 64, "width": 64, "depth": 2, "window": 8, "cycles": 1, "minutes": "0.5", "games": 0}
_NUMBERS = ("batch", "width", "depth", "cycles", "window", "lessons", "focus", "rate", "trace", "scattered")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m pickomino.training", description=__doc__)
    parser.add_argument("--family", default="classic", choices=list(FAMILIES), help="which editions to learn")
    parser.add_argument("--seats", default="2", help="one or more numbers of seats, as in 2,3,4")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--minutes", default="4", help="training time for each number of seats, one or a list"
    )
    for name in _NUMBERS:
        default = getattr(TrainingSettings, name)
        parser.add_argument(f"--{name}", type=type(default), default=default)
    parser.add_argument("--games", type=int, default=50_000, help="games of each contest; 0 for none")
    parser.add_argument("--deep-games", type=int, default=0, help="games against a search one turn deeper")
    parser.add_argument("--out", type=Path, default=Path("weights"))
    parser.add_argument("--begin", type=Path, metavar="FOLDER", help="start from the weights of this folder")
    parser.add_argument("--resume", action="store_true", help="take up checkpoints found in --out")
    parser.add_argument(
        "--smoke", action="store_true", help="a small net for half a minute, to see that it runs"
    )
    parser.add_argument("--plain", action="store_true", help="launch every part of a step by itself (slower)")
    arguments = parser.parse_args(argv)
    if arguments.smoke:
        vars(arguments).update(_SMOKE)
        torch.set_num_threads(1)  # more only wait for each other with so small a net
    torch.set_float32_matmul_precision("high")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if arguments.smoke:
        print(
            f"smoke: {_SMOKE['minutes']} minutes with a small net on {device}; its weights do not play like a champion",
            flush=True,
        )
    elif device.type == "cpu":
        print("no GPU: training would take days; --smoke is for machines without one", file=sys.stderr)
    seats = [int(part) for part in arguments.seats.split(",")]
    minutes = [float(part) for part in arguments.minutes.split(",")]
    for index, count in enumerate(seats):
        settings = TrainingSettings(
            family=arguments.family,
            seats=count,
            seed=arguments.seed,
            minutes=minutes[min(index, len(minutes) - 1)],
            **{name: getattr(arguments, name) for name in _NUMBERS},
        )
        learner = Learner(settings, arguments.out, device)
        if arguments.begin is not None:
            learner.begin(arguments.begin)
        if arguments.resume and learner.resume():
            print(f"{learner.name}: resumed at step {learner.steps}", flush=True)
        learner.recorded &= not arguments.plain
        began = time.monotonic()
        try:
            learner.run(games=arguments.games, told=lambda line: print(line, flush=True))
        except PickominoError as error:
            print(error, file=sys.stderr)
            return 1
        print(f"{learner.name}: {learner.steps} steps in {time.monotonic() - began:.0f} s", flush=True)
        figures = learner.measure(arguments.games, arguments.deep_games)
        print(f"{learner.name}: {json.dumps(figures)}", flush=True)
        learner.log(**figures)
        learner.export(**figures)
        print(f"{learner.name}: weights, card and curve are in {arguments.out}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
