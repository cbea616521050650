"""The turn solver and the training step on a GPU: against the plain solver, and how many turns per second.

python -m benchmarks.backup_gpu [--steps 200]     (needs PyTorch and a CUDA device)
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import torch

from pickomino.tensor import endings, scattered
from pickomino.tensor.torch_arrays import TorchArrays
from pickomino.training.backup import TurnGraph, solve, solve_plain
from pickomino.training.families import family_rules
from pickomino.training.learn import Learner, TrainingSettings
from pickomino.training.turn import prepare

DEVICE = torch.device("cuda")
XP = TorchArrays(DEVICE)


def difference(family: str, seats: int) -> float:
    """The largest difference between kernel and plain solver in the value of turns, over random endings."""
    batch = scattered(family_rules(family, seats, XP), 64)
    _, possible = endings(batch)
    turn = prepare(TurnGraph(batch.rules.edition, XP), batch, XP.random(*possible.shape, seats))
    plain = replace(turn, solved=solve_plain(turn.graph, turn.stop, turn.kinds))
    return float((turn.start_value - plain.start_value).abs().max())


def solver_rate(family: str, batch: int = 16384) -> float:
    """Turns solved a second, two seats, the values of one carried along."""
    rules = family_rules(family, 2, XP)
    graph = TurnGraph(rules.edition, XP)
    kinds = scattered(rules, batch).kinds
    if kinds is not None:
        kinds = kinds.sort().values
    stop = XP.random(graph.tables.slots, 1, batch)
    for _ in range(3):
        solve(graph, stop, kinds)
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(20):
        solve(graph, stop, kinds)
    torch.cuda.synchronize()
    return 20 * batch / (time.perf_counter() - began)


def step_ms(family: str, seats: int, batch: int, width: int, steps: int) -> float:
    """Milliseconds of a recorded training step."""
    with tempfile.TemporaryDirectory() as folder:
        settings = TrainingSettings(family=family, seats=seats, batch=batch, width=width, minutes=60)
        learner = Learner(settings, Path(folder), DEVICE)
        for _ in range(30):
            learner.step()
        torch.cuda.synchronize()
        began = time.perf_counter()
        for _ in range(steps):
            learner.step()
        torch.cuda.synchronize()
        return 1000 * (time.perf_counter() - began) / steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--steps", type=int, default=100)
    arguments = parser.parse_args()
    for family, seats in (("classic", 2), ("switches", 3), ("deluxe", 2), ("deluxe", 3)):
        print(
            f"{family}, {seats} seats: kernel and plain solver differ by {difference(family, seats):.1e}",
            flush=True,
        )
    torch.set_float32_matmul_precision("high")
    for family in ("classic", "deluxe"):
        print(f"{family}: {solver_rate(family) / 1e6:.1f} million turns per second", flush=True)
    for family, seats, batch, width in (
        ("classic", 2, 8192, 512),
        ("classic", 2, 16384, 256),
        ("classic", 2, 8192, 256),
        ("switches", 7, 4096, 256),
        ("deluxe", 2, 8192, 256),
        ("deluxe", 2, 4096, 256),
        ("deluxe", 7, 4096, 256),
    ):
        took = step_ms(family, seats, batch, width, arguments.steps)
        print(f"{family}, {seats} seats, batch {batch}, width {width}: {took:.2f} ms per step", flush=True)


if __name__ == "__main__":
    main()
