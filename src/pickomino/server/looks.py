"""Birds and colours at a table: everybody who sits there has one of each that nobody else has."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pickomino.rules import SEATS
from pickomino.server.storage.base import SeatRow


def looks_of(seats: Sequence[SeatRow]) -> list[str]:
    """Bird and colour of every seat, two letters each. Who has chosen none gets those of the seat, or what is left."""
    return ["".join(pair) for pair in zip(_part(seats, 0), _part(seats, 1), strict=True)]


def _part(seats: Sequence[SeatRow], part: int) -> list[str]:
    given: dict[int, str] = {number: seat.look[part] for number, seat in enumerate(seats) if seat.look}
    for own in (True, False):
        for number, letter in enumerate(SEATS[: len(seats)]):
            free = [other for other in SEATS if other not in given.values()]
            if number not in given and (not own or letter in free):
                given[number] = letter if own else free[0]
    return [given[number] for number in range(len(seats))]


def is_free(seats: Sequence[SeatRow], number: int, look: str) -> bool:
    """Whether nobody on another seat has this bird or this colour."""
    shown = looks_of(seats)
    others = [shown[other] for other, seat in enumerate(seats) if other != number and not seat.empty]
    return all(look[part] != other[part] for other in others for part in (0, 1))


def seated(
    seats: Sequence[SeatRow], number: int, seat: SeatRow, wish: str | None = None
) -> tuple[SeatRow, ...]:
    """The seats once somebody sits there, or nobody, with the look they wish for if it is free."""
    rest = [replace(old, look="") if old.empty or other == number else old for other, old in enumerate(seats)]
    look = wish if wish is not None and is_free(rest, number, wish) else looks_of(rest)[number]
    return (*rest[:number], replace(seat, look="" if seat.empty else look), *rest[number + 1 :])
