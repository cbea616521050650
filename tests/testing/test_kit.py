"""The kit finds what is wrong: every check is shown something broken."""

import random
from dataclasses import replace
from typing import Any

import pytest

from pickomino.game import Game
from pickomino.notation import parse_position
from pickomino.rules import Keep, Move, Position, Roll, RollOn, Step, Take, find_edition
from pickomino.rules.events import Busted, Flipped
from pickomino.testing import (
    ConformanceError,
    all_moves,
    assert_same_game,
    careful,
    check_bot,
    check_game,
    check_position,
    check_refusals,
    check_step,
    has_text,
    mixed,
    random_game,
    random_positions,
    uniform,
)
from tests.rules.tiny import PLAIN, TINY


@pytest.mark.parametrize("policy", [uniform, careful, mixed])
def test_random_games_are_fixed_by_their_seed(policy: Any) -> None:
    games = [random_game("deluxe", 3, seed, policy, first=2) for seed in (1, 1, 2)]
    assert_same_game(games[0], games[1])
    assert games[0] != games[2]
    assert games[0].start == Position.start("deluxe", 3, 2)
    check_game(games[0])


def test_random_games_can_begin_anywhere_and_be_broken_off() -> None:
    start = parse_position("pkp1 classic 21,25 -/- B 55W:-")
    assert random_game(start=start).start == start
    assert len(random_game(plies=17)) == 17
    assert len(random_game(plies=0)) == 0
    check_game(Game(start))
    check_game(Game(start, [RollOn()]))  # announced, no dice yet: its record does not tell of it


def test_random_games_of_custom_editions() -> None:
    for edition in TINY:
        check_game(random_game(edition, 3, edition.key, plies=300))
        assert not has_text(edition)
    assert has_text(find_edition("classic+fast"))
    assert not has_text(replace(PLAIN, key="classic"))


def test_random_positions_are_as_many_as_asked_for() -> None:
    positions = list(random_positions("deluxe", 4, 1, count=150))
    assert len(positions) == 150
    assert len(set(positions)) > 100
    assert positions == list(random_positions("deluxe", 4, 1, count=150))
    for position in positions:
        check_position(position)
        check_refusals(position)


def test_all_moves_are_all_different() -> None:
    moves = all_moves(find_edition("deluxe"))
    assert len({str(move) for move in moves}) == len(moves) == 6 + 2 * 18 + 7 + 6 + 5


def broken(text: str, **changes: Any) -> Position:
    return replace(parse_position(text), **changes)


@pytest.mark.parametrize(
    "position",
    [
        broken("pkp1 classic 21-36 -/- A -:?", grill=(21, 21)),
        broken("pkp1 classic 21-36 -/- A -:?", seat=5),
        broken("pkp1 deluxe 21-36 -/- A -:? - 0/0", specialists=None),
    ],
)
def test_broken_positions_are_found(position: Position) -> None:
    with pytest.raises(ConformanceError, match="reject"):
        check_position(position)


class Cheat(Position):
    """A position whose answers are wrong in one way, named by `how`."""

    __slots__ = ()
    how = ""

    def moves(self) -> tuple[Move, ...]:
        moves = super().moves()
        match self.how:
            case "unsorted":
                return moves[::-1]
            case "none":
                return ()
        return moves

    def rolls(self) -> dict[Roll, int]:
        rolls = dict(super().rolls())
        if self.how == "weights" and rolls:
            rolls[next(iter(rolls))] += 1
        return rolls

    def apply(self, ply: Any, way: Any = None) -> Step:
        match self.how:
            case "lenient":
                return Step(self, ())
            case "flips":
                return Step(replace(super().apply(ply).position, grill=self.grill[:-1]), ())
            case "tells a flip":
                step = super().apply(ply)
                return Step(step.position, (*step.events, Busted(0), Flipped(36)))
            case "skips":
                step = super().apply(ply)
                return Step(replace(step.position, seat=1), step.events)
        return super().apply(ply)


def cheat(how: str, text: str) -> Position:
    made = type(f"Cheat {how}", (Cheat,), {"how": how, "__slots__": ()})
    source = parse_position(text)
    fields = ("edition", "grill", "stacks", "seat", "phase", "kept", "rolled", "specialists")
    position: Position = made(*(getattr(source, field) for field in fields))
    return position


KEEP = "pkp1 classic 21-36 -/- A -:112345WW"


@pytest.mark.parametrize(
    ("how", "text", "reason"),
    [
        ("unsorted", KEEP, "sorted"),
        ("none", "pkp1 classic 21-36 -/- A 55W:-", "moves, unless"),
        ("weights", "pkp1 classic 21-36 -/- A 55W:?", "sum"),
    ],
)
def test_wrong_choices_are_found(how: str, text: str, reason: str) -> None:
    with pytest.raises(ConformanceError, match=reason):
        check_position(cheat(how, text))


def test_what_is_not_refused_is_found() -> None:
    with pytest.raises(ConformanceError, match="to be refused"):
        check_refusals(cheat("lenient", KEEP))


@pytest.mark.parametrize(
    ("how", "reason"), [("flips", "to be told"), ("tells a flip", "to be told"), ("skips", "the same seat")]
)
def test_wrong_steps_are_found(how: str, reason: str) -> None:
    with pytest.raises(ConformanceError, match=reason):
        check_step(cheat(how, KEEP), Keep("W"))


def test_different_games_are_found() -> None:
    game = random_game(seed=1)
    shorter = Game(game.start, game.plies[:-1])
    with pytest.raises(ConformanceError, match="the other goes on"):
        assert_same_game(game, shorter)
    with pytest.raises(ConformanceError, match="after 0 plies: ply"):
        assert_same_game(Game(plies=[Roll("112345WW")]), Game(plies=[Roll("111345WW")]))
    with pytest.raises(ConformanceError, match="position"):
        assert_same_game(Game(), Game.new("summary"))


class Careless:
    def choose(self, position: Position, rng: random.Random) -> Move:
        return Take(36)


class Moody:
    """Legal, but with randomness of its own."""

    def __init__(self) -> None:
        self._rng = random.Random(1)

    def choose(self, position: Position, rng: random.Random) -> Move:
        return uniform(position, self._rng)


class Dutiful:
    def choose(self, position: Position, rng: random.Random) -> Move:
        return mixed(position, rng)


def test_bots_are_found_out() -> None:
    check_bot(Dutiful())
    with pytest.raises(ConformanceError, match="a legal move of the bot, not 't36'"):
        check_bot(Careless())
    with pytest.raises(ConformanceError):
        check_bot(Moody())
