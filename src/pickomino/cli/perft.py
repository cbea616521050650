"""Count the sequences of DEPTH plies, or of DEPTH turns."""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from pickomino.cli.common import add_start, position_of, print_json, start_of
from pickomino.cli.parsing import CommandError, Parser, number
from pickomino.locale import t
from pickomino.rules import perft, perft_divide, turn_perft, turn_perft_divide

MAX_DEPTH: Final = 40  # small games can be counted so deep; a full grill takes hours from about 7 plies on


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t("Count the sequences of DEPTH plies, or of DEPTH turns, to test an engine's move generator."),
        t(
            "A ply is one roll (as a sorted multiset), one keep, or one choice. A turn takes any "
            "tile from the grill, steals any top tile, or is a bust; turns can be counted only in "
            "editions without specialists."
        ),
        examples=(
            ("pickomino perft 3", "15928"),
            ("pickomino perft 4 --turns --edition summary", t("turns instead of plies")),
            ('pickomino perft 2 --divide "pkp1 classic 21,25 -/- A 55W:11244"', ""),
        ),
    )
    parser.add_argument("depth", metavar="DEPTH", type=number(0, MAX_DEPTH), help=f"0–{MAX_DEPTH}")
    parser.add_argument("position", metavar="POSITION", nargs="*", help=t("where to start, pkp1 … in quotes"))
    parser.flag("--turns", t("count turns instead of plies"))
    parser.flag("--divide", t("split the count by first ply or turn"))
    add_start(parser)
    parser.flag("--json", '{"depth":…,"nodes":…}')


def run(args: argparse.Namespace) -> int:
    if args.position and args.seats:
        raise CommandError(t("POSITION already says how many seats there are: leave --seats out"))
    if args.position:
        position = position_of(args.position, args.edition)
    else:
        position = start_of(args.edition, args.seats)
    depth: int = args.depth
    divide: dict[str, int] = {}
    with _progress():
        if args.divide:
            divide = (turn_perft_divide if args.turns else perft_divide)(position, depth)
            nodes = sum(divide.values()) if depth else 1
        else:
            nodes = (turn_perft if args.turns else perft)(position, depth)
    if args.json:
        print_json({"depth": depth, "nodes": nodes} | ({"divide": divide} if args.divide else {}))
        return 0
    for ply, count in divide.items():
        print(f"{ply} {count}")
    print(nodes)
    return 0


@contextmanager
def _progress() -> Iterator[None]:
    """A clock on stderr while counting takes long, if somebody is there to see it."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    done, began = threading.Event(), time.monotonic()

    def tick() -> None:
        while not done.wait(1.0):
            clock = t("counting … {seconds} s", seconds=round(time.monotonic() - began))
            print(f"\r{clock}", end="", file=sys.stderr, flush=True)
        if time.monotonic() - began > 1.0:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    clock = threading.Thread(target=tick, daemon=True)
    clock.start()
    try:
        yield
    finally:
        done.set()
        clock.join()
