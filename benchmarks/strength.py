"""The strength tables of docs/champion.md and docs/bots.md, made by the arena.

Run ``python -m benchmarks.strength``: one champion among copies of the hardest `ev` found, in every edition with 2 to 7
seats, luck removed; two hours of one core. (`benchmarks.tune` and `benchmarks.strength_gpu` looked for those `ev`.)
``--table ladder`` sets every bot against the one below it. What is finished is kept in ``--folder``, so it can be
interrupted and started again; after a change of the bots or of their weights remove the folder, or name another.
``--only "2 seats"`` makes the rows whose text holds that. Every row can be had alone with the command that ends it.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pickomino.arena import ArenaProgress, ArenaResult, Spec, run_arena
from pickomino.arena.processes import cores

DEFAULT_FOLDER: Final = "build/strength"


@dataclass(frozen=True)
class Row:
    """One match: the first bot alone against copies of the second."""

    seats: int
    bot: str
    other: str
    edition: str = "classic"

    def __str__(self) -> str:
        copies = "" if self.seats == 2 else f"{self.seats - 1} × "
        return f"{self.edition}, {self.seats} seats, {self.bot} against {copies}{self.other}"


# What a loss and a steal count for the `ev` that holds the champion down most, with 2 to 7 seats (strength_gpu).
_WORMS: Final = {
    "classic": ((1, 1), (1, 0.5), (0.5, 0), (1, 0), (0.5, 0), (1, 0)),
    "classic+fast": ((1.5, 1), (1.5, 0.5), (0.5, 0), (1, 0), (0.5, 0), (1, 0)),
    "summary": ((1, 0.5), (1, 0.5), (0.5, 0), (0.5, 0), (1, 0), (0.5, 0)),
    "course": ((1, 1), (1, 0.5), (0.5, 0), (0.5, 0), (0.5, 0), (0.5, 0)),
}
# With specialists: the best found among `ev` (tune), then what holds the champion down most (strength_gpu); with two
# seats, and with more.
_SPECIALISTS: Final = {
    "deluxe": (
        (
            "ev:loss=1.2,steal=0.7,round=1.7,apple=0.7,can=2,gold=4,hen=2.5,weasel=2",
            "ev:loss=1.2,steal=0.1,round=1.2,apple=1.5,can=1.8,gold=3.1,hen=2.8",
        ),
        (
            "ev:loss=1.5,steal=1,can=2,gold=2,hen=2",
            "ev:loss=1.5,steal=0,round=1.5,can=2,gold=2,hen=2,weasel=1",
        ),
    ),
    "extrawurm": (
        (
            "ev:loss=1.3,steal=0.8,round=1.6,can=1.8,gold=4.2,hen=1.8,weasel=1.2",
            "ev:loss=1.5,steal=-0.1,round=1.1,can=1.6,gold=3,hen=2.5",
        ),
        ("ev:loss=1,steal=1,hen=1", "ev:loss=1.5,steal=0,gold=1,hen=1"),
    ),
}
CHAMPION: Final = (
    Row(2, "champion", "ev:loss=0,steal=0"),  # the usual "optimal bot"
    *(
        Row(seats, "champion", f"ev:loss={loss:g},steal={steal:g}", edition)
        for edition, found in _WORMS.items()
        for seats, (loss, steal) in enumerate(found, 2)
    ),
    *(
        Row(seats, "champion", settings[seats > 2], edition)
        for edition, found in _SPECIALISTS.items()
        for seats in range(2, 8)
        for settings in found
    ),
)

_STEPS: Final = ("random", "cautious", "easy", "medium", "hard", "champion")
LADDER: Final = tuple(Row(seats, better, worse) for seats in (2, 4) for worse, better in pairwise(_STEPS))

TABLES: Final = {"champion": CHAMPION, "ladder": LADDER}


def play(row: Row, args: argparse.Namespace) -> ArenaResult:
    luck = args.table == "champion"  # between bots that solve their turns it costs little
    spec = Spec((row.bot, row.other), row.edition, row.seats, args.games, args.seed, luck_adjusted=luck)
    name = f"{row.edition} {row.seats} {row.bot} {row.other} {args.seed}".replace(":", "_").replace(" ", "-")
    return run_arena(
        spec,
        workers=args.workers,
        checkpoint=os.path.join(args.folder, f"{name}.jsonl"),
        resume=True,
        progress=_told if sys.stderr.isatty() else None,
    )


def _told(progress: ArenaProgress) -> None:
    done, share = progress.tally, progress.tally.share(0).share
    rest = "" if progress.rest is None else f", {progress.rest / 60:.0f} min to go"
    line = f"{done.games:,} of {done.spec.games_played:,} games: {100 * share:.2f} %{rest}"
    print(f"\r\x1b[K{line}\r", end="", file=sys.stderr, flush=True)


def line(row: Row, outcome: ArenaResult) -> str:
    """A line of the table: wins with their standard error, and the same with the luck removed."""
    share, fair, spec = outcome.shares[0], outcome.fair_shares[0], outcome.spec
    wins = [
        f"{100 * one.share:.2f} ± {100 * (one.error or 0.0):.2f} %" if one else "" for one in (fair, share)
    ]
    command = f"pickomino arena {row.bot} {row.other} --seats {row.seats} --games {spec.games_played}"
    if row.edition != "classic":
        command += f" --edition {row.edition}"
    if spec.seed:
        command += f" --seed {spec.seed}"
    return f"| {row} | {' | '.join(wins)} | {spec.games_played:,} | `{command}` |"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=8_000, help="per row (default: 8000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--table", choices=sorted(TABLES), default="champion")
    parser.add_argument("--only", metavar="TEXT", default="", help="rows that hold this text")
    parser.add_argument(
        "--folder", default=DEFAULT_FOLDER, help=f"what is finished (default: {DEFAULT_FOLDER})"
    )
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    print("| match | wins, luck removed | wins | games | again |")
    print("|---|---|---|---|---|")
    for row in TABLES[args.table]:
        if args.only in str(row):
            print(line(row, play(row, args)), flush=True)


if __name__ == "__main__":
    main()
