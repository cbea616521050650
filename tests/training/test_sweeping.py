"""Small games by sweeps over numbered positions, against the solver that searches for positions and plays by Newton."""

from __future__ import annotations

import numpy as np
import pytest

from pickomino.rules import WORM, Edition, Face, PickominoError, Position, find_edition
from pickomino.solver.whole import count_bound, evaluate_policy, solve_whole
from pickomino.tensor import Array, Arrays, Batch, Rules
from pickomino.training.ranking import Ranking, small_edition
from pickomino.training.sweeping import SweptGame
from tests.tensor.games import positions, switched

FACES = (Face("1", 1, 2), Face("2", 2, 2), Face(WORM, 3, 2))
TINY = Edition("tiny", ((4, 1), (5, 2), (6, 1), (8, 2)), dice=3, faces=FACES)
SETS = [
    (False, False, False, False, False),
    (True, False, True, True, False),  # any lower, flip empty, mandatory steal
    (False, True, False, False, True),  # fast, shared ties
]


@pytest.mark.parametrize("tiles", [1, 4, 6])
def test_every_position_has_one_number(tiles: int, xp: Arrays) -> None:
    ranking = Ranking(small_edition(find_edition("classic"), tuple(range(21, 21 + tiles))), xp)
    assert ranking.count == count_bound(tiles, 2)
    for group in ranking.groups:
        numbers = xp.arange(group.last - group.first) + group.first
        assert bool((ranking.numbers(ranking.batch(group, numbers)) == numbers).all())


@pytest.mark.parametrize("bits", SETS)
def test_values_are_those_of_the_other_solver(bits: tuple[bool, ...], xp: Arrays) -> None:
    edition = switched(TINY, bits)
    exact, game = solve_whole(edition.values, edition), SweptGame(edition, xp, lanes=64)
    levels = game.solve(tolerance=1e-13)
    assert all(level.ended == "converged" and level.turns >= level.positions for level in levels)
    assert sum(level.positions for level in levels) == game.ranking.count
    assert game.residual() < 1e-12
    reached = np.asarray(game.reached())
    assert int(reached.sum()) == exact.positions
    for group in game.ranking.groups:
        numbers = xp.asarray(np.flatnonzero(reached[group.first : group.last]) + group.first, xp.int64)
        found = positions(game.ranking.batch(group, numbers))
        for position, value in zip(found, game.values[numbers].tolist(), strict=True):
            assert value == pytest.approx(exact.value(position), abs=1e-11), position


def test_single_precision_is_near(xp: Arrays) -> None:
    game = SweptGame(TINY, xp)
    game.solve(tolerance=2e-6, single=True)
    near = float(game.values[game.start])
    game.solve(tolerance=1e-13)
    assert near == pytest.approx(float(game.values[game.start]), abs=1e-5)


def test_tiles_that_are_hard_to_get_settle_quickly(xp: Arrays) -> None:
    """A 9 takes three worms, one roll of 27: plainly it would take 700 sweeps, as (26 / 27) ** 700 is 3e-12."""
    game = SweptGame(Edition("hard", ((8, 1), (9, 1)), dice=3, faces=FACES), xp)
    assert all(level.ended == "converged" and level.sweep < 50 for level in game.solve())


def test_a_level_that_gets_no_closer_is_left(xp: Arrays) -> None:
    game = SweptGame(small_edition(TINY, (4, 8)), xp)
    assert [level.ended for level in game.solve(tolerance=-1)] == ["stalled", "stalled"]
    assert [level.ended for level in game.solve(seconds=-1)] == ["out of time"]
    assert game.residual() < 1e-12


GRILL, OWN, OTHER = (np.sqrt([2, 3, 5, 7]), np.sqrt([11, 13, 17, 19]), np.sqrt([23, 29, 31, 37]))
"""Weights without ties, by tile and height: an opinion that is no estimate of anything."""


def test_an_opinion_is_worth_what_the_policy_is(xp: Arrays) -> None:
    """Given by a net for an edition with more tiles; `evaluate_policy` finds the same."""
    small = small_edition(TINY, (4, 5, 8))
    game, exact = SweptGame(small, xp), solve_whole(small.values, small)
    game.solve(tolerance=1e-13)

    def estimate(batch: Batch) -> Array:
        grill, own, other = (xp.asarray(weights, xp.float64) for weights in (GRILL, OWN, OTHER))
        parts = ((batch.grill, grill), (batch.heights[:, 0], own), (batch.heights[:, 1], -other))
        return sum((xp.astype(part, xp.float64) @ weights for part, weights in parts))[:, None] / 100

    def policy(position: Position) -> list[float]:
        return [
            end.values[0] if end.after.over else 1 - opinion(end.after) for end in exact.endings(position)
        ]

    def opinion(position: Position) -> float:
        """The same of a position in which seat B is to act."""
        at = TINY.values.index
        found = sum(GRILL[at(tile)] for tile in position.grill)
        for stack, weights in ((position.stacks[1], OWN), (position.stacks[0], -OTHER)):
            found += sum(weights[at(tile)] * height for height, tile in enumerate(stack, 1))
        return float(found) / 100

    expected = evaluate_policy(exact, policy)
    found = game.evaluate(game.opinions(estimate, Rules(TINY, 2, xp)), tolerance=1e-12)
    assert (found.beginning, found.second) == pytest.approx(expected.by_seat, abs=1e-9)
    assert found.loss > 0.01


def test_what_cannot_be_numbered_is_refused() -> None:
    with pytest.raises(PickominoError, match="without specialists"):
        small_edition(find_edition("deluxe"), (21, 22))
    with pytest.raises(PickominoError, match="expected 1 to 11 of classic, none twice"):
        small_edition(find_edition("classic"), (21, 21))
