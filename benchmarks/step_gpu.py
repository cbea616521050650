"""Where the time of a training step goes, on a machine with CUDA: python -m benchmarks.step_gpu"""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import mkdtemp

import torch

from pickomino.training.contest import win
from pickomino.training.features import encode
from pickomino.training.learn import Learner, Settings
from pickomino.training.turn import prepare


def timed(what: str, work: object) -> object:
    assert callable(work)
    work()
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(5):
        result = work()
    torch.cuda.synchronize()
    print(f"  {what}: {(time.perf_counter() - began) / 5 * 1e3:.2f} ms", flush=True)
    return result


@torch.no_grad()
def main() -> None:
    torch.set_float32_matmul_precision("high")
    for seats, batch in ((2, 8192), (2, 32768), (4, 8192), (7, 8192)):
        learner = Learner(Settings(seats=seats, batch=batch), Path(mkdtemp()), torch.device("cuda"))
        for _ in range(20):
            with torch.enable_grad():
                learner.step()
        print(f"seats {seats} batch {batch}", flush=True)
        rules, table = learner.rules, learner.table
        ends, possible = table.endings(rules)
        timed("endings", lambda: table.endings(rules))
        flat = ends.flatten()
        timed("encode", lambda: encode(flat, rules))
        values = win(learner.target, rules)(table, ends, possible)
        timed("encode and estimate", lambda: win(learner.target, rules)(table, ends, possible))
        turn = prepare(learner.graph, rules, table, possible, values)
        timed("claims and solve", lambda: prepare(learner.graph, rules, table, possible, values))
        timed("play", lambda: turn.play(learner.generator))
        timed("fresh", lambda: learner._fresh(batch))
        with torch.enable_grad():
            timed("whole step", learner.step)


if __name__ == "__main__":
    main()
