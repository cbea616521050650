"""What the subcommands share: one-line errors, arguments with checks, files, JSON."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NoReturn, TextIO

from pickomino.notation import parse_position
from pickomino.rules import MAX_SEATS, MIN_SEATS, Position, find_edition, load_edition

__all__ = [
    "EDITION_HELP",
    "CommandError",
    "Parser",
    "ProgressLine",
    "add_house",
    "add_json",
    "add_seats",
    "add_start",
    "demand_writable",
    "did_you_mean",
    "edition_key",
    "number",
    "one_line",
    "open_text",
    "position_of",
    "print_json",
    "seat_count",
    "start_of",
    "unicode_out",
]


EDITION_HELP: Final = "edition, or the TOML file of a house edition (default: classic)"


class CommandError(Exception):
    """Ends the command with one line on stderr."""

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.status: Final = status


class Parser(argparse.ArgumentParser):
    """Argparse whose errors are one line, and whose help keeps the line breaks it was given."""

    def __init__(self, prog: str, description: str, epilog: str) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        found = re.fullmatch(r"unrecognized arguments: (--[a-z-]+)(?:[= ].*)?", message, re.DOTALL)
        near = did_you_mean(found[1], self._option_string_actions) if found else ""
        raise CommandError(f"{message}{near} (see {self.prog} --help)")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint at the nearest of the known words; empty where none is near."""
    from difflib import get_close_matches  # only where something went wrong

    near = get_close_matches(word, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def demand_writable(option: str, path: str) -> None:
    """What would fail only after all the work is refused before it."""
    folder = os.path.dirname(path) or "."
    if not path or "\0" in path or os.path.isdir(path):
        raise CommandError(f"{option} {path!r}: expected the name of a file")
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise CommandError(f"{option} {path!r}: cannot write to the folder {folder!r}")


def one_line(message: str) -> str:
    """A message without line breaks and control characters, and not endless."""
    shown = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in message)
    return shown if len(shown) <= 2000 else f"{shown[:1990]}…"


def number(low: int, high: int) -> Callable[[str], int]:
    """An argparse type: a plain decimal number within limits."""

    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,18}", text) or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{_short(text)}: expected a number from {low} to {high}")
        return int(text)

    return parse


def seat_count(text: str) -> int:
    """An argparse type: 2 to 7 seats."""
    if not re.fullmatch(r"[0-9]", text) or not MIN_SEATS <= int(text) <= MAX_SEATS:
        raise argparse.ArgumentTypeError(f"{_short(text)}: expected {MIN_SEATS} to {MAX_SEATS} seats")
    return int(text)


def edition_key(text: str) -> str:
    """An argparse type: a key that `find_edition` knows, or a house edition's file, which it knows from then on."""
    try:
        return (load_edition(text) if text.endswith(".toml") else find_edition(text)).key
    except OSError as error:
        raise argparse.ArgumentTypeError(f"cannot read {_short(text)}: {error.strerror}") from None
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _short(text: str) -> str:
    return repr(text) if len(text) <= 60 else f"{text[:50]!r}…"


def add_json(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--json", action="store_true", help=what)


def add_seats(parser: argparse.ArgumentParser) -> None:
    """``--seats``; ``--players``, as some commands once called it, still does."""
    parser.add_argument("--seats", metavar="N", type=seat_count, help="number of seats, 2 to 7 (default: 2)")
    parser.add_argument(
        "--players", dest="seats", type=seat_count, default=argparse.SUPPRESS, help=argparse.SUPPRESS
    )


def add_start(parser: argparse.ArgumentParser) -> None:
    """``--edition`` and ``--seats``: a game at its beginning."""
    parser.add_argument("--edition", metavar="KEY", type=edition_key, help=EDITION_HELP)
    add_seats(parser)


def start_of(edition: str | None, seats: int | None) -> Position:
    return Position.start(edition or "classic", seats or MIN_SEATS)


def add_house(parser: argparse.ArgumentParser) -> None:
    """``--edition`` where a position says which one: it may be a house edition, which is named there, not told."""
    parser.add_argument(
        "--edition",
        metavar="FILE",
        type=edition_key,
        help="TOML file of the house edition that POSITION names",
    )


def position_of(words: Sequence[str], edition: str | None) -> Position:
    """The position that an argument names, of the edition if one is given."""
    position = parse_position(" ".join(words))
    if edition not in (None, position.edition.key):
        raise CommandError(
            f"POSITION is of edition {position.edition.key}: leave out --edition, or name that one"
        )
    return position


def print_json(value: object) -> None:
    """One value on one line, pure ASCII, so that any terminal and any encoding carries it."""
    print(json.dumps(value, separators=(",", ":")))


@contextmanager
def open_text(path: str) -> Iterator[TextIO]:
    """A file for reading, ``-`` for stdin; bytes that are not UTF-8 come through as surrogates."""
    if path == "-":
        if sys.stdin is None:
            raise CommandError("no standard input to read")
        reconfigure = getattr(sys.stdin, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
        yield sys.stdin
        return
    try:
        file = open(path, encoding="utf-8", errors="surrogateescape", newline="\n")  # noqa: SIM115 (closed below)
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the path
        reason = error.strerror if isinstance(error, OSError) else None
        raise CommandError(f"cannot read {_short(path)}: {reason or error}") from None
    with file:
        yield file


def unicode_out() -> bool:
    """Whether stdout can show box drawing."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        "┌─┐│░▶×·".encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True


class ProgressLine:
    """One line on stderr: rewritten in a terminal, a new one every few seconds elsewhere."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._shown_at: float | None = None
        self._dirty = False

    def show(self, line: Callable[[], str]) -> None:
        """Show the line if the last one has stood for a while; it is not made for nothing."""
        now = time.monotonic()
        if self._shown_at is not None and now - self._shown_at < (0.2 if self._terminal else 5.0):
            return
        self._shown_at = now
        self._dirty = self._terminal
        start, end = ("\r\x1b[K", "") if self._terminal else ("", "\n")
        print(start + line(), end=end, file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._dirty:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._dirty = False
