"""``python -m pickomino.dataset``: games of the champion against itself as Parquet files, one row per turn.

With ``--solved TABLE.npz`` a small game that ``pickomino solve --save`` solved whole, one row per turn start.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from pickomino.dataset.games import ChampionGames
from pickomino.dataset.solved import write_solved
from pickomino.dataset.writing import write_games
from pickomino.rules import PickominoError, find_edition
from pickomino.solver.whole import load_whole
from pickomino.tensor import Arrays


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m pickomino.dataset", description=__doc__)
    parser.add_argument("--edition", default="classic", help="without specialists")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=1 << 20)
    parser.add_argument("--per-file", type=int, default=1 << 14, help="games in each file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--solved", type=Path, metavar="TABLE", help="a table that pickomino solve --save wrote"
    )
    parser.add_argument("--device", help="cuda or cpu with PyTorch; by default NumPy alone")
    parser.add_argument(
        "--out", type=Path, required=True, help="a folder; files that are there already are kept"
    )
    arguments = parser.parse_args(argv)
    began = time.monotonic()

    def report(entry: dict[str, Any]) -> None:
        print(f"{time.monotonic() - began:.0f} s: {entry['file']}, {entry['rows']:,} rows", flush=True)

    try:
        if arguments.solved is not None:
            card = write_solved(arguments.out, load_whole(arguments.solved), report=report)
            print(f"{card['rows']:,} turn starts in {arguments.out}")
            return 0
        played = ChampionGames(find_edition(arguments.edition), arguments.seats, _arrays(arguments.device))
        card = write_games(arguments.out, played, arguments.games, arguments.per_file, arguments.seed, report)
    except (PickominoError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{card['games']:,} games, {card['rows']:,} turns in {arguments.out}")
    return 0


def _arrays(device: str | None) -> Arrays:
    if device is None:
        return Arrays()
    try:
        import torch
    except ImportError:
        raise PickominoError("--device needs PyTorch: pip install pickomino[train]") from None
    from pickomino.tensor.torch_arrays import TorchArrays

    return TorchArrays(torch.device(device))


if __name__ == "__main__":
    sys.exit(main())
