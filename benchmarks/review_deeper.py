"""How far a review's values can be trusted: the champion's own games by values one turn deeper.

python -m benchmarks.review_deeper [--games 20] [--editions classic] [--seats 2,3,4] [--processes N]

An end of a turn is worth what the next turn, solved exactly, makes of the net's values of *its* ends. One line for each
edition and number of seats: points that the champion's choices give away per game and seat by these values, and the
mean size of the estimate term per game and seat, as a review has it and with these values in its place.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from statistics import fmean, stdev
from typing import NamedTuple

import numpy as np

from pickomino import Position
from pickomino.analysis.values import TurnValues, turn_ends_of, value_turns
from pickomino.bots import make_bot
from pickomino.game import Game
from pickomino.rules import Roll
from pickomino.rules.events import TurnStarted
from pickomino.testing import random_game


class Deeper(NamedTuple):
    """One game, per seat, in shares of the win."""

    loss: list[float]
    plain: list[float]  # the estimate term of a review
    deeper: list[float]


def deeper_turns(starts: Sequence[Position]) -> tuple[list[TurnValues], list[TurnValues]]:
    """The turns as a review values them, and with their ends valued one turn deeper."""
    plain = value_turns(starts, "win")
    ends = list(dict.fromkeys(end for turn in plain for end in turn.ends if not end.over))
    known = {end: values for turn in plain for end, values in turn.ends.items()}
    known |= {end: turn.at(end).value for end, turn in zip(ends, value_turns(ends, "win"), strict=True)}
    return plain, [TurnValues(start, turn_ends_of(start), known) for start in starts]


def starts_of(game: Game) -> list[int]:
    """The first ply of every turn."""
    begun = [
        index + 1 for index, some in enumerate(game.events) if some and isinstance(some[-1], TurnStarted)
    ]
    return [0, *begun]


def measure(edition: str, seats: int, number: int) -> Deeper:
    game = random_game(edition, seats, f"deeper {number}", make_bot("champion").choose, first=number % seats)
    firsts = starts_of(game)
    positions, plies = game.positions, game.plies
    plain, deep = deeper_turns([positions[first] for first in firsts])
    loss, terms = np.zeros(seats), np.zeros((2, seats))
    for index, (first, turn) in enumerate(zip(firsts, deep, strict=True)):
        end = firsts[index + 1] if index + 1 < len(firsts) else len(plies)
        for ply in range(first, end):
            move = plies[ply]
            if not isinstance(move, Roll):
                here = turn.at(positions[ply])
                loss[turn.start.seat] += (
                    max(columns[turn.start.seat] for columns in here.moves.values())
                    - here.moves[move][turn.start.seat]
                )
        if index:
            border = positions[first]
            for term, turns in enumerate((plain, deep)):
                terms[term] += turns[index].at(border).value - turns[index - 1].ends[border]
    return Deeper(loss.tolist(), *terms.tolist())


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
                losses = [fmean(one.loss) * 100 for one in found]
                error = stdev(losses) / math.sqrt(count) if count > 1 else math.nan
                plain = fmean(abs(value) for one in found for value in one.plain) * 100
                deeper = fmean(abs(value) for one in found for value in one.deeper) * 100
                print(
                    f"{edition:<14} {seats} seats  {count} games: the champion loses {fmean(losses):.2f} ± {error:.2f} "
                    f"points per game and seat; estimate {plain:.2f}, one turn deeper {deeper:.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
