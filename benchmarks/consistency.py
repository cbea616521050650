"""Is the champion's estimate consistent? Bellman residual, exact loss on solved small games, a search one turn deeper.

python -m benchmarks.consistency [--edition deluxe] [--seats 2] [--games 100] [--positions 2000]
python -m benchmarks.consistency --deeper 2000   plays so many games of a champion that looks one turn further
python -m benchmarks.consistency --edition deluxe --drawn 14   ten small games of two tiles, drawn at random by a seed
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from benchmarks.deeper import deeper_share
from pickomino.bots.champion import ChampionBot
from pickomino.bots.champion.net import has_weights
from pickomino.bots.champion.win import estimate
from pickomino.bots.games import as_policy
from pickomino.compact.packed import unpack
from pickomino.rules import Edition, Phase, Position, find_edition
from pickomino.simulate import Simulator
from pickomino.solver import TurnSolver, after
from pickomino.solver.whole import WholeGame, evaluate_policy, solve_whole, turn_start

CLASSIC = ((21,), (21, 25), (22, 30), (21, 25, 29), (24, 28, 33), (21, 22, 23, 24), (21, 26, 31, 36))
DELUXE = ((21,), (29, 30), (25, 27), (21, 23), (11, 21), (25, 27, 29))


def self_play(edition: Edition, seats: int, games: int, seed: int = 1) -> list[Position]:
    """The starts of all turns of some games among champions."""
    simulator = Simulator(edition, seats, games, seed)
    choose = as_policy(ChampionBot(), seed)
    starts: list[Position] = []
    while not simulator.done.all():
        lanes = np.flatnonzero(~simulator.done)
        some = simulator.view(lanes)
        positions = [unpack(row, edition) for row in some.positions]
        starts += [turn_start(position) for position in positions if _begins(position)]
        simulator.step(choose(some), lanes)
    return starts


def _begins(position: Position) -> bool:
    """Whether this is the first decision of a turn: the golden die (D8.1), else a keep after the first roll."""
    if position.phase is Phase.GOLD:
        return True
    specialists = position.specialists
    return (
        position.phase is Phase.KEEP
        and not position.kept
        and (specialists is None or not (specialists.weasel_used or specialists.holds(position.seat, "gold")))
    )


def backed_up(position: Position, *, far: bool) -> float:
    """The value of a turn played best for the estimate, to the seat whose turn it is."""
    solver = TurnSolver(position)
    ends = [after(position, ending) for ending in solver.endings]
    shares = estimate([end for choices in ends for end in choices], far=far)[:, position.seat]
    first = np.cumsum([0, *(len(choices) for choices in ends[:-1])])
    return solver.solve(np.maximum.reduceat(shares, first)).value


def residuals(starts: Sequence[Position], *, far: bool) -> str:
    """Mean |estimate − value backed up over one exact turn|: as the champion plays or, `far`, as people are shown."""
    off = [abs(estimate([one], far=far)[0, one.seat] - backed_up(one, far=far)) for one in starts]
    return f"{np.mean(off):.5f} ± {np.std(off) / np.sqrt(len(off)):.5f}"


def given_away(game: WholeGame) -> float:
    """What the champion loses against best play from the start of a small game, the seat drawn by lot."""

    def policy(position: Position) -> Sequence[float]:
        ends = [ending.after for ending in game.endings(position)]
        return [float(share) for share in estimate(ends)[:, position.seat]]

    return float(np.mean(game.values(game.start))) - evaluate_policy(game, policy).mean


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--deeper", type=int, default=0, metavar="GAMES")
    parser.add_argument(
        "--drawn", type=int, metavar="SEED", help="only ten games of two tiles drawn at random"
    )
    arguments = parser.parse_args()
    edition, seats = find_edition(arguments.edition), arguments.seats
    if not has_weights(edition, seats):
        parser.error(f"nothing was learned for {edition.key} with {seats} seats")
    if arguments.deeper:
        if seats != 2:
            parser.error("--deeper is for two seats")
        share = deeper_share(edition.key, arguments.deeper)
        error = "" if share.error is None else f" ± {share.error:.4f}"
        print(f"{edition.key}: one turn deeper wins {share.share:.4f}{error} of {share.games} games")
        return
    if arguments.drawn is not None:
        pairs = list(combinations(edition.values, 2))
        _told(edition, random.Random(arguments.drawn).sample(pairs, 10))
        return
    starts = self_play(edition, seats, arguments.games)
    chosen = np.random.default_rng(1).permutation(len(starts))[: arguments.positions]
    some = [starts[at] for at in chosen.tolist()]
    print(f"{edition.key}, {seats} seats: mean Bellman residual over {len(some)} positions", flush=True)
    for words, far in (("as it plays", False), ("as it is shown", True)):
        print(f"{words}: {residuals(some, far=far)}", flush=True)
    if seats == 2:
        _told(edition, DELUXE if edition.specialists else CLASSIC)


def _told(edition: Edition, games: Iterable[tuple[int, ...]]) -> None:
    for tiles in games:
        game = solve_whole(tiles, edition)
        print(f"tiles {tiles}: gives away {given_away(game):.5f} of {game.start_value:.5f}", flush=True)


if __name__ == "__main__":
    main()
