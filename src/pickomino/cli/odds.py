"""The exact chances of a turn: how likely each tile is, played as well as possible."""

from __future__ import annotations

import argparse
import shutil
import textwrap

from pickomino.cli.common import edition_key, position_of, print_json, unicode_out
from pickomino.cli.parsing import Parser
from pickomino.locale import figure, t
from pickomino.rules import SEATS, Phase, Position, claims
from pickomino.solver import Odds, move_values, odds
from pickomino.solver.ending import endings
from pickomino.solver.objective import Worms

_WIDTH = 20  # of a bar that stands for certainty


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t("The exact chances of a turn: how likely each tile is, played as well as possible."),
        t(
            "“At least” is the chance to stop with a worm and that total or more, “exactly” with "
            "that very total, which is what a steal takes. Each chance is the best possible one, "
            "with the whole turn played for that one tile. Without a position it is the opening "
            "turn of a game."
        ),
        examples=(
            ("pickomino odds", ""),
            ("pickomino odds --edition deluxe", ""),
            ('pickomino odds "pkp1 classic 21-36 -/- A 55WW:?"', ""),
        ),
    )
    parser.add_argument(
        "position",
        metavar="POSITION",
        nargs="*",
        help=t("a position in a turn, pkp1 … (default: the opening turn)"),
    )
    parser.add_argument(
        "--edition", metavar="KEY", type=edition_key, help=t("opening turn of this edition, or TOML file")
    )
    parser.flag("--json", '{"at_least": {"21": 0.89, …}, "exactly": {"21": 0.44, …}}')


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
    columns = shutil.get_terminal_size().columns
    head, reach = (
        [textwrap.fill(line, columns) for line in lines] for lines in (_head(position), _reach(position))
    )
    print("\n".join([*head, "", *_table(position, found), "", *reach]))
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
    edition, seat = position.edition.key, position.seat_letter
    if not position.kept and position.phase is not Phase.KEEP:
        text = t(
            "The chances of a turn that is about to begin ({edition}, seat {seat}).",
            edition=edition,
            seat=seat,
        )
        return [text]
    lines = [t("The chances of seat {seat} from here ({edition}).", edition=edition, seat=seat)]
    if position.kept:
        lines.append(t("Kept {dice}, total {total}.", dice=position.kept, total=position.total))
    if position.rolled:
        lines.append(t("Rolled {dice}.", dice=position.rolled))
    return lines


def _table(position: Position, found: Odds[float]) -> list[str]:
    blocks, width = unicode_out(), _width()
    head = t("tile"), t("worms"), t("at least"), t("exactly"), t("now")
    room = max(width + 8, len(head[2]) + 1, len(head[3]) + 1)
    lines = [f"{head[0]:>4} {head[1]:>5}  {head[2]:<{room}}{head[3]:<{room}}{head[4]}"]
    down = position.flipped
    for tile in position.edition.values:
        if tile in down:
            continue
        cells = [f"{_cell(chances[tile], width, blocks=blocks):<{room}}" for chances in found]
        worms = f"{position.edition.worms[tile]:>{max(5, len(head[1]))}}"
        lines.append(f"{tile:>4} {worms}  {''.join(cells)}{_whereabouts(position, tile)}")
    if down:
        lines.append(t("Face down: {tiles}.", tiles=", ".join(map(str, down))))
    return [line.rstrip() for line in lines]


def _width() -> int:
    """Columns of a bar that stands for certainty: none where the window is narrow."""
    return _WIDTH if shutil.get_terminal_size().columns >= 80 else 0


def _cell(chance: float, width: int, *, blocks: bool) -> str:
    text = f"{figure(100 * chance, '5.1f')}% " if chance else "     – " if blocks else "     - "
    return text + bar(chance, width, blocks=blocks)


def _whereabouts(position: Position, tile: int) -> str:
    if tile in position.grill:
        return t("grill")
    for seat, stack in enumerate(position.stacks):
        if tile not in stack:
            continue
        top, own = stack[-1] == tile, seat == position.seat
        if own:
            return t("your top") if top else t("your stack")
        return t("top of {seat}", seat=SEATS[seat]) if top else t("stack of {seat}", seat=SEATS[seat])
    return ""


def _reach(position: Position) -> list[str]:
    """What stopping now would bring, what is still within reach, and the most worms one can expect."""
    lines = []
    if position.phase is Phase.GO:
        now = ", ".join(str(claim) for claim in claims(position))
        lines.append(t("Stopping now: {claims}.", claims=now or t("nothing to claim, a bust")))
    tiles = ", ".join(
        map(str, sorted({end.claim.tile for end in endings(position) if end.claim is not None}))
    )
    lines.append(t("Within reach this turn: {tiles}.", tiles=tiles or t("nothing")))
    value = figure(move_values(position, Worms()).value, ".4f")
    lines.append(t("Expected worms with best play, counting what a bust costs: {value}.", value=value))
    return lines
