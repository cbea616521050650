"""Replay game records: check every line, say what happened and how it ended."""

from __future__ import annotations

import argparse

from pickomino.cli.common import complain, drawn, one_line, open_text, print_json, termination
from pickomino.cli.parsing import CommandError, Parser
from pickomino.drawing import seat_names
from pickomino.locale import t
from pickomino.notation import Record, read_records
from pickomino.notation.turns import turn_lines
from pickomino.rules import SEATS, PickominoError
from pickomino.terminal.words import ranking, tell
from pickomino.views import view


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t("Replay game records: check every line, say what happened and how it ended."),
        t(
            "A bad record is reported with its line and the reason; the others are still read, and "
            "the exit status is 1."
        ),
        examples=(
            ("pickomino replay game.pkgn", ""),
            ("pickomino replay --words game.pkgn", t("every roll and move in words")),
            ("pickomino replay --json --positions games.pkgn", t("one JSON object per record and line")),
            ("pickomino replay - < game.pkgn", ""),
        ),
    )
    parser.add_argument("file", metavar="FILE", help=t("a file of records (.pkgn), - for standard input"))
    parser.flag("--positions", t("print the position after every turn"))
    parser.flag("--words", t("describe every roll and move in words"))
    parser.flag("--json", t("one JSON object per record and line"))


def run(args: argparse.Namespace) -> int:
    bad = 0

    def report(error: PickominoError) -> None:
        nonlocal bad
        bad += 1
        complain(error)

    number = 0
    with open_text(args.file) as lines:
        for number, record in enumerate(read_records(lines, report), 1):
            if args.json:
                print_json(_data(record, positions=args.positions))
            else:
                if args.words:
                    print("\n".join(_words(record)))
                print("\n".join(_story(record, number, positions=args.positions)))
    if not number and not bad:
        raise CommandError(t("no records: expected at least one game"), 1)
    return 1 if bad else 0


def _words(record: Record) -> list[str]:
    """Every ply as the terminal describes it."""
    names = seat_names(len(record.names), record.names)
    told = (tell(position, ply, events, names) for position, ply, events in record.game.steps())
    return [line for lines in told for line in lines]


def _data(record: Record, *, positions: bool) -> dict[str, object]:
    """The facts of a played game, out of the view of its last position."""
    shown = view(record.game.position)
    data: dict[str, object] = {
        "edition": shown["edition"],
        "seats": list(record.names),
        "turns": record.turns,
        "over": shown["over"],
        "position": shown["position"],
        "grill": shown["grill"],
        "flipped": shown["flipped"],
        "stacks": shown["stacks"],
        "scores": shown["scores"],
        "winners": shown["winners"],
    }
    if "specialists" in shown and "round_worms" in shown:
        data["specialists"] = shown["specialists"]
        data["round_worms"] = shown["round_worms"]
    if positions:
        data["positions"] = [str(position) for position in record.turn_positions()]
    return data


def _story(record: Record, number: int, *, positions: bool) -> list[str]:
    """The turns as they were written, then the table at the end."""
    game = record.game
    position = game.position
    names = seat_names(len(record.names), record.names)
    seats = ", ".join(f"{SEATS[seat]} {name}" for seat, name in enumerate(names))
    lines = [
        *([""] if number > 1 else []),
        t("Game {number}, {edition}: {seats}", number=number, edition=position.edition.key, seats=seats),
        "",
    ]
    places = list(record.turn_positions()) if positions else []
    width = max(map(len, names))
    for index, line in enumerate(turn_lines(game)):
        lines.append(f"{line.number:>4}  {names[line.seat]:<{width}}  {' '.join(line.tokens)}")
        if positions:
            lines.append(f"      {places[index]}")
    lines += ["", drawn(position, names), ""]
    if not position.over:
        why = one_line(record.headers.get("Termination", ""))
        if why:
            lines.append(t("Not finished ({why}). The standings:", why=termination(why)))
        else:
            lines.append(t("Not finished. The standings:"))
    return lines + ranking(position, names)
