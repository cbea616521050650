"""Positions: there and back, every form of kept and pending dice, and every way to be wrong."""

import pytest

from pickomino.notation import parse_position
from pickomino.rules import (
    InvalidPositionError,
    NotationError,
    Phase,
    PickominoError,
    Position,
    all_keys,
)
from pickomino.testing import Policy, careful, mixed, random_positions, uniform
from tests.reference import engine as reference

POLICIES: tuple[Policy, ...] = (mixed, careful, uniform)


@pytest.mark.parametrize("key", list(all_keys()))
def test_positions_of_random_games_there_and_back(key: str) -> None:
    for seats in range(2, 8):
        policy = POLICIES[seats % 3]
        for position in random_positions(key, seats, key, policy, count=20, first=seats - 1):
            assert parse_position(str(position)) == position
            assert reference.text(reference.from_text(str(position))) == str(position)


DELUXE = "pkp1 deluxe 21-24,30 25/26/27 B"
FORMS = [  # every form of kept:pending, with the phase it stands for
    ("pkp1 classic 21-36 -/- A -:?", Phase.ROLL),
    ("pkp1 classic 21-36 -/- A 55W:?", Phase.ROLL),
    ("pkp1 classic 21-36 -/- A -:11223345", Phase.KEEP),
    ("pkp1 classic 23,24,26,28,29,31-34 27,25,22/21/30 B 55W:11244", Phase.KEEP),
    ("pkp1 classic 21-36 -/- A 55W:-", Phase.GO),
    ("pkp1 classic 21-36 -/- A 11155WWW:-", Phase.GO),
    ("pkp1 classic - 21/- - -:-", Phase.OVER),
    (
        "pkp1 deluxe 11,13,21-36 -/-/- A -:? apple@29,can@11,crow@23,gold@27,hen@21,weasel@25 0/0/0",
        Phase.ROLL,
    ),
    (f"{DELUXE} -:+? gold@B 0/0/0", Phase.GOLD),
    (f"{DELUXE} -:? gold@B 0/0/0", Phase.ROLL),
    (f"{DELUXE} -:?+ gold@B 0/0/0", Phase.ROLL),
    (f"{DELUXE} 55W:?+ gold@B 0/0/0", Phase.ROLL),
    (f"{DELUXE} 55W+1:? gold@B 0/0/0", Phase.ROLL),
    (f"{DELUXE} +1:? gold@B 0/0/0", Phase.ROLL),
    (f"{DELUXE} 11122255:?+ gold@B 0/1/0", Phase.ROLL),
    (f"{DELUXE} -:1124555W+W gold@B 0/0/0", Phase.KEEP),
    (f"{DELUXE} 5555:1124+W gold@B 0/0/0", Phase.KEEP),
    (f"{DELUXE} +1:1124WWWW gold@B 0/0/0", Phase.KEEP),
    (f"{DELUXE} 55W+W:11224 gold@B 0/0/0", Phase.KEEP),
    (f"{DELUXE} 11122244:+W gold@B 0/1/0", Phase.KEEP),
    (f"{DELUXE} 55W:-+ gold@B 0/0/0", Phase.GO),
    (f"{DELUXE} 55W+1:- gold@B 0/0/0", Phase.GO),
    (f"{DELUXE} +W:- gold@B 0/0/0", Phase.GO),
    (f"{DELUXE} 12345WW:-+ gold@B 0/0/0", Phase.GO),
    (f"{DELUXE} 11W:^ - 3/0/4", Phase.GIVER),
    (f"{DELUXE} 11:^+ gold@B 3/0/4", Phase.GIVER),
    (f"{DELUXE} 1+1:^ gold@B 3/0/4", Phase.GIVER),
    (f"{DELUXE} -:^ crow@21 3/0/4", Phase.GIVER),
    (f"{DELUXE} -:^ can@21,crow@22,gold@A,hen@B 3/0/4", Phase.GIVER),
    ("pkp1 deluxe - 21/25/- B -:^ gold@B 3/0/4", Phase.GIVER),
    (f"{DELUXE} -:< gold@B,hen@B 0/0/0", Phase.PUT_BACK),
    ("pkp1 deluxe - 21/25 B -:< gold@B,weasel@B 0/0", Phase.PUT_BACK),
    ("pkp1 deluxe 21 25/- B -:< can@B,hen@B 0/0", Phase.PUT_BACK),
    (f"{DELUXE} 5:111244W weasel@B* 0/0/0", Phase.KEEP),
    (f"{DELUXE} 55WW:55WW weasel@B 0/0/0", Phase.KEEP),
    (f"{DELUXE} -:? weasel@B* 0/0/0", Phase.ROLL),
    ("pkp1 extrawurm - 21/25 - -:- - 0/2", Phase.OVER),
    ("pkp1 deluxe - 21/25 - -:- apple@A,hen@B 0/7", Phase.OVER),
]


