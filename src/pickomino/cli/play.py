"""Play Pickomino in the terminal: 2 to 7 seats, each a person or a bot."""

from __future__ import annotations

import argparse
import io
import os
import shlex
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from pickomino.cli.common import add_start, one_line, unicode_out
from pickomino.cli.parsing import CommandError, Parser
from pickomino.cli.seating import resumed_seats, seats_of
from pickomino.game import Game
from pickomino.locale import local, spoken, t
from pickomino.notation import Record
from pickomino.play import Decider, Quit, play_match
from pickomino.rules import SEATS, Ply, Position
from pickomino.rules.events import Event
from pickomino.terminal.plain import InputEnded, PlainTable, TakenBack
from pickomino.terminal.saving import keep_after, new_game_file, unfinished
from pickomino.terminal.session import Session, players_header


def add_arguments(parser: Parser) -> None:
    from pickomino.bots import bot_names

    parser.explain(
        t("Play Pickomino in the terminal: 2 to 7 seats, each a person or a bot."),
        "\n".join(
            (
                t("seats:"),
                f"  --seat A=me              {t('you (by default A is you and the others are bots)')}",
                f"  --seat A=me:Anna         {t('a person with a name; several people can share the keyboard')}",
                f"  --seat B=bot:cautious    {t('a bot: {names}', names=', '.join(bot_names()))}",
                f"  --seat B=bot:thief.py:Thief    {t('a bot of your own')}",
            )
        ),
        examples=(
            ("pickomino play", ""),
            ("pickomino play --seats 4 --edition deluxe", ""),
            ("pickomino play --seat A=me:Anna --seat B=me:Ben --seat C=bot:random --first B", ""),
            ("pickomino play --record game.pkgn", t("saved after every turn")),
            ("pickomino play --resume game.pkgn", t("continue it later")),
        ),
    )
    parser.flag("--plain", t("plain lines of text instead of the full screen"))
    add_theme(parser)
    parser.add_argument(
        "--seat", metavar="A=WHO", action="append", default=[], help=t("who sits there, see below")
    )
    add_start(parser)
    parser.add_argument("--first", metavar="SEAT", help=t("the seat that begins (default: A)"))
    parser.number("--seed", 0, 10**18 - 1, t("fixes dice and bots"))
    parser.file("--record", t("add the game to this file (.pkgn), turn by turn"))
    parser.file("--resume", t("continue the last unfinished game in this file"))


def run(args: argparse.Namespace) -> int:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a stray byte is a wrong answer, not the end
    if full_screen(args):
        return _play_app(args)
    return _play_plain(_resumed(args) if args.resume is not None else _new(args))


def full_screen(args: argparse.Namespace) -> bool:
    """Whether the app is wanted and can be had; without Textual one line says how to get it."""
    if args.plain or not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        return False
    if os.environ.get("TERM", "") in ("dumb", "unknown") or (os.name != "nt" and not os.environ.get("TERM")):
        return False
    if find_spec("textual") is None:
        print(
            t("The full screen needs Textual: pip install 'pickomino[terminal]'. Continuing in plain text."),
            file=sys.stderr,
        )
        return False
    return True


def _play_app(args: argparse.Namespace) -> int:
    from pickomino.terminal.app import PickominoApp

    session = None
    if args.resume is not None:
        session = _resumed(args)
    elif args.seat or args.edition or args.seats or args.first or args.seed is not None or args.record:
        session = _new(args)
        session.keeper = session.keeper or new_game_file()
    app = PickominoApp(
        session, lambda record: resumed_seats(record, []), theme=theme_of(args), language=spoken()
    )
    app.run()
    kept = app.session
    if app.kept and isinstance(kept, Session) and kept.keeper is not None:
        own = args.record is None and args.resume is None
        print(t("Saved. Continue with: pickomino") if own else _saved(kept))
    if kept is not None and kept.problem:
        print(f"pickomino: {one_line(local(kept.problem))}", file=sys.stderr)
    return 0


def add_theme(parser: Parser) -> None:
    parser.add_argument(
        "--theme", choices=("dark", "light", "16", "mono", "ascii"), help=t("how the full screen looks")
    )


def theme_of(args: argparse.Namespace) -> str:
    """As asked; else what the terminal can show."""
    if args.theme:
        return str(args.theme)
    if not unicode_out():
        return "ascii"
    if os.environ.get("NO_COLOR"):
        return "mono"
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]  # "15;0": the ground's colour is the last
    light = ground in ("7", "15")
    if os.environ.get("TERM", "") in ("linux", "xterm", "vt100", "ansi") and not os.environ.get("COLORTERM"):
        return "mono" if light else "16"
    return "light" if light else "dark"


