"""Positions by themselves: the start, what they say about the table, the outcome, and refusals."""

from dataclasses import replace
from typing import Any, cast

import pytest

from pickomino.notation import parse_ply, parse_position
from pickomino.rules import (
    Edition,
    Face,
    IllegalMoveError,
    InvalidPositionError,
    NotationError,
    Phase,
    Position,
    Roll,
    RollOn,
    Specialists,
    Steal,
    Take,
    all_keys,
    check,
    claims,
    find_edition,
    format_tiles,
)
from pickomino.testing import check_position, check_refusals
from tests.rules.tiny import CROW


@pytest.mark.parametrize("key", list(all_keys()))
def test_the_start_at_every_table(key: str) -> None:
    for seats in range(2, 8):
        for first in range(seats):
            position = Position.start(find_edition(key), seats, first)
            check_position(position)
            assert (len(position.stacks), position.seat, position.phase) == (seats, first, Phase.ROLL)
            assert position.grill == find_edition(key).values
            assert position == Position.start(key, seats, first)


def test_phases_have_the_words_of_the_protocol() -> None:
    """As docs/protocol.md lists them; clients compare with these."""
    assert [phase.value for phase in Phase] == ["roll", "keep", "go", "gold", "giver", "put back", "over"]


def test_the_start_as_text() -> None:
    assert str(Position.start()) == "pkp1 classic 21-36 -/- A -:?"  # R1.4
    assert str(Position.start("deluxe", 3, 2)) == (  # D7.1 to D7.3
        "pkp1 deluxe 11,13,21-36 -/-/- C -:? apple@29,can@11,crow@23,gold@27,hen@21,weasel@25 0/0/0"
    )


@pytest.mark.parametrize(
    ("seats", "first", "reason"),
    [
        *((seats, 0, f"{seats} seats: expected 2 to 7") for seats in (-1, 0, 1, 8)),  # R1.1
        *((3, first, f"first seat {first}: expected 0 to 2") for first in (-1, 3)),
    ],
)
def test_impossible_tables_are_refused(seats: int, first: int, reason: str) -> None:
    with pytest.raises(InvalidPositionError) as caught:
        Position.start("classic", seats, first)
    assert str(caught.value) == reason


def test_what_a_position_says() -> None:
    position = parse_position("pkp1 classic 23,24,26,28,29,31-34 27,25,22/21/- B 55W:11244")
    assert position.tops == (22, 21, None)
    assert position.flipped == (30, 35, 36)
    assert position.scores == (5, 1, 0)
    assert (position.total, position.has_worm, position.dice_left) == (15, True, 5)
    assert (position.seat_letter, position.over, position.outcome) == ("B", False, None)
    assert position.standings.ranking == ((0,), (1,), (2,))
    assert repr(position) == f"parse_position({str(position)!r})"
    assert not position.gold_joined
    assert not position.has_can
    assert position.rolls() == {}


def test_total_is_zero_before_the_first_keep_even_with_the_can() -> None:
    position = parse_position("pkp1 deluxe 21-36 -/- A -:? can@A 0/0")
    assert (position.total, position.has_worm, position.has_can) == (0, False, True)


def test_a_worm_is_a_kept_worm_or_the_can() -> None:
    assert not parse_position("pkp1 classic 21-36 -/- A 45:-").has_worm  # R3.1
    assert parse_position("pkp1 classic 21-36 -/- A 4W:-").has_worm
    assert parse_position("pkp1 deluxe 21-36 -/- A 45:- can@A 0/0").has_worm  # D9.1
    assert not parse_position("pkp1 deluxe 21-36 -/- A 45:- can@B 0/0").has_worm


def test_nobody_has_the_can_once_the_game_is_over() -> None:
    over = parse_position("pkp1 deluxe - 21/22 - -:- can@B 0/0")
    assert (over.has_can, over.total, over.has_worm) == (False, 0, False)


@pytest.mark.parametrize(
    ("dice", "left", "moves"),
    [
        ("1133WWW+W:-", (1, False), "r t28"),
        ("1133WWWW:-+", (0, True), "r t28"),
        ("1133WWWW+W:-", (0, False), "t33"),
        ("1345W+1:-", (3, False), "r s"),  # no 2 yet
        ("12345W+1:-", (2, False), "t21"),  # R2.4: every face is kept
    ],
)
def test_the_golden_die_is_a_ninth(dice: str, left: tuple[int, bool], moves: str) -> None:
    position = parse_position(f"pkp1 deluxe 21-36 -/- A {dice} gold@A 0/0")  # D8.1, D8.3
    assert position.dice_to_roll == left
    assert " ".join(map(str, position.moves())) == moves


