"""The rules against the naive engine of `tests.reference`, state by state over random games."""

import random
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import get_args

import pytest

from pickomino.chance import SeededDice
from pickomino.notation import parse_ply, parse_position
from pickomino.rules import SEATS, Move, Phase, Position, Roll, all_keys, events, find_edition, format_edition
from pickomino.testing import Policy, careful, mixed, uniform
from tests.random_editions import random_edition
from tests.reference import engine as reference

KEYS = tuple(all_keys())
TABLES = tuple((seats, first) for seats in range(2, 8) for first in range(seats))
POLICIES: tuple[Policy, ...] = (mixed, careful, uniform)
Seen = Counter[str]


def compare(key: str, seats: int, first: int, seed: str, policy: Policy, plies: int) -> Seen:
    """One random game in both engines; the answer is what happened in it."""
    dice, rng = SeededDice(seed), random.Random(seed)
    position, state = Position.start(key, seats, first), reference.start(key, seats, first)
    seen: Seen = Counter()
    for _ in range(plies):
        compare_state(position, state)
        if position.over:
            break
        ply = dice.roll(position) if position.phase is Phase.ROLL else policy(position, rng)
        position, happened = position.apply(ply)
        state = reference.apply(state, str(ply))
        seen.update([type(ply).__name__, *(type(event).__name__ for event in happened)])
    return seen


def compare_state(position: Position, state: reference.State) -> None:
    assert str(position) == reference.text(state)
    here = str(position)
    assert [str(move) for move in position.moves()] == reference.moves(state), here
    if position.phase is Phase.ROLL:
        if position.edition.name:
            weights = {str(roll): weight for roll, weight in position.rolls().items()}
        else:
            rolls, weights = rolls_of(position.edition.key, *position.dice_to_roll)
            assert position.rolls() == rolls, here
        assert weights == reference.rolls(state), here
    else:
        assert not position.rolls(), here
        assert not reference.rolls(state), here
    assert position.total == reference.total(state), here
    expected, standings = reference.outcome(state), position.standings
    assert list(standings.scores) == expected["scores"], here
    assert list(standings.ranks) == expected["ranks"], here
    assert (position.outcome is None) == (expected["reason"] is None), here
    if position.outcome is not None:
        assert [SEATS[seat] for seat in position.outcome.winners] == expected["winners"], here
        assert position.outcome.reason == expected["reason"], here


@cache
def rolls_of(key: str, white: int, gold: bool) -> tuple[Mapping[Roll, int], dict[str, int]]:
    """What `rolls` gives where so many dice are due, and the same by text: it depends on nothing else."""
    position = dice_due(key, white, gold)
    assert position.dice_to_roll == (white, gold)
    return position.rolls(), {str(roll): weight for roll, weight in position.rolls().items()}


def dice_due(key: str, white: int, gold: bool) -> Position:
    """A position of the edition in which exactly these dice are due."""
    kept = "1" * (8 - white)
    if not find_edition(key).specialists:
        return parse_position(f"pkp1 {key} 21-36 -/- A {kept or '-'}:?")
    tail = f"{kept or '-'}:?+" if gold else f"{kept}+1:?" if kept else "+1:?"
    if not gold and not kept:
        return parse_position(f"pkp1 {key} 21-36 -/- A -:? - 0/0")
    return parse_position(f"pkp1 {key} 21-36 -/- A {tail} gold@A 1/0")


def game_seeds(count: int) -> list[tuple[str, int, int, str]]:
    """Every edition at every size of table, so many games each; the starter goes round."""
    games = []
    for number, key in enumerate(KEYS):
        for seats in range(2, 8):
            games += [(key, seats, (number + seats + i) % seats, f"{key} {seats} {i}") for i in range(count)]
    return games


