"""frames(position, ply): the view after every event, over random games of every edition with 2 to 7 seats."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pickomino import Keep, Position, Roll, parse_move, parse_position
from pickomino.rules import SEATS
from pickomino.rules.events import (
    Busted,
    Event,
    Flipped,
    GotSpecialist,
    Kept,
    Returned,
    Rolled,
    SpecialistMoved,
    Stole,
    Took,
)
from pickomino.testing import random_game
from pickomino.views import View, bust_prob, frames, view
from tests.random_games import KEYS, all_positions


@pytest.mark.parametrize("edition", KEYS)
@pytest.mark.parametrize("seats", range(2, 8))
def test_every_event_comes_with_the_view_after_it(edition: str, seats: int) -> None:
    game = random_game(edition, seats, seats)
    for index, (before, ply, events) in enumerate(game.steps()):
        shown = frames(before, ply)
        assert [frame.event for frame in shown] == list(events)
        if shown:
            assert shown[-1].view == view(game.positions[index + 1])
        for event, on_the_way in shown[:-1]:
            check_passing(before, event, on_the_way)


def check_passing(before: Position, event: Event, shown: View) -> None:
    """What the event says has moved lies where it says; nothing is lost, nothing can be chosen."""
    tiles = sorted(sum(shown["stacks"], shown["grill"] + shown["flipped"]))
    assert tiles == list(before.edition.values)
    assert shown["seat"] == before.seat_letter
    assert (shown["moves"], shown["keeps"], shown["claims"], shown["bust"]) == ([], [], [], None)
    match event:
        case Took(seat, tile) | Stole(seat, tile, _):
            assert shown["tops"][seat] == tile
        case Returned(seat, tile):
            assert tile in shown["grill"]
            assert shown["tops"][seat] != tile
        case Flipped(tile):
            assert tile in shown["flipped"]
        case SpecialistMoved(name, tile):
            assert shown.get("specialists", {})[name] == tile
        case GotSpecialist(seat, name, _):
            assert shown.get("specialists", {})[name] == SEATS[seat]
        case Rolled() | Kept() | Busted():
            assert shown["stacks"] == [list(stack) for stack in before.stacks]


def test_worms_after_a_steal_and_after_a_bust() -> None:
    """27 has two worms, 25 two: A has 25, steals B's 27, and B's next bust returns 22 (one worm)."""
    before = parse_position("pkp1 classic 24,26,28-34 25/22,27 A 3455WW:-")
    stolen = frames(before, parse_move("x27"))
    assert [frame.view["scores"] for frame in stolen] == [[4, 1], [4, 1]]
    rolled = parse_position("pkp1 classic 24,26,28-34 25/22 B 455W:?")
    names = [type(frame.event).__name__ for frame in frames(rolled, Roll("4455"))]
    assert names == ["Rolled", "Busted", "Returned", "Flipped", "TurnStarted"]
    scores = [frame.view["scores"] for frame in frames(rolled, Roll("4455"))]
    assert scores == [[2, 1], [2, 1], [2, 0], [2, 0], [2, 0]]


def test_a_ply_without_events_has_no_frames() -> None:
    assert frames(parse_position("pkp1 classic 21-36 -/- A 5WW:-"), parse_move("r")) == []


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        # Two faces kept, five dice: (2/6)^5, and 5 dice of one new face after which nothing can be claimed:
        # none, as 5WW and five of 1 make 20 and 20 reaches no tile: 1 of 6^5 more.
        ("pkp1 classic 21-36 -/- A 5WW:-", Fraction(2**5 + 1, 6**5)),
        # Five faces kept and no worm: only a worm helps, 20 + 5 makes 25.
        ("pkp1 classic 21-36 -/- A 1234555:-", Fraction(5, 6)),
        # One die, four faces kept and no worm: W alone does not bust.
        ("pkp1 classic 21-36 -/- A 1122344:-", Fraction(5, 6)),
    ],
)
def test_bust_prob_of_known_positions(position: str, expected: Fraction) -> None:
    assert bust_prob(parse_position(position)) == pytest.approx(float(expected))


def test_bust_prob_is_what_counting_all_rolls_gives() -> None:
    counted = 0
    for position in all_positions():
        prob = bust_prob(position)
        assert (prob is None) == (
            not position.rolls() and "r" not in view(position)["moves"] + gold(position)
        )
        if prob is not None and position.kept and position.dice_left <= 3:
            counted += 1
            assert prob == pytest.approx(float(by_counting(position)))
    assert counted > 100


def gold(position: Position) -> list[str]:
    return ["r"] if position.phase.value == "gold" else []


def by_counting(position: Position) -> Fraction:
    due = position if position.rolls() else position.apply(parse_move("r")).position
    rolls = due.rolls()
    lost = sum(weight for roll, weight in rolls.items() if is_lost(due, roll))
    return Fraction(lost, sum(rolls.values())) ** (2 if has_weasel(due) else 1)


def has_weasel(position: Position) -> bool:
    specialists = position.specialists
    return (
        specialists is not None and not specialists.weasel_used and specialists.holds(position.seat, "weasel")
    )


def is_lost(position: Position, roll: Roll) -> bool:
    """A bust at once, or after every keep; the giver of a round worm does not change it."""
    after, events = position.apply(roll)
    if any(isinstance(event, Busted) for event in events):
        return True
    keeps = [move for move in after.moves() if isinstance(move, Keep)]
    for keep in keeps:
        kept, told = after.apply(keep)
        while kept.phase.value == "giver":
            kept, told = kept.apply(kept.moves()[0])
        if not any(isinstance(event, Busted) for event in told):
            return False
    return True


def test_the_crow_brings_nothing_when_nobody_else_has_a_round_worm() -> None:
    """D11.1: all seven are A's already."""
    before = parse_position("pkp1 deluxe 21-23 25/24 A 1334WWW:- apple@21,can@A,crow@23,hen@B,weasel@22 7/0")
    told = frames(before, parse_move("t23"))
    assert [type(frame.event).__name__ for frame in told] == ["Took", "SpecialistLeft", "TurnStarted"]
    assert [frame.view.get("round_worms") for frame in told] == [[7, 0]] * 3
