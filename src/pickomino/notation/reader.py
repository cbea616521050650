"""Reading records as a stream: one record in memory at a time, a bad one does not hide the next."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import NoReturn

from pickomino.game import Game
from pickomino.notation.position import parse_position
from pickomino.notation.record import RESERVED, Record, encoded, is_control, seat_text
from pickomino.notation.replay import Replay
from pickomino.rules import (
    MAX_SEATS,
    MIN_SEATS,
    SEATS,
    Edition,
    NotationError,
    PickominoError,
    Position,
    edition_text,
    find_edition,
    said,
)
from pickomino.rules.errors import quote
from pickomino.rules.house import HOUSE

_HEADER = re.compile(r'\[([A-Za-z_][A-Za-z0-9_]*)[ \t]+"((?:[^"\\]|\\["\\])*)"\][ \t]*(?:;.*)?')
_TOKEN = re.compile(r"(?:\{([^{}]*)\}|([^ \t{};]+))(?=[ \t;]|$)")
_ENCODED = re.compile(r"%(?:[0-9A-F]{2})")

Line = tuple[int, str]  # line number in the input, text


def parse_record(text: str) -> Record:
    """The one record in a text."""
    records = list(read_records(text.split("\n")))  # lines, so that no text is taken for a path
    if len(records) != 1:
        raise NotationError("expected one record, found {records}", records=len(records))
    return records[0]


def read_records(
    source: str | PathLike[str] | Iterable[str], on_error: Callable[[PickominoError], None] | None = None
) -> Iterator[Record]:
    """The records of a text, of a path, of an open file or of any other lines, one at a time.

    A `str` that has a line break, begins with ``[`` or is empty is text; any other is a path. A bad record is
    raised, or handed to `on_error` while the others are still read. Either way the error names the line. Open files
    with ``newline="\\n"``, and with ``errors="surrogateescape"`` if they may not be UTF-8.
    """
    if isinstance(source, str) and ("\n" in source or source[:1] in ("", "[")):
        source = source.split("\n")
    if isinstance(source, str | PathLike):
        with open(source, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            yield from _records(file, on_error)
    else:
        yield from _records(source, on_error)


def _records(lines: Iterable[str], on_error: Callable[[PickominoError], None] | None) -> Iterator[Record]:
    for chunk in _chunks(lines):
        try:
            record = _read(chunk)
        except PickominoError as error:
            if on_error is None:
                raise
            on_error(error)
        else:
            yield record


def _chunks(lines: Iterable[str]) -> Iterator[list[Line]]:
    """The lines of each record: a record begins at ``[PKGN``."""
    chunk: list[Line] = []
    for number, line in enumerate(lines, 1):
        if not isinstance(line, str):
            raise NotationError(f"line {number}: expected text, not {quote(line)}; open files without 'b'")
        text = line.removesuffix("\n").removesuffix("\r").strip(" \t")
        if text.startswith("[PKGN") and chunk:
            yield chunk
            chunk = []
        if chunk or (text and not text.startswith(";")):  # also what is no record, to complain about
            chunk.append((number, text))
    if chunk:
        yield chunk


def _read(chunk: list[Line]) -> Record:
    reader = _Reader()
    try:
        for number, text in chunk:
            reader.line(number, text)
        return reader.finish()
    except PickominoError as error:
        raise type(error)(said("line {number}: {error}", number=reader.number, error=error.args[0])) from None


class _Reader:
    """Takes the lines of one record, gives the record."""

    def __init__(self) -> None:
        self.number = 0  # the line that is looked at
        self._headers: dict[str, str] = {}
        self._lines: dict[str, int] = {}  # where each header stands
        self._replay: Replay | None = None
        self._names: tuple[str, ...] = ()
        self._separated = False

    def line(self, number: int, text: str) -> None:
        self.number = number
        for sign in text:
            if sign != "\t" and is_control(sign):
                what = said("not UTF-8") if 0xD800 <= ord(sign) < 0xE000 else said("a control character")
                raise NotationError("{text}: {what}", text=quote(text), what=what)
        if not text:
            self._separated = bool(self._headers)
        elif text.startswith("["):
            self._header(text)
        elif not text.startswith(";"):
            self._turn(text)

    def finish(self) -> Record:
        replay = self._begin()
        replay.finish()
        record = Record(replay.game, self._names, self._others(), replay.comments)
        result = self._headers.get("Result")
        if result is not None and result != record.result:
            self.number = self._lines["Result"]
            raise NotationError(
                "Result {result}: expected {right}", result=quote(result), right=quote(record.result)
            )
        return record

    def _header(self, text: str) -> None:
        if not self._headers and not text.startswith("[PKGN "):
            raise NotationError('{text}: expected a record to begin with [PKGN "1"]', text=quote(text))
        if self._separated or self._replay:
            raise NotationError(
                "{text}: a header after the blank line that ends the headers", text=quote(text)
            )
        found = _HEADER.fullmatch(text)
        if not found:
            raise NotationError('{text}: expected a header, as in [Edition "classic"]', text=quote(text))
        name, value = found[1], re.sub(r"\\(.)", r"\1", found[2])
        if "\t" in value:
            raise NotationError("{text}: a control character", text=quote(text))
        if name in self._headers:
            raise NotationError("header {name} a second time", name=name)
        self._check_order(name)
        self._headers[name] = value
        self._lines[name] = self.number

    def _check_order(self, name: str) -> None:
        """PKGN, Edition, Seats, then Position, Result and House where they are, then the others."""
        count = len(self._headers)
        if count < 3 and name != RESERVED[count]:
            raise NotationError("header {name}: expected {reserved}", name=name, reserved=RESERVED[count])
        if name in RESERVED and self._headers.keys() - set(RESERVED[: RESERVED.index(name)]):
            raise NotationError(
                "header {name} out of order: {reserved}, others", name=name, reserved=", ".join(RESERVED)
            )

    def _begin(self) -> Replay:
        """The headers are complete: set the game up."""
        if self._replay is not None:
            return self._replay
        missing = {"PKGN", "Edition", "Seats"} - self._headers.keys()
        if missing:
            raise NotationError(
                "expected the headers PKGN, Edition and Seats, missing: {missing}",
                missing=", ".join(sorted(missing)),
            )
        number = self.number
        start = self._start()
        self.number = number
        self._replay = Replay(Game(start))
        return self._replay

    def _start(self) -> Position:
        self.number = self._lines["PKGN"]
        if self._headers["PKGN"] != "1":
            raise NotationError("PKGN {headers}: expected version 1", headers=quote(self._headers["PKGN"]))
        edition = self._edition()
        self.number = self._lines["Seats"]
        self._names = _names(self._headers["Seats"])
        start = Position.start(edition, len(self._names))
        if "Position" in self._headers:
            self.number = self._lines["Position"]
            position = parse_position(self._headers["Position"])
            if position.edition != edition or len(position.stacks) != len(self._names):
                raise NotationError(
                    "Position {position}: expected {key} with {names} seats",
                    position=quote(str(position)),
                    key=edition.key,
                    names=len(self._names),
                )
            if position == start:
                raise NotationError(said("Position is the edition's start with seat A, which is not written"))
            start = position
        return start

    def _edition(self) -> Edition:
        """The edition of that key; a record of a house edition carries it along."""
        self.number = self._lines["Edition"]
        key = self._headers["Edition"]
        if key.startswith(HOUSE) != ("House" in self._headers):
            raise NotationError(
                said("Edition {key}: expected a header House, which carries the edition", key=quote(key))
                if "House" not in self._headers
                else said(
                    "Edition {key}: expected no header House, which is for editions {house}…",
                    key=quote(key),
                    house=HOUSE,
                )
            )
        if "House" not in self._headers:
            return find_edition(key)
        self.number = self._lines["House"]
        carried = self._headers["House"]
        edition = find_edition(_decoded("House", carried) + "\n")
        if encoded(edition_text(edition), "%") != carried:
            raise NotationError(
                "House {carried}: expected {edition}",
                carried=quote(carried),
                edition=quote(encoded(edition_text(edition), "%")),
            )
        if edition.key != key:
            raise NotationError(
                "House is {key}: expected {right}, as the header Edition says",
                key=edition.key,
                right=quote(key),
            )
        return edition

    def _turn(self, text: str) -> None:
        if not self._headers:
            raise NotationError('{text}: expected a record to begin with [PKGN "1"]', text=quote(text))
        if not self._separated:
            raise NotationError(
                "{text}: expected a header, or a blank line before the turns", text=quote(text)
            )
        self._begin().turn(*_tokens(text))

    def _others(self) -> dict[str, str]:
        return {name: value for name, value in self._headers.items() if name not in RESERVED}


def _tokens(text: str) -> tuple[list[str], dict[int, list[str]]]:
    """The tokens of a turn line, and the comments behind each of them."""
    tokens: list[str] = []
    comments: dict[int, list[str]] = {}
    place = 0
    while place < len(text) and text[place] != ";":
        if text[place] in " \t":
            place += 1
            continue
        found = _TOKEN.match(text, place)
        if not found:
            raise NotationError(
                "{text}: expected tokens and {{comments}} with a blank between them", text=quote(text[place:])
            )
        if found[2] is not None:
            tokens.append(found[2])
        elif tokens:
            comments.setdefault(len(tokens) - 1, []).append(found[1])
        else:
            raise NotationError("{text}: a comment before the first token", text=quote(text))
        place = found.end()
    return tokens, comments


def _names(text: str) -> tuple[str, ...]:
    """The seats' names out of ``A:red B:blue``."""
    names: list[str] = []
    for seat, part in zip(SEATS + " ", text.split(" "), strict=False):
        letter, colon, name = part.partition(":")
        if letter != seat or not colon:
            _bad_seats(
                text,
                said("{seat}: and a name", seat=seat)
                if seat != " "
                else said("at most {high} seats", high=MAX_SEATS),
            )
        names.append(_decoded("Seats", name))
    if not len(names) >= MIN_SEATS:
        _bad_seats(text, said("{low} to {high} seats", low=MIN_SEATS, high=MAX_SEATS))
    if seat_text(tuple(names)) != text:
        _bad_seats(text, said("the canonical {names!r}", names=seat_text(tuple(names))))
    return tuple(names)


def _decoded(header: str, text: str) -> str:
    """A text without its percent signs."""
    if "%" in _ENCODED.sub("", text):
        raise NotationError(
            "{header} {text}: expected % only before two hexadecimal digits, as in %20",
            header=header,
            text=quote(text),
        )
    plain, *parts = text.split("%")
    data = plain.encode() + b"".join(bytes.fromhex(part[:2]) + part[2:].encode() for part in parts)
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise NotationError(
            "{header} {text}: expected percent-encoded UTF-8", header=header, text=quote(text)
        ) from None


def _bad_seats(text: str, expected: str) -> NoReturn:
    raise NotationError("Seats {text}: expected {expected}", text=quote(text), expected=expected)
