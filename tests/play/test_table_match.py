"""A match at a table: time-outs, resignation, stand-ins, and the log that brings it all back."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pickomino import Game, Keep, NotationError, Roll, RollOn, Stop, Take, parse_position
from pickomino.bots import make_bot
from pickomino.chance import SeededDice
from pickomino.play import (
    STAND_IN,
    CameBack,
    DiceFell,
    Entry,
    Match,
    MoveMade,
    Refusal,
    Replaced,
    Resigned,
    Seat,
    TimedOut,
    format_entry,
    parse_entry,
)
from pickomino.rules import SEATS

ANNA, BEN, ROBOT = Seat("Anna"), Seat("Ben"), Seat("robot", "random")


def match_of(*seats: Seat) -> Match:
    return Match(Game.new(seats=len(seats)), seats)


def refusal(match: Match, entry: Entry, version: int | None = None) -> str:
    before = match.version
    with pytest.raises(Refusal) as refused:
        match.submit(entry, version)
    assert match.version == before
    return refused.value.code


def finish_turn(match: Match) -> None:
    """A turn that busts at its first stop: the dice show nothing but ones."""
    match.submit(DiceFell(Roll("11111111")))
    match.submit(MoveMade(match.game.position.seat, Keep("1")))


def test_a_time_out_lets_a_bot_finish_the_turn_and_no_more() -> None:
    match = match_of(ANNA, BEN)
    match.submit(DiceFell(Roll("112345WW")))
    assert match.played_by(0) is None
    match.submit(TimedOut(0))
    assert (match.played_by(0), match.stand_in(0), match.timed_out) == (STAND_IN, None, True)
    assert refusal(match, TimedOut(0)) == "illegal_move"
    assert refusal(match, TimedOut(1)) == "not_your_turn"
    match.submit(MoveMade(0, Keep("1")))
    match.submit(MoveMade(0, RollOn()))
    match.submit(DiceFell(Roll("111111")))  # nothing to keep: the turn is over
    assert (match.turn_of, match.played_by(0), match.timed_out) == (1, None, False)


def test_turns_begin_at_known_versions() -> None:
    match = match_of(ANNA, BEN)
    assert match.turn_version == 0
    finish_turn(match)
    assert (match.turn_version, match.turn_of) == (2, 1)
    match.submit(Replaced(0, "random"))
    assert match.turn_version == 2
    finish_turn(match)
    assert match.turn_version == 5


def test_resigning_at_a_table_of_two_ends_the_match() -> None:
    match = match_of(ANNA, BEN)
    match.submit(Resigned(1))
    assert match.over
    assert match.result is not None
    assert (match.result.winners, match.result.ranks, match.result.reason) == ((0,), (1, 2), "resignation")
    assert refusal(match, DiceFell(Roll("11111111"))) == "game_over"


def test_at_a_larger_table_a_bot_plays_on_and_the_seat_cannot_win() -> None:
    # C holds by far the most, and one more tile ends the game.
    start = parse_position("pkp1 classic 21 22/23/33-36 A 44WW:123W".replace("33-36", "33,34,35,36"))
    match = Match(Game(start), (ANNA, BEN, Seat("Carla")))
    match.submit(Resigned(2))
    assert not match.over
    assert (match.stand_in(2), match.played_by(2)) == (STAND_IN, STAND_IN)
    assert refusal(match, Resigned(2)) == "illegal_move"
    assert refusal(match, Replaced(2, "random")) == "illegal_move"
    match.submit(MoveMade(0, Keep("3")))
    match.submit(MoveMade(0, Take(21)))
    assert match.result is not None
    assert match.result.winners == (0,)  # two worms against B's one
    assert match.result.ranks == (1, 2, 3)
    assert match.result.reason == "worms"
    assert match.game.outcome is not None
    assert match.game.outcome.winners == (2,)  # by the rules alone


def test_the_last_seat_that_can_win_wins() -> None:
    match = match_of(ANNA, BEN, ROBOT)
    match.submit(Resigned(0))
    assert not match.over
    match.submit(Resigned(1))
    assert match.result is not None
    assert match.result.winners == (2,)


def test_somebody_away_is_replaced_and_comes_back() -> None:
    match = match_of(ANNA, ROBOT)
    match.submit(Replaced(0, "random"))
    assert (match.stand_in(0), match.played_by(0)) == ("random", "random")
    assert refusal(match, Replaced(0, "random")) == "illegal_move"
    match.submit(CameBack(0))
    assert match.played_by(0) is None
    assert refusal(match, CameBack(0)) == "illegal_move"


@pytest.mark.parametrize("entry", [TimedOut(1), Resigned(1), Replaced(1, "random"), CameBack(1), Resigned(5)])
def test_only_people_are_timed_replaced_or_give_up(entry: Entry) -> None:
    assert refusal(match_of(ANNA, ROBOT), entry) == "illegal_move"


def test_versions_count_all_entries() -> None:
    match = match_of(ANNA, BEN)
    match.submit(Replaced(1, "random"), version=0)
    assert refusal(match, DiceFell(Roll("11111111")), 0) == "stale_version"
    match.submit(DiceFell(Roll("11111111")), version=1)
    assert match.version == 2
    assert len(match.game) == 1


ENTRIES = st.one_of(
    st.builds(MoveMade, st.integers(0, 6), st.sampled_from([Keep("W"), RollOn(), Stop()])),
    st.builds(DiceFell, st.sampled_from([Roll("1123"), Roll("+W"), Roll("55W+1")])),
    st.builds(Replaced, st.integers(0, 6), st.sampled_from(["cautious", "ev:loss=1,steal=2"])),
    *(st.builds(kind, st.integers(0, 6)) for kind in (TimedOut, Resigned, CameBack)),
)


@given(ENTRIES)
def test_entries_and_their_texts(entry: Entry) -> None:
    assert parse_entry(format_entry(entry)) == entry


@pytest.mark.parametrize("text", ["", "A", "A ", "H k1", "AB k1", "=", "A bot ", "A sleeps", "a k1", "A  k1"])
def test_texts_that_are_no_entries(text: str) -> None:
    with pytest.raises(NotationError):
        parse_entry(text)


@pytest.mark.parametrize("seed", range(20))
def test_a_log_brings_the_match_back(seed: int) -> None:
    """Random matches with everything that can happen at a table, replayed from their texts."""
    rng = random.Random(seed)
    seats = tuple(rng.choice([Seat(f"p{n}"), Seat(f"b{n}", "random")]) for n in range(rng.randrange(2, 8)))
    edition = rng.choice(["classic", "deluxe"])
    match = Match(Game.new(edition, len(seats), rng.randrange(len(seats))), seats)
    dice, bot = SeededDice(seed), make_bot("cautious")
    while not match.over and match.version < 3000:
        seat = rng.randrange(len(seats))
        oddities: list[Entry] = [TimedOut(seat), Resigned(seat), Replaced(seat, "random"), CameBack(seat)]
        odd = rng.choice(oddities)
        if rng.random() < 0.02:
            try:
                match.submit(odd)
            except Refusal:
                continue
        elif match.dice_due:
            match.submit(DiceFell(dice.roll(match.game.position)))
        else:
            position = match.game.position
            match.submit(MoveMade(position.seat, bot.choose(position, rng)))
    texts = [format_entry(entry) for entry in match.entries()]
    again = Match(Game(match.game.start), seats)
    for text in texts:
        again.submit(parse_entry(text))
    assert again.entries() == match.entries()
    assert again.game == match.game
    assert (again.result, again.turn_version, again.resigned) == (
        match.result,
        match.turn_version,
        match.resigned,
    )
    for seat in range(len(SEATS[: len(seats)])):
        assert again.played_by(seat) == match.played_by(seat)
