"""The exact chances of a turn: how likely each tile is, played as well as possible.

"At least" is the chance to stop with a worm and that total or more, "exactly" with that very total, which is
what a steal takes. Each chance is the best there is: the turn played for that one tile and nothing else.
Without a position it is the opening turn of a game.

  pickomino odds
  pickomino odds --edition deluxe
  pickomino odds "pkp1 classic 21-36 -/- A 55WW:?"
"""

from __future__ import annotations

import argparse

from pickomino.cli.common import add_json, edition_key, position_of, print_json, unicode_out
from pickomino.rules import SEATS, Phase, Position, claims
from pickomino.solver import Odds, move_values, odds
from pickomino.solver.ending import endings
from pickomino.solver.objective import Worms

__all__ = ["add_arguments", "bar", "run"]

_WIDTH = 20  # of a bar that stands for certainty


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "position",
        metavar="POSITION",
        nargs="*",
        help="a position in a turn, pkp1 … (default: the opening turn)",
    )
    parser.add_argument(
        "--edition", metavar="KEY", type=edition_key, help="opening turn of this edition, or TOML file"
    )
    add_json(parser, '{"at_least": {"21": 0.89, …}, "exactly": {"21": 0.44, …}}')


def run(args: argparse.Namespace) -> int:
    position = (
        position_of(args.position, args.edition)
        if args.position
        else Position.start(args.edition or "classic")
    )
    found = odds(position)
    if args.json:
        print_json({"at_least": _keys(found.at_least), "exactly": _keys(found.exactly)})
        return 0
    print("\n".join([*_head(position), "", *_table(position, found), "", *_reach(position)]))
    return 0


def bar(share: float, width: int, *, blocks: bool) -> str:
    """A bar for a share of 1, in eighths of a character where the terminal has them."""
    eighths = round(max(0.0, min(share, 1.0)) * width * 8)
    if not blocks:
        return "#" * round(eighths / 8)
    full, part = divmod(eighths, 8)
    return "█" * full + " ▏▎▍▌▋▊▉"[part].strip()


def _keys(chances: dict[int, float]) -> dict[str, float]:
    return {str(tile): chance for tile, chance in chances.items()}


def _head(position: Position) -> list[str]:
    edition = position.edition.key
    if not position.kept and position.phase is not Phase.KEEP:
        return [f"The chances of a turn that is about to begin ({edition}, seat {position.seat_letter})."]
    kept = f"{position.kept} kept, total {position.total}" if position.kept else "nothing kept yet"
    due = f", {position.rolled} rolled" if position.rolled else ""
    return [f"The chances of seat {position.seat_letter} from here ({edition}): {kept}{due}."]


def _table(position: Position, found: Odds[float]) -> list[str]:
    blocks = unicode_out()
    lines = [f"tile  worms  {'at least':<{_WIDTH + 8}}{'exactly':<{_WIDTH + 8}}now"]
    down = position.flipped
    for tile in position.edition.values:
        if tile in down:
            continue
        cells = [_cell(chances[tile], blocks=blocks) for chances in found]
        lines.append(
            f"{tile:>4}  {position.edition.worms[tile]:>5}  {''.join(cells)}{_whereabouts(position, tile)}"
        )
    if down:
        lines.append(f"Face down: {', '.join(map(str, down))}.")
    return [line.rstrip() for line in lines]


def _cell(chance: float, *, blocks: bool) -> str:
    text = f"{100 * chance:5.1f}% " if chance else "     – " if blocks else "     - "
    return f"{text + bar(chance, _WIDTH, blocks=blocks):<{_WIDTH + 8}}"


def _whereabouts(position: Position, tile: int) -> str:
    if tile in position.grill:
        return "grill"
    for seat, stack in enumerate(position.stacks):
        if tile in stack:
            whose = "own" if seat == position.seat else f"{SEATS[seat]}'s"
            return f"{whose} top" if stack[-1] == tile else f"{whose} stack"
    return ""


def _reach(position: Position) -> list[str]:
    """What stopping now would bring, what is still within reach, and the most worms one can expect."""
    lines = []
    if position.phase is Phase.GO:
        now = [str(claim) for claim in claims(position)]
        lines.append(f"Stopping now: {', '.join(now) if now else 'nothing to claim, a bust'}.")
    tiles = sorted({end.claim.tile for end in endings(position) if end.claim is not None})
    lines.append(f"Within reach this turn: {', '.join(map(str, tiles)) if tiles else 'nothing'}.")
    value = move_values(position, Worms()).value
    lines.append(f"Worms to expect from the best play for them, a bust's loss counted: {value:.4f}.")
    return lines
