"""The GPU turn solver: right (against the plain one) and fast.

On a machine with CUDA: python -m benchmarks.backup_gpu
"""

from __future__ import annotations

import time

import torch

from pickomino.rules.edition import find_edition
from pickomino.training.backup import TurnGraph, solve, solve_plain


def main() -> None:
    cuda = torch.device("cuda")
    graph = TurnGraph.build(find_edition("classic"), cuda)
    for seats in (1, 2, 3, 7):
        stop = torch.rand(2 * (graph.max_total + 1), seats, 96, device=cuda)
        stop[: graph.max_total + 1] = stop[0]
        error = (solve(graph, stop) - solve_plain(graph, stop)).abs().max().item()
        print(f"values {seats}: largest difference {error:.1e}", flush=True)
    for seats in (1, 3, 6):
        for batch in (8192, 32768, 65536):
            stop = torch.rand(2 * (graph.max_total + 1), seats, batch, device=cuda)
            solve(graph, stop)
            torch.cuda.synchronize()
            began = time.perf_counter()
            for _ in range(3):
                solve(graph, stop)
            torch.cuda.synchronize()
            seconds = (time.perf_counter() - began) / 3
            print(
                f"values {seats} batch {batch}: {seconds * 1e3:.1f} ms, {batch / seconds / 1e6:.2f} million turns/s",
                flush=True,
            )


if __name__ == "__main__":
    main()
