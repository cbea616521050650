"""``review``: luck, errors, gifts and estimate add up to the result, and each is what it is said to be."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import pytest

from pickomino import Game, parse_position
from pickomino.analysis import Decision, Review, RollReview, evaluate, luck, review
from pickomino.bots.champion import win_shares
from pickomino.bots.champion.win import estimate
from pickomino.notation import Record, parse_record
from pickomino.rules import EDITIONS, Keep, Phase, PickominoError, Position, Roll, RollOn
from pickomino.testing import mixed, random_game, uniform
from tests.random_games import KEYS


def off(found: Review) -> float:
    """How far luck, errors, gifts and estimate miss the result, at most over all seats."""
    return max(
        abs(one.result - one.start - (one.luck - one.errors - one.clock + one.gifts + one.estimate))
        for one in found.balances
    )


@pytest.mark.parametrize("index", range(2 * len(KEYS)))
def test_the_parts_add_up(index: int) -> None:
    """Over every edition and 2 to 7 seats, for both objectives."""
    seats = 2 + (index + index // len(KEYS)) % 6
    game = random_game(KEYS[index % len(KEYS)], seats, index)
    assert off(review(game, "worms" if index % 3 == 2 else "win")) < 1e-9


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))
def test_the_parts_add_up_in_many_games(part: int) -> None:
    for number in range(100 * part, 100 * part + 100):
        policy = uniform if number % 5 == 0 else mixed
        game = random_game(KEYS[number % len(KEYS)], 2 + number // 3 % 6, f"many {number}", policy)
        assert off(review(game, "worms" if number % 4 == 3 else "win")) < 1e-9, number


def test_one_turn_deeper_adds_up_too_and_the_estimate_shrinks() -> None:
    games = [random_game("classic", 2, f"deep {number}") for number in range(1)]
    plain, deep = [review(game) for game in games], [review(game, deep=True) for game in games]
    assert max(map(off, deep)) < 1e-9

    def moved(found: list[Review]) -> float:
        return sum(abs(turn.estimate[0]) for one in found for turn in one.turns)

    assert moved(deep) < 0.7 * moved(plain)


def lucky(games: Iterable[int]) -> float:
    """The summed luck of one seat per game, in standard deviations of what the dice could have brought."""
    sum_ = variance = 0.0
    for number in games:
        seats = 2 + number % 3
        found = review(random_game("classic", seats, f"luck {number}")).balances[number % seats]
        sum_ += found.luck
        variance += found.spread**2
    return sum_ / math.sqrt(variance)


def test_luck_sums_to_zero() -> None:
    """Whatever the players do: four standard deviations come by chance once in 16,000 times.

    Ten thousand games, side by side: `tests/arena/test_luck.py`.
    """
    assert abs(lucky(range(12))) < 4


def test_the_result_is_the_share_of_the_win() -> None:
    """R5.3: whoever wins has 1; of worms it is the score."""
    game = random_game("classic", 3, 1)
    assert game.outcome is not None
    won = [(seat in game.outcome.winners) / len(game.outcome.winners) for seat in range(3)]
    assert [one.result for one in review(game).balances] == won
    assert tuple(one.result for one in review(game, "worms").balances) == game.outcome.scores


@pytest.mark.parametrize(
    "text",
    [
        "pkp1 classic 21-26,28,32,33 30,27/29,31/- A 33WW:?",
        "pkp1 classic 21-23,25,26,28,32-34 30,27/29,31/- B 1455W:?",
        "pkp1 deluxe 21-26,28 30,27/29,31/- A 33WW:? apple@A,can@B,crow@22,gold@24,hen@25,weasel@26 0/0/0",
        "pkp1 deluxe 21-26,28 30,27/29,31/- A 334WW:? apple@21,can@B,crow@22,gold@24,hen@25,weasel@A 0/0/0",
        "pkp1 deluxe 22-26 30/29,31/28 A 3344W:? apple@23,can@A,crow@22,gold@24,hen@25,weasel@26 0/3/4",
    ],
)
def test_luck_is_the_value_after_less_the_mean_by_the_weights_of_rolls(text: str) -> None:
    """Every roll valued on its own by `win_shares` (the forward pass of the solver), summed by its weight.

    So many tiles are left that the net is asked right after the turn.
    """
    position = parse_position(text)

    def shares(after: Position) -> tuple[float, ...]:
        if after.seat != position.seat:  # the turn is over: a bust
            return tuple(estimate([after])[0].tolist())
        return win_shares(after)

    rolls = position.rolls()
    values = {roll: shares(position.apply(roll).position) for roll in rolls}
    total = sum(rolls.values())
    mean = [
        sum(weight * values[roll][seat] for roll, weight in rolls.items()) / total
        for seat in range(len(position.stacks))
    ]
    for roll in random.Random(1).sample(list(rolls), 12):
        expected = [value - average for value, average in zip(values[roll], mean, strict=True)]
        assert luck(position, roll) == pytest.approx(expected, abs=1e-6)  # another batch in float32: 6e-8


def test_luck_has_mean_zero_and_the_variance_that_is_said() -> None:
    game = Game(parse_position("pkp1 classic 21-26,28 30,27/29,31 A 33WW:?"))
    rolls = game.position.rolls()
    total = sum(rolls.values())
    found = {roll: luck(game.start, roll) for roll in rolls}
    for seat in (0, 1):
        assert sum(weight * found[roll][seat] for roll, weight in rolls.items()) == pytest.approx(0, abs=1e-9)
    game.apply(next(iter(rolls)))
    (roll,) = review(game).rolls
    variance = sum(weight * found[one][0] ** 2 for one, weight in rolls.items()) / total
    assert roll.variance[0] == pytest.approx(variance, abs=1e-9)
    assert roll.luck == pytest.approx(found[Roll(roll.dice)])


@pytest.mark.parametrize("key", ["classic", "deluxe"])
@pytest.mark.parametrize("objective", ["win", "worms"])
def test_errors_are_those_of_evaluate(key: str, objective: str) -> None:
    """For worms a value is the score so far and what the turn brings on average; `evaluate` counts the latter."""
    found = review(random_game(key, 3, 5, uniform, plies=150), objective)
    for decision in found.decisions:
        before = evaluate(decision.position, objective)
        score = decision.position.scores[decision.seat] if objective == "worms" else 0
        started = found.positions[found.turns[decision.turn - 1].first].scores[decision.seat]
        values = {
            move: value + (started if objective == "worms" else 0) for move, value in before.moves.items()
        }
        if decision.position.specialists is not None and objective == "worms" and score != started:
            continue  # a round worm on the way: evaluate measures from here on
        assert decision.values == pytest.approx(values, abs=1e-6)
        assert decision.best == before.best or decision.values[decision.best] == pytest.approx(
            before.value + (started if objective == "worms" else 0), abs=1e-6
        )
        assert decision.error >= 0
        assert sum(decision.odds[decision.played].values()) == pytest.approx(
            1 if decision.position.phase is not Phase.PUT_BACK and decision.odds[decision.played] else 0
        )


def test_a_game_broken_off_ends_at_its_last_value() -> None:
    for plies in (0, 1, 2, 7, 30, 61):
        game = random_game("classic", 3, 4, plies=plies)
        found = review(game)
        assert not found.over
        assert off(found) < 1e-9
        assert sum(one.result for one in found.balances) == pytest.approx(1, abs=1e-6)
        if game.position.phase is Phase.ROLL and plies:
            continue  # between turns: as the last turn left it
        assert [one.result for one in found.balances] == pytest.approx(win_shares(game.position), abs=1e-6)


def test_a_game_may_begin_inside_a_turn_and_after_a_claim() -> None:
    inside = "pkp1 classic 21-26,28 30,27/29,31/- A 33WW:-"
    after_claim = (
        "pkp1 deluxe 28,29 33,24/23,13,21,22,26,25,11,27 B -:< apple@29,can@B,gold@B,hen@A,weasel@28 6/1"
    )
    for text in (inside, after_claim):
        game = random_game(start=parse_position(text), seed=1)
        found = review(game)
        assert off(found) < 1e-9
        assert found.decisions[0].position == game.start
        assert found.turns[0].seat == game.start.seat


def test_an_edition_without_weights_is_judged_by_worms() -> None:
    """A tile of its own makes it an edition for which nothing was learned."""
    house = replace(EDITIONS["classic"], key="house", tiles=((20, 1), *EDITIONS["classic"].tiles[1:]))
    found = review(random_game(house, 2, 1))
    assert found.goal == "worms"
    assert off(found) < 1e-9
    with pytest.raises(PickominoError, match="expected win or worms"):
        review(Game(), "luck")


RECORD = """[PKGN "1"]
[Edition "classic"]
[Seats "A:red B:blue"]
[Result "*"]

