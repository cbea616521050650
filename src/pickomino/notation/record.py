"""Game records, ``.pkgn``: headers, a blank line, one line per turn. Writing here, reading in `reader`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from pickomino.game import Game
from pickomino.notation.turns import turn_lines
from pickomino.rules import SEATS, NotationError, Position
from pickomino.rules.house import HOUSE, edition_text

RESERVED = ("PKGN", "Edition", "Seats", "Position", "Result", "House")


@dataclass(slots=True, repr=False)
class Record:
    """A game with the names of its seats, further headers, and comments.

    Comments follow tokens: (turn number, token) -> texts, where token 0 is the turn's number, 1 its
    seat, 2 the first token after that, and so on.
    """

    game: Game
    names: tuple[str, ...]
    headers: dict[str, str] = field(default_factory=dict)
    comments: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)

    @property
    def result(self) -> str:
        """The winners' letters, or ``*`` while the game is not over."""
        outcome = self.game.outcome
        return "*" if outcome is None else "".join(SEATS[seat] for seat in outcome.winners)

    @property
    def turns(self) -> int:
        """How many turns the record has, the last of them perhaps unfinished."""
        return sum(1 for _ in turn_lines(self.game))

    def turn_positions(self) -> Iterator[Position]:
        """The position after every turn."""
        positions = self.game.positions
        return (positions[line.last_ply + 1] for line in turn_lines(self.game))

    def __str__(self) -> str:
        return format_record(self)

    def __repr__(self) -> str:
        names = ", ".join(self.names)
        return f"<Record of {len(self.game)} plies by {names}, result {self.result}>"

    def _repr_svg_(self) -> str:
        """Where the game stands, with the names of the seats, for notebooks."""
        from pickomino.drawing import svg  # those who only read and write do not wait for it

        return svg(self.game.position, self.names)


def format_record(record: Record) -> str:
    """The canonical text of a record, with a newline at its end."""
    game = record.game
    start, edition = game.start, game.start.edition
    text = edition_text(edition)
    if text != edition.key and not edition.key.startswith(HOUSE):
        raise NotationError(
            "record: the edition {key!r} has no name that others know; "
            "load_edition(format_edition(edition)) has one",
            key=edition.key,
        )
    if len(record.names) != len(start.stacks):
        raise NotationError(
            "record: {names} names for {stacks} seats", names=len(record.names), stacks=len(start.stacks)
        )
    headers = {"PKGN": "1", "Edition": edition.key, "Seats": seat_text(record.names)}
    if start != Position.start(edition, len(start.stacks)):
        headers["Position"] = str(start)
    headers["Result"] = record.result
    if text != edition.key:
        headers["House"] = encoded(text, "%")
    for name, value in record.headers.items():
        if name in RESERVED or not name.isascii() or not name.isidentifier():
            raise NotationError(
                "record: header name {name!r}: expected a name of letters, digits and _, not {reserved}",
                name=name,
                reserved=RESERVED,
            )
        headers[name] = value
    lines = [f'[{name} "{escape(value)}"]' for name, value in headers.items()]
    turns = [
        _line_text(record, line.number, [str(line.number), SEATS[line.seat], *line.tokens])
        for line in turn_lines(game)
    ]
    return "\n".join([*lines, "", *turns] if turns else lines) + "\n"


def _line_text(record: Record, number: int, tokens: list[str]) -> str:
    words: list[str] = []
    for index, token in enumerate(tokens):
        words.append(token)
        for comment in record.comments.get((number, index), ()):
            if any(sign in "{}" or (sign != "\t" and is_control(sign)) for sign in comment):
                raise NotationError(
                    "record: comment {comment!r}: expected no brace and no control character", comment=comment
                )
            words.append(f"{{{comment}}}")
    return " ".join(words)


def is_control(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cc", "Cs")


def escape(value: str) -> str:
    """A header value as it stands between quotes."""
    if any(map(is_control, value)):
        raise NotationError("record: header value {value!r}: expected no control characters", value=value)
    return value.replace("\\", "\\\\").replace('"', '\\"')


def seat_text(names: tuple[str, ...]) -> str:
    """``A:red B:blue``: space, % and control characters of a name are percent-encoded."""
    for name in names:
        if any("\ud800" <= sign <= "\udfff" for sign in name):
            raise NotationError("record: name {name!r}: expected text that UTF-8 can hold", name=name)
    return " ".join(f"{seat}:{encoded(name, ' %')}" for seat, name in zip(SEATS, names, strict=False))


def encoded(text: str, signs: str) -> str:
    """With these signs and control characters percent-encoded."""
    return "".join(
        "".join(f"%{byte:02X}" for byte in sign.encode()) if sign in signs or is_control(sign) else sign
        for sign in text
    )
