"""The turn solver and the training step on a GPU: against the plain solver, and how many turns a second.

python -m benchmarks.backup_gpu [--steps 200]     (needs PyTorch and a CUDA device)
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import torch

from pickomino.training.backup import Solved, TurnGraph, solve, solve_plain
from pickomino.training.families import family_rules, scattered
from pickomino.training.learn import Learner, Settings
from pickomino.training.turn import Turn

DEVICE = torch.device("cuda")


def difference(family: str, seats: int) -> float:
    """The largest difference between kernel and plain solver in the value of turns, over random endings."""
    rules = family_rules(family, seats, DEVICE)
    graph = TurnGraph.build(rules.edition, DEVICE)
    table = scattered(rules, 64)
    _, possible = table.endings(rules)
    mine = torch.rand(*possible.shape, seats, device=DEVICE)
    claim = table.claims(rules, graph.max_total, mine[..., 0])
    stop = mine.gather(1, claim[..., None].expand(*claim.shape, seats)).permute(1, 2, 0).contiguous()

    def value(solved: Solved) -> torch.Tensor:
        return Turn(graph, stop, claim, solved, table.kinds).start_value

    quick, plain = solve(graph, stop, table.kinds), solve_plain(graph, stop, table.kinds)
    return float((value(quick) - value(plain)).abs().max())


def solver_rate(family: str, batch: int = 16384) -> float:
    """Turns solved a second, two seats, the values of one carried along."""
    rules = family_rules(family, 2, DEVICE)
    graph = TurnGraph.build(rules.edition, DEVICE)
    table = scattered(rules, batch)
    if table.kinds is not None:
        table = table[table.kinds.argsort()]
    stop = torch.rand(graph.tables.slots, 1, batch, device=DEVICE)
    for _ in range(3):
        solve(graph, stop, table.kinds)
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(20):
        solve(graph, stop, table.kinds)
    torch.cuda.synchronize()
    return 20 * batch / (time.perf_counter() - began)


def step_ms(family: str, seats: int, batch: int, width: int, steps: int) -> float:
    """Milliseconds of a recorded training step."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(family=family, seats=seats, batch=batch, width=width, minutes=60)
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
        print(f"{family}: {solver_rate(family) / 1e6:.1f} million turns a second", flush=True)
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
        print(f"{family}, {seats} seats, batch {batch}, width {width}: {took:.2f} ms a step", flush=True)


if __name__ == "__main__":
    main()
