"""Review games: was it the dice or the choices, which choices, and what would have been better?"""

from __future__ import annotations

import argparse
import multiprocessing
import signal
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from pickomino.analysis.annotation import annotate
from pickomino.analysis.page import page_of
from pickomino.analysis.profile import PlayedGame, played_games, profiles
from pickomino.analysis.reporting import report
from pickomino.analysis.reviewing import review
from pickomino.arena.processes import cores, environment, one_thread, quiet_interrupts
from pickomino.cli.common import ProgressLine, complain, open_text, print_json, reason
from pickomino.cli.parsing import CommandError, Parser
from pickomino.cli.review_text import profile_lines, report_lines
from pickomino.locale import spoken, t, tn
from pickomino.notation import Record, parse_record, read_records
from pickomino.rules import SEATS, PickominoError

_FEW: Final = 8  # records below this are not worth starting processes for


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t("Review games: was it the dice or the choices, which choices, and what would have been better?"),
        t(
            "Every choice is valued by the exact turn and the champion's estimate of the chance to win "
            "(docs/review.md). One record gives a report; several give a profile of each player by "
            "name. Reviewing thousands uses all cores."
        ),
        examples=(
            ("pickomino review game.pkgn", ""),
            (
                "pickomino review game.pkgn --seat A --html game.html",
                t("one page, to open in any browser or to print"),
            ),
            (
                "pickomino review game.pkgn --annotate > noted.pkgn",
                t("the record with the review in its comments"),
            ),
            ("pickomino review games.pkgn more.pkgn", t("profiles")),
        ),
    )
    parser.add_argument(
        "files", metavar="RECORD", nargs="+", help=t("files of records (.pkgn), - for standard input")
    )
    parser.add_argument("--seat", metavar="A", help=t("report on this seat only"))
    parser.flag("--all", t("list every slip, not only the costliest"))
    parser.add_argument(
        "--objective",
        choices=("win", "worms"),
        default="win",
        help=t("what choices are judged by (default: win)"),
    )
    parser.flag("--deep", t("value the ends of turns one turn deeper; takes ten times as long"))
    parser.flag("--json", t("one JSON object per record and line; with --profiles one per player"))
    parser.flag("--annotate", t("write the records with the review as comments"))
    parser.file("--html", t("write the report as one page"))
    parser.flag("--profiles", t("profiles, even of a single record"))
    parser.number("--processes", 1, 1024, t("processes for many records (default: one per core)"))


def run(args: argparse.Namespace) -> int:
    if sum(map(bool, (args.annotate, args.html, args.profiles))) > 1:
        raise CommandError(t("--annotate, --html and --profiles: expected at most one of them"))
    bad: list[int] = []
    records = _read(args.files, bad)
    first = list(islice(records, 2))
    if not first:
        if not bad:
            raise CommandError(t("no records: expected at least one game"), 1)
    elif args.html:
        if len(first) > 1:
            raise CommandError(t("--html shows one game: expected a single record"))
        _write_page(args, first[0])
    elif args.profiles or (len(first) > 1 and not (args.json or args.annotate)):
        _profiles(args, chain(first, records))
    else:
        for index, record in enumerate(chain(first, records)):
            _one(args, record, index)
    return 1 if bad else 0


def _read(files: list[str], bad: list[int]) -> Iterator[Record]:
    def report(error: PickominoError) -> None:
        bad.append(1)
        complain(error)

    for file in files:
        with open_text(file) as lines:
            yield from read_records(lines, report)


def _one(args: argparse.Namespace, record: Record, index: int) -> None:
    found = review(record, args.objective, deep=args.deep)
    if args.annotate:
        print(("\n" if index else "") + str(annotate(record, found, spoken())), end="")
    elif args.json:
        print_json({"review": found.to_json(), "report": report(found, spoken())})
    else:
        shown = report(found, spoken())
        print("\n".join(report_lines(shown, _seats(args, shown), every=args.all)))


def _seats(args: argparse.Namespace, shown: dict[str, Any]) -> list[int]:
    if args.seat is None:
        return list(range(len(shown["players"])))
    letters = SEATS[: len(shown["players"])]
    if args.seat not in letters or len(args.seat) != 1:
        raise CommandError(
            "--seat {seat!r}: expected one of {letters}", seat=args.seat, letters=", ".join(letters)
        )
    return [letters.index(args.seat)]


def _write_page(args: argparse.Namespace, record: Record) -> None:
    shown = report(review(record, args.objective, deep=args.deep), spoken())
    text = page_of(shown, _seats(args, shown)[0])
    try:
        Path(args.html).write_text(text, "utf-8", newline="\n")
    except (OSError, ValueError) as error:
        raise CommandError(
            "cannot write {path!r}: {reason}", 1, path=args.html, reason=reason(error)
        ) from None
    print(f"{args.html}: {len(text.encode()) // 1000} kB")


def _profiles(args: argparse.Namespace, records: Iterator[Record]) -> None:
    games: list[PlayedGame] = []
    reviewed = _reviewed(records, args.objective, args.deep, args.processes or cores())
    with ProgressLine() as progress:
        for done, some in enumerate(reviewed, 1):
            games += some
            progress.show(tn("{n} game reviewed", "{n} games reviewed", done).__str__)
    found = profiles(games)
    if args.json:
        for profile in found:
            print_json(profile.to_json())
    else:
        print("\n".join(profile_lines(found, spoken())))


def _reviewed(
    records: Iterator[Record], objective: str, deep: bool, processes: int
) -> Iterator[list[PlayedGame]]:
    """The games of every record, in their order; by this process alone if they are few."""
    few = list(islice(records, _FEW))
    if len(few) < _FEW or processes == 1:
        yield from (played_games(review(record, objective, deep=deep)) for record in chain(few, records))
        return
    texts = ((str(record), objective, deep) for record in chain(few, records))
    spawn = multiprocessing.get_context("spawn")
    with environment(one_thread()), quiet_interrupts():
        pool = spawn.Pool(processes, signal.signal, (signal.SIGINT, signal.SIG_IGN))
    with pool:  # Ctrl-C is for this process, which ends them
        yield from pool.imap(_work, texts, chunksize=2)


def _work(work: tuple[str, str, bool]) -> list[PlayedGame]:
    text, objective, deep = work
    return played_games(review(parse_record(text), objective, deep=deep))