def test_claims_are_what_stopping_would_allow() -> None:
    assert claims(parse_position("pkp1 classic 25,27 21/26 A 15555W:-")) == (Take(25), Steal(26))
    assert claims(parse_position("pkp1 classic+any-lower 22,25,27 21/26 A 15555W:-")) == (
        *(Take(22), Take(25)),
        Steal(26),
    )
    assert claims(parse_position("pkp1 classic 25,27 21/26 A 15555:-")) == ()


def test_tiles_as_text() -> None:
    assert format_tiles(()) == "-"
    assert format_tiles((21, 22, 24, 25, 26, 36)) == "21,22,24-26,36"
    assert format_tiles((3, 4, 5)) == "03-05"


# Scores and winners: R5.2, R5.3, D13.2.
OUTCOMES = [
    ("classic", "21,25/30 - -:-", "3/3", "B", "tie-break", (2, 1)),
    ("classic+shared-ties", "21,25/30 - -:-", "3/3", "AB", "shared", (1, 1)),
    ("course", "21,25/30/- - -:-", "3/3/0", "AB", "shared", (1, 1, 3)),
    ("classic", "21,22/36/-/- - -:-", "2/4/0/0", "B", "worms", (2, 1, 3, 3)),
    ("classic", "36,21/22,26/25,23/33 - -:-", "5/3/3/4", "A", "worms", (1, 3, 4, 2)),
    ("summary", "-/- - -:-", "0/0", "AB", "shared", (1, 1)),
    ("deluxe", "11/13 - -:- apple@A 0/3", "4/4", "B", "tie-break", (2, 1)),
    ("deluxe", "21/-/- - -:- apple@B 0/0/3", "1/3/3", "BC", "shared", (3, 1, 1)),
    ("extrawurm", "11/22 - -:- can@B 1/0", "2/1", "A", "worms", (1, 2)),
]


@pytest.mark.parametrize(("key", "tail", "scores", "winners", "reason", "ranks"), OUTCOMES)
def test_outcome(key: str, tail: str, scores: str, winners: str, reason: str, ranks: tuple[int, ...]) -> None:
    outcome = parse_position(f"pkp1 {key} - {tail}").outcome
    assert outcome is not None
    assert "/".join(map(str, outcome.scores)) == scores
    assert "".join("ABCDEFG"[seat] for seat in outcome.winners) == winners
    assert (outcome.reason, outcome.ranks) == (reason, ranks)
    assert outcome.shares == tuple((seat in winners) / len(winners) for seat in "ABCDEFG"[: len(ranks)])
    assert [place for place, seats in enumerate(outcome.ranking) for _ in seats] == sorted(
        sorted(set(ranks)).index(rank) for rank in ranks
    )


ILLEGAL = [
    ("pkp1 classic 21-36 -/- A -:?", "kW", "dice are due, 8 white (12345W)"),
    ("pkp1 classic 21-36 -/- A -:?", "=1", "dice are due, 8 white (12345W)"),
    ("pkp1 classic 21-36 -/- A -:11122345", "kW", "expected k1, k2, k3, k4, k5"),
    ("pkp1 classic 21-36 -/- A -:11122345", "=11122345", "expected k1, k2, k3, k4, k5"),
    ("pkp1 classic 21-36 -/- A 5:1112234", "k5", "expected k1, k2, k3, k4"),
    ("pkp1 classic 21-36 -/- A 555WW:-", "s", "expected r, t25"),
    ("pkp1 classic 21-36 -/- A 555WW:-", "t24", "expected r, t25"),
    ("pkp1 classic 21-24 25/- A 555WW:-", "x25", "expected r, t24"),
    ("pkp1 classic - 21/- - -:-", "r", "the game is over"),
    ("pkp1 deluxe 21-36 -/- A -:?+ gold@A 0/0", "=11122345", "8 white (12345W) and the golden one (1W)"),
    ("pkp1 deluxe 21-36 -/- A -:+? gold@A 0/0", "=11122345", "expected g, n"),
    ("pkp1 deluxe 21-36 -/- A 5:1112234 weasel@A* 0/0", "w", "expected k1, k2, k3, k4"),
]


@pytest.mark.parametrize(("text", "ply", "expected"), ILLEGAL)
def test_refusals_name_the_ply_the_position_and_what_was_expected(text: str, ply: str, expected: str) -> None:
    position = parse_position(text)
    with pytest.raises(IllegalMoveError) as caught:
        position.apply(parse_ply(ply))
    for part in (repr(ply), repr(text)):
        assert part in str(caught.value)
    assert str(caught.value).endswith(f" {expected}")
    check_refusals(position)


