"""Let bots play thousands of games against each other, and say who wins how often."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
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
from pickomino.arena.luck import quick_luck
from pickomino.arena.ratings import Rating
from pickomino.arena.tally import FairShare
from pickomino.bots.champion.net import has_weights
from pickomino.cli.common import (
    ProgressLine,
    add_edition,
    add_progress,
    add_runs,
    add_seats,
    demand_writable,
    print_json,
)
from pickomino.cli.parsing import CommandError, Parser
from pickomino.locale import figure, t
from pickomino.rules import MIN_SEATS, find_edition

_FILES: Final = {"plot": plot, "plot_matrix": plot_matrix, "plot_ratings": plot_ratings, "csv": as_csv}


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t("Let bots play thousands of games against each other, and say who wins how often."),
        t(
            "With two bots, the first plays alone against copies of the second. With more it is a "
            "free-for-all: they sit down in rotation round the table, in an order that changes. "
            "The games of a group share their dice while everybody moves on by one seat, so luck "
            "cancels out. Shares are wins per seat, a shared win is divided, and intervals are 95 "
            "%. Where the champion has learned the edition, a second figure has the luck of the "
            "dice removed: the same mean, a much smaller error. --no-luck-adjusted omits it and is "
            "faster. The same command gives the same result with any number of workers, "
            "interrupted or not."
        ),
        t(
            "A bot is a name from pickomino bots, with parameters if it takes any; "
            "program:COMMAND; or FILE.py:CLASS, a class of your own."
        ),
        examples=(
            ("pickomino arena champion ev:loss=1,steal=1 --seats 4 --games 20000", ""),
            ("pickomino arena my_bot.py:Thief hard --games 2000", ""),
            ("pickomino arena champion ev cautious random --seats 3 --json", ""),
            ("pickomino arena champion ev --games 1000000 --checkpoint long.jsonl", ""),
            ("pickomino arena champion ev --games 1000000 --checkpoint long.jsonl --resume", ""),
            ("pickomino arena champion ev --records games.pkgn --records-limit 100 --plot wins.svg", ""),
        ),
    )
    parser.add_argument(
        "bots", metavar="BOT", nargs="+", help=t("two or more bots, as in champion or ev:loss=1")
    )
    add_seats(parser)
    parser.number(
        "--games",
        1,
        10**9,
        t("at least this many, in whole groups of one game per seat (default: 20000)"),
        default=20_000,
    )
    add_edition(parser, "classic")
    add_runs(parser)
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        nargs="?",
        const="",
        help=t("play on a Ray cluster; without ADDRESS, the one in RAY_ADDRESS or a new one on this machine"),
    )
    parser.add_argument(
        "--luck-adjusted",
        action=argparse.BooleanOptionalAction,
        help=t(
            "also give results with the luck of the dice removed (default: where the champion has "
            "learned the edition and all bots solve their turns)"
        ),
    )
    parser.file("--checkpoint", t("save what is finished to this file"))
    parser.flag("--resume", t("continue from --checkpoint FILE, if there is one; --games may be larger"))
    parser.file("--records", t("write the games to this file (.pkgn)"))
    parser.number("--records-limit", 1, 10**9, t("only the first N games"))
    parser.file("--plot", t("draw the running estimate in this file (.svg)"))
    parser.file("--plot-matrix", t("draw who beat whom in this file (.svg)"))
    parser.file("--plot-ratings", t("draw the ratings in this file (.svg)"))
    parser.file("--csv", t("write one line per bot to this file"))
    add_progress(parser)
    parser.flag(
        "--json",
        '{"edition":…,"players":…,"games":…,"seed":…,"entrants":[{"bot":…,"share":…,…}],…}',
    )


def run(args: argparse.Namespace) -> int:
    _check(args)
    seats = args.seats or MIN_SEATS
    measurable = has_weights(find_edition(args.edition), seats)
    if args.luck_adjusted and not measurable:
        raise CommandError(
            "--luck-adjusted: nothing was learned for {edition} with {seats} seats",
            edition=args.edition,
            seats=seats,
        )
    adjusted = args.luck_adjusted
    with made_bots(args.bots) as bots:  # who is not there is missed before the first game
        if adjusted is None:
            adjusted = quick_luck(find_edition(args.edition), seats, bots)
    spec = Spec(tuple(args.bots), args.edition, seats, args.games, args.seed, luck_adjusted=adjusted)
    shows = args.progress or sys.stderr.isatty()
    left = t(
        "interrupted; {checkpoint} holds what is finished, --resume continues from there",
        checkpoint=args.checkpoint,
    )
    with ProgressLine(left if args.checkpoint else "") as line:
        result = run_arena(
            spec,
            workers=args.workers,
            cluster=args.cluster,
            checkpoint=args.checkpoint,
            resume=args.resume,
            records=args.records,
            records_limit=args.records_limit,
            progress=(lambda progress: line.show(lambda: _progress_text(progress))) if shows else None,
        )
    for option, make in _FILES.items():
        if path := getattr(args, option):
            Path(path).write_text(make(result), "utf-8", newline="\n")
    if args.json:
        print_json(result.as_json())
    else:
        print("\n".join(_lines(result, args)))
    return 0


def _check(args: argparse.Namespace) -> None:
    """What would fail only after all games were played is refused before the first."""
    if args.resume and not args.checkpoint:
        raise CommandError(t("--resume needs --checkpoint FILE, the file to continue from"))
    if args.records_limit and not args.records:
        raise CommandError(t("--records-limit needs --records FILE"))
    if args.cluster is not None and args.workers is not None:
        raise CommandError(t("--workers counts processes on this machine: leave it out with --cluster"))
    for option in ("records", "checkpoint", *_FILES):
        path, name = getattr(args, option), f"--{option.replace('_', '-')}"
        if path is None:
            continue
        demand_writable(name, path)
        if option.startswith("plot") and not path.lower().endswith(".svg"):
            raise CommandError(
                "{name} {path!r}: it is an SVG file, expected a name that ends in .svg", name=name, path=path
            )


def _lines(result: ArenaResult, args: argparse.Namespace) -> list[str]:
    spec, equal = result.spec, result.equal_share
    key, width = find_edition(spec.edition).key, max(3, *map(len, spec.entrants))
    facts = {
        "edition": key,
        "seats": spec.players,
        "games": figure(spec.games_played, ",d"),
        "groups": figure(spec.groups, ",d"),
        "seed": spec.seed,
        "seconds": figure(result.seconds, ".1f"),
    }
    head = t(
        "{edition}, {seats} seats: {games} games in {groups} groups with the same dice, seed {seed}, {seconds} s",
        **facts,
    )
    columns = (t("bot"), t("wins/seat"), t("95 % interval"), t("above equal share"), t("games"), t("rating"))
    rows = [(*columns, t("luck removed") if spec.luck_adjusted else "")]
    for bot, share, fair, rating in zip(
        spec.entrants, result.shares, result.fair_shares, result.ratings, strict=True
    ):
        above = figure(100 * (share.share - equal), "+.2f")
        interval = ""
        if share.low is not None and share.high is not None and share.error is not None:
            interval = f"{figure(100 * share.low, '.2f')}–{figure(100 * share.high, '.2f')} %"
            above += f" ± {figure(50 * (share.high - share.low), '.2f')}"
        wins = f"{figure(100 * share.share, '.2f')} %"
        rows.append((bot, wins, interval, above, figure(share.games, ",d"), _rating(rating), _fair(fair)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [head, ""]
    for row in rows:
        cells = [f"{cell:>{size}}" for cell, size in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join([f"{row[0]:<{max(width, widths[0])}}", *cells]).rstrip())
    lines += ["", t("An equal share is {share} %.", share=figure(100 * equal, ".2f"))]
    lines += [
        t("cautious made {n} decisions in place of {bot}.", n=figure(count, ",d"), bot=bot)
        for bot, count in zip(spec.entrants, result.failures, strict=True)
        if count
    ]
    if result.unfinished:
        games = figure(result.unfinished, ",d")
        lines.append(t("{games} games did not end and count as shared by all.", games=games))
    command = ["pickomino", "arena", *spec.entrants, "--seats", str(spec.players)]
    command += ["--games", str(spec.games_played), "--edition", getattr(args.edition, "given", key)]
    command += ["--seed", str(spec.seed)]
    command.append("--luck-adjusted" if spec.luck_adjusted else "--no-luck-adjusted")
    return [*lines, t("Again: {command}", command=shlex.join(command))]


def _rating(rating: Rating) -> str:
    """On Elo's scale, with half its 95 % interval."""
    half = "" if rating.low is None or rating.high is None else f" ± {(rating.high - rating.low) / 2:.0f}"
    return f"{rating.elo:+.0f}{half}"


def _fair(fair: FairShare | None) -> str:
    """The share without luck, with half its 95 % interval."""
    if fair is None or fair.low is None or fair.high is None:
        return ""
    return f"{figure(100 * fair.share, '.2f')} ± {figure(50 * (fair.high - fair.low), '.2f')} %"


def _progress_text(progress: ArenaProgress) -> str:
    tally = progress.tally
    share = tally.share(0)
    wins = figure(100 * share.share, ".2f")
    if share.low is not None and share.high is not None:
        wins += f" ± {figure(50 * (share.high - share.low), '.2f')}"
    facts = {
        "done": figure(tally.games, ",d"),
        "games": figure(tally.spec.games_played, ",d"),
        "bot": tally.spec.entrants[0],
        "wins": wins,
    }
    text = t("{done} of {games} games: {bot} wins {wins} % per seat", **facts)
    if progress.rest is None:
        return text
    return text + t(", about {seconds} s to go", seconds=round(progress.rest))
