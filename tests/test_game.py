"""A played game: stepping, taking back, replaying, and the picture for notebooks."""

import pytest

from pickomino import (
    Game,
    IllegalMoveError,
    Keep,
    NotationError,
    Position,
    Roll,
    RollOn,
    Take,
    parse_position,
)
from pickomino.rules import all_keys
from pickomino.rules.events import Kept, Rolled, TurnStarted
from pickomino.testing import assert_same_game, check_game, random_game


def test_a_new_game_is_at_the_start_of_classic_for_two() -> None:
    game = Game()
    assert game.start == game.position == Position.start()
    assert (len(game), game.plies, game.events, game.positions) == (0, (), (), (Position.start(),))
    assert (game.over, game.outcome) == (False, None)
    assert game == Game.new() == Game(Position.start())
    assert Game.new("deluxe", 4, 2).position == Position.start("deluxe", 4, 2)


def test_playing_plies() -> None:
    game = Game()
    assert game.apply(Roll("112345WW")) == (game.position, (Rolled(0, "112345WW"),))
    assert game.apply(Keep("W")) == (game.position, (Kept(0, "W", 2, 10),))
    assert game.plies == (Roll("112345WW"), Keep("W"))
    assert [str(position).split()[-1] for position in game.positions] == ["-:?", "-:112345WW", "WW:-"]
    assert repr(game) == "<Game of 2 plies at 'pkp1 classic 21-36 -/- A WW:-'>"


def test_plies_as_text() -> None:
    game = Game(plies=["=112345WW", Keep("W")])
    assert game.apply("r").position == game.position
    assert game == Game(plies=(Roll("112345WW"), Keep("W"), RollOn()))
    with pytest.raises(NotationError, match="move 'K5': expected"):
        game.apply("K5")
    assert len(game) == 3


def test_an_illegal_ply_changes_nothing() -> None:
    game = Game(plies=(Roll("112345WW"),))
    before = (game.plies, game.positions, game.events)
    for ply in (Roll("112345WW"), Keep("6"), RollOn(), Take(21)):
        with pytest.raises(IllegalMoveError):
            game.apply(ply)
    assert (game.plies, game.positions, game.events) == before


@pytest.mark.parametrize("key", list(all_keys()))
def test_games_of_every_edition_pass_the_kit_and_can_be_taken_back(key: str) -> None:
    game = random_game(key, 3, key)
    check_game(game)
    positions, plies = game.positions, game.plies
    again = Game(game.start, plies)
    assert again == game
    for back in range(1, len(plies) + 1):
        assert again.undo() == plies[-back]
        assert again.position == positions[-1 - back]
    assert again == Game(game.start)
    with pytest.raises(IllegalMoveError, match="nothing to undo"):
        again.undo()
    for ply in plies:
        again.apply(ply)
    assert_same_game(again, game)


def test_steps_pair_positions_plies_and_events() -> None:
    game = random_game("deluxe", 2, 5)
    for number, (position, ply, events) in enumerate(game.steps()):
        assert position is game.positions[number]
        assert position.apply(ply) == (game.positions[number + 1], events)
    assert game.outcome == game.position.outcome is not None
    assert sum(isinstance(event, TurnStarted) for events in game.events for event in events) > 5


def test_games_are_equal_by_start_and_plies() -> None:
    game = Game(plies=(Roll("112345WW"),))
    assert game != Game()
    assert game != Game(parse_position("pkp1 classic 21 -/- A -:?"), game.plies)
    assert game != "a game"
    with pytest.raises(TypeError):
        hash(game)


def test_the_picture_for_notebooks() -> None:
    assert Game()._repr_svg_().startswith("<svg")
