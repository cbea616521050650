"""What a review's figures mean: errors of our bots, accuracy, luck, and the size of the estimate term.

python -m benchmarks.review [--games 1000] [--editions classic,deluxe] [--seats 2,3,4] [--bots random,easy,…]
                            [--reviewed 40] [--write]

Every bot plays against itself, many games side by side, judged for the win by the values that a review uses. One
line for each edition, number of seats and bot: points of winning chance given away per game and seat, choices, accuracy
(docs/review.md), and the mean of the first seat's luck; each with its standard error. So many more games are `reviewed`
one by one: the mean size of the estimate term per game and seat, and how far one border between two turns moves.
``--write`` keeps the accuracies in ``analysis/bots.json``, where reports find them.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean, quantiles
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.analysis import review
from pickomino.arena.luck import LuckMeter
from pickomino.bots import make_bot
from pickomino.bots.games import as_policy
from pickomino.simulate import Simulator
from pickomino.testing import random_game

TABLE = Path(__file__).parent.parent / "src/pickomino/analysis/bots.json"
BOTS = "random,cautious,easy,medium,hard,ev,champion"
_LANES = 250  # games side by side: few enough for what is remembered of their turns

Floats = NDArray[np.float64]


class Judged(NamedTuple):
    """Some games, a row for each and a column for every seat."""

    errors: Floats
    stakes: Floats  # what blind choices would have given away
    choices: Floats
    luck: Floats


def judged(edition: str, seats: int, name: str, games: int, seed: int) -> Judged:
    """Games of a bot against itself, every unforced choice judged as `analysis.judgement` does."""
    simulator = Simulator(edition, seats, games, seed, first=seed % seats)
    meter, choose = LuckMeter(simulator), as_policy(make_bot(name), seed)
    errors, stakes, choices = np.zeros((3, games, seats))
    while not simulator.done.all():
        lanes = np.flatnonzero(~simulator.done)
        moves = np.zeros(games, dtype=np.int64)
        moves[lanes] = choose(simulator.view(lanes))
        values = meter.values[lanes]
        legal = np.isfinite(values)
        count, best = legal.sum(axis=1), values.max(axis=1)
        free = count > 1
        at = lanes[free], simulator.seat[lanes][free]
        mean = np.where(legal, values, 0).sum(axis=1) / count
        choices[at] += 1
        errors[at] += (best - values[np.arange(len(lanes)), moves[lanes]])[free]
        stakes[at] += np.maximum(best - mean, 0)[free]
        simulator.step(moves)
        meter.add(moves)
    return Judged(errors, stakes, choices, meter.luck)


class Borders(NamedTuple):
    """One game, reviewed."""

    estimate: list[float]  # per seat
    moved: list[float]  # by every border between two turns


def borders(edition: str, seats: int, name: str, number: int) -> Borders:
    game = random_game(edition, seats, f"review {name} {number}", make_bot(name).choose, first=number % seats)
    found = review(game)
    return Borders(
        [abs(balance.estimate) * 100 for balance in found.balances],
        [abs(value) * 100 for turn in found.turns[1:] for value in turn.estimate],
    )


def mean(values: Floats | Sequence[float], digits: int = 1, sign: str = "") -> str:
    """The mean over games with its standard error."""
    error = np.std(values, ddof=1) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return f"{np.mean(values):{sign}.{digits}f} ± {error:.{digits}f}"


def accuracies(found: Judged) -> Floats:
    """Per game, the mean of its seats; seats of one game are not independent."""
    share = 1 - found.errors / np.where(found.stakes > 1e-9, found.stakes, np.nan)
    return np.asarray(np.nanmean(share, axis=1) * 100)


def line(found: Judged, reviewed: Sequence[Borders]) -> str:
    parts = [
        f"{mean(found.errors.mean(axis=1) * 100):>14} points a game",
        f"{found.choices.mean():4.0f} choices",
        f"accuracy {mean(accuracies(found), 2)} %",
        f"luck {mean(found.luck[:, 0] * 100, 2, '+')}",  # one seat: over all seats it sums to zero
    ]
    if reviewed:
        cut = quantiles((moved for one in reviewed for moved in one.moved), n=20)
        parts.append(f"estimate {mean([fmean(one.estimate) for one in reviewed], 2)}")
        parts.append(f"a border: median {cut[9]:.2f}, 95 % under {cut[18]:.2f}")
    return " · ".join(parts)


def keep(edition: str, seats: int, bot: str, accuracy: float) -> None:
    """Put one row into the table; the others stay. The least accurate stands first."""
    table = json.loads(TABLE.read_text("utf-8"))
    row = table.setdefault(edition, {}).setdefault(str(seats), {})
    row[bot] = round(accuracy, 3)
    table[edition][str(seats)] = dict(sorted(row.items(), key=lambda item: item[1]))
    TABLE.write_text(json.dumps(table, indent=1) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--editions", default="classic")
    parser.add_argument("--seats", default="2,3,4")
    parser.add_argument("--bots", default=BOTS)
    parser.add_argument("--reviewed", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--processes", type=int, default=None)
    arguments = parser.parse_args()
    parts = [min(_LANES, arguments.games - first) for first in range(0, arguments.games, _LANES)]
    with ProcessPoolExecutor(arguments.processes) as pool:
        for edition in arguments.editions.split(","):
            for seats in map(int, arguments.seats.split(",")):
                for bot in arguments.bots.split(","):
                    who = [edition], [seats], [bot]
                    some = pool.map(judged, *(one * len(parts) for one in who), parts, range(len(parts)))
                    found = Judged(*map(np.concatenate, zip(*some, strict=True)))
                    several = (one * arguments.reviewed for one in who)
                    reviewed = list(pool.map(borders, *several, range(arguments.reviewed)))
                    print(f"{edition:<14} {seats} seats  {bot:<9} {line(found, reviewed)}", flush=True)
                    if arguments.write:
                        keep(edition, seats, bot, float(accuracies(found).mean()) / 100)


if __name__ == "__main__":
    main()