@pytest.mark.parametrize(("text", "phase"), FORMS)
def test_every_form_of_kept_and_pending(text: str, phase: Phase) -> None:
    position = parse_position(text)
    assert str(position) == text
    assert position.phase is phase
    state = reference.from_text(text)
    assert [str(move) for move in position.moves()] == reference.moves(state)
    assert parse_position(str(position)) == position


# The list of notation.md, "invalid, with an error that says why", bullet by bullet.
INVALID = [
    # dice that do not add up to eight (nine with the golden die)
    ("pkp1 classic 21-36 -/- A -:1123", "expected 8 white dice, sorted (kept are 0)"),
    ("pkp1 classic 21-36 -/- A 5:11223345", "expected 7 white dice"),
    ("pkp1 classic 21-36 -/- A 555555555:-", "9 white dice"),
    ("pkp1 classic 21-36 -/- A 1111WWWW:5", "expected 0 white dice"),
    (f"{DELUXE} 5:11123445 gold@B 0/0/0", "expected 7 white dice"),
    (f"{DELUXE} 5+1:112344+W gold@B 0/0/0", "expected 7 white dice, sorted (kept are 2)"),
    (f"{DELUXE} -:1123445+W gold@B 0/0/0", "8 white dice, sorted, and the golden one (kept are 0)"),
    ("pkp1 classic 21-36 -/- A -:11223344+W", "expected 8 white dice"),
    # `?` with no die left or six faces kept
    ("pkp1 classic 21-36 -/- A 1111WWWW:?", "no die or no face is left"),
    ("pkp1 classic 21-36 -/- A 12345W:?", "no die or no face is left"),
    (f"{DELUXE} 12345W:?+ gold@B 0/0/0", "no die or no face is left"),
    (f"{DELUXE} 1111WWWW+1:? gold@B 0/0/0", "no die or no face is left"),
    # a roll with nothing to keep unless an unused weasel is held
    ("pkp1 classic 21-36 -/- A 55WW:55WW", "nothing to keep"),
    (f"{DELUXE} 55WW:55WW weasel@B* 0/0/0", "nothing to keep"),
    (f"{DELUXE} 55WW:55WW weasel@A 0/0/0", "nothing to keep"),
    (f"{DELUXE} 12345W:55 weasel@B 0/0/0", "every face is kept"),
    # nothing kept with `:-` unless over
    ("pkp1 classic 21-36 -/- A -:-", "nothing is kept"),
    (f"{DELUXE} -:-+ gold@B 0/0/0", "nothing is kept"),
    # `:-` where the turn is already over
    ("pkp1 classic 21-36 -/- A 11111111:-", "the turn is over"),
    ("pkp1 classic 30 -/- A 1122334W:-", "the turn is over"),
    ("pkp1 classic 30 -/- A 12345W:-", "the turn is over"),
    # `^` with supply left or fewer than two givers
    (f"{DELUXE} 11:^ - 3/0/3", "a giver is to be chosen"),
    (f"{DELUXE} 11:^ - 7/0/0", "a giver is to be chosen"),
    (f"{DELUXE} 11:^ hen@A 3/0/4", "a giver is to be chosen"),
    (f"{DELUXE} -:^ crow@21 3/4/0", "a giver is to be chosen"),
    ("pkp1 classic 21-36 -/- A 11:^", "a giver is to be chosen"),
    # two specialists at a seat except at `<`
    (f"{DELUXE} -:? can@B,hen@B 0/0/0", "two specialists at a seat"),
    (f"{DELUXE} -:< can@A,hen@A 0/0/0", "two specialists at a seat"),
    (f"{DELUXE} -:< can@A,gold@B,hen@A,weasel@B 0/0/0", "two specialists at a seat"),
    (f"{DELUXE} -:< apple@B,can@B,hen@B 0/0/0", "does not hold two"),
    (f"{DELUXE} -:< hen@B 0/0/0", "does not hold two"),
    ("pkp1 classic 21 22/23 A -:<", "does not hold two"),
    # the crow at a seat
    (f"{DELUXE} -:? crow@A 0/0/0", "never owned"),
    # a tile or specialist twice, or none of the edition's
    ("pkp1 classic 21,21 -/- A -:?", "in two places"),
    ("pkp1 classic 21,22 21/- A -:?", "in two places"),
    ("pkp1 classic 21 22/22 A -:?", "in two places"),
    (f"{DELUXE} -:? can@21,can@A 0/0/0", "in two places"),
    (f"{DELUXE} -:? can@21,hen@21 0/0/0", "two specialists on tile 21"),
    (f"{DELUXE} -:? can@25 0/0/0", "not face up"),
    ("pkp1 classic 13 -/- A -:?", "no tile 13"),
    ("pkp1 deluxe 21 37/- A -:? - 0/0", "no tile 37"),
    ("pkp1 extrawurm 21 22/- A -:? apple@21 0/0", "no specialist 'apple'"),
    # a grill that is empty before the end
    ("pkp1 classic - 21/- A -:?", "the grill is empty"),
    ("pkp1 deluxe - 21/22/23 A 11:^ - 0/3/4", "the grill is empty"),
    # and what follows from "a state that `apply` could leave"
    ("pkp1 classic 21 22/- - -:-", "not empty"),
    ("pkp1 classic 21 22/- C -:?", "has no stack"),
    ("pkp1 classic 21 22 A -:?", "1 stacks"),
    ("pkp1 classic 21 22/23/24/25/26/27/28/29 A -:?", "8 stacks"),
    (f"{DELUXE} -:? - 8/0/0", "more than 7"),
    (f"{DELUXE} -:+? - 0/0/0", "does not hold the golden die"),
    ("pkp1 classic 21 22/- A -:+?", "does not hold the golden die"),
    (f"{DELUXE} 5:+? gold@B 0/0/0", "no dice are in play"),
    (f"{DELUXE} 5:< can@B,hen@B 0/0/0", "no dice are in play"),
    (f"{DELUXE} -:?+ gold@A 0/0/0", "not with the seat to act"),
    (f"{DELUXE} 5+5:? gold@B 0/0/0", "no golden die in this turn"),
    ("pkp1 classic 21 22/- A 5+1:?", "no golden die in this turn"),
    (f"{DELUXE} -:? weasel@A* 0/0/0", "the used weasel"),
    (f"{DELUXE} -:< can@B,weasel@B* 0/0/0", "the used weasel"),
    (f"{DELUXE} -:^+ crow@21,gold@B 3/0/4", "not with the seat to act"),
    (f"{DELUXE} 15:^ - 3/0/4", "fewer than two ones"),
    (f"{DELUXE} -:^ crow@22 3/0/4", "has not moved on"),
    (f"{DELUXE} -:^ - 3/0/4", "has not moved on"),
    ("pkp1 deluxe 21 25/-/27 B -:^ crow@21 3/0/4", "has none"),
    ("pkp1 deluxe 21 25/-/27 B -:< can@B,weasel@B 3/0/4", "has none"),
    ("pkp1 deluxe 21 11/-/13 B -:< can@B,hen@B 3/0/4", "has none"),
    ("pkp1 deluxe 21 11/-/- B -:< can@B,hen@B 3/0/4", "has none"),
]


