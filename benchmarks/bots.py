"""How quick bots are that value the ends of turns, shown by `ev`: one move at a time, and whole games in batches.

Run ``python -m benchmarks.bots``: processor time, so that other work on the machine counts little. Single moves are
made with NumPy alone, as at a table; batches with numba.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from typing import Final

from pickomino.bots import make_bot
from pickomino.bots.games import as_policy
from pickomino.testing import random_game

BOT: Final = "ev:loss=1,steal=1"
GAMES: Final = 2048


def moves(edition: str, seats: int) -> dict[str, float]:
    """Milliseconds a move, over the decisions of random games in their order: turns are new, then known."""
    bot, rng, took = make_bot(BOT), random.Random(1), []
    for number in range(4):
        decisions = [
            position for position in random_game(edition, seats, number).positions if position.moves()
        ]
        for position in decisions[:150]:
            begin = time.process_time()
            bot.choose(position, rng)
            took.append(1000 * (time.process_time() - begin))
    took = sorted(took[150:])  # the first game makes the tables
    return {
        "median": statistics.median(took),
        "mean": statistics.mean(took),
        "99 of 100": took[len(took) * 99 // 100],
    }


def games(edition: str, seats: int) -> float:
    """Games a second of one core, every seat the same bot."""
    from pickomino.simulate import play_games

    play_games(as_policy(make_bot(BOT)), edition, seats, 64, seed=1)  # kernels are compiled
    begin = time.process_time()
    play_games(as_policy(make_bot(BOT)), edition, seats, GAMES, seed=2)
    return GAMES / (time.process_time() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bots", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    kinds = [("classic", 2), ("deluxe", 2), ("deluxe", 4)]
    single = {f"{edition}, {seats} seats": moves(edition, seats) for edition, seats in kinds}
    batch = {f"{edition}, {seats} seats": games(edition, seats) for edition, seats in kinds}
    if args.json:
        print(json.dumps({"milliseconds per move": single, "games per second": batch}, indent=2))
        return
    print(f"{BOT}: milliseconds per move")
    for name, took in single.items():
        print(f"  {name:<20}" + ", ".join(f"{what} {value:.2f}" for what, value in took.items()))
    print("games per second of processor time")
    for name, speed in batch.items():
        print(f"  {name:<20}{speed:,.0f}")


if __name__ == "__main__":
    main()
