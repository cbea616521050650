"""Is the champion's estimate consistent? Bellman residual, exact loss on solved small games, a search one turn deeper.

python -m benchmarks.consistency [--edition deluxe] [--seats 2] [--games 100] [--positions 2000]
python -m benchmarks.consistency --deeper 2000   plays so many games of a champion that looks one turn further
python -m benchmarks.consistency --edition deluxe --drawn 14   ten small games of two tiles, drawn at random by a seed
python -m benchmarks.consistency --load nine.npz   a game that `pickomino solve --save` has solved
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from benchmarks.deeper import deeper_share
from pickomino.bots.champion import ChampionBot
from pickomino.bots.champion.ahead import closer
from pickomino.bots.champion.net import has_weights, load_net
from pickomino.bots.champion.win import estimate
from pickomino.bots.games import as_policy
from pickomino.compact.packed import unpack
from pickomino.rules import Edition, Phase, Position, find_edition
from pickomino.simulate import Simulator
from pickomino.solver import TurnSolver, after
from pickomino.solver.whole import WholeGame, evaluate_values, load_whole, solve_whole, turn_start
from pickomino.tensor import packed_batch

CLASSIC = ((21,), (21, 25), (22, 30), (21, 25, 29), (24, 28, 33), (21, 22, 23, 24), (21, 26, 31, 36))
_AT_ONCE = 65536
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


def believed(game: WholeGame) -> NDArray[np.float64]:
    """What the champion thinks of every position of a small game: (positions, seats), the seat to act first."""
    net, parts = load_net(game.edition, game.players).shares, []
    for begin in range(0, game.positions, _AT_ONCE):
        rows = game.space.packed(slice(begin, begin + _AT_ONCE))
        parts.append(closer(packed_batch(game.edition, rows, rows["seat"]), net, far=False))
    return np.concatenate(parts).astype(np.float64)


def given_away(game: WholeGame, values: NDArray[np.float64]) -> tuple[float, ...]:
    """What play by these values loses against best play from the start, by seat."""
    won = evaluate_values(game, values).by_seat
    return tuple(best - mine for best, mine in zip(game.values(game.start), won, strict=True))


def told(game: WholeGame) -> str:
    """What the champion loses, by seat and on average; how far off its values are."""
    values = believed(game)
    lost = given_away(game, values)
    seats = ", ".join(
        f"{one:.6f} of {its:.6f}" for one, its in zip(lost, game.values(game.start), strict=True)
    )
    off = np.abs(values - game.table)[:, 0]
    return (
        f"tiles {game.tiles}: gives away {np.mean(lost):.5f} ({seats}); "
        f"its values are off by {off.mean():.4f}, at most {off.max():.3f}"
    )


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
    parser.add_argument("--load", metavar="FILE", help="only the game of this file")
    arguments = parser.parse_args()
    if arguments.load:
        print(told(load_whole(arguments.load)))
        return
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
        for tiles in random.Random(arguments.drawn).sample(pairs, 10):
            print(told(solve_whole(tiles, edition)), flush=True)
        return
    starts = self_play(edition, seats, arguments.games)
    chosen = np.random.default_rng(1).permutation(len(starts))[: arguments.positions]
    some = [starts[at] for at in chosen.tolist()]
    print(f"{edition.key}, {seats} seats: mean Bellman residual over {len(some)} positions", flush=True)
    for words, far in (("as it plays", False), ("as it is shown", True)):
        print(f"{words}: {residuals(some, far=far)}", flush=True)
    if seats == 2:
        for game in DELUXE if edition.specialists else CLASSIC:
            print(told(solve_whole(game, edition)), flush=True)


if __name__ == "__main__":
    main()