def _new(args: argparse.Namespace) -> Session:
    seats = seats_of(args.seat, args.seats)
    first = 0
    if args.first is not None:
        letters = SEATS[: len(seats)]
        if len(args.first) != 1 or args.first.upper() not in letters:
            raise CommandError(
                "--first {first!r}: expected one of the seats {letters}",
                first=args.first,
                letters=" ".join(letters),
            )
        first = letters.index(args.first.upper())
    game = Game.new(args.edition or "classic", len(seats), first)
    headers = players_header(seats)
    if args.seed is not None:
        headers["Seed"] = str(args.seed)
    record = Record(game, tuple(seat.name for seat in seats), headers)
    keeper = None if args.record is None else keep_after(_path(args.record))
    return Session(record, seats, keeper, args.seed)


def _resumed(args: argparse.Namespace) -> Session:
    if args.edition or args.seats or args.first:
        raise CommandError(
            t(
                "--resume: the record already says the edition, the seats and who began; leave out "
                "those options"
            )
        )
    record, keeper = unfinished(_path(args.resume))
    seats = resumed_seats(record, args.seat)
    record.names = tuple(seat.name for seat in seats)
    seed, goes_on = args.seed, False
    kept = record.headers.get("Seed", "")
    if seed is None and kept.isascii() and kept.isdigit() and len(kept) <= 18:
        seed, goes_on = int(kept), True
    others = {name: value for name, value in record.headers.items() if name != "Termination"}
    record.headers = others | players_header(seats)
    if args.record is not None and Path(args.record) != Path(args.resume):
        keeper = keep_after(_path(args.record))
    return Session(record, seats, keeper, seed, goes_on=goes_on)


def _path(text: str) -> Path:
    if "\0" in text or not text:
        raise CommandError("file {text!r}: not a file name", text=text)
    return Path(text)


_PACE: Final = 0.4  # seconds per row of a bot's turn, so that one can follow


def _play_plain(session: Session) -> int:
    at_keyboard = sys.stdin is not None and sys.stdin.isatty()
    if at_keyboard and session.keeper is None:
        session.keeper = new_game_file()  # a person's game is kept; a script says --record
    table = PlainTable(
        session.record.names,
        session.persons,
        _read_line,
        sys.stdout,
        ascii_only=not unicode_out(),
        echo=not at_keyboard,
        can_undo=lambda: session.undo_point is not None,
        pace=_PACE if at_keyboard else 0.0,
        width=shutil.get_terminal_size().columns,
    )

    def watch(before: Position, ply: Ply, events: tuple[Event, ...], after: Position) -> None:
        table.watch(before, ply, events, after)
        _save(session, "" if after.over else "unfinished")

    deciders: list[Decider] = [table.decide if person else session.bot_move for person in session.persons]
    _save(session, "unfinished")
    table.open(session.match.game)
    try:
        while not session.match.over:
            try:
                play_match(session.match, deciders, session.dice, watch)
            except TakenBack:
                session.undo()
    except InputEnded:
        _save(session, "the input ended")
        if at_keyboard:  # Ctrl+D: a way to leave like any other
            print(_saved(session) if session.keeper is not None else "")
            return 0
        if session.keeper is None:
            raise CommandError(t("the input ended before the game did"), 1) from None
        text = t("the input ended before the game did; continue with: {command}", command=_command(session))
        raise CommandError(text, 1) from None
    except Quit:
        _save(session, "a player left")
        table.close(session.position)
        if session.keeper is not None:
            print("\n" + _saved(session))
        return 0
    except KeyboardInterrupt:
        _save(session, "interrupted")
        raise
    table.close(session.position)
    return 0


def _save(session: Session, termination: str) -> None:
    kept = session.keeper is not None
    session.save(termination)
    if kept and session.keeper is None:
        problem = one_line(local(session.problem))
        print(t("pickomino: {problem}; the game goes on", problem=problem), file=sys.stderr)


def _saved(session: Session) -> str:
    return t("Saved; continue with: {command}", command=_command(session))


def _command(session: Session) -> str:
    path = "" if session.keeper is None else str(session.keeper.path)
    return f"pickomino play --resume {shlex.quote(path)}"


def _read_line() -> str:
    return "" if sys.stdin is None else sys.stdin.readline()
