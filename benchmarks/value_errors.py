"""How far is a single percentage from the truth? Values of positions against the mean of many games from there.

python -m benchmarks.value_errors [--edition deluxe] [--positions 250] [--repeats 256] [--again 2048] [--turns 3]
                                 [--kinds endgames]

For two seats, on a CPU (minutes with numba). Positions of self-play, those of them with at most eight tiles left
(``late``), and ``endgames`` of at most eight tiles drawn at random, with specialists and round worms anywhere.
Champions play on from each of them; the luck of the dice is taken out of what comes of it, which changes no mean
(docs/champion.md). One JSON line for each kind of position and way to value it: so many exact turns before the net's
estimate, 0 being the net alone, or as it is shown to people. --again plays the farthest positions out more often:

mean, largest, above_0.02    distance of the value from the mean of the games
noise                        mean standard error of that mean, which is part of the distance
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.champion.ahead import Estimate, closer, further
from pickomino.bots.champion.net import load_net
from pickomino.rules import find_edition
from pickomino.solver import load_numba, solve_tables
from pickomino.tensor import Arrays, Batch, Rules, claims, endings, scattered
from pickomino.tensor.batch import WEASEL_TURN
from pickomino.training.backup import BackedUp, TurnGraph
from pickomino.training.turn import TurnPlay

_AT_ONCE = 512
_FEW = 8  # tiles of an endgame
_CLOSE = 0.015  # a distance that is worth more games: by chance it may look as if it were above 0.02
_TURNS = 24  # a game of two lasts about as long
_MOST_TURNS = 200  # a game that lasts longer counts as its estimate then: of thousands of games a few


class Played(NamedTuple):
    """One turn of every game."""

    before: NDArray[np.float32]  # what it was worth to the seat to act
    after: NDArray[np.float32]  # and after the dice
    batch: Batch


def play_turn(graph: TurnGraph, batch: Batch, estimate: Estimate, dice: Arrays) -> Played:
    """Games that are alike are solved once."""
    rows = np.concatenate([column.reshape(len(batch), -1) for column in batch.columns()], axis=1)
    _, first, which = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    parts = [
        _play(graph, batch[first[some]], np.flatnonzero(np.isin(which, some)), which, estimate, dice)
        for some in np.array_split(np.arange(len(first)), -(-len(first) // _AT_ONCE))
    ]
    order = np.argsort(np.concatenate([lanes for lanes, _ in parts]))
    columns = zip(*(played.batch.columns() for _, played in parts), strict=True)
    return Played(
        np.concatenate([played.before for _, played in parts])[order],
        np.concatenate([played.after for _, played in parts])[order],
        Batch(batch.rules, *(np.concatenate(column)[order] for column in columns)),
    )


def _play(
    graph: TurnGraph,
    batch: Batch,
    lanes: NDArray[np.intp],
    which: NDArray[np.intp],
    estimate: Estimate,
    dice: Arrays,
) -> tuple[NDArray[np.intp], Played]:
    """The games of these lanes; the batch has each kind of them once, in the order of their numbers."""
    tables, kinds = graph.tables, batch.kinds
    ends, possible = endings(batch)
    worth = np.zeros(possible.shape, np.float32)
    worth[possible] = estimate(ends.flatten()[possible.reshape(-1)])[:, -1]  # who played the turn is last now
    claim = claims(batch, tables.max_total, worth)
    stop = np.ascontiguousarray(np.take_along_axis(worth, claim, 1).T)
    bust = stop[:: 2 * (tables.max_total + 1)]  # nothing kept, without a worm
    roll = solve_tables(tables, stop, bust).roll
    fresh = roll.copy()  # the weasel not used yet, where it is held (D8.2)
    weasel = np.flatnonzero(kinds & WEASEL_TURN) if kinds is not None else ()
    if len(weasel):
        stops, busts, floor = (np.ascontiguousarray(part[:, weasel]) for part in (stop, bust, roll))
        fresh[:, weasel] = solve_tables(tables, stops, busts, floor).roll
    at = which[lanes] - which[lanes].min()
    played = []
    for some in np.array_split(at, -(-len(at) // _AT_ONCE)):
        value, unused = (np.maximum(stop[tables.slot], layer)[:, some] for layer in (roll, fresh))
        for start in (graph.start, graph.gold_start):  # nothing kept yet: rolling is no choice
            value[start], unused[start] = roll[start, some], fresh[start, some]
        backed = BackedUp(value[:, None], roll[:, None, some], unused[:, None])
        turn = TurnPlay(
            graph, stop[:, None, some], claim[some], backed, None if kinds is None else kinds[some]
        )
        ending = turn.play(dice)
        played.append(Played(turn.start_value[:, 0], worth[some, ending], ends[some].pick(ending)))
    columns = zip(*(one.batch.columns() for one in played), strict=True)
    return lanes, Played(
        np.concatenate([one.before for one in played]),
        np.concatenate([one.after for one in played]),
        Batch(batch.rules, *map(np.concatenate, columns)),
    )


def outcomes(graph: TurnGraph, batch: Batch, estimate: Estimate, seed: int) -> NDArray[np.float64]:
    """What comes of games to the seat to act, luck taken out: (games,)."""
    dice, game = Arrays(seed), np.arange(len(batch))
    luck, result = np.zeros(len(batch)), np.zeros(len(batch))
    for number in range(_MOST_TURNS):
        sign = 1 if number % 2 == 0 else -1  # what the other wins is lost
        played = play_turn(graph, batch, estimate, dice)
        luck[game] += sign * (played.after.astype(np.float64) - played.before)
        over = played.batch.over
        result[game[over]] = played.after[over] if sign > 0 else 1 - played.after[over]
        batch, game = played.batch[~over], game[~over]
        if not len(game):
            break
    else:
        result[game] = estimate(batch)[:, _MOST_TURNS % 2]
    return result - luck


def played_out(
    graph: TurnGraph, batch: Batch, estimate: Estimate, repeats: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What comes of positions in the mean of so many games each, and its standard error."""
    games = outcomes(graph, batch[np.repeat(np.arange(len(batch)), repeats)], estimate, seed)
    games = games.reshape(len(batch), repeats)
    return games.mean(axis=1), games.std(axis=1) / repeats**0.5