@pytest.mark.parametrize("ply", [None, 5, b"k5", ["k5"], object()])
def test_what_is_no_ply_at_all_is_refused_without_a_list_of_moves(ply: object) -> None:
    for text in ("pkp1 classic 21-36 -/- A -:?", "pkp1 classic 21-36 -/- A -:11122345"):
        with pytest.raises(IllegalMoveError, match="expected a move, a roll, or the text of one") as caught:
            parse_position(text).apply(cast(Any, ply))
        assert str(caught.value).startswith(str(ply)[:8])


def test_weights_of_rolls() -> None:
    white = Position.start().rolls()  # so many of the 6 ** 8 ways for eight dice to fall
    assert (white[Roll("WWWWWWWW")], white[Roll("1WWWWWWW")], white[Roll("1122334W")]) == (1, 8, 5040)
    golden = parse_position("pkp1 deluxe 21-36 -/- A -:?+ gold@A 0/0").rolls()
    assert sum(golden.values()) == 6**9
    assert (golden[Roll("WWWWWWWW+W")], golden[Roll("1WWWWWWW+1")]) == (3, 24)  # D7.5: three sides each


def test_weights_of_dice_with_unlike_faces() -> None:
    edition = Edition("unlike", ((3, 1),), dice=2, faces=(Face("1", 1, 2), Face("W", 5)))
    assert Position.start(edition).rolls() == {Roll("11"): 4, Roll("1W"): 4, Roll("WW"): 1}


def test_plies_may_come_as_text() -> None:
    for text, ply in [
        ("pkp1 classic 21-36 -/- A -:?", "=11122345"),
        ("pkp1 classic 21-36 -/- A -:11122345", "k5"),
    ]:
        position = parse_position(text)
        assert position.apply(ply) == position.apply(parse_ply(ply))
    with pytest.raises(NotationError, match="move 'five': expected"):
        position.apply("five")
    with pytest.raises(NotationError, match="roll '=54321': expected = and sorted dice"):
        position.apply("=54321")


@pytest.mark.parametrize("dice", ["99999999", "11111116", "11111111+1"])
def test_a_roll_of_faces_that_the_dice_do_not_have_is_told_which_they_have(dice: str) -> None:
    with pytest.raises(IllegalMoveError, match=r"8 white \(12345W\)$"):
        Position.start().apply(Roll(dice))


def test_the_picture_for_notebooks() -> None:
    position = parse_position("pkp1 classic 21-36 -/- A -:11122345")
    assert position._repr_svg_().startswith("<svg")
    assert position._repr_svg_() != Position.start()._repr_svg_()


def test_rolls_cannot_be_spoilt_by_a_caller() -> None:
    rolls: Any = Position.start().rolls()
    with pytest.raises((TypeError, AttributeError)):
        rolls.clear()
    assert sum(Position.start().rolls().values()) == 6**8


def test_dice_left_and_dice_to_roll() -> None:
    golden = parse_position("pkp1 deluxe 21-36 -/- A 5:-+ gold@A 0/0")
    assert (golden.dice_left, golden.dice_to_roll) == (8, (7, True))
    kept = parse_position("pkp1 deluxe 21-36 -/- A 5+W:- gold@A 0/0")
    assert (kept.dice_left, kept.dice_to_roll) == (7, (7, False))
    assert parse_position("pkp1 classic - 21/- - -:-").dice_left == 0


# --- positions put together by hand ---

CLASSIC = Position.start()
DELUXE = Position.start("deluxe")


def hand_made(position: Position, **changes: Any) -> Position:
    fields = ("edition", "grill", "stacks", "seat", "phase", "kept", "rolled", "specialists")
    return Position(**({name: getattr(position, name) for name in fields} | changes))


def with_specialists(**changes: Any) -> Position:
    assert DELUXE.specialists is not None
    fields = ("standing", "held", "round_worms", "gold_joined", "weasel_used")
    values = {name: getattr(DELUXE.specialists, name) for name in fields} | changes
    return hand_made(DELUXE, specialists=Specialists(**values))


def over_with(**changes: bool) -> Position:
    specialists = Specialists((), ((), ()), (0, 0), **changes)
    return hand_made(DELUXE, grill=(), seat=7, phase=Phase.OVER, specialists=specialists)


def golden_die_before_it_was_chosen() -> Position:
    specialists = Specialists((), (("gold",), ()), (0, 0), gold_joined=True)
    return hand_made(DELUXE, phase=Phase.GOLD, specialists=specialists)


def golden_die_that_did_not_fall() -> Position:
    joined = with_specialists(standing=(), held=(("gold",), ()), gold_joined=True)
    return hand_made(joined, phase=Phase.KEEP, kept="W" * 8, rolled="")