@pytest.mark.parametrize("part", range(6))
def test_random_games_agree_in_every_edition_at_every_table(part: int) -> None:
    for number, (key, seats, first, seed) in enumerate(game_seeds(1)):
        if number % 6 == part:
            compare(key, seats, first, seed, POLICIES[number // 6 % 3], plies=500)


@pytest.mark.parametrize("key", ["deluxe", "extrawurm"])
def test_deluxe_games_agree_at_every_table_with_every_starter(key: str) -> None:
    seen: Seen = Counter()
    for number, (seats, first) in enumerate(TABLES):
        seen += compare(key, seats, first, f"{key} {seats} {first}", POLICIES[number % 3], plies=1500)
    missing = {kind.__name__ for kind in (*get_args(Move), Roll, *get_args(events.Event))} - seen.keys()
    assert not missing, f"the games held every kind of move and event but {missing}"


def test_classic_games_hold_every_kind_of_classic_event() -> None:
    seen: Seen = Counter()
    for seats, first in TABLES:
        seen += compare("classic", seats, first, f"{seats} {first}", mixed, plies=1500)
    assert seen.keys() == {
        *("Roll", "Keep", "RollOn", "Take", "Steal", "Stop"),
        *("Rolled", "Kept", "Took", "Stole", "Busted", "Returned", "Flipped", "TurnStarted", "GameOver"),
    }


def compare_house(number: int, plies: int) -> None:
    edition, seats = random_edition(number), 2 + number % 6
    assert reference.house(format_edition(edition)) == edition.key
    compare(edition.key, seats, number % seats, str(number), POLICIES[number % 3], plies)


def test_games_of_house_editions_agree() -> None:
    for number in range(20):
        compare_house(number, plies=150)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(200))
def test_soak_games_of_house_editions(number: int) -> None:
    compare_house(number, plies=3000)


DRY = (
    # The supply is empty or nearly so, and specialists are spread: what random games reach late and seldom.
    "pkp1 deluxe 21-24,30-33 25,26/27/28 A -:? apple@24,can@A,crow@21,gold@B,hen@C,weasel@30 2/3/2",
    "pkp1 deluxe 13,22,23 11,25/27/28/29 B -:+? can@A,crow@13,gold@B,hen@C,weasel@D 1/2/2/1",
    "pkp1 deluxe 23 24/26/28 C -:? crow@23,hen@B,weasel@C 3/2/2",
    "pkp1 extrawurm 21,36 24/26/28/31/35 E -:? can@D,crow@21,hen@B,weasel@E 3/2/1/0/0",
    "pkp1 extrawurm 11,13 24/26/28 A -:? can@A,crow@11,gold@B,hen@13,weasel@C 0/0/7",
    "pkp1 deluxe 11,13,36 21,22/23,24/25/27,28/29/31,32/33 G -:? apple@13,can@G,gold@36 1/1/1/1/1/1/1",
)


@pytest.mark.parametrize("text", DRY)
def test_games_from_late_deluxe_positions_agree(text: str) -> None:
    for number in range(15):
        play_on(text, f"{text} {number}", POLICIES[number % 3], plies=150)


def play_on(text: str, seed: str, policy: Policy, plies: int) -> None:
    dice, rng = SeededDice(seed), random.Random(seed)
    position, state = parse_position(text), reference.from_text(text)
    for _ in range(plies):
        compare_state(position, state)
        if position.over:
            break
        ply = dice.roll(position) if position.phase is Phase.ROLL else policy(position, rng)
        assert parse_ply(str(ply)) == ply
        position, state = position.apply(ply).position, reference.apply(state, str(ply))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.soak
def test_soak_every_table_with_every_starter_and_policy(key: str) -> None:
    for seats, first in TABLES:
        for number in range(6):
            policy = POLICIES[number % 3]
            compare(key, seats, first, f"soak {key} {seats} {first} {number}", policy, plies=5000)


@pytest.mark.parametrize("text", DRY)
@pytest.mark.soak
def test_soak_late_deluxe_positions(text: str) -> None:
    for number in range(500):
        play_on(text, f"soak {text} {number}", POLICIES[number % 3], plies=1000)
