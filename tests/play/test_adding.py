"""Who adds to the dice of a match: tips, rolls that wait, who is left out, and who starts."""

from __future__ import annotations

import pytest

from pickomino.game import Game
from pickomino.play import (
    CameIn,
    DiceFell,
    Entry,
    FirstFell,
    Match,
    MoveMade,
    Refusal,
    Resigned,
    RollAsked,
    RollVoided,
    Seat,
    TipGiven,
    format_entry,
    parse_entry,
)
from pickomino.play.adding import TIPS
from pickomino.rules import Keep, NotationError, Roll, RollOn, Stop

TIP = "0f" * 32
SEATS = (Seat("Anna"), Seat("Ben"), Seat("bot", "cautious"))


def match(*entries: Entry, undecided: bool = False) -> Match:
    made = Match(Game.new(seats=3), SEATS, undecided=undecided)
    for entry in (TipGiven(0, "A", TIP), TipGiven(1, "B", TIP), *entries):
        made.submit(entry)
    return made


def refused(made: Match, entry: Entry, version: int | None = None) -> str:
    before = (made.version, made.adding.next, made.ask)
    with pytest.raises(Refusal) as caught:
        made.submit(entry, version)
    assert (made.version, made.adding.next, made.ask) == before
    return caught.value.code


@pytest.mark.parametrize(
    "text",
    [
        f"A tip A {TIP}",
        f"A tip ACG {TIP}",
        "B in",
        "B first",
        "#0 roll AB",
        "#12 roll C 0123456789abcdef",
        "#7 void AB",
    ],
)
def test_entries_are_text(text: str) -> None:
    assert format_entry(parse_entry(text)) == text


@pytest.mark.parametrize(
    "text",
    [f"B tip AB {TIP}", "A tip A 0f", "#1 roll BA", "#1 roll", "#01 roll A", "#1 void A 0123456789abcdef"],
)
def test_what_is_no_entry_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_entry(text)


def test_a_roll_waits_falls_and_is_counted() -> None:
    made = match()
    made.submit(RollAsked(1, (0, 1)))
    assert (made.ask, made.adding.next, made.to_act) == (RollAsked(1, (0, 1)), 2, None)
    assert refused(made, RollAsked(2, (0,))) == "illegal_move"  # one at a time
    made.submit(DiceFell(Roll("1123455W")))
    assert (made.ask, made.adding.next, made.to_act) == (None, 2, 0)
    assert refused(made, RollAsked(2, (0,))) == "illegal_move"  # no dice are due
    made.submit(MoveMade(0, Keep("W")))
    made.submit(MoveMade(0, RollOn()))
    made.submit(DiceFell(Roll("1123455")))  # one to which nobody adds
    assert made.adding.next == 3


def test_who_is_missing_is_left_out() -> None:
    made = match(RollAsked(1, (0, 1)))
    for wrong in (RollVoided(2, (0,)), RollVoided(1, ()), RollVoided(1, (0, 2))):
        assert refused(made, wrong) == "illegal_move"
    made.submit(RollVoided(1, (1,)))
    assert (made.ask, made.adding.ready, made.adding.out) == (None, (0,), {1})
    assert refused(made, RollAsked(2, (0, 1))) == "illegal_move"
    assert refused(made, CameIn(0)) == "illegal_move"  # it is not left out
    made.submit(RollAsked(2, (0,)))
    made.submit(CameIn(1))  # for the rolls after this one
    assert made.adding.ready == (0, 1)


def test_nobody_comes_in_again_twice_in_a_round() -> None:
    made = match(
        RollAsked(1, (0, 1)), RollVoided(1, (1,)), CameIn(1), RollAsked(2, (0, 1)), RollVoided(2, (1,))
    )
    for left in (3, 2, 1):  # turns of three seats
        assert made.adding.wait(1, made.turn) == left
        assert refused(made, CameIn(1)) == "illegal_move"
        made.submit(DiceFell(Roll("11111111")))
        made.submit(MoveMade(made.turn_of or 0, Keep("1")))  # eight ones: nothing to claim, the turn is over
    assert made.turn == 3
    made.submit(CameIn(1))
    assert made.adding.ready == (0, 1)


def test_who_starts_falls_first() -> None:
    made = match(undecided=True)
    assert (made.adding.next, made.turn_of, made.to_act) == (0, None, None)
    assert refused(made, DiceFell(Roll("1123455W"))) == "illegal_move"
    assert refused(made, MoveMade(0, Stop())) == "not_your_turn"
    made.submit(RollAsked(0, (0, 1)))
    assert refused(made, FirstFell(3)) == "illegal_move"
    made.submit(FirstFell(2))
    assert (made.turn_of, made.adding.next, made.ask, made.turn_version) == (2, 1, None, made.version)
    assert refused(made, FirstFell(1)) == "illegal_move"


def test_tips_hold_from_the_next_roll_on_and_are_counted() -> None:
    made = match(RollAsked(1, (0, 1)))
    made.submit(TipGiven(0, "A", "1e" * 32))
    assert (made.adding.tips[0].k, made.adding.tips[1].k) == (2, 1)
    for _ in range(TIPS - 1):
        made.submit(TipGiven(0, "A", TIP))
    assert refused(made, TipGiven(0, "A", TIP)) == "illegal_move"
    assert refused(made, TipGiven(2, "C", TIP)) == "illegal_move"  # a bot
    made.submit(DiceFell(Roll("1123455W")))
    made.submit(MoveMade(0, Keep("W")))
    made.submit(MoveMade(0, RollOn()))
    made.submit(RollAsked(2, (0, 1)))
    made.submit(TipGiven(0, "A", TIP))


def test_a_word_about_the_dice_makes_no_move_late() -> None:
    made = match()
    made.submit(DiceFell(Roll("1123455W")), 1)  # seen before Ben committed
    made.submit(TipGiven(1, "B", "1e" * 32))
    assert refused(made, MoveMade(0, Keep("W")), 2) == "stale_version"
    made.submit(MoveMade(0, Keep("W")), 3)


def test_nothing_is_asked_once_it_is_over() -> None:
    made = match(RollAsked(1, (0, 1)), Resigned(0), Resigned(1))
    assert (made.over, made.ask) == (True, None)
    assert refused(made, RollVoided(1, (1,))) == "game_over"
