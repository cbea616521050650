"""Small games solved whole: positions, seconds and memory by number of tiles, and what the next ones would take.

python -m benchmarks.whole                   2 to 6 tiles
python -m benchmarks.whole --tiles 8         up to 8 tiles: many minutes
python -m benchmarks.whole --edition deluxe  games of two and three tiles with their specialists: minutes
"""

from __future__ import annotations

import argparse
import resource
import time

from pickomino.rules import Edition, find_edition
from pickomino.solver.whole import count_bound, solve_whole

TILES = (21, 23, 25, 27, 29, 31, 33, 35)
DELUXE = ((21, 23), (25, 27), (11, 21), (29, 30), (11, 13), (25, 27, 29), (21, 25, 29), (21, 23, 25))


def line(tiles: tuple[int, ...], edition: Edition, players: int) -> float:
    """Solve a game, print what it took, give the seconds per position."""
    begun, begun_cpu = time.perf_counter(), time.process_time()
    game = solve_whole(tiles, edition, players)
    seconds, cpu = time.perf_counter() - begun, time.process_time() - begun_cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{','.join(map(str, tiles)):<24}  {game.positions:>9,}  {seconds:>8.2f}  {cpu:>10.2f}  "
        f"{cpu / game.positions * 1e6:>11.0f}  {memory:>3.0f}  {game.residual:.1e}  {game.start_value:.12f}",
        flush=True,
    )
    return cpu / game.positions


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--tiles", type=int, default=6, metavar="N", help="up to so many (default: 6, at most 8)"
    )
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--players", type=int, default=2)
    args = parser.parse_args()
    edition = find_edition(args.edition)
    solve_whole(TILES[:5])  # loads and compiles the kernels
    print("tiles                     positions   seconds  of the CPU  µs/position  MB  residual  value")
    if edition.specialists:
        solve_whole(DELUXE[1], edition)
        for tiles in DELUXE:
            line(tiles, edition, args.players)
        return
    pace = 0.0
    for count in range(2, min(args.tiles, len(TILES)) + 1):
        pace = line(TILES[:count], edition, args.players)
    for count in range(args.tiles + 1, 11):
        bound = count_bound(count, args.players)
        print(f"{count:>5}  {bound:>9,} at most: {bound * pace / 3600:.1f} hours at the last line's pace")


if __name__ == "__main__":
    main()
