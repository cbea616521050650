"""How far a review's values can be trusted: the champion's own games by values one turn deeper.

python -m benchmarks.review_deeper [--games 20] [--editions classic] [--seats 2,3,4] [--processes N]

One line for each edition and number of seats: points that the champion's choices give away per game and seat by the
values of ``review(game, deep=True)``, and the mean size of the estimate term per game and seat, plain and deep.
"""

from __future__ import annotations

import argparse
import math
from concurrent.futures import ProcessPoolExecutor
from statistics import fmean, stdev
from typing import NamedTuple

from pickomino.analysis import review
from pickomino.bots import make_bot
from pickomino.testing import random_game


class Deeper(NamedTuple):
    """One game, per seat, in points."""

    loss: list[float]
    plain: list[float]  # the estimate term
    deep: list[float]


def measure(edition: str, seats: int, number: int) -> Deeper:
    game = random_game(edition, seats, f"deeper {number}", make_bot("champion").choose, first=number % seats)
    plain, deep = review(game).balances, review(game, deep=True).balances
    return Deeper(
        [one.errors * 100 for one in deep],
        [one.estimate * 100 for one in plain],
        [one.estimate * 100 for one in deep],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--editions", default="classic")
    parser.add_argument("--seats", default="2,3,4")
    parser.add_argument("--processes", type=int, default=None)
    arguments = parser.parse_args()
    count = arguments.games
    with ProcessPoolExecutor(arguments.processes) as pool:
        for edition in arguments.editions.split(","):
            for seats in map(int, arguments.seats.split(",")):
                found = list(pool.map(measure, [edition] * count, [seats] * count, range(count)))
                losses = [fmean(one.loss) for one in found]
                error = stdev(losses) / math.sqrt(count) if count > 1 else math.nan
                plain = fmean(abs(value) for one in found for value in one.plain)
                deep = fmean(abs(value) for one in found for value in one.deep)
                print(
                    f"{edition:<14} {seats} seats  {count} games: the champion loses {fmean(losses):.2f} ± {error:.2f} "
                    f"points per game and seat; estimate {plain:.2f}, one turn deeper {deep:.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
