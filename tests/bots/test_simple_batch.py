"""The batch forms of the simple bots: the same choices, thousands at a time."""

import random

import numpy as np
import pytest

from pickomino.bots import CautiousBot, RandomBot
from pickomino.bots.games import PackedGames, legal_mask
from pickomino.compact.moves import move_table
from pickomino.rules import all_keys
from pickomino.testing import random_positions


@pytest.mark.parametrize("edition", list(all_keys()))
def test_cautious_chooses_the_same_in_both_forms(edition: str) -> None:
    bot, table = CautiousBot(), move_table(edition)
    for seats in (2, 6):
        found = random_positions(edition, seats, seats, count=200)
        positions = [position for position in found if position.moves()]
        chosen = bot.choose_many(PackedGames(positions), np.random.default_rng(1))
        for position, index in zip(positions, chosen, strict=True):
            assert table[int(index)] == bot.choose(position, random.Random(1)), str(position)


def test_random_plays_legal_moves_about_equally_often() -> None:
    positions = [p for p in random_positions("deluxe", 3, 1, count=60) if p.moves()]
    games, rng, bot = PackedGames(positions), np.random.default_rng(1), RandomBot()
    legal = legal_mask(games)
    counts = np.zeros(legal.shape)
    for _ in range(2000):
        counts[np.arange(len(games)), bot.choose_many(games, rng)] += 1
    assert (counts[~legal] == 0).all()
    expected = np.broadcast_to(2000 / legal.sum(axis=1, keepdims=True), legal.shape)
    assert (np.abs(counts - expected)[legal] < 5 * np.sqrt(expected[legal]) + 1).all()  # the seed is fixed
