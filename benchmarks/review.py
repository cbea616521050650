"""What a review's figures mean: errors of our bots, accuracy, luck, and the size of the estimate term.

python -m benchmarks.review [--games 100] [--editions classic,deluxe] [--seats 2,3,4] [--bots random,easy,…] [--write]

Every bot plays against itself, each game is reviewed for the win. One line for each edition, number of seats and bot:
points of winning chance given away per game and seat, choices, accuracy (docs/review.md), the mean of luck with its
error, and the mean size of the estimate term per game and seat. ``--borders`` also shows how far one border moves;
``--write`` keeps the accuracies in ``analysis/bots.json``, where reports find them.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean, quantiles, stdev
from typing import NamedTuple

from pickomino.analysis import review
from pickomino.analysis.judgement import accuracy
from pickomino.bots import make_bot
from pickomino.testing import random_game

TABLE = Path(__file__).parent.parent / "src/pickomino/analysis/bots.json"
BOTS = "random,cautious,easy,medium,hard,ev,champion"


class Sample(NamedTuple):
    """One game."""

    errors: list[float]  # per seat
    choices: list[int]
    accuracy: list[float]
    luck: list[float]
    estimate: list[float]
    borders: list[float]


def sample(edition: str, seats: int, name: str, number: int) -> Sample:
    bot = make_bot(name)
    game = random_game(edition, seats, f"review {name} {number}", bot.choose, first=number % seats)
    found = review(game)
    judged = [accuracy(found.choices(seat)) for seat in range(seats)]
    return Sample(
        [balance.errors for balance in found.balances],
        [len(found.choices(seat)) for seat in range(seats)],
        [one for one in judged if one is not None],
        [balance.luck for balance in found.balances],
        [balance.estimate for balance in found.balances],
        [abs(value) for turn in found.turns[1:] for value in turn.estimate],
    )


def samples(edition: str, seats: int, bot: str, games: int, pool: ProcessPoolExecutor) -> Iterator[Sample]:
    numbers = range(games)
    return pool.map(
        sample, [edition] * games, [seats] * games, [bot] * games, numbers, chunksize=max(1, games // 64)
    )


def line(found: list[Sample], *, borders: bool) -> str:
    """Means over games and seats; a standard error counts games, for seats of one game are not independent."""
    errors = [fmean(one.errors) * 100 for one in found]
    luck = [one.luck[0] * 100 for one in found]  # one seat: over all seats luck sums to zero
    parts = [
        f"{fmean(errors):6.1f} ± {stdev(errors) / math.sqrt(len(errors)):3.1f} points a game",
        f"{fmean(n for one in found for n in one.choices):4.0f} choices",
        f"accuracy {fmean(a for one in found for a in one.accuracy):6.1%}",
        f"luck {fmean(luck):+5.1f} ± {stdev(luck) / math.sqrt(len(luck)):3.1f}",
        f"estimate {fmean(abs(e) for one in found for e in one.estimate) * 100:4.2f}",
    ]
    if borders:
        cut = quantiles((border * 100 for one in found for border in one.borders), n=20)
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
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--editions", default="classic")
    parser.add_argument("--seats", default="2,3,4")
    parser.add_argument("--bots", default=BOTS)
    parser.add_argument("--borders", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--processes", type=int, default=None)
    arguments = parser.parse_args()
    with ProcessPoolExecutor(arguments.processes) as pool:
        for edition in arguments.editions.split(","):
            for seats in map(int, arguments.seats.split(",")):
                for bot in arguments.bots.split(","):
                    found = list(samples(edition, seats, bot, arguments.games, pool))
                    print(
                        f"{edition:<14} {seats} seats  {bot:<9} {line(found, borders=arguments.borders)}",
                        flush=True,
                    )
                    if arguments.write:
                        keep(edition, seats, bot, fmean(a for one in found for a in one.accuracy))


if __name__ == "__main__":
    main()
