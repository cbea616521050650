"""Let bots play thousands of games against each other, and say who wins how often.

Two bots: the first sits alone against copies of the second. More: a free-for-all; they sit down in rotation round the
table, in an order that changes. The games of a group share their dice while all move on by one seat, so luck
cancels out. Shares are wins per seat, a shared win counts in parts, and intervals are 95 %. Where the champion has
learned, a second figure has the luck of the dice taken out: the same mean, a much smaller error. --no-luck-adjusted
does without it and is quicker. The same command gives the same result with any number of workers, interrupted or not.

examples:
  pickomino arena champion ev:loss=1,steal=1 --seats 4 --games 20000
  pickomino arena champion ev cautious random --seats 3 --json
  pickomino arena champion ev --games 1000000 --checkpoint long.jsonl            Ctrl-C stops it
  pickomino arena champion ev --games 1000000 --checkpoint long.jsonl --resume   and this goes on
  pickomino arena champion ev --records games.pkgn --records-limit 100 --plot wins.svg
  pickomino arena champion ev --cluster                                          as tasks of a Ray cluster
"""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import Final

from pickomino.arena import (
    ArenaProgress,
    ArenaResult,
    Spec,
    as_csv,
    plot,
    plot_matrix,
    plot_ratings,
    run_arena,
)
from pickomino.arena.bots import made_bots
from pickomino.arena.luck import has_luck, quick_luck
from pickomino.arena.ratings import Rating
from pickomino.arena.tally import FairShare
from pickomino.cli.common import (
    EDITION_HELP,
    CommandError,
    ProgressLine,
    add_json,
    add_seats,
    demand_writable,
    edition_key,
    number,
    print_json,
)
from pickomino.rules import MIN_SEATS, find_edition

__all__ = ["add_arguments", "run"]

_FILES: Final = {"plot": plot, "plot_matrix": plot_matrix, "plot_ratings": plot_ratings, "csv": as_csv}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "bots", metavar="BOT", nargs="+", help="two or more bots, as in champion or ev:loss=1"
    )
    add_seats(parser)
    parser.add_argument(
        "--games",
        metavar="N",
        type=number(1, 10**9),
        default=20_000,
        help="at least so many, in whole groups of one game a seat (default: 20000)",
    )
    parser.add_argument("--edition", metavar="KEY", type=edition_key, default="classic", help=EDITION_HELP)
    parser.add_argument("--seed", metavar="N", type=number(0, 10**18), default=0, help="default: 0")
    parser.add_argument(
        "--workers", metavar="N", type=number(1, 1024), help="processes (default: one for each core)"
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        nargs="?",
        const="",
        help="play on a Ray cluster; without ADDRESS the one of RAY_ADDRESS, or one started here",
    )
    parser.add_argument(
        "--luck-adjusted",
        action=argparse.BooleanOptionalAction,
        help="also take the luck of the dice out of the results "
        "(default: where the champion has learned and all bots solve their turns)",
    )
    parser.add_argument("--checkpoint", metavar="FILE", help="write down there what is finished")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on from --checkpoint FILE, if there is one; --games may grow",
    )
    parser.add_argument("--records", metavar="FILE", help="write the games there (.pkgn)")
    parser.add_argument(
        "--records-limit", metavar="N", type=number(1, 10**9), help="only the first so many games"
    )
    parser.add_argument("--plot", metavar="FILE", help="draw the running estimate there (.svg)")
    parser.add_argument("--plot-matrix", metavar="FILE", help="draw who beat whom there (.svg)")
    parser.add_argument("--plot-ratings", metavar="FILE", help="draw the ratings there (.svg)")
    parser.add_argument("--csv", metavar="FILE", help="write a line for each bot there")
    parser.add_argument(
        "--progress", action="store_true", help="show progress on stderr, also where it is no terminal"
    )
    add_json(
        parser, 'print {"edition":…,"players":…,"games":…,"seed":…,"entrants":[{"bot":…,"share":…,…}],…}'
    )