@pytest.mark.parametrize(("text", "reason"), INVALID)
def test_positions_that_no_move_leaves_behind(text: str, reason: str) -> None:
    with pytest.raises(InvalidPositionError) as caught:
        parse_position(text)
    assert reason in str(caught.value)
    assert text in str(caught.value)


def test_a_stolen_hen_may_have_come_from_any_tile_that_can_be_stolen() -> None:
    text = "pkp1 deluxe 21 13/-/25 B -:< can@B,hen@B 3/0/4"  # D10.3: from C, for nobody steals the 13 (D9.3)
    assert str(parse_position(text)) == text


MISSPELT = [
    ("", "expected pkp1"),
    ("pkp1", "edition"),
    ("pkp2 classic 21-36 -/- A -:?", "expected pkp1"),
    ("pkp1 clasic 21-36 -/- A -:?", "expected one of classic"),
    ("pkp1 classic+fast+any-lower 21-36 -/- A -:?", "in that order"),
    ("pkp1 classic 21-36 -/- A", "6 for classic"),
    ("pkp1 classic 21-36 -/- A -:? - 0/0", "6 for classic"),
    ("pkp1 deluxe 21-36 -/- A -:?", "8 for deluxe"),
    ("pkp1  classic 21-36 -/- A -:?", "edition"),
    ("pkp1 classic 21-36 -/- A -:? ", "6 for classic"),
    (" pkp1 classic 21-36 -/- A -:?", "expected pkp1"),
    ("pkp1 classic 21-36 -/- A -:?\n", "sorted dice"),
    ("pkp1 classic 21-36\t-/- A -:?", "6 for classic"),
    ("pkp1 classic  -/- A -:?", "two-digit tiles"),
    ("pkp1 classic 21,22,23 -/- A -:?", "the canonical"),
    ("pkp1 classic 21-22 -/- A -:?", "the canonical"),
    ("pkp1 classic 21-23,24 -/- A -:?", "the canonical"),
    ("pkp1 classic 22,21 -/- A -:?", "ascending"),
    ("pkp1 classic 24-21 -/- A -:?", "ascending"),
    ("pkp1 classic 24-21,30 -/- A -:?", "ascending"),
    ("pkp1 classic 2\u0661 -/- A -:?", "two-digit tiles"),
    ("pkp1 classic 21, -/- A -:?", "two-digit tiles"),
    ("pkp1 classic 021 -/- A -:?", "two-digit tiles"),
    ("pkp1 classic 21 /- A -:?", "bottom first"),
    ("pkp1 classic 21 22-24/- A -:?", "bottom first"),
    ("pkp1 classic 21 -/- a -:?", "A to G"),
    ("pkp1 classic 21 -/- H -:?", "A to G"),
    ("pkp1 classic 21 -/- AB -:?", "A to G"),
    ("pkp1 classic 21 -/-  -:?", "A to G"),
    ("pkp1 classic - 21/- - 5:-", "-:- where no seat"),
    ("pkp1 classic - 21/- - -:?", "-:- where no seat"),
    ("pkp1 classic 21 -/- A -", "kept dice"),
    ("pkp1 classic 21 -/- A :?", "kept dice"),
    ("pkp1 classic 21 -/- A 51:?", "kept dice"),
    ("pkp1 classic 21 -/- A 0:?", "kept dice"),
    ("pkp1 classic 21 -/- A 5+:?", "kept dice"),
    ("pkp1 classic 21 -/- A 5:", "sorted dice"),
    ("pkp1 classic 21 -/- A 5:W123455", "sorted dice"),
    ("pkp1 classic 21 -/- A 5:?:", "sorted dice"),
    ("pkp1 classic 21 -/- A 5:?+", "the canonical"),
    (f"{DELUXE} 5+1:?+ gold@B 0/0/0", "the canonical"),
    (f"{DELUXE} -:? hen@21,can@A 0/0/0", "the canonical"),
    (f"{DELUXE} -:? cook@21 0/0/0", "name@tile or name@seat"),
    (f"{DELUXE} -:? hen@A* 0/0/0", "name@tile or name@seat"),
    (f"{DELUXE} -:? weasel@21* 0/0/0", "name@tile or name@seat"),
    (f"{DELUXE} -:?  0/0/0", "name@tile or name@seat"),
    (f"{DELUXE} -:? hen@D 0/0/0", "one of the 3 seats"),
    (f"{DELUXE} -:? - 0/0", "3 numbers"),
    (f"{DELUXE} -:? - 0/0/00", "3 numbers"),
    (f"{DELUXE} -:? - 0/0/-1", "3 numbers"),
    (f"{DELUXE} -:? - 0/0/100", "3 numbers"),
]


@pytest.mark.parametrize(("text", "reason"), MISSPELT)
def test_texts_that_are_no_position(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(text)
    assert reason in str(caught.value)
    assert ascii(text)[1:-1] in ascii(str(caught.value)).replace("\\\\", "\\")


def test_errors_stay_short() -> None:
    with pytest.raises(PickominoError) as caught:
        parse_position("pkp1 classic " + "21," * 50_000 + "21 -/- A -:?")
    assert len(str(caught.value)) < 2000


def test_positions_of_small_games() -> None:
    """Small games are classic with the other tiles face down."""
    position = parse_position("pkp1 classic 21,25 -/- A -:?")
    assert isinstance(position, Position)
    assert position.flipped == (22, 23, 24, *range(26, 37))
