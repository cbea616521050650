"""Small games solved whole on a GPU: seconds, residuals, and the champion's exact loss against best play.

python -m benchmarks.whole_gpu --tiles 8:60,9:120 --out small.json      (needs PyTorch; --device cpu for tiny ones)

From the champion's estimate of every position: sweeps in single precision to 1e-5, then in double precision to 1e-7
and to 1e-10, as far as the seconds of each game go; the file holds what is known at any time. `residuals`, by tiles
face down: how far one more turn, solved anew in double precision, would move any value. `levels`, one line per level:
tiles face down, positions, sweeps, turns, the largest change of the last sweep, and how it ended. Values of games that
were solved on a CPU too (docs/small-games.md) are held against those.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from pickomino.bots.champion.net import load_estimate
from pickomino.rules import find_edition
from pickomino.tensor import Rules
from pickomino.tensor.torch_arrays import TorchArrays
from pickomino.training.ranking import small_edition
from pickomino.training.sweeping import Sweeping, SweptGame

TILES = (21, 23, 25, 27, 29, 31, 33, 35, 22, 24, 26)
KNOWN = {3: 0.601164393925, 5: 0.552112970811, 6: 0.535385940313, 7: 0.528075871188, 8: 0.523719020289}
"""Tiles -> value of the start, as `python -m benchmarks.whole` found it."""

PASSES = ((1e-5, True), (1e-7, False), (1e-10, False))
"""Tolerance of each pass, and whether in single precision."""


def rates(game: SweptGame) -> dict[str, float]:
    """Million turns per second in either precision."""
    found: dict[str, float] = {}
    group = max(game.ranking.groups, key=lambda group: group.last - group.first)
    rows = game.xp.arange(min(131072, group.last - group.first)) + group.first
    for name, single in (("single", True), ("double", False)):
        for _ in range(2):  # the first one compiles
            torch.cuda.synchronize()
            began = time.perf_counter()
            game._turns(group, rows, single)
            torch.cuda.synchronize()
        found[name] = round(len(rows) / (time.perf_counter() - began) / 1e6, 2)
    return found


class Solved:
    """One game, with what is known of it so far."""

    def __init__(self, count: int, seconds: float, out: Callable[[], None]) -> None:
        self.count, self.seconds, self.out = count, seconds, out
        self.began = self.said = time.monotonic()
        self.line: dict[str, Any] = {"tiles": sorted(TILES[:count])}

    @property
    def took(self) -> float:
        return time.monotonic() - self.began

    def tell(self, what: str, value: Any) -> None:
        self.line[what] = value
        self.say(f"{what} {value}")
        self.out()

    def say(self, text: str) -> None:
        print(f"{self.count} tiles, {self.took:.1f} s: {text}", flush=True)
        self.said = time.monotonic()

    def report(self, state: Sweeping) -> None:
        """A line per level, or every five seconds."""
        if (state.ended and state.positions > 10_000) or time.monotonic() - self.said > 5:
            self.say(
                f"{state.down} face down, sweep {state.sweep}, {state.turns:,} turns, change {state.change:.1e} "
                f"{state.ended}"
            )

    def measure(self, game: SweptGame) -> float:
        """Tell the residuals; how many seconds that took."""
        before = self.took
        residuals = game.residuals()
        self.tell("residuals", residuals)
        self.tell("residual", max(residuals.values()))
        self.tell("seconds", round(self.took, 1))
        return self.took - before

    def run(self, device: torch.device, with_champion: bool) -> None:
        xp, edition = TorchArrays(device), find_edition("classic")
        game = SweptGame(small_edition(edition, tuple(self.line["tiles"])), xp)
        self.tell("positions", game.ranking.count)
        self.tell("reached", int(game.reached().sum()))
        residual_seconds = 0.0
        if xp.on_gpu:
            found = rates(game)
            self.tell("million_turns_per_second", found)
            residual_seconds = game.ranking.count / found["double"] / 1e6
        opinions = game.opinions(load_estimate(edition, 2, xp), Rules(edition, 2, xp))
        game.values[:] = opinions
        self.tell("prepared_seconds", round(self.took, 1))
        self.line["passes"] = []
        for tolerance, single in PASSES:
            left = self.seconds - self.took - residual_seconds
            if left < residual_seconds:
                break
            levels = game.solve(tolerance, single, left, self.report)
            done: dict[str, Any] = {
                "tolerance": tolerance,
                "single": single,
                "levels": [tuple(level) for level in levels],
            }
            done |= {"turns": sum(level.turns for level in levels), "value": float(game.values[game.start])}
            done["converged"] = all(level.ended == "converged" for level in levels)
            self.line["passes"].append(done | {"seconds": round(self.took, 1)})
            self.tell("value", done["value"])
            if not single:
                residual_seconds = self.measure(game)
        if "residual" not in self.line:
            self.measure(game)
        if self.count in KNOWN:
            self.tell("difference_to_cpu", self.line["value"] - KNOWN[self.count])
        self.tell("opinion_error", float((opinions - game.values).abs()[: game.ranking.count].mean()))
        if with_champion and self.took < self.seconds:
            shares = game.evaluate(opinions, tolerance=1e-7, seconds=self.seconds - self.took)
            if math.isfinite(shares.change):  # else some level was not reached in time
                self.tell("champion", shares)
                self.tell("champion_loss", shares.loss)
        self.tell("total_seconds", round(self.took, 1))
        if xp.on_gpu:
            self.tell("gigabytes", round(torch.cuda.max_memory_allocated() / 1e9, 1))
            torch.cuda.reset_peak_memory_stats()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--tiles", default="5:60,6:60,7:60,8:60", help="numbers of tiles, each with its seconds"
    )
    parser.add_argument("--device", default="cuda")
    parser.add_argument(
        "--champion-tiles", type=int, default=9, help="the champion's loss in games up to so many tiles"
    )
    parser.add_argument("--seconds", type=float, default=560, help="for all games together")
    parser.add_argument("--out", type=Path, help="write the figures there as JSON")
    arguments = parser.parse_args()
    began = time.monotonic()
    games: list[Solved] = []

    def write() -> None:
        if arguments.out is not None:
            arguments.out.write_text(json.dumps([game.line for game in games], indent=1))

    wrong = 0.0
    for part in arguments.tiles.split(","):
        count, seconds = map(int, part.split(":"))
        left = arguments.seconds - (time.monotonic() - began)
        games.append(Solved(count, min(seconds, left), write))
        games[-1].run(torch.device(arguments.device), count <= arguments.champion_tiles)
        wrong = max(wrong, abs(games[-1].line.get("difference_to_cpu", 0.0)))
    if wrong > 1e-6:
        raise SystemExit(f"a value differs from that of the CPU by {wrong:.1e}, expected at most 1e-6")


if __name__ == "__main__":
    main()
