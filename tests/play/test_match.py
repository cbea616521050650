"""A match: entries in, events or refusals out; and the loop that plays it."""

import pytest

from pickomino.chance import ScriptedDice, SeededDice
from pickomino.game import Game
from pickomino.notation import parse_position
from pickomino.play import (
    STAND_IN,
    CameBack,
    DiceFell,
    Entry,
    Match,
    MoveMade,
    Quit,
    Refusal,
    Replaced,
    Resigned,
    Result,
    Seat,
    TimedOut,
    bot_decider,
    format_entry,
    parse_entry,
    play_match,
)
from pickomino.rules import InvalidPositionError, Keep, Move, NotationError, Ply, Position, Roll, RollOn, Take
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
    assert refused(match, MoveMade(0, Keep("W"))) == "illegal_move"  # dice are due
    assert refused(match, DiceFell(Roll("1"))) == "illegal_move"
    assert refused(match, DiceFell(Roll("112345WW")), 3) == "stale_version"
    match.submit(DiceFell(Roll("112345WW")))
    assert refused(match, MoveMade(1, Keep("W"))) == "not_your_turn"
    assert refused(match, MoveMade(9, Keep("W"))) == "not_your_turn"  # no such seat
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
    again = Match(Game.new(key), SEATS)
    for entry in entries:
        again.submit(entry)
    assert_same_game(again.game, game)


def test_resignation_ends_a_match_of_two() -> None:
    match = Match(Game(), SEATS)
    assert match.submit(Resigned(1)) == ()
    assert (match.over, match.to_act, match.resigned) == (True, None, frozenset({1}))
    assert match.result == Result((0, 0), (1, 2), (0,), "resignation")
    assert refused(match, DiceFell(Roll("112345WW"))) == "game_over"


def test_at_a_larger_table_a_bot_plays_on_for_a_seat_that_cannot_win() -> None:
    seats = (Seat("Anna"), Seat("", "random"), Seat("Cleo"))
    game = Game(parse_position("pkp1 classic 21 36/22/23 C 1WWWW:-"))
    match = Match(game, seats)
    assert match.result is None
    match.submit(Resigned(0))
    assert (match.over, match.played_by(0), match.stand_in(0), match.played_by(2)) == (
        False,
        STAND_IN,
        STAND_IN,
        None,
    )
    match.submit(MoveMade(2, Take(21)))
    assert match.result == Result((4, 1, 2), (3, 2, 1), (2,), "worms")


def test_who_plays_a_seat() -> None:
    match = Match(Game.new(seats=4), (*SEATS, Seat("", "random"), Seat("")))
    match.submit(Replaced(1, "cautious"))
    assert (match.played_by(1), match.stand_in(1)) == ("cautious", "cautious")
    assert (match.played_by(2), match.stand_in(2)) == ("random", None)
    assert refused(match, Replaced(1, "random")) == "illegal_move"
    match.submit(CameBack(1))
    assert match.played_by(1) is None
    for entry in (CameBack(1), Resigned(2), Resigned(9), TimedOut(2)):
        assert refused(match, entry) == "illegal_move"
    assert refused(match, TimedOut(1)) == "not_your_turn"
    match.submit(TimedOut(0))
    assert (match.timed_out, match.played_by(0), match.turn_of, match.turn_version) == (True, STAND_IN, 0, 0)
    assert refused(match, TimedOut(0)) == "illegal_move"
    match.submit(Resigned(1))
    assert refused(match, Resigned(1)) == "illegal_move"


def test_a_time_out_lasts_until_the_turn_ends() -> None:
    match = Match(Game(parse_position("pkp1 classic 21,22 -/- A 1WWWW:-")), SEATS)
    match.submit(TimedOut(0))
    match.submit(MoveMade(0, Take(21)))
    assert (match.timed_out, match.turn_version, match.turn_of) == (False, 2, 1)


ENTRIES = ["A kW", "G t25", "=112345WW", "B timeout", "C resign", "D bot ev:loss=1", "E back", "F <hen"]


@pytest.mark.parametrize("text", ENTRIES)
def test_entries_there_and_back(text: str) -> None:
    assert format_entry(parse_entry(text)) == text


@pytest.mark.parametrize("text", ["", "A", "A ", "H kW", "AB kW", "A bot ", "A  kW", "=", "=0", "A kick"])
def test_texts_that_are_no_entry(text: str) -> None:
    with pytest.raises(NotationError):
        parse_entry(text)


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


def test_who_may_speak_for_a_seat_and_to_which_version() -> None:
    match = Match(Game(), (Seat("Anna"), Seat("robot", "random")))

    def demanded(seat: int, version: int | None = None, *, bot: bool | None = None) -> str:
        try:
            match.demand(seat, version, bot=bot)
        except Refusal as refusal:
            return refusal.code
        return "yes"

    assert demanded(0, 0, bot=False) == "yes"  # while dice are due, too: its person makes them fall
    assert demanded(0, bot=True) == demanded(1, bot=True) == "not_your_turn"
    assert demanded(1, 5, bot=True) == "not_your_turn"  # before the version
    assert demanded(0, 1, bot=False) == "stale_version"
    match.submit(TimedOut(0))
    assert demanded(0, bot=False) == "not_your_turn"
    assert demanded(0, 1, bot=True) == "yes"
    match.submit(Resigned(0))
    assert demanded(0) == "game_over"