def giver_without_a_crow() -> Position:
    """Who gives a round worm after a claim, in an edition where no crow's tile can have been claimed."""
    edition = replace(CROW, key="tiny-crowless", specialists=(("can", 3),))
    position = Position.start(edition, 3)
    specialists = Specialists((), ((), (), ()), (0, 1, 1))
    return hand_made(position, grill=(4,), stacks=((3,), (), ()), phase=Phase.GIVER, specialists=specialists)


HAND_MADE = [
    (giver_without_a_crow(), "there is no crow"),
    (hand_made(CLASSIC, grill=(22, 21)), "ascending order"),
    (hand_made(CLASSIC, seat=7), "no stack"),
    (hand_made(CLASSIC, seat=-1), "no stack"),
    (hand_made(CLASSIC, stacks=((),) * 8), "8 stacks"),
    (hand_made(CLASSIC, seat=0, phase=Phase.OVER, grill=()), "a seat to act although"),
    (hand_made(CLASSIC, seat=7, phase=Phase.OVER), "grill is not empty"),
    (hand_made(CLASSIC, seat=7, phase=Phase.OVER, grill=(), kept="5"), "no dice are in play"),
    (hand_made(CLASSIC, rolled="55555555"), "although no keep is due"),
    (hand_made(CLASSIC, kept="51"), "expected sorted faces"),
    (hand_made(CLASSIC, kept="6"), "expected sorted faces"),
    (hand_made(CLASSIC, kept="5+"), "expected sorted faces"),
    (hand_made(CLASSIC, kept="5++"), "expected sorted faces"),
    (hand_made(CLASSIC, kept="5+1"), "no golden die in this turn"),
    (hand_made(DELUXE, kept="5+1"), "no golden die in this turn"),
    (hand_made(CLASSIC, phase=Phase.KEEP, rolled="12345"), "expected 8 white dice"),
    (hand_made(CLASSIC, phase=Phase.KEEP, rolled="W5432111"), "expected 8 white dice, sorted"),
    (hand_made(CLASSIC, phase=Phase.KEEP, rolled=""), "expected 8 white dice"),
    (hand_made(CLASSIC, phase=Phase.KEEP, kept="W" * 8, rolled="x"), "expected 0 white dice"),
    (golden_die_that_did_not_fall(), "and the golden one"),
    (hand_made(CLASSIC, phase=Phase.KEEP, kept="W" * 9, rolled=""), "9 white dice kept"),
    (hand_made(CLASSIC, phase=Phase.KEEP, kept="W" * 8, rolled=""), "no die is left"),
    (hand_made(CLASSIC, specialists=DELUXE.specialists), "played without specialists"),
    (hand_made(DELUXE, specialists=None), "played with specialists"),
    (with_specialists(held=((), (), ())), "for 2 seats expected"),
    (with_specialists(round_worms=(0,)), "for 2 seats expected"),
    (with_specialists(round_worms=(-1, 0)), "round worms"),
    (with_specialists(standing=((23, "crow"), (11, "can"))), "not in ascending order"),
    (with_specialists(standing=((11, "cook"),)), "no specialist 'cook'"),
    (with_specialists(standing=(), held=(("weasel", "hen"), ())), "not sorted"),
    (with_specialists(gold_joined=True), "the golden die is in the turn"),
    (with_specialists(weasel_used=True), "the used weasel"),
    (golden_die_before_it_was_chosen(), "no dice are in play"),
    (over_with(weasel_used=True), "the used weasel"),
    (over_with(gold_joined=True), "the golden die is in the turn"),
]


@pytest.mark.parametrize(
    ("position", "reason"), HAND_MADE, ids=lambda value: value if isinstance(value, str) else ""
)
def test_check_finds_what_is_wrong_with_hand_made_positions(position: Position, reason: str) -> None:
    with pytest.raises(InvalidPositionError, match=reason) as caught:
        check(position)
    assert str(caught.value).startswith(f"position {str(position)!r}: ")


def test_a_seat_that_no_table_has_is_shown_as_one() -> None:
    assert hand_made(CLASSIC, seat=7).seat_letter == "?"


def test_no_tile_is_lower_than_any_tile() -> None:
    """R5.2: of equal scores the highest tile decides, be it a 1."""
    edition = Edition("ones", ((1, 1), (2, 1)), specialists=(("hen", 2),), round_worms=1)
    position = Position.start(edition)
    worms = Specialists((), ((), ()), (0, 1))
    assert hand_made(position, grill=(2,), stacks=((1,), ()), specialists=worms).standings.winners == (0,)


def test_apply_leaves_the_position_alone_and_is_repeatable() -> None:
    position = parse_position("pkp1 classic 21-36 -/- A 555WW:-")
    assert position.apply(RollOn()) == position.apply(RollOn())
    assert str(position) == "pkp1 classic 21-36 -/- A 555WW:-"
    with pytest.raises(AttributeError):
        position.seat = 1  # type: ignore[misc]
