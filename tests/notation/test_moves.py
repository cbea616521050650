"""Moves and rolls: there and back over the whole domain, and what is no move."""

from itertools import combinations_with_replacement

import pytest

from pickomino.notation import parse_move, parse_ply, parse_roll
from pickomino.rules import EDITIONS, NotationError, PickominoError, Position, Roll, perft_divide
from pickomino.testing import all_moves

EVERY_MOVE = sorted({str(move): move for key in EDITIONS for move in all_moves(EDITIONS[key])}.items())


@pytest.mark.parametrize(("text", "move"), EVERY_MOVE)
def test_every_move_there_and_back(text: str, move: object) -> None:
    assert parse_move(text) == parse_ply(text) == move
    assert str(parse_move(text)) == text


def test_every_move_of_the_notation_is_among_them() -> None:
    texts = {text for text, _ in EVERY_MOVE}
    assert texts == {
        *("k1", "k2", "k3", "k4", "k5", "kW", "r", "s", "g", "n", "w"),
        *(f"{kind}{tile}" for kind in "tx" for tile in (11, 13, *range(21, 37))),
        *(f"^{seat}" for seat in "ABCDEFG"),
        *("<apple", "<can", "<crow", "<gold", "<hen", "<weasel"),
    }


def test_every_roll_there_and_back() -> None:
    for count in range(9):
        for faces in combinations_with_replacement("12345W", count):
            for gold in ("", "+1", "+W"):
                dice = "".join(faces) + gold
                if dice:
                    assert parse_roll(f"={dice}") == parse_ply(f"={dice}") == Roll(dice)
                    assert str(Roll(dice)) == f"={dice}"


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "k", "k0", "kw", "K5", "k55", "k5 ", " k5", "t", "t5", "t255", "t-5", "T25", "x2a"),
        *(
            "t\u0662\u0665",
            "t25\n",
            "rr",
            "R",
            "^",
            "^H",
            "^a",
            "^AB",
            "^-",
            "BC",
            "<",
            "<Hen",
            "<cook",
            "< hen",
        ),
        *("xhen", "=1", "\0"),
    ],
)
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text)
    assert repr(text) in str(caught.value)


def test_of_a_long_text_the_beginning_is_shown() -> None:
    """Up to 160 characters whole, quotes included; else 150, what was left out, and the last quote."""
    for length, shown in ((158, "x" * 158 + "'"), (159, "x" * 149 + "…'")):
        with pytest.raises(NotationError) as caught:
            parse_move("x" * length)
        assert str(caught.value).startswith(f"move '{shown}: expected")


@pytest.mark.parametrize(
    "text", ["", "=", "12", "=21", "=0", "=1 2", "=+", "=1+", "=1+0", "=1+~", "=+1+1", "=1+11", "=w", "=1\n"]
)
def test_what_is_no_roll(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_roll(text)
    assert repr(text) in str(caught.value)
    if text[:1] == "=":
        with pytest.raises(NotationError):
            parse_ply(text)


def test_long_input_is_not_repeated_in_full() -> None:
    with pytest.raises(PickominoError) as caught:
        parse_move("k" * 100_000)
    assert len(str(caught.value)) < 500


def test_the_divide_speaks_the_notation() -> None:
    for text in perft_divide(Position.start("deluxe"), 1):
        assert str(parse_ply(text)) == text
