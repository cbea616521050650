"""What the subcommands share: one-line errors, arguments with checks, files, JSON."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Self, TextIO

from pickomino.cli.parsing import CommandError, Parser, short
from pickomino.drawing import draw
from pickomino.locale import local, t
from pickomino.notation import parse_position
from pickomino.rules import (
    MAX_SEATS,
    MIN_SEATS,
    PickominoError,
    Position,
    find_edition,
    load_edition,
    said,
)

_REASONS: Final = (
    said("No such file or directory"),
    said("Permission denied"),
    said("Is a directory"),
    said("Not a directory"),
    said("No space left on device"),
    said("File name too long"),
    said("Address already in use"),
    said("Connection refused"),
)
"""What a system says most often, so that the catalogue has it."""


def reason(error: Exception) -> str:
    """Why the system refused."""
    text = error.strerror if isinstance(error, OSError) else None
    return t(text) if text in _REASONS else text or str(error)


def demand_writable(option: str, path: str) -> None:
    """What would fail only after all the work is refused before it."""
    folder = os.path.dirname(path) or "."
    if not path or "\0" in path or os.path.isdir(path):
        raise CommandError("{option} {path!r}: expected the name of a file", option=option, path=path)
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise CommandError(
            "{option} {path!r}: cannot write to the folder {folder!r}",
            option=option,
            path=path,
            folder=folder,
        )


_TERMINATIONS: Final = (
    said("unfinished"),
    said("the input ended"),
    said("a player left"),
    said("interrupted"),
)


def termination(text: str) -> str:
    """Why a record ends before its game; what others wrote stays as it is."""
    return t(text) if text in _TERMINATIONS else text


def one_line(message: str) -> str:
    """A message without line breaks and control characters, and not endless."""
    shown = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in message)
    return shown if len(shown) <= 2000 else f"{shown[:1990]}…"


def complain(error: PickominoError) -> None:
    """Report a bad record where it belongs, while the others are still read."""
    sys.stdout.flush()
    print(t("pickomino: error: {error}", error=one_line(local(error))), file=sys.stderr)


def seat_count(text: str) -> int:
    """An argparse type: 2 to 7 seats."""
    if not re.fullmatch(r"[0-9]", text) or not MIN_SEATS <= int(text) <= MAX_SEATS:
        raise argparse.ArgumentTypeError(
            t("{text}: expected {low} to {high} seats", text=short(text), low=MIN_SEATS, high=MAX_SEATS)
        )
    return int(text)


class EditionKey(str):
    """The key of an edition, and how it was asked for: a house edition's key means nothing to another process."""

    given: str


def edition_key(text: str) -> EditionKey:
    """An argparse type: a key that `find_edition` knows, or a house edition's file, which it knows from then on."""
    try:
        key = EditionKey((load_edition(text) if text.endswith(".toml") else find_edition(text)).key)
        key.given = text
        return key
    except OSError as error:
        raise argparse.ArgumentTypeError(
            t("cannot read {path}: {reason}", path=short(text), reason=reason(error))
        ) from None
    except ValueError as error:
        raise argparse.ArgumentTypeError(local(error)) from None


def add_runs(parser: Parser) -> None:
    """``--seed`` and ``--workers``: many games that can be played again."""
    parser.number("--seed", 0, 10**18, t("default: 0"), default=0)
    parser.number("--workers", 1, 1024, t("processes (default: one per core)"))


def add_progress(parser: Parser) -> None:
    parser.flag("--progress", t("show progress on stderr, even if it is not a terminal"))


def add_seats(parser: Parser) -> None:
    """``--seats``; ``--players``, as some commands once called it, still does."""
    parser.add_argument(
        "--seats", metavar="N", type=seat_count, help=t("number of seats, 2 to 7 (default: 2)")
    )
    parser.add_argument(
        "--players", dest="seats", type=seat_count, default=argparse.SUPPRESS, help=argparse.SUPPRESS
    )


def add_edition(parser: Parser, default: str | None = None) -> None:
    parser.add_argument(
        "--edition",
        metavar="KEY",
        type=edition_key,
        default=default,
        help=t("edition, or the TOML file of a house edition (default: classic)"),
    )


def add_start(parser: Parser) -> None:
    """``--edition`` and ``--seats``: a game at its beginning."""
    add_edition(parser)
    add_seats(parser)


def start_of(edition: str | None, seats: int | None) -> Position:
    return Position.start(edition or "classic", seats or MIN_SEATS)


def add_house(parser: Parser) -> None:
    """``--edition`` where a position says which one: it may be a house edition, which is named there, not described."""
    parser.add_argument(
        "--edition",
        metavar="FILE",
        type=edition_key,
        help=t("TOML file of the house edition that POSITION names"),
    )


def position_of(words: Sequence[str], edition: str | None) -> Position:
    """The position that an argument names, of the edition if one is given."""
    position = parse_position(" ".join(words))
    if edition not in (None, position.edition.key):
        raise CommandError(
            "POSITION has the edition {key}: leave out --edition, or name that edition",
            key=position.edition.key,
        )
    return position


def drawn(position: Position, names: Sequence[str] | None = None) -> str:
    """The table as a picture that fits into the window, in signs that it has."""
    return draw(position, names, ascii_only=not unicode_out(), width=shutil.get_terminal_size().columns)


def print_json(value: object) -> None:
    """One value on one line, pure ASCII, so that any terminal and any encoding carries it."""
    import json  # here: `--help` does without it

    print(json.dumps(value, separators=(",", ":")))


@contextmanager
def open_text(path: str) -> Iterator[TextIO]:
    """A file for reading, ``-`` for stdin; bytes that are not UTF-8 come through as surrogates."""
    if path == "-":
        if sys.stdin is None:
            raise CommandError(t("no standard input to read"))
        reconfigure = getattr(sys.stdin, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
        yield sys.stdin
        return
    try:
        file = open(path, encoding="utf-8", errors="surrogateescape", newline="\n")  # noqa: SIM115 (closed below)
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the path
        raise CommandError("cannot read {path}: {reason}", path=short(path), reason=reason(error)) from None
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


def room() -> int:
    """The width of text: the terminal's, but lines that can be read."""
    return min(shutil.get_terminal_size().columns, 100)


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Lines of at most so many columns; a number and its % stay together."""
    lines = textwrap.wrap(
        text.replace(" %", "\u00a0%"), width, initial_indent=indent, subsequent_indent=indent
    )
    return [line.replace("\u00a0", " ") for line in lines]


class ProgressLine:
    """One line on stderr while work is done: rewritten in a terminal, a new one every few seconds elsewhere.

    `interrupted`: what is said if Ctrl+C ends the work.
    """

    def __init__(self, interrupted: str = "") -> None:
        self._interrupted = interrupted
        self._terminal = sys.stderr.isatty()
        self._shown_at: float | None = None
        self._dirty = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._clear()
        if kind is KeyboardInterrupt and self._interrupted:
            print(self._interrupted, file=sys.stderr)

    def show(self, line: Callable[[], str]) -> None:
        """Show the line if the last one has stood for a while; it is not made for nothing."""
        now = time.monotonic()
        if self._shown_at is not None and now - self._shown_at < (0.2 if self._terminal else 5.0):
            return
        self._shown_at = now
        self._dirty = self._terminal
        start, end = ("\r\x1b[K", "") if self._terminal else ("", "\n")
        print(start + line(), end=end, file=sys.stderr, flush=True)

    def _clear(self) -> None:
        if self._dirty:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._dirty = False
