"""Moves and rolls are checked when they are made: what no edition could know never meets a position."""

from itertools import permutations
from typing import Any

import pytest

from pickomino.rules import (
    EDITIONS,
    SEATS,
    SPECIALISTS,
    Keep,
    NotationError,
    Position,
    PutBack,
    Roll,
    Steal,
    Take,
    TakeRoundWorm,
)

WRONG: list[tuple[Any, list[object], str]] = [
    (Keep, ["banana", 5, "", "0", "w", "55", "+", None, ["5"], "5 "], "a face as text, '1' to '9' or 'W'"),
    (Take, ["25", 25.0, -1, 100, True, None, "t25"], "a tile, a whole number of at most two digits"),
    (Steal, ["25", 25.0, -1, 100, False, None, []], "a tile, a whole number of at most two digits"),
    (TakeRoundWorm, ["C", -1, 7, True, 1.0, None], "a seat, 0 to 6"),
    (PutBack, ["cook", "Hen", "", None, 3, ["hen"]], "one of apple, can, crow, gold, hen, weasel"),
    (
        Roll,
        ["", "+", "0", "~", "1+~", "1 2", "=12", "12+", "12+11", "+1+1", "w", "12\n", 12, None, ["1", "2"]],
        "dice as text",
    ),
]


@pytest.mark.parametrize(
    ("kind", "value", "expected"), [(kind, value, text) for kind, values, text in WRONG for value in values]
)
def test_what_cannot_be_made(kind: Any, value: object, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        kind(value)
    assert str(caught.value).startswith(f"{kind.__name__}({value!r}): expected ")
    assert expected in str(caught.value)


def test_endless_input_is_quoted_in_part() -> None:
    with pytest.raises(NotationError) as caught:
        Keep("banana" * 100)
    assert len(str(caught.value)) < 240


def test_what_can_be_made() -> None:
    assert [str(Keep(face)) for face in "123456789W"] == [f"k{face}" for face in "123456789W"]
    assert [str(Take(tile)) for tile in (0, 7, 99)] == ["t00", "t07", "t99"]
    assert [str(Steal(tile)) for tile in (0, 7, 99)] == ["x00", "x07", "x99"]
    assert [str(TakeRoundWorm(seat)) for seat in range(7)] == [f"^{seat}" for seat in SEATS]
    assert [str(PutBack(name)) for name in SPECIALISTS] == [f"<{name}" for name in SPECIALISTS]


def test_rolls_are_sorted() -> None:
    assert Roll("W5432111") == Roll("1112345W")
    assert Roll("W5432111").dice == "1112345W"
    assert Roll("W51+W").dice == "15W+W"
    assert Roll("+1").dice == "+1"
    for order in permutations("1W5W"):
        assert str(Roll("".join(order))) == "=15WW"
    position = Position.start().apply(Roll("W5432111")).position
    assert position.rolled == "1112345W"


def test_every_roll_of_every_edition_is_as_it_was_made() -> None:
    for edition in EDITIONS.values():
        for roll in Position.start(edition).rolls():
            assert Roll(roll.dice) == roll
