"""Which turns are remembered: each once, and none forgotten twice."""

import numpy as np
import pytest

from pickomino.bots.slots import Slots
from pickomino.compact.bulk import Indices
from pickomino.compact.packed import PACKED, Packed


def turns(first: int, count: int, times: int = 1) -> Packed:
    rows = np.zeros(count * times, dtype=PACKED)
    rows["grill"] = np.tile(np.arange(first, first + count), times)
    return rows


class Book:
    """What stands in every slot."""

    def __init__(self) -> None:
        self.held: dict[int, int] = {}
        self.fails = False
        self.slots = Slots(self.solve, self.forget)

    def solve(self, starts: Packed, slots: Indices) -> None:
        if self.fails:
            raise ArithmeticError
        for slot, grill in zip(slots.tolist(), starts["grill"].tolist(), strict=True):
            assert slot not in self.held
            self.held[slot] = grill

    def forget(self, slots: Indices) -> None:
        for slot in slots.tolist():
            del self.held[slot]

    def found(self, rows: Packed) -> list[int]:
        return [self.held[slot] for slot in self.slots.find(rows).tolist()]


def test_a_turn_is_found_again_and_old_ones_make_room() -> None:
    book = Book()
    twice = turns(0, 500, times=2)
    assert book.found(twice) == twice["grill"].tolist()
    assert len(book.held) == 500
    for first in range(0, 6000, 500):
        rows = turns(first, 500)
        assert book.found(rows) == rows["grill"].tolist()
    assert len(book.slots) < 3000  # 1,024 are kept in any case, and no batch had more than 500


def test_what_was_being_solved_when_it_failed_is_solved_again() -> None:
    book = Book()
    for first in range(0, 3000, 500):
        book.slots.find(turns(first, 500))
    book.fails = True
    with pytest.raises(ArithmeticError):
        book.slots.find(turns(9000, 500))
    book.fails = False
    for first in (9000, 9500, 0, 10000):
        rows = turns(first, 500)
        assert book.found(rows) == rows["grill"].tolist()
