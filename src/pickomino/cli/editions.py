"""The editions of the game: keys, switches, tiles.

Switches are added in alphabetical order: classic+fast+shared-ties, deluxe+fast. A house edition is a TOML file.
"""

from __future__ import annotations

import argparse
from typing import Final

from pickomino.cli.common import add_json, edition_key, print_json
from pickomino.rules import (
    EDITIONS,
    SWITCHES,
    SWITCHES_OF,
    Edition,
    find_edition,
    format_edition,
    format_tiles,
)

__all__ = ["add_arguments", "run"]

_ORIGINS: Final = {
    "classic": "the game of 2005 (the default)",
    "summary": "as the one-page summary tells it",
    "course": "as a programming course tells it",
    "deluxe": "the game of 2018 with six specialists",
    "extrawurm": "the expansion of 2015 with five specialists",
}
_SWITCH_WORDS: Final = {
    "any-lower": "any lower tile of the grill may be taken, not just the nearest",
    "fast": "the returned tile is flipped too when it is the highest",
    "flip-empty": "a bust flips the highest tile even when nothing was returned",
    "mandatory-steal": "the exact tile on another stack must be stolen",
    "shared-ties": "a tie is a shared win",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--toml",
        metavar="KEY",
        type=edition_key,
        help="print this edition as TOML, to make a house edition of",
    )
    add_json(parser, "one JSON object: editions and switches")


def run(args: argparse.Namespace) -> int:
    if args.toml:
        print(format_edition(find_edition(args.toml)), end="")
        return 0
    if args.json:
        switches = {name: dict(changes) for name, changes in SWITCHES.items()}
        print_json({"editions": [_data(edition) for edition in EDITIONS.values()], "switches": switches})
        return 0
    for edition in EDITIONS.values():
        print(f"{edition.key:<11}{_ORIGINS[edition.key]}")
        for line in _facts(edition):
            print(f"{'':<11}{line}")
        print()
    print("switches, as in classic+fast or deluxe+fast; deluxe and extrawurm have mandatory-steal already:")
    for name in SWITCHES:
        print(f"  {'+' + name:<18}{_SWITCH_WORDS[name]}")
    return 0


def _facts(edition: Edition) -> list[str]:
    only = " and ".join(map(str, sorted(edition.exact_only)))
    exact = f"; {only} only by the exact total" if only else ""
    flips = "the highest tile" if edition.flip_when_nothing_returned else "nothing"
    ties = "shared" if edition.tie_break == "shared" else "the highest tile wins"
    lines = [
        f"tiles {format_tiles(edition.values)} ({sum(edition.worms.values())} worms), {edition.dice} dice",
        f"steal {edition.steal}; lower tile: {edition.lower}{exact}",
        f"a bust that returns nothing flips {flips}; ties: {ties}",
    ]
    if edition.specialists:
        lines.append("specialists " + ", ".join(f"{name} on {tile}" for name, tile in edition.specialists))
        lines.append(f"{edition.round_worms} round worms")
    return lines


def _data(edition: Edition) -> dict[str, object]:
    return {
        "key": edition.key,
        "tiles": {str(tile): worms for tile, worms in edition.tiles},
        "dice": edition.dice,
        "steal": edition.steal,
        "lower": edition.lower,
        "flip_when_nothing_returned": edition.flip_when_nothing_returned,
        "fast": edition.fast,
        "tie_break": edition.tie_break,
        "exact_only": sorted(edition.exact_only),
        "specialists": dict(edition.specialists),
        "round_worms": edition.round_worms,
        "switches": list(SWITCHES_OF.get(edition.key, ())),
    }
