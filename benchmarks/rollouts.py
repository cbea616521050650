"""Does a review name the better move? Held-back decisions, played out by champions with the luck taken out.

python -m benchmarks.rollouts [--decisions 50] [--edition classic] [--seats 2,3,4] [--plain 20000] [--processes N]

Decisions of the bot `medium` with errors between 1 and 10 points, from games that nothing was tuned on. How the turn
ends after the best move and after the one played is exact; from every end champions play on, most games where the two
moves differ most. A game counts as its result less what the dice of each turn brought every seat beyond their
expectation, which has the same mean. Games are added until the error of the difference is that of so many plain ones.
The sign counts where the roll-outs decide it: beyond two standard errors. For editions without specialists, where a
claim leads to one position.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino import parse_move, parse_position
from pickomino.analysis import review
from pickomino.analysis.advice import advise
from pickomino.bots import make_bot
from pickomino.bots.champion.net import load_net
from pickomino.bots.champion.win import estimate
from pickomino.rules import Position
from pickomino.solver import Ending, after
from pickomino.tensor import Arrays, batch_of, endings
from pickomino.testing import random_game
from pickomino.training.backup import TurnGraph
from pickomino.training.contests import win
from pickomino.training.turn import prepare

FEWEST, MOST = 64, 8192  # games
_SMALL = 0.002  # an end that the moves bring about alike, within so much, is worth what the net says


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


def played_out(starts: Sequence[Position], seat: int, seed: int) -> NDArray[np.float64]:
    """One game of champions from the start of each turn: the seat's result less its luck, in points."""
    edition, seats = starts[0].edition, len(starts[0].stacks)
    dice, graph, value = Arrays(seed), TurnGraph(edition, Arrays()), win(load_net(edition, seats).shares)
    batch, game = batch_of(starts), np.arange(len(starts))
    place = np.array([(seat - start.seat) % seats for start in starts])
    result = np.zeros(len(starts))
    while len(game):
        ends, _ = endings(batch)
        values, row = value(batch, ends), np.arange(len(game))
        turn = prepare(graph, batch, values[..., :-1])
        ending = turn.play(dice)
        result[game] -= values[row, ending, place] - turn.shares[row, place]
        batch, place = ends.pick(ending), (place - 1) % seats
        over = batch.over
        result[game[over]] += batch[over].tally().shares[np.arange(over.sum()), place[over]]
        batch, game, place = batch[~over], game[~over], place[~over]
    return result * 100


def judge(case: Case, plain: int) -> Verdict:
    wanted = 100 * math.sqrt(0.5 / plain)  # of a difference of two shares near one half
    position = parse_position(case.position)
    decision = advise(position).decision
    assert decision is not None
    best, played = (decision.odds[parse_move(move)] for move in (case.best, case.played))
    shift = {after(position, Ending(claim))[0]: best.get(claim, 0.0) - played.get(claim, 0.0)
             for claim in best | played}  # fmt: skip
    known = {
        end: float(estimate([end])[0, position.seat]) * 100
        for end, by in shift.items()
        if end.over or abs(by) < _SMALL
    }
    open_ends = [end for end in shift if end not in known]
    weight = np.array([abs(shift[end]) for end in open_ends])
    found: list[NDArray[np.float64]] = [np.empty(0) for _ in open_ends]
    count = FEWEST
    while True:
        more = np.maximum(np.ceil(count * weight / weight.sum()).astype(int), 4) if open_ends else weight
        starts = [end for end, times in zip(open_ends, more, strict=True) for _ in range(times)]
        fair = played_out(starts, position.seat, count) if starts else np.empty(0)
        parts = np.split(fair, np.cumsum(more)[:-1]) if starts else []
        found = [np.concatenate(pair) for pair in zip(found, parts, strict=True)]
        means = known | {end: float(one.mean()) for end, one in zip(open_ends, found, strict=True)}
        gain = sum(by * means[end] for end, by in shift.items())
        error = math.sqrt(
            sum(by**2 * float(one.var(ddof=1)) / len(one) for by, one in zip(weight, found, strict=True))
        )
        games = sum(map(len, found))
        if error <= wanted or games >= MOST:
            return Verdict(case, gain, error, games)
        count *= 2


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