def run(args: argparse.Namespace) -> int:
    _check(args)
    seats = args.seats or MIN_SEATS
    measurable = has_luck(find_edition(args.edition), seats)
    if args.luck_adjusted and not measurable:
        raise CommandError(f"--luck-adjusted: nothing was learned for {args.edition} with {seats} seats")
    adjusted = args.luck_adjusted
    with made_bots(args.bots) as bots:  # who is not there is missed before the first game
        if adjusted is None:
            adjusted = quick_luck(find_edition(args.edition), seats, bots)
    spec = Spec(tuple(args.bots), args.edition, seats, args.games, args.seed, luck_adjusted=adjusted)
    line = ProgressLine()
    shows = args.progress or sys.stderr.isatty()
    try:
        outcome = run_arena(
            spec,
            workers=args.workers,
            cluster=args.cluster,
            checkpoint=args.checkpoint,
            resume=args.resume,
            records=args.records,
            records_limit=args.records_limit,
            progress=(lambda progress: line.show(lambda: _progress_text(progress))) if shows else None,
        )
    except KeyboardInterrupt:
        line.clear()
        if args.checkpoint:
            print(
                f"interrupted; {args.checkpoint} holds what is finished, --resume goes on from there",
                file=sys.stderr,
            )
        raise
    finally:
        line.clear()
    for option, make in _FILES.items():
        if path := getattr(args, option):
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(make(outcome))
    if args.json:
        print_json(outcome.as_json())
    else:
        print("\n".join(_lines(outcome)))
    return 0


def _check(args: argparse.Namespace) -> None:
    """What would fail only after all games were played is refused before the first."""
    if args.resume and not args.checkpoint:
        raise CommandError("--resume needs --checkpoint FILE, what to go on from")
    if args.records_limit and not args.records:
        raise CommandError("--records-limit needs --records FILE")
    if args.cluster is not None and args.workers is not None:
        raise CommandError("--workers is for processes of this machine: leave it out with --cluster")
    for option in ("records", "checkpoint", *_FILES):
        path, name = getattr(args, option), f"--{option.replace('_', '-')}"
        if path is None:
            continue
        demand_writable(name, path)
        if option.startswith("plot") and not path.lower().endswith(".svg"):
            raise CommandError(f"{name} {path!r}: it is an SVG file, expected a name that ends in .svg")


def _lines(outcome: ArenaResult) -> list[str]:
    spec, equal = outcome.spec, outcome.equal_share
    key, width = find_edition(spec.edition).key, max(3, *map(len, spec.entrants))
    lines = [
        f"{key}, {spec.players} seats: {spec.games_played:,} games in {spec.groups:,} groups with the "
        f"same dice, seed {spec.seed}, {outcome.seconds:.1f} s",
        "",
        f"{'bot':<{width}}  {'wins/seat':>9}  {'95 % interval':>15}  {'above equal share':>17}  "
        f"{'games':>9}  {'rating':>13}" + ("  luck taken out" if spec.luck_adjusted else ""),
    ]
    for bot, share, fair, rating in zip(
        spec.entrants, outcome.shares, outcome.fair_shares, outcome.ratings, strict=True
    ):
        if share.low is None or share.high is None or share.error is None:
            interval, above = "", f"{100 * (share.share - equal):+.2f}"
        else:
            interval = f"{100 * share.low:.2f}–{100 * share.high:.2f} %"
            above = f"{100 * (share.share - equal):+.2f} ± {100 * (share.high - share.low) / 2:.2f}"
        lines.append(
            f"{bot:<{width}}  {100 * share.share:7.2f} %  {interval:>15}  {above:>17}  {share.games:>9,}  "
            f"{_rating(rating):>13}" + _fair(fair)
        )
    lines += ["", f"An equal share is {100 * equal:.2f} %."]
    lines += [
        f"cautious made {count:,} decisions in place of {bot}."
        for bot, count in zip(spec.entrants, outcome.failures, strict=True)
        if count
    ]
    if outcome.unfinished:
        lines.append(f"{outcome.unfinished:,} games found no end and count as shared by all.")
    command = ["pickomino", "arena", *spec.entrants, "--seats", str(spec.players)]
    command += ["--games", str(spec.games_played), "--edition", key, "--seed", str(spec.seed)]
    command.append("--luck-adjusted" if spec.luck_adjusted else "--no-luck-adjusted")
    return [*lines, f"Again: {shlex.join(command)}"]


def _rating(rating: Rating) -> str:
    """On Elo's scale, with half its 95 % interval."""
    half = "" if rating.low is None or rating.high is None else f" ± {(rating.high - rating.low) / 2:.0f}"
    return f"{rating.elo:+.0f}{half}"


def _fair(fair: FairShare | None) -> str:
    """The share without luck, with half its 95 % interval."""
    if fair is None or fair.low is None or fair.high is None:
        return ""
    return f"  {100 * fair.share:6.2f} ± {50 * (fair.high - fair.low):.2f} %"


def _progress_text(progress: ArenaProgress) -> str:
    tally = progress.tally
    share = tally.share(0)
    half = ""
    if share.low is not None and share.high is not None:
        half = f" ± {50 * (share.high - share.low):.2f}"
    rest = f", about {progress.rest:.0f} s to go" if progress.rest is not None else ""
    return (
        f"{tally.games:,} of {tally.spec.games_played:,} games: {tally.spec.entrants[0]} wins "
        f"{100 * share.share:.2f}{half} % per seat{rest}"
    )
