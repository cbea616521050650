"""Packed positions: there and back is identity, for every edition and number of seats."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from pickomino.compact.packed import PACKED, dice_counts, dice_word, pack, unpack
from pickomino.notation import parse_position
from pickomino.rules import (
    Edition,
    Face,
    InvalidEditionError,
    InvalidPositionError,
    Position,
    find_edition,
)

EDITIONS = ("classic", "summary", "course", "deluxe", "extrawurm", "classic+any-lower+fast")


def wander(key: str, seats: int, plies: int) -> Iterator[Position]:
    """Positions along random play."""
    rng = random.Random(seats)
    position = Position.start(key, seats)
    for _ in range(plies):
        if position.over:
            position = Position.start(key, seats, rng.randrange(seats))
        yield position
        rolls = position.rolls()
        ply = rng.choices(*zip(*rolls.items(), strict=True))[0] if rolls else rng.choice(position.moves())
        position = position.apply(ply).position


@pytest.mark.parametrize("seats", range(2, 8))
@pytest.mark.parametrize("key", EDITIONS)
def test_round_trip(key: str, seats: int) -> None:
    positions = list(wander(key, seats, 1500))
    rows = pack(positions)
    assert rows.dtype == PACKED
    assert [unpack(row, find_edition(key)) for row in rows] == positions


@pytest.mark.parametrize(
    "text",
    [
        "pkp1 classic 23,24,26,28,29,31-34 27,25,22/21/30 B 55W:11244",
        "pkp1 classic - 21/22 - -:-",
        "pkp1 deluxe 11,13,21-36 -/-/- A -:? apple@29,can@11,crow@23,gold@27,hen@21,weasel@25 0/0/0",
        "pkp1 deluxe 11,13,22-36 21/- A 55W+1:22334 apple@29,can@11,crow@23,gold@A,hen@22,weasel@25 1/0",
        "pkp1 deluxe 11,13,22-36 21/- A -:+? apple@29,can@11,crow@23,gold@A,hen@22,weasel@25 1/0",
        "pkp1 deluxe 11,13,22-36 21/- A 1:2345555+W apple@29,can@11,crow@23,gold@A,hen@22,weasel@25 1/0",
        "pkp1 deluxe 11,13,22-36 21/- A W:11111WW apple@29,can@11,crow@23,gold@22,hen@25,weasel@A* 1/0",
        "pkp1 deluxe 13,22-36 11,21/- A -:< can@A,crow@23,gold@22,hen@A 1/0",
        "pkp1 deluxe 13,22-36 11,21/-/- A 11:^ can@A,crow@23,gold@22 0/3/4",
    ],
)
def test_round_trip_of_special_states(text: str) -> None:
    position = parse_position(text)
    assert str(unpack(pack(position)[0], position.edition)) == text


def test_columns_mean_what_they_say() -> None:
    row = pack(parse_position("pkp1 classic 23,24,26 27,25,22/21/30 B 55W:11244"))[0]
    assert row["grill"] == 1 << 2 | 1 << 3 | 1 << 5  # counted from 21
    assert row["top"].tolist()[:3] == [1, 0, 9]
    assert row["below"][1] == 4  # 25 lies under 22
    assert row["total"] == 15
    assert dice_counts(np.array([row["kept"], row["rolled"]]), 6).tolist() == [
        [0, 0, 0, 0, 2, 1],
        [2, 1, 0, 2, 0, 0],
    ]


def test_a_dice_word_adds_up() -> None:
    """Words of disjoint rolls add like counts: what `simulate` builds long rolls from."""
    classic = find_edition("classic")
    assert dice_word(classic, "1123") + dice_word(classic, "44WW") == dice_word(classic, "112344WW")


def test_what_does_not_fit_says_so() -> None:
    many = Edition("many", tuple((tile, 1) for tile in range(1, 31)))
    with pytest.raises(InvalidEditionError, match="30 tiles, at most 27"):
        pack(Position.start(many))
    faces = (*(Face(str(pips), pips) for pips in range(1, 10)), Face("W", 5))
    with pytest.raises(InvalidEditionError, match="66 moves, at most 63"):
        pack(Position.start(Edition("wide", tuple((tile, 1) for tile in range(1, 28)), faces=faces)))
    with pytest.raises(InvalidEditionError, match="pips or worms"):
        pack(Position.start(Edition("rich", ((1, 1 << 20),))))


def test_a_stack_without_end_is_refused() -> None:
    row = pack(parse_position("pkp1 classic 23 21,22/- B -:?"))[0]
    row["below"][0] = 1
    with pytest.raises(InvalidPositionError, match="no end"):
        unpack(row, find_edition("classic"))