1 A 112345WW/W 445WWW/4 2224/2{} t24{}
2 B 12223345/3 344455/4 125/5 15/1 4 !
"""


@pytest.mark.parametrize(
    ("mark", "uncharged"),
    [
        (("", ""), []),
        (("", " {by clock}"), ["t24"]),
        ((" {by clock}", " {by clock}"), ["k2", "t24"]),
        ((" {by stand-in}", " {a comment}"), ["k2"]),
    ],
)
def test_what_a_clock_played_is_not_charged(mark: tuple[str, str], uncharged: list[str]) -> None:
    found = review(parse_record(RECORD.format(*mark)))
    assert [str(one.played) for one in found.decisions if not one.charged] == uncharged
    balance = found.balances[0]
    assert balance.errors == pytest.approx(
        sum(one.error for one in found.decisions if one.seat == 0 and one.charged)
    )
    assert off(found) < 1e-9


def test_a_mark_behind_the_seat_is_for_the_whole_turn() -> None:
    found = review(parse_record(RECORD.format("", "").replace("1 A ", "1 A {by clock} ")))
    assert all(one.charged == (one.turn == 2) for one in found.decisions)
    assert found.balances[0].errors == 0
    assert found.balances[0].clock > 0


def test_a_review_is_ready_for_json() -> None:
    game = random_game("deluxe", 3, 2)
    found = review(Record(game, ("Anna", "", "Eve")))
    assert found.names == ("Anna", "seat B", "Eve")
    data = json.loads(json.dumps(found.to_json()))
    assert len(data["rolls"]) + len(data["decisions"]) == len(game)
    assert data["decisions"][0]["moves"][0].keys() == {"move", "value", "ends"}


def test_every_ply_is_there_with_its_values_before_and_after() -> None:
    game = random_game("classic", 4, 9)
    found = review(game)
    plies: list[RollReview | Decision] = sorted([*found.rolls, *found.decisions], key=lambda one: one.ply)
    assert [one.ply for one in plies] == list(range(len(game)))
    for one, two in pairwise(plies):
        if one.turn == two.turn:
            assert one.after == pytest.approx(two.before, abs=1e-12)


def test_gifts_and_errors_of_a_plain_mistake() -> None:
    """Rolling on with the last tile and the win in hand gives away what it risks; the other seat gets it."""
    game = Game(parse_position("pkp1 classic 21 30/29 A 555WW:-"))
    game.apply(RollOn())
    (decision,) = review(game).decisions
    assert str(decision.best) == "t21"
    assert decision.values[decision.best] == 1  # four worms against three, and the game is over
    assert decision.gifts[1] == pytest.approx(decision.error, abs=1e-6)
    assert decision.error > 0.01
    assert Keep("1") not in decision.values
