"""Is the champion's estimate consistent? Bellman residual, exact loss on solved small games, a search one turn deeper.

python -m benchmarks.consistency [--games 400] [--seats 2]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence

import numpy as np

from pickomino.bots.champion import ChampionBot
from pickomino.bots.champion.win import estimate
from pickomino.chance import SeededDice
from pickomino.game import Game
from pickomino.play import Match, Seat, play_match
from pickomino.rules import Phase, Position
from pickomino.solver import TurnSolver, after
from pickomino.solver.whole import WholeGame, evaluate_policy, solve_whole

SMALL = ((21,), (21, 25), (22, 30), (21, 25, 29), (24, 28, 33), (21, 22, 23, 24), (21, 26, 31, 36))


def self_play(seats: int, games: int, seed: int = 1) -> list[Position]:
    """The starts of all turns of some games among champions."""
    starts: list[Position] = []
    champion, rng = ChampionBot(), random.Random(seed)
    for number in range(games):
        match = Match(Game.new("classic", seats), (Seat("champion"),) * seats)
        deciders = [lambda position: champion.choose(position, rng)] * seats
        play_match(match, deciders, SeededDice(f"{seed} {number}"))
        starts += [p for p in match.game.positions if p.phase is Phase.ROLL and not p.kept]
    return starts


def backed_up(position: Position) -> float:
    """The value of a turn played best for the estimate, to the seat whose turn it is."""
    solver = TurnSolver(position)
    ends = estimate([after(position, ending)[0] for ending in solver.endings])
    return solver.solve(ends[:, position.seat]).value


def residual(seats: int, games: int) -> tuple[float, int]:
    """Mean |estimate − value backed up over one exact turn| on self-play positions, and on how many."""
    starts = self_play(seats, games)
    guess = np.array([estimate([position])[0, position.seat] for position in starts])
    return float(np.abs(guess - [backed_up(position) for position in starts]).mean()), len(starts)


def given_away(game: WholeGame) -> float:
    """What the champion loses against best play from the start of a small game, the seat drawn by lot."""

    def policy(position: Position) -> Sequence[float]:
        ends = [ending.after for ending in game.endings(position)]
        return [float(share) for share in estimate(ends)[:, position.seat]]

    return float(np.mean(game.values(game.start))) - evaluate_policy(game, policy).mean


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seats", type=int, default=2)
    arguments = parser.parse_args()
    mean, count = residual(arguments.seats, arguments.games)
    print(
        f"mean Bellman residual with {arguments.seats} seats: {mean:.5f} over {count} positions", flush=True
    )
    for tiles in SMALL:
        game = solve_whole(tiles)
        print(f"tiles {tiles}: gives away {given_away(game):.5f} of {game.start_value:.5f}", flush=True)


if __name__ == "__main__":
    main()
