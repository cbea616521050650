"""Does a review name the better move? Held-back decisions, played out by champions with the luck taken out.

python -m benchmarks.rollouts [--decisions 50] [--edition classic] [--seats 2,3,4] [--plain 20000] [--processes N]

Decisions of the bot `medium` with errors between 1 and 10 points, from games that nothing was tuned on. After the best
move and after the one played, champions play on; each game counts as its result less the luck of its dice, whose mean
is the same (docs/review.md). Games are added until the error of the difference is that of so many plain games, or half
of the claimed error at most. The sign counts where the roll-outs decide it: beyond two standard errors.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from statistics import fmean, variance
from typing import NamedTuple

from pickomino import parse_move, parse_position
from pickomino.analysis import review
from pickomino.bots import make_bot
from pickomino.game import Game
from pickomino.testing import random_game

FEWEST, MOST = 8, 400  # games after each move


class Case(NamedTuple):
    """A decision, as text: it travels between processes."""

    position: str
    best: str
    played: str
    error: float


class Verdict(NamedTuple):
    """Points that the best move wins more, by roll-outs."""

    case: Case
    gain: float
    error: float
    games: int


def cases(edition: str, seats: int, count: int) -> Iterator[Case]:
    """One decision per game, so that they are independent."""
    number = 0
    while count:
        number += 1
        game = random_game(edition, seats, f"held back {seats} {number}", make_bot("medium").choose)
        found = [one for one in review(game).decisions if 0.01 <= one.error <= 0.10]
        if found:
            one = found[number % len(found)]
            yield Case(str(one.position), str(one.best), str(one.played), one.error)
            count -= 1


def played_out(case: Case, move: str, number: int) -> float:
    """The mover's result less its luck, in points."""
    start = parse_position(case.position).apply(parse_move(move)).position
    seat = parse_position(case.position).seat
    if start.over:
        return review(Game(start)).balances[seat].result * 100
    game = random_game(
        policy=make_bot("champion").choose, start=start, seed=f"{case.position} {move} {number}"
    )
    balance = review(game).balances[seat]
    return (balance.result - balance.luck) * 100


def judge(case: Case, plain: int) -> Verdict:
    wanted = 100 * math.sqrt(0.5 / plain)  # of a difference of two shares near one half
    best: list[float] = []
    played: list[float] = []
    while True:
        number = len(best)
        best.append(played_out(case, case.best, number))
        played.append(played_out(case, case.played, number))
        if len(best) < FEWEST:
            continue
        error = math.sqrt((variance(best) + variance(played)) / len(best))
        if error <= wanted or len(best) >= MOST:
            return Verdict(case, fmean(best) - fmean(played), error, 2 * len(best))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--decisions", type=int, default=50)
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--seats", default="2,3,4")
    parser.add_argument("--plain", type=int, default=20_000)
    parser.add_argument("--processes", type=int, default=None)
    arguments = parser.parse_args()
    seats = [int(text) for text in arguments.seats.split(",")]
    share = math.ceil(arguments.decisions / len(seats))
    chosen = [case for count in seats for case in cases(arguments.edition, count, share)][
        : arguments.decisions
    ]
    right = wrong = games = 0
    with ProcessPoolExecutor(arguments.processes) as pool:
        for one in pool.map(judge, chosen, [arguments.plain] * len(chosen)):
            games += one.games
            decided = abs(one.gain) > 2 * one.error
            right += decided and one.gain > 0
            wrong += decided and one.gain < 0
            print(
                f"{one.case.error * 100:5.1f} claimed, {one.gain:+5.1f} ± {one.error:.2f} played out "
                f"({one.games} games)  "
                f"{one.case.best} or {one.case.played}: {one.case.position}",
                flush=True,
            )
    undecided = len(chosen) - right - wrong
    print(f"{len(chosen)} decisions, {games} games: {right} right, {wrong} wrong, {undecided} undecided")


if __name__ == "__main__":
    main()
