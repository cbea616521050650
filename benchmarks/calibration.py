"""Are the champion's percentages true? Its estimates at turns of its own games against what came of the games.

python -m benchmarks.calibration WEIGHTS --family deluxe --seats 2,6 [--games 20000]

Needs PyTorch, and is quick on a GPU only. Prints one JSON line per edition, number of seats and kind of start:

slope      least squares of what came of a game on the estimate, over all seats; 1 is true, above 1 is too timid.
           Its error counts games as clusters
gap        mean distance between estimate and outcome over ten bins of equally many estimates
brier      mean squared distance between estimate and the plain outcome

Luck is taken out of the outcome: what the dice of each turn brought beyond their expectation is subtracted, which
changes no mean and removes nearly all of the noise.
"""

from __future__ import annotations

import argparse
import json
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from pickomino.tensor import Batch, endings, scattered
from pickomino.tensor.torch_arrays import TorchArrays
from pickomino.tensor.torch_net import TorchNet
from pickomino.training.backup import TurnGraph
from pickomino.training.contests import Estimate, win
from pickomino.training.families import FAMILIES, family_rules
from pickomino.training.turn import giver_liking, prepare

_MOST_ROUNDS = 40  # a game that lasts longer counts as its estimate then: of thousands of games a few
_BINS = 10


class Points(NamedTuple):
    """Estimates and outcomes, a row for every turn looked at, a column for every seat."""

    game: NDArray[np.int64]
    estimate: NDArray[np.float64]
    outcome: NDArray[np.float64]  # luck taken out
    result: NDArray[np.float64]  # as the game ended


def self_play(estimate: Estimate, graph: TurnGraph, batch: Batch, seed: int, share: float) -> Points:
    """Play games to their end and look at some of their turns."""
    rules, xp = batch.rules, batch.rules.xp
    dice, game = xp.seeded(seed), xp.arange(len(batch))
    first = xp.full((len(batch),), 0, xp.int64)  # which seat of the game is seat 0 now
    luck = xp.full((len(batch), rules.seats), 0, xp.float64)
    result = xp.full((len(batch), rules.seats), 0, xp.float64)
    seat = xp.arange(rules.seats)
    looks: list[tuple[Any, Any, Any]] = []
    for _ in range(_MOST_ROUNDS * rules.seats):
        by_seat = (seat - first[:, None]) % rules.seats
        looked = dice.random(len(batch)) < share
        if looked.any():
            guess = xp.take(estimate(batch[looked]), by_seat[looked])
            looks.append((game[looked], guess, luck[game[looked]].clone()))
        ends, _ = endings(batch, giver_liking(estimate, batch))
        values = win(estimate)(batch, ends)
        turn = prepare(graph, batch, values[..., :-1])
        ending = turn.play(dice)
        after = values[xp.arange(len(batch)), ending]
        luck[game] += xp.take(xp.astype(after - turn.shares, xp.float64), by_seat)
        batch = ends.pick(ending)
        first = (first + 1) % rules.seats
        over = batch.over
        result[game[over]] = xp.take(xp.astype(after[over], xp.float64), by_seat[over])
        batch, game, first = batch[~over], game[~over], first[~over]
        if not len(game):
            break
    else:
        by_seat = (seat - first[:, None]) % rules.seats
        result[game] = xp.take(xp.astype(estimate(batch), xp.float64), by_seat)
    games = torch.cat([numbers for numbers, _, _ in looks])
    known = torch.cat([before for _, _, before in looks])
    fair = result[games] - (luck[games] - known)
    found = (torch.cat([guess for _, guess, _ in looks]), fair, result[games])
    return Points(games.cpu().numpy(), *(part.double().cpu().numpy() for part in found))


def summary(points: Points) -> dict[str, float]:
    """Slope with its error, mean gap over ten bins, Brier score."""
    x, y = points.estimate - points.estimate.mean(), points.outcome - points.outcome.mean()
    spread = float((x * x).sum())
    slope = float((x * y).sum()) / spread
    by_game = np.bincount(points.game, weights=(x * (y - slope * x)).sum(axis=1))
    order = np.argsort(points.estimate, axis=None)
    parts = zip(
        np.array_split(points.estimate.reshape(-1)[order], _BINS),
        np.array_split(points.outcome.reshape(-1)[order], _BINS),
        strict=True,
    )
    return {
        "slope": slope,
        "slope_error": float(np.sqrt((by_game**2).sum())) / spread,
        "gap": float(np.mean([abs(guess.mean() - came.mean()) for guess, came in parts])),
        "brier": float(((points.estimate - points.result) ** 2).mean()),
        "turns": len(points.game),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("weights", type=Path)
    parser.add_argument("--family", default="classic", choices=list(FAMILIES))
    parser.add_argument("--seats", default="2")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--at-once", type=int, default=10_000)
    parser.add_argument("--looks", type=float, default=0.1, help="share of turns that are looked at")
    arguments = parser.parse_args()
    xp = TorchArrays(torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    torch.set_float32_matmul_precision("high")
    for seats, key in product(map(int, arguments.seats.split(",")), FAMILIES[arguments.family]):
        rules = family_rules(arguments.family, seats, xp, key)
        path = arguments.weights / f"{arguments.family}-{seats}.npz"
        net = TorchNet.load(arguments.family, path).to(xp.device)
        graph = TurnGraph(rules.edition, xp)
        for kind, begin in (("start", Batch.start), ("scattered", scattered)):
            parts = []
            for first in range(0, arguments.games, arguments.at_once):
                torch.manual_seed(first + 1)
                size = min(arguments.at_once, arguments.games - first)
                part = self_play(net.estimate, graph, begin(rules, size), first + 1, arguments.looks)
                parts.append(part._replace(game=part.game + first))
            points = Points(*map(np.concatenate, zip(*parts, strict=True)))
            line = {"edition": key, "seats": seats, "starts": kind, "games": arguments.games}
            print(json.dumps(line | summary(points)), flush=True)


if __name__ == "__main__":
    main()
