"""Draw a position and list its legal moves."""

from __future__ import annotations

import argparse
import shutil
import textwrap

from pickomino.cli.common import add_house, drawn, position_of, print_json
from pickomino.cli.parsing import Parser
from pickomino.drawing import seat_names
from pickomino.locale import t
from pickomino.rules import Phase, Position
from pickomino.terminal.speech import SPOKEN
from pickomino.terminal.words import bust_cost, move_text, ranking
from pickomino.views import view


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t("Draw a position and list its legal moves."),
        t("The position is one text in quotes."),
        examples=(
            ('pickomino show "pkp1 classic 23,24,26,28,29,31-34 27,25,22/21/30 B 55W:11244"', ""),
            (
                'pickomino show "pkp1 deluxe 11,13,21-36 -/-/- A -:? '
                'apple@29,can@11,crow@23,gold@27,hen@21,weasel@25 0/0/0"',
                "",
            ),
        ),
    )
    parser.add_argument("position", metavar="POSITION", nargs="+", help=t("a position, pkp1 …"))
    add_house(parser)
    parser.flag("--json", t("one JSON object with everything that is shown"))


def run(args: argparse.Namespace) -> int:
    position = position_of(args.position, args.edition)
    if args.json:
        print_json(view(position))
        return 0
    print(drawn(position))
    print()
    width = shutil.get_terminal_size().columns
    for line in _legal(position):
        print(textwrap.fill(line, width, subsequent_indent="      "))
    return 0


def _legal(position: Position) -> list[str]:
    names = seat_names(len(position.stacks), None)
    if position.over:
        return [t("The game is over."), *ranking(position, names)]
    who = names[position.seat]
    cost = bust_cost(position)
    tail = [t("A bust {cost}.", cost=cost)] if cost else []
    if position.phase is Phase.ROLL:
        due = t("Next, {name} rolls {dice}.", name=who, dice=SPOKEN.dice(position.dice_left))
        return [" ".join([due, *tail])]
    moves = position.moves()
    width = max(len(str(move)) for move in moves)
    lines = [t("Legal moves of {name}:", name=who)]
    lines += [f"  {move!s:<{width}}  {move_text(position, move, names)}" for move in moves]
    return [*lines, *tail]
