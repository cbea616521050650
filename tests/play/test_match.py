"""A match: entries in, events or refusals out; and the loop that plays it."""

import pytest

from pickomino.chance import ScriptedDice, SeededDice
from pickomino.game import Game
from pickomino.notation import parse_position
from pickomino.play import (
    DiceFell,
    Entry,
    Match,
    MoveMade,
    Quit,
    Refusal,
    Seat,
    bot_decider,
    format_entry,
    parse_entry,
    play_match,
)
from pickomino.rules import InvalidPositionError, Keep, Move, Ply, Position, Roll, RollOn, Take
from pickomino.rules.events import Event, Kept, Rolled
from pickomino.testing import assert_same_game, random_game

SEATS = (Seat("Anna"), Seat("Ben"))


def refused(match: Match, entry: Entry, version: int | None = None) -> str:
    before = (match.version, match.game.position)
    with pytest.raises(Refusal) as caught:
        match.submit(entry, version)
    assert (match.version, match.game.position) == before
    return caught.value.code


def test_a_turn() -> None:
    match = Match(Game(), SEATS)
    assert (match.version, match.to_act, match.dice_due, match.over) == (0, None, True, False)
    assert match.submit(DiceFell(Roll("112345WW")), 0) == (Rolled(0, "112345WW"),)
    assert (match.version, match.to_act, match.dice_due) == (1, 0, False)
    assert match.submit(MoveMade(0, Keep("W")), 1) == (Kept(0, "W", 2, 10),)
    assert match.entries() == (DiceFell(Roll("112345WW")), MoveMade(0, Keep("W")))


def test_refusals_have_codes_and_change_nothing() -> None:
    match = Match(Game(), SEATS)
    assert refused(match, MoveMade(0, Keep("W"))) == "not_your_turn"  # dice are due
    assert refused(match, DiceFell(Roll("1"))) == "illegal_move"
    assert refused(match, DiceFell(Roll("112345WW")), 3) == "stale_version"
    match.submit(DiceFell(Roll("112345WW")))
    assert refused(match, MoveMade(1, Keep("W"))) == "not_your_turn"
    assert refused(match, MoveMade(0, Take(21))) == "illegal_move"
    assert refused(match, MoveMade(0, Keep("W")), 0) == "stale_version"
    over = Match(Game(parse_position("pkp1 classic - 21/- - -:-")), SEATS)
    assert refused(over, MoveMade(0, RollOn())) == "game_over"
    assert refused(over, DiceFell(Roll("112345WW"))) == "game_over"
    assert over.to_act is None


def test_seats_must_fit_the_game() -> None:
    with pytest.raises(InvalidPositionError, match="2 seats for a game of 3"):
        Match(Game.new(seats=3), SEATS)


@pytest.mark.parametrize("key", ["classic+fast", "deluxe"])
def test_the_log_is_the_match(key: str) -> None:
    game = random_game(key, 2, 3)
    entries = Match(game, SEATS).entries()
    assert tuple(parse_entry(format_entry(entry)) for entry in entries) == entries
    assert_same_game(Match.replay(Game.new(key), SEATS, entries).game, game)


def test_the_loop_plays_to_the_end_and_tells_of_every_ply() -> None:
    told: list[tuple[Position, Ply, tuple[Event, ...], Position]] = []

    def watch(before: Position, ply: Ply, events: tuple[Event, ...], after: Position) -> None:
        told.append((before, ply, events, after))

    def played() -> Game:
        match = Match(
            Game.new("deluxe", 3), (Seat("a", "random"), Seat("b", "cautious"), Seat("c", "random"))
        )
        deciders = [bot_decider(seat.bot or "", f"9 {seat.name}") for seat in match.seats]
        play_match(match, deciders, SeededDice(9), watch)
        return match.game

    game = played()
    assert game.over
    assert [(before, ply, events) for before, ply, events, _ in told] == list(game.steps())
    assert [after for *_, after in told] == list(game.positions[1:])
    assert_same_game(played(), game)


def test_a_decider_that_quits_leaves_what_was_played() -> None:
    def leave(position: Position) -> Move:
        raise Quit

    match = Match(Game(), SEATS)
    with pytest.raises(Quit):
        play_match(match, [leave, leave], ScriptedDice(["112345WW"]))
    assert str(match.game.position) == "pkp1 classic 21-36 -/- A -:112345WW"


def test_a_decider_that_cheats_is_refused() -> None:
    match = Match(Game(), SEATS)
    with pytest.raises(Refusal, match="not legal"):
        play_match(match, [lambda position: Take(36)] * 2, SeededDice(1))
