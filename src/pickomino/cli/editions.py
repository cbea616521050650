"""The editions of the game: keys, switches, tiles."""

from __future__ import annotations

import argparse
from typing import Final

from pickomino.cli.common import edition_key, print_json
from pickomino.cli.parsing import Parser
from pickomino.drawing import GUESTS
from pickomino.locale import local, t
from pickomino.rules import (
    EDITIONS,
    SWITCHES,
    SWITCHES_OF,
    Edition,
    find_edition,
    format_edition,
    format_tiles,
    said,
)
from pickomino.terminal.words import SWITCH_WORDS

_ORIGINS: Final = {
    "classic": said("the game of 2005 (the default)"),
    "summary": said("as in the one-page summary"),
    "course": said("as programming courses teach it"),
    "deluxe": said("the game of 2018 with six specialists"),
    "extrawurm": said("the expansion of 2015 with five specialists"),
}


# Facts of an edition that JSON has as they are.
_PLAIN: Final = ("dice", "steal", "lower", "flip_when_nothing_returned", "fast", "tie_break")


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t("The editions of the game: keys, switches, tiles."),
        t(
            "Switches are added in alphabetical order: classic+fast+shared-ties, deluxe+fast. A house "
            "edition is a TOML file."
        ),
    )
    parser.add_argument(
        "--toml",
        metavar="KEY",
        type=edition_key,
        help=t("print this edition as TOML, to start a house edition from"),
    )
    parser.flag("--json", t("one JSON object: editions and switches"))


def run(args: argparse.Namespace) -> int:
    if args.toml:
        print(format_edition(find_edition(args.toml)), end="")
        return 0
    if args.json:
        switches = {name: dict(changes) for name, changes in SWITCHES.items()}
        print_json({"editions": [_data(edition) for edition in EDITIONS.values()], "switches": switches})
        return 0
    for edition in EDITIONS.values():
        print(f"{edition.key:<11}{local(_ORIGINS[edition.key])}")
        for line in _facts(edition):
            print(f"{'':<11}{line}")
        print()
    print(
        t("switches, as in classic+fast or deluxe+fast; deluxe and extrawurm have mandatory-steal already:")
    )
    for name in SWITCHES:
        print(f"  {'+' + name:<18}{local(SWITCH_WORDS[name])}")
    return 0


def _facts(edition: Edition) -> list[str]:
    worms, tiles = sum(edition.worms.values()), format_tiles(edition.values)
    lines = [
        t("tiles {tiles} ({worms} worms), {dice} dice", tiles=tiles, worms=worms, dice=edition.dice),
        t("if you can steal, you must") if edition.steal == "mandatory" else t("if you can steal, you may"),
        t("or any lower tile") if edition.lower == "any" else t("or the nearest lower tile"),
    ]
    if edition.exact_only:
        only = f" {t('and')} ".join(map(str, sorted(edition.exact_only)))
        lines.append(t("{tiles} only by the exact total", tiles=only))
    if edition.flip_when_nothing_returned:
        lines.append(t("a bust that returns nothing flips the highest tile"))
    else:
        lines.append(t("a bust that returns nothing flips nothing"))
    lines.append(
        t("ties are shared") if edition.tie_break == "shared" else t("in a tie the highest tile wins")
    )
    if edition.specialists:
        on = ", ".join(
            t("{name} on {tile}", name=local(GUESTS[name]), tile=tile) for name, tile in edition.specialists
        )
        lines.append(t("specialists: {places}", places=on))
        lines.append(t("{n} round worms", n=edition.round_worms))
    return lines


def _data(edition: Edition) -> dict[str, object]:
    return {
        "key": edition.key,
        "tiles": {str(tile): worms for tile, worms in edition.tiles},
        **{name: getattr(edition, name) for name in _PLAIN},
        "exact_only": sorted(edition.exact_only),
        "specialists": dict(edition.specialists),
        "round_worms": edition.round_worms,
        "switches": list(SWITCHES_OF.get(edition.key, ())),
    }
