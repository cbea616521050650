"""Reading a position: ``pkp1 <edition> <grill> <stacks> <seat> <kept>:<pending>``, and two more fields for deluxe."""

from __future__ import annotations

import re
from typing import NoReturn

from pickomino.rules import (
    NOBODY,
    SEATS,
    SPECIALISTS,
    Edition,
    InvalidEditionError,
    NotationError,
    Phase,
    Position,
    Specialists,
    check,
    find_edition,
    said,
)
from pickomino.rules.errors import quote
from pickomino.rules.plies import shape_of_dice

_RUN = re.compile(r"([0-9]{2})(?:-([0-9]{2}))?")
_STACK = re.compile(r"[0-9]{2}(?:,[0-9]{2})*")
_PLACE = re.compile(rf"({'|'.join(SPECIALISTS)})@(?:([0-9]{{2}})|([A-G])(\*?))")
_COUNT = re.compile(r"0|[1-9][0-9]?")
_PENDING = {
    "?": Phase.ROLL,
    "?+": Phase.ROLL,
    "-": Phase.GO,
    "-+": Phase.GO,
    "+?": Phase.GOLD,
    "^": Phase.GIVER,
    "^+": Phase.GIVER,
    "<": Phase.PUT_BACK,
}


def parse_position(text: str) -> Position:
    """The position that a text names, checked against the rules; ``str(position)`` is the way back."""
    return _Parser(text).position()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text

    def _fail(self, place: str, found: str, expected: str) -> NoReturn:
        raise NotationError(
            "position {text}: {place} {found}: expected {expected}",
            text=quote(self._text),
            place=place,
            found=quote(found),
            expected=expected,
        )

    def position(self) -> Position:
        fields = self._text.split(" ")
        if fields[0] != "pkp1":
            self._fail(said("first word"), fields[0], "pkp1")
        edition = self._edition(fields[1] if len(fields) > 1 else "")
        width = 8 if edition.specialists else 6
        if len(fields) != width:
            self._fail(
                said("fields"),
                str(len(fields)),
                f"{width} for {edition.key}, one space between them: pkp1, edition, grill, stacks, seat, kept:pending"
                + (", specialists, round worms" if edition.specialists else ""),
            )
        grill = self._grill(fields[2])
        stacks = tuple(map(self._stack, fields[3].split("/")))
        if len(fields[4]) != 1 or fields[4] not in SEATS + "-":
            self._fail(said("seat"), fields[4], said("A to G, or - for a game that is over"))
        kept, pending = self._tail(fields[5])
        phase = _PENDING.get(pending, Phase.KEEP)
        if fields[4] == "-":
            phase = Phase.OVER
            if fields[5] != "-:-":
                self._fail(said("dice"), fields[5], said("-:- where no seat is to act"))
        specialists = None
        if edition.specialists:
            gold = "+" in kept or ("+" in pending and phase is not Phase.GOLD)
            specialists = self._specialists(fields[6], fields[7], len(stacks), gold)
        position = Position(
            edition,
            grill,
            stacks,
            NOBODY if phase is Phase.OVER else SEATS.index(fields[4]),
            phase,
            kept,
            pending if phase is Phase.KEEP else "",
            specialists,
        )
        check(position, quote(self._text))
        if str(position) != self._text:
            self._fail(
                said("spelling"), self._text, said("the canonical {position!r}", position=str(position))
            )
        return position

    def _edition(self, key: str) -> Edition:
        try:
            return find_edition(key)
        except InvalidEditionError as error:
            raise NotationError(
                "position {text}: {error}", text=quote(self._text), error=error.args[0]
            ) from None

    def _grill(self, field: str) -> tuple[int, ...]:
        if field == "-":
            return ()
        tiles: list[int] = []
        for part in field.split(","):
            found = _RUN.fullmatch(part)
            if not found:
                self._fail(
                    said("grill"), field, said("two-digit tiles and runs, as in 23,24,31-34, or - for none")
                )
            low = int(found[1])
            high = int(found[2] or low)
            if high < low or (tiles and low < tiles[-1]):
                self._fail(said("grill"), field, said("tiles in ascending order"))
            tiles += range(low, high + 1)
        return tuple(tiles)

    def _stack(self, field: str) -> tuple[int, ...]:
        if field == "-":
            return ()
        if not _STACK.fullmatch(field):
            self._fail(said("stack"), field, said("two-digit tiles with commas, bottom first, or - for none"))
        return tuple(map(int, field.split(",")))

    def _tail(self, field: str) -> tuple[str, str]:
        kept, colon, pending = field.partition(":")
        if not colon or not (kept == "-" or shape_of_dice(kept)):
            self._fail(
                said("dice"),
                field,
                said("kept dice, sorted, or -, then a colon and what is due, as in 55W:11244"),
            )
        if pending not in _PENDING and not shape_of_dice(pending):
            self._fail(said("pending"), pending, said("sorted dice, ? ?+ - -+ +? ^ ^+ or <"))
        return "" if kept == "-" else kept, pending

    def _specialists(self, places: str, worms: str, seats: int, gold_joined: bool) -> Specialists:
        standing: list[tuple[int, str]] = []
        held: list[list[str]] = [[] for _ in range(seats)]
        weasel_used = False
        for part in [] if places == "-" else places.split(","):
            found = _PLACE.fullmatch(part)
            if not found or (found[4] and found[1] != "weasel"):
                self._fail(
                    said("specialists"), part, said("name@tile or name@seat, as in hen@21, can@B, weasel@C*")
                )
            name, tile, seat, star = found.groups()
            if tile:
                standing.append((int(tile), name))
            elif SEATS.index(seat) < seats:
                held[SEATS.index(seat)].append(name)
                weasel_used = bool(weasel_used or star)
            else:
                self._fail(said("specialists"), part, said("one of the {seats} seats", seats=seats))
        counts = worms.split("/")
        if len(counts) != seats or not all(map(_COUNT.fullmatch, counts)):
            self._fail(said("round worms"), worms, said("{seats} numbers with / between them", seats=seats))
        return Specialists(
            tuple(sorted(standing)),
            tuple(tuple(sorted(names)) for names in held),
            tuple(map(int, counts)),
            gold_joined,
            weasel_used,
        )
