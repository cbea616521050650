"""`play_game`: who may sit down, what a seed fixes, and the game that comes back."""

import random
from typing import Any, cast

import pytest

from pickomino import (
    IllegalMoveError,
    InvalidEditionError,
    InvalidPositionError,
    Keep,
    Move,
    PickominoError,
    Position,
    ScriptedDice,
    make_bot,
    play_game,
)
from pickomino.bots import CautiousBot
from pickomino.testing import check_game


def first_move(position: Position, rng: random.Random) -> Move:
    return position.moves()[0]


@pytest.mark.parametrize("edition", ["classic", "classic+fast", "deluxe"])
@pytest.mark.parametrize("seats", [2, 7])
def test_a_whole_game_for_every_number_of_seats(edition: str, seats: int) -> None:
    game = play_game(["random"] * seats, seed=3, edition=edition)
    check_game(game)
    assert game.over
    assert (game.start.edition.key, len(game.start.stacks), game.start.seat) == (edition, seats, 0)


def test_a_seed_fixes_dice_and_bots() -> None:
    players = ["random", "medium"]
    assert play_game(players, seed=1) == play_game(players, seed=1) == play_game(players, seed="1")
    assert play_game(players, seed=1) != play_game(players, seed=2)
    assert play_game(["random", "random"]) != play_game(["random", "random"])


def test_another_first_seat_and_other_dice() -> None:
    assert play_game(["random", "random"], seed=1, first=1).start.seat == 1
    with pytest.raises(
        IllegalMoveError, match="no more dice for 'pkp1 classic 21-36 -/- A"
    ):  # B's turn is a bust
        play_game(["random", "random"], first=1, dice=ScriptedDice(["11111111"]))


def test_names_bots_and_functions_play_alike() -> None:
    by_name = play_game(["cautious", "cautious"], seed=5)
    assert play_game([CautiousBot(), CautiousBot().choose], seed=5) == by_name
    assert play_game([make_bot("cautious"), "cautious"], seed=5) == by_name
    assert play_game([first_move, "cautious"], seed=5) != by_name


@pytest.mark.parametrize("wrong", [5, None, CautiousBot, object()])
def test_who_cannot_play(wrong: object) -> None:
    with pytest.raises(
        PickominoError, match=r"player .*: expected a bot's name, a bot, or a function that chooses"
    ):
        play_game(["random", cast(Any, wrong)])


def test_what_is_refused() -> None:
    with pytest.raises(InvalidPositionError, match="1 seats: expected 2 to 7"):
        play_game(["random"])
    with pytest.raises(PickominoError, match="players 'champion': expected a list, one for each seat"):
        play_game("champion")
    with pytest.raises(InvalidEditionError, match="'klassik'"):
        play_game(["random", "random"], edition="klassik")
    with pytest.raises(PickominoError, match="did you mean champion"):
        play_game(["champoin", "random"])
    with pytest.raises(IllegalMoveError, match="move 'k9' is not legal"):
        play_game([lambda position, rng: Keep("9"), "random"], seed=1)
