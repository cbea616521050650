"""Small games solved whole on a GPU: seconds, residuals, and the champion's exact loss against best play.

python -m benchmarks.whole_gpu --tiles 8,9 --champion --out small.json      (needs PyTorch; --device cpu for tiny ones)

First sweeps in single precision to 2e-6, from the champion's estimate of every position; then in double precision to
1e-10, as far as the time goes. `residual`: how far one more turn, solved anew in double precision, would move any
value. Values of games that were solved on a CPU too (docs/small-games.md) are held against those.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from pickomino.rules import find_edition
from pickomino.tensor import Batch, Rules
from pickomino.tensor.torch_arrays import TorchArrays
from pickomino.training.net import TorchNet
from pickomino.training.ranking import small_edition
from pickomino.training.sweeping import Sweeping, SweptGame

TILES = (21, 23, 25, 27, 29, 31, 33, 35, 22, 24, 26)
KNOWN = {3: 0.601164393925, 5: 0.552112970811, 6: 0.535385940313, 7: 0.528075871188, 8: 0.523719020289}
"""Tiles -> value of the start, as `python -m benchmarks.whole` found it."""

WEIGHTS = Path(__file__).parents[1] / "src/pickomino/bots/champion/weights/classic-2.npz"
SINGLE, DOUBLE = 2e-6, 1e-10


def champion(device: torch.device) -> Any:
    """What the champion thinks of positions: every seat's probability to win, in single precision as at the table."""
    with np.load(WEIGHTS) as arrays:
        net = TorchNet.of("classic", dict(arrays)).to(device)

    def estimate(batch: Batch) -> torch.Tensor:
        with torch.no_grad():
            return net.logits(batch).softmax(-1)

    return estimate


def best_lanes(game: SweptGame) -> tuple[int, dict[str, float]]:
    """How many turns to solve side by side, and the million turns per second of each number that was tried."""
    found: dict[str, float] = {}
    for single in (True, False):
        for lanes in (2048, 4096, 8192, 16384, 32768):
            game.lanes = lanes
            group = max(game.ranking.groups, key=lambda group: group.last - group.first)
            rows = game.xp.arange(min(131072, group.last - group.first)) + group.first
            for _ in range(2):  # the first one compiles
                torch.cuda.synchronize()
                began = time.perf_counter()
                game._turns(group, rows, single)
                torch.cuda.synchronize()
            took = time.perf_counter() - began
            found[f"{lanes} {'single' if single else 'double'}"] = round(len(rows) / took / 1e6, 2)
    best = max((name for name in found if "single" in name), key=lambda name: found[name])
    return int(best.split()[0]), found


def solved(count: int, arguments: argparse.Namespace, left: float) -> dict[str, Any]:
    tiles = tuple(sorted(TILES[:count]))
    device = torch.device(arguments.device)
    xp, edition = TorchArrays(device), find_edition("classic")
    began = time.monotonic()
    line: dict[str, Any] = {"tiles": list(tiles)}

    def tell(what: str, value: Any) -> None:
        line[what] = value
        print(f"{count} tiles, {time.monotonic() - began:.1f} s: {what} {value}", flush=True)

    def report(state: Sweeping) -> None:
        if count > 7:
            print(
                f"{count} tiles, {time.monotonic() - began:.1f} s: {state.down} face down, sweep {state.sweep}, "
                f"{state.turns:,} turns, change {state.change:.1e}",
                flush=True,
            )

    game = SweptGame(small_edition(edition, tiles), xp)
    tell("positions", game.ranking.count)
    tell("reached", int(game.reached().sum()))
    if xp.on_gpu:
        game.lanes, rates = best_lanes(game)
        tell("million_turns_per_second", rates)
        tell("lanes", game.lanes)
    estimate = champion(device)
    opinions = game.opinions(estimate, Rules(edition, 2, xp))
    game.values[:] = opinions
    tell("prepared_seconds", round(time.monotonic() - began, 1))
    tell("single_turns", game.solve(SINGLE, single=True, report=report))
    tell("single_seconds", round(time.monotonic() - began, 1))
    tell("single_value", float(game.values[game.start]))
    room = left - (time.monotonic() - began)
    residual_seconds = (time.monotonic() - began) / 8  # a sweep in double precision, roughly
    tell("double_turns", game.solve(DOUBLE, seconds=room - 2 * residual_seconds, report=report))
    tell("seconds", round(time.monotonic() - began, 1))
    tell("value", float(game.values[game.start]))
    if count in KNOWN:
        tell("difference_to_cpu", float(game.values[game.start]) - KNOWN[count])
    tell("residual", game.residual())
    tell("opinion_error", float((opinions - game.values).abs()[: game.ranking.count].mean()))
    if arguments.champion and count <= arguments.champion_tiles:
        shares = game.evaluate(opinions, tolerance=1e-7)
        tell("champion", [shares.beginning, shares.second])
        tell("champion_loss", shares.loss)
    tell("total_seconds", round(time.monotonic() - began, 1))
    if xp.on_gpu:
        tell("gigabytes", round(torch.cuda.max_memory_allocated() / 1e9, 1))
        torch.cuda.reset_peak_memory_stats()
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tiles", default="5,6,7,8", help="one or more numbers of tiles")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--champion", action="store_true", help="also the champion's exact loss")
    parser.add_argument("--champion-tiles", type=int, default=9, help="… of games up to so many tiles")
    parser.add_argument("--seconds", type=float, default=560, help="for all games together")
    parser.add_argument("--out", type=Path, help="write the figures there as JSON")
    arguments = parser.parse_args()
    began, lines = time.monotonic(), []
    for count in map(int, arguments.tiles.split(",")):
        lines.append(solved(count, arguments, arguments.seconds - (time.monotonic() - began)))
        if arguments.out is not None:
            arguments.out.write_text(json.dumps(lines, indent=1))


if __name__ == "__main__":
    main()
