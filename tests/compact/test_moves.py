"""The move table: index <-> move text is a bijection, in the order of `Position.moves`."""

from __future__ import annotations

import random

import pytest

from pickomino.compact.moves import MoveTable, move_table
from pickomino.notation import parse_move
from pickomino.rules import (
    MAX_SEATS,
    SEATS,
    Edition,
    IllegalMoveError,
    Position,
    all_keys,
    find_edition,
)

KEYS = tuple(all_keys())
TINY = Edition("tiny", ((3, 1), (9, 4)), dice=2)


@pytest.mark.parametrize("edition", [*map(find_edition, KEYS), TINY], ids=lambda edition: edition.key)
def test_index_and_text_are_a_bijection(edition: Edition) -> None:
    table = move_table(edition)
    assert len(set(table.texts)) == len(table) == len(table.moves)
    for index in range(len(table)):
        assert table.index(table[index]) == table.index(table.texts[index]) == index
        assert parse_move(table.texts[index]) == table[index]
        assert table[index] in table


@pytest.mark.parametrize("edition", [*map(find_edition, KEYS), TINY], ids=lambda edition: edition.key)
def test_order_is_text_order(edition: Edition) -> None:
    texts = move_table(edition).texts
    assert list(texts) == sorted(texts)


def test_sizes() -> None:
    """Classic: six keeps, roll, stop, take and steal of 16 tiles. Deluxe: of 18, g, n, w, seven givers, and
    five specialists to put back (the crow is never owned, D10.2)."""
    assert len(move_table("classic")) == 6 + 2 + 2 * 16
    assert len(move_table("deluxe")) == 6 + 2 + 2 * 18 + 3 + 7 + 5
    assert len(move_table("extrawurm")) == len(move_table("deluxe")) - 1
    assert len(move_table(TINY)) == 6 + 2 + 2 * 2


def test_deluxe_names_every_small_choice() -> None:
    texts = move_table("deluxe").texts
    assert {"g", "n", "w"} <= set(texts)
    assert [text for text in texts if text[0] == "^"] == [f"^{seat}" for seat in SEATS]
    assert [text for text in texts if text[0] == "<"] == ["<apple", "<can", "<gold", "<hen", "<weasel"]


@pytest.mark.parametrize("key", ["classic", "summary", "deluxe", "extrawurm"])
def test_mask_is_moves(key: str) -> None:
    """Along random games every move is in the table, and the mask read by index is `moves` in its order."""
    rng = random.Random(1)
    table = move_table(key)
    for seats in (2, MAX_SEATS):
        position = Position.start(key, seats)
        for _ in range(2000):
            if position.over:
                break
            mask = table.mask(position)
            assert tuple(table[index] for index in mask.nonzero()[0].tolist()) == position.moves()
            rolls = position.rolls()
            ply = rng.choices(*zip(*rolls.items(), strict=True))[0] if rolls else rng.choice(position.moves())
            position = position.apply(ply).position


def test_unknown_moves_raise() -> None:
    table = move_table("classic")
    with pytest.raises(IllegalMoveError, match="'t11' does not exist in classic"):
        table.index("t11")
    for index in (-1, 40):
        with pytest.raises(IllegalMoveError, match="0 to 39"):
            table[index]
    assert table.find("w") == -1
    assert "w" not in table


def test_one_table_per_edition() -> None:
    assert move_table("classic") is move_table("classic")
    assert isinstance(move_table(find_edition("deluxe")), MoveTable)
