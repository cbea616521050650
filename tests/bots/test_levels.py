"""Levels for people: softened, never absurd, and each a clear step above the one below."""

import random
from collections import Counter
from typing import cast

import numpy as np
import pytest

from pickomino.bots import make_bot
from pickomino.bots.games import PackedGames, as_policy
from pickomino.bots.levels import SoftBot, easy, hard, medium
from pickomino.compact.moves import move_table
from pickomino.notation import parse_position
from pickomino.rules import PickominoError, Position
from pickomino.simulate import play_games
from pickomino.testing import check_bot, random_positions

LEVELS = [easy, medium, hard]


class Fixed:
    """A generator of given numbers, for both forms alike."""

    def __init__(self, numbers: np.ndarray) -> None:
        self.numbers = list(numbers)

    def random(self, size: int | None = None) -> object:
        return self.numbers.pop(0) if size is None else np.array([self.numbers.pop(0) for _ in range(size)])


def decisions(edition: str, count: int) -> list[Position]:
    return [p for p in random_positions(edition, 3, 1, count=count) if p.moves()]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("edition", "count"), [("classic", 400), ("summary", 200), ("deluxe", 30)])
def test_single_and_batch_form_make_the_same_of_the_same_numbers(
    level: type, edition: str, count: int
) -> None:
    bot, positions, table = level(), decisions(edition, count), move_table(edition)
    numbers = np.random.default_rng(1).random(len(positions))
    chosen = bot.choose_many(PackedGames(positions), cast(np.random.Generator, Fixed(numbers)))
    rng = cast(random.Random, Fixed(numbers))
    assert [table[int(index)] for index in chosen] == [bot.choose(position, rng) for position in positions]


@pytest.mark.parametrize("level", LEVELS)
def test_no_move_gives_away_more_than_allowed(level: type) -> None:
    bot: SoftBot = level()
    rng = random.Random(1)
    for position in decisions("classic", 300):
        found = bot.explain(position)
        assert found.value - found.moves[bot.choose(position, rng)] <= bot.most


def test_choices_follow_what_the_moves_are_worth() -> None:
    """Chances are exp(-given away / temperature) among the moves that are not out of the question."""
    bot, rng = SoftBot(temperature=0.2, most=0.3), random.Random(1)
    position = parse_position("pkp1 classic 21-36 -/- A -:1333445W")
    found = bot.explain(position)
    weight = {
        str(move): float(np.exp((value - found.value) / 0.2))
        for move, value in found.moves.items()
        if found.value - value <= 0.3
    }
    assert 1 < len(weight) < len(found.moves)
    count = Counter(str(bot.choose(position, rng)) for _ in range(4000))
    assert count.keys() == weight.keys()
    for move, times in count.items():
        expected = 4000 * weight[move] / sum(weight.values())
        assert abs(times - expected) < 5 * expected**0.5  # the seed is fixed


def test_cold_bots_play_like_ev() -> None:
    cold, ev, rng = (
        SoftBot(temperature=0.001, most=0, loss=1, steal=1),
        make_bot("ev:steal=1"),
        random.Random(1),
    )
    for position in decisions("classic", 100):
        values = cold.explain(position).moves
        assert values[cold.choose(position, rng)] == pytest.approx(values[ev.choose(position, rng)])


@pytest.mark.parametrize("name", ["easy", "medium", "hard"])
def test_levels_pass_the_kit(name: str) -> None:
    check_bot(make_bot(name), ("classic", "course"), plies=150)
    check_bot(make_bot(name), ("deluxe",), plies=60)


@pytest.mark.parametrize(("better", "worse"), [("medium", "easy"), ("hard", "medium")])
def test_every_level_is_a_step(better: str, worse: str) -> None:
    """docs/bots.md has 64 and 65 %; 300 games give that to within 3 points."""
    results = play_games([as_policy(make_bot(better), 1), as_policy(make_bot(worse), 2)], games=300, seed=1)
    assert 0.55 < results.shares[:, 0].mean() < 0.75


@pytest.mark.parametrize(
    "spec", ["soft:temperature=0", "soft:most=-1", "soft:temperature=warm", "easy:most=1"]
)
def test_parameters_are_checked(spec: str) -> None:
    with pytest.raises(PickominoError, match=r"at least|does not take"):
        make_bot(spec)
