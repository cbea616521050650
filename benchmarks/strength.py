"""The strength tables of docs/champion.md and docs/bots.md, made by the arena.

Run ``python -m benchmarks.strength``: 100,000 games per row, hours on two cores; ``--games 20000`` for a first look.
What is finished is kept in ``--folder``, so it can be interrupted and started again; after a change of the bots or of
their weights remove the folder, or name another. ``--only "2 seats"`` makes the rows whose text holds that. Every row
can be had alone with the command that ends it.

``--table editions`` sets the champion against the best `ev` found in every other edition (`benchmarks.tune` and
`benchmarks.strength_gpu` look for them), ``--table ladder`` sets every bot against the one below it, ``--table tune``
looks for the `ev` that holds the champion down most at 5, 6 and 7 seats.
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
    bar: float | None = (
        None  # wins of the first, in per cent, that the estimate plus two standard errors must reach
    )
    edition: str = "classic"

    def __str__(self) -> str:
        copies = "" if self.seats == 2 else f"{self.seats - 1} × "
        return f"{self.edition}, {self.seats} seats, {self.bot} against {copies}{self.other}"


def ev(loss: float, steal: float) -> str:
    return f"ev:loss={loss:g},steal={steal:g}"


# The bars are those that the champion was built to reach.
CHAMPION: Final = (
    Row(2, "champion", ev(1, 1), 54.0),
    Row(2, "champion", ev(0, 0), 63.5),
    Row(3, "champion", ev(1, 1), 38.3),
    Row(3, "champion", ev(1, 0), 37.4),
    Row(4, "champion", ev(1, 1), 31.8),
    Row(4, "champion", ev(1, 0), 29.1),
    *(Row(seats, "champion", ev(1, steal)) for seats in (5, 6, 7) for steal in (0, 1)),
)

_STEPS: Final = ("random", "cautious", "easy", "medium", "hard", "champion")
LADDER: Final = tuple(Row(seats, better, worse) for seats in (2, 4) for worse, better in pairwise(_STEPS))

_SHARP: Final = {  # the best found with two seats, and with four
    "deluxe": (
        "ev:loss=1.2,steal=0.7,round=1.7,apple=0.7,can=2,gold=4,hen=2.5,weasel=2",
        "ev:loss=1.2,steal=0.1,round=1.2,apple=1.5,can=1.8,gold=3.1,hen=2.8",
    ),
    "extrawurm": (
        "ev:loss=1.3,steal=0.8,round=1.6,can=1.8,gold=4.2,hen=1.8,weasel=1.2",
        "ev:loss=1.5,steal=-0.1,round=1.1,can=1.6,gold=3,hen=2.5",
    ),
    "classic+fast": (ev(1.5, 1), ev(0.5, 0)),
    "summary": (ev(1, 0.5), ev(0.5, 0)),
    "course": (ev(1, 1), ev(0.5, 0)),
}
EDITIONS: Final = tuple(
    Row(seats, "champion", _SHARP[edition][seats > 2], edition=edition)
    for edition in _SHARP
    for seats in (2, 3, 4, 7)
)

TUNE: Final = tuple(
    Row(seats, "champion", ev(loss, steal))
    for seats in (5, 6, 7)
    for loss in (0.5, 1.0, 1.5, 2.0)
    for steal in (-0.5, 0.0, 0.5)
)

TABLES: Final = {"champion": CHAMPION, "editions": EDITIONS, "ladder": LADDER, "tune": TUNE}


def play(row: Row, args: argparse.Namespace) -> ArenaResult:
    spec = Spec((row.bot, row.other), row.edition, row.seats, args.games, args.seed)
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
    """A line of the table: estimate, twice its standard error, bar."""
    share, spec = outcome.shares[0], outcome.spec
    error = share.error or 0.0
    above = 100 * (share.share - outcome.equal_share)
    bar = ""
    if row.bar is not None:
        reached = 100 * (share.share + 2 * error) >= row.bar
        bar = f"{row.bar:.1f} % {'reached' if reached else 'missed'}"
    command = f"pickomino arena {row.bot} {row.other} --seats {row.seats} --games {spec.games_played}"
    if row.edition != "classic":
        command += f" --edition {row.edition}"
    if spec.seed:
        command += f" --seed {spec.seed}"
    return (
        f"| {row} | {100 * share.share:.2f} ± {200 * error:.2f} % | {above:+.2f} | {bar} "
        f"| {spec.games_played:,} | `{command}` |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=100_000, help="a row (default: 100000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--table", choices=sorted(TABLES), default="champion")
    parser.add_argument("--only", metavar="TEXT", default="", help="rows that hold this text")
    parser.add_argument(
        "--folder", default=DEFAULT_FOLDER, help=f"what is finished (default: {DEFAULT_FOLDER})"
    )
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    print("| match | wins, ± two standard errors | above an equal share | bar | games | again |")
    print("|---|---|---|---|---|---|")
    for row in TABLES[args.table]:
        if args.only in str(row):
            print(line(row, play(row, args)), flush=True)


if __name__ == "__main__":
    main()
