"""Play Pickomino in the terminal: 2 to 7 seats, each a person or a bot.

seats:
  --seat A=me              you (A is you and the others are bots if nothing else is said)
  --seat A=me:Anna         a person with a name; several persons share the keyboard
  --seat B=bot:cautious    a bot: BOTS

examples:
  pickomino play
  pickomino play --seats 4 --edition deluxe
  pickomino play --seat A=me:Anna --seat B=me:Ben --seat C=bot:random --first B
  pickomino play --record game.pkgn                   saved after every turn
  pickomino play --resume game.pkgn                   and picked up again
"""

from __future__ import annotations

import argparse
import io
import secrets
import sys
from pathlib import Path

from pickomino.bots import bot_names
from pickomino.chance import DiceSource, SeededDice, SystemDice
from pickomino.cli.common import CommandError, add_start, number, one_line, unicode_out
from pickomino.cli.seating import players_header, resumed_seats, seats_of
from pickomino.game import Game
from pickomino.notation import Record
from pickomino.notation.turns import ends_turn
from pickomino.play import Decider, Match, Quit, bot_decider, play_match
from pickomino.rules import SEATS, Move, Ply, Position, Roll
from pickomino.rules.events import Event
from pickomino.terminal.plain import InputEnded, PlainTable
from pickomino.terminal.saving import Keeper, SavingError, keep_after, unfinished

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (parser.epilog or "").replace("BOTS", " or ".join(bot_names()))
    parser.add_argument("--plain", action="store_true", help="plain lines of text (today the only way)")
    parser.add_argument(
        "--seat", metavar="A=WHO", action="append", default=[], help="who sits there, see below"
    )
    add_start(parser)
    parser.add_argument("--first", metavar="SEAT", help="the seat that begins (default: A)")
    parser.add_argument("--seed", metavar="N", type=number(0, 10**18 - 1), help="fixes dice and bots")
    parser.add_argument("--record", metavar="FILE", help="add the game to this file (.pkgn), turn by turn")
    parser.add_argument("--resume", metavar="FILE", help="go on with the last unfinished game of this file")


def run(args: argparse.Namespace) -> int:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a stray byte is a wrong answer, not the end
    return _Session(*_resumed(args) if args.resume is not None else _new(args)).play()


def _new(args: argparse.Namespace) -> tuple[Match, Record, Keeper | None, int | None, bool]:
    seats = seats_of(args.seat, args.seats)
    first = 0
    if args.first is not None:
        letters = SEATS[: len(seats)]
        if len(args.first) != 1 or args.first.upper() not in letters:
            raise CommandError(f"--first {args.first!r}: expected one of the seats {' '.join(letters)}")
        first = letters.index(args.first.upper())
    game = Game.new(args.edition or "classic", len(seats), first)
    headers = players_header(seats)
    if args.seed is not None:
        headers["Seed"] = str(args.seed)
    record = Record(game, tuple(seat.name for seat in seats), headers)
    keeper = None if args.record is None else keep_after(_path(args.record))
    return Match(game, seats), record, keeper, args.seed, False


def _resumed(args: argparse.Namespace) -> tuple[Match, Record, Keeper | None, int | None, bool]:
    if args.edition or args.seats or args.first:
        raise CommandError("--resume: the record says edition, seats and who began; leave those options out")
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
    return Match(record.game, seats), record, keeper, seed, goes_on


def _path(text: str) -> Path:
    if "\0" in text or not text:
        raise CommandError(f"file {text!r}: not a file name")
    return Path(text)


class _Session:
    """One sitting: the match, its record, and the file it is kept in."""

    def __init__(
        self, match: Match, record: Record, keeper: Keeper | None, seed: int | None, goes_on: bool
    ) -> None:
        self._match, self._record, self._keeper = match, record, keeper
        self._saved = False
        persons = [seat.bot is None for seat in match.seats]
        echo = sys.stdin is not None and not sys.stdin.isatty()
        self._table = PlainTable(
            record.names, persons, _read_line, sys.stdout, ascii_only=not unicode_out(), echo=echo
        )
        source = secrets.token_hex(16) if seed is None else str(seed)
        self._dice: DiceSource = SystemDice() if seed is None else SeededDice(seed)
        self._deciders: list[Decider] = [
            self._ask if seat.bot is None else bot_decider(seat.bot, f"{source} {letter}", programs=True)
            for letter, seat in zip(SEATS, match.seats, strict=False)
        ]
        if goes_on:
            self._catch_up()

    def _catch_up(self) -> None:
        """Draw again what was drawn before, so that a seeded game goes on as if it had never stopped."""
        for position, ply, _ in self._match.game.steps():
            if isinstance(ply, Roll):
                self._dice.roll(position)
            elif self._match.seats[position.seat].bot is not None:
                self._deciders[position.seat](position)

    def play(self) -> int:
        game = self._match.game
        self._save("unfinished")
        self._table.open(game)
        try:
            play_match(self._match, self._deciders, self._dice, self._watch)
        except InputEnded:
            self._save("the input ended")
            raise CommandError(f"the input ended before the game did{self._where()}", 1) from None
        except Quit:
            self._save("a player left")
            self._table.close(game.position)
            if self._keeper is not None:
                print(f"\nSaved{self._where()[1:]}.")
            return 0
        except KeyboardInterrupt:
            self._save("interrupted")
            raise
        self._save("")
        self._table.close(game.position)
        return 0

    def _ask(self, position: Position) -> Move:
        self._save("unfinished")  # whatever happens to this process now, nothing played is lost
        return self._table.decide(position)

    def _watch(self, before: Position, ply: Ply, events: tuple[Event, ...], after: Position) -> None:
        self._table.watch(before, ply, events, after)
        if ends_turn(events) and not after.over:
            self._save("unfinished")

    def _save(self, termination: str) -> None:
        if self._keeper is None:
            return
        headers = {name: value for name, value in self._record.headers.items() if name != "Termination"}
        self._record.headers = headers | ({"Termination": termination} if termination else {})
        try:
            self._keeper.save(self._record)
            self._saved = True
        except SavingError as error:
            if not self._saved:
                raise  # better no game than one that cannot be kept
            print(f"pickomino: {one_line(str(error))}; the game goes on", file=sys.stderr)
            self._keeper = None

    def _where(self) -> str:
        if self._keeper is None:
            return ""
        return f"; go on with: pickomino play --resume {str(self._keeper.path)!r}"


def _read_line() -> str:
    return "" if sys.stdin is None else sys.stdin.readline()