def in_play(graph: TurnGraph, rules: Rules, estimate: Estimate, count: int, seed: int) -> Batch:
    """Positions of self-play after 0 to 23 turns, each as often, or before the game's last turn."""
    dice, batch = Arrays(seed), Batch.start(rules, count)
    turns = dice.randint(_TURNS, count)
    for number in range(1, _TURNS):
        after = play_turn(graph, batch, estimate, dice).batch
        batch = after.where(~after.over & (number <= turns), batch)
    return batch


def endgames(rules: Rules, count: int) -> Batch:
    """Anything with few tiles where something is owned."""
    batch = scattered(rules, 20 * count)
    return batch[(batch.grill.sum(-1) <= _FEW) & (batch.heights > 0).any(-1).any(-1)][:count]


def lines(arguments: argparse.Namespace) -> Iterator[dict[str, object]]:
    edition = find_edition(arguments.edition)
    rules = Rules(edition, 2, Arrays(arguments.seed))
    graph, net = TurnGraph(edition, rules.xp), load_net(edition, 2).shares

    def estimate(batch: Batch) -> NDArray[np.float32]:
        return closer(batch, net, far=False)

    for kind in arguments.kinds.split(","):
        if kind == "endgames":
            batch = endgames(rules, arguments.positions)
        elif kind == "late":
            batch = in_play(graph, rules, estimate, 4 * arguments.positions, arguments.seed)
            batch = batch[batch.grill.sum(-1) <= _FEW][: arguments.positions]
        else:
            batch = in_play(graph, rules, estimate, arguments.positions, arguments.seed)
        truth, noise = played_out(graph, batch, estimate, arguments.repeats, arguments.seed)
        values = {str(turns): further(batch, net, turns)[:, 0] for turns in range(arguments.turns + 1)}
        values["shown"] = shown = further(batch, lambda ends: closer(ends, net, far=True), 1)[:, 0]
        again = np.abs(shown - truth) > _CLOSE
        if arguments.again and again.any():
            truth[again], _ = played_out(graph, batch[again], estimate, arguments.again, arguments.seed + 1)
        for turns, value in values.items():
            distance = np.abs(value - truth)
            yield {
                "edition": edition.key,
                "positions": kind,
                "count": len(batch),
                "turns": turns,
                "mean": round(float(distance.mean()), 5),
                "largest": round(float(distance.max()), 5),
                "above_0.02": round(float((distance > 0.02).mean()), 4),
                "noise": round(float(noise.mean()), 5),
            }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--edition", default="deluxe")
    parser.add_argument("--positions", type=int, default=250)
    parser.add_argument("--repeats", type=int, default=256, help="games from each of these positions")
    parser.add_argument("--again", type=int, default=0, help="games from each of those shown most wrongly")
    parser.add_argument("--turns", type=int, default=2, help="exact turns before the estimate, up to so many")
    parser.add_argument("--kinds", default="in play,endgames")
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    load_numba("bulk")
    for line in lines(arguments):
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
