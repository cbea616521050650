"""Batches of games against the rules: beginnings, scores, winners, scattered games."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pickomino import parse_position
from pickomino.rules import EDITIONS, NOBODY, SPECIALISTS, Phase, Position, find_edition
from pickomino.tensor import Arrays, Batch, Rules, scattered
from pickomino.training.families import family_rules
from tests.tensor.games import games, known, positions

SEATS = pytest.mark.parametrize("seats", range(2, 8))


@pytest.mark.parametrize("key", EDITIONS)
def test_games_begin_as_the_rules_say(key: str, xp: Arrays) -> None:
    found = positions(Batch.start(Rules(find_edition(key), 3, xp), 2))
    assert found == [Position.start(key, 3)] * 2


@SEATS
@pytest.mark.parametrize("key", EDITIONS)
def test_scattered_games_can_be_written_and_read(key: str, seats: int, xp: Arrays) -> None:
    for position in positions(scattered(Rules(find_edition(key), seats, xp), 50)):
        assert parse_position(str(position)) == position


@SEATS
@pytest.mark.parametrize("key", ["classic", "deluxe"])
def test_scores_and_winners_are_those_of_the_rules(key: str, seats: int, xp: Arrays) -> None:
    batch = games(key, seats, xp, 128)
    tally = batch.tally()
    ties = 0
    for position, scores, shares in zip(positions(batch), tally.scores, tally.shares, strict=True):
        over = replace(position, grill=(), seat=NOBODY, phase=Phase.OVER)
        assert over.outcome is not None
        assert tuple(scores.tolist()) == over.scores
        winners = over.outcome.winners
        shared = [(seat in winners) / len(winners) for seat in range(seats)]  # R5.3
        assert shares.tolist() == pytest.approx(shared, abs=1e-6)
        ties += len(winners) > 1
    assert ties, "no tie among the games: nothing was seen of R5.3"


@SEATS
def test_everybody_moves_up(seats: int, xp: Arrays) -> None:
    batch = games("deluxe", seats, xp)
    for before, moved in zip(positions(batch), positions(batch.moved_up()), strict=True):
        assert known(moved) == known(before, 1)


def test_a_game_is_over_without_face_up_tiles(xp: Arrays) -> None:
    batch = Batch.start(Rules(find_edition("classic"), 2, xp), 2)
    batch.grill[1] = False
    assert batch.over.tolist() == [False, True]


def test_a_mixed_batch_has_every_edition_of_the_family(xp: Arrays) -> None:
    switches = Batch.start(family_rules("switches", 3, xp), 2000).switches
    assert len(np.unique(np.asarray(switches), axis=0)) == 32
    apple = Batch.start(family_rules("deluxe", 3, xp), 100).place[:, SPECIALISTS.index("apple")]
    assert set(apple.tolist()) == {-1, find_edition("deluxe").values.index(29)}  # D7.2; extrawurm has none
