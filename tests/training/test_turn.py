"""Turns solved and played on arrays, against the solver: what they are worth, what they bring, who wins games."""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np
import pytest

from pickomino.rules import SPECIALISTS, Edition, find_edition
from pickomino.solver import TurnSolver, Worms, after
from pickomino.tensor import Array, Arrays, Batch, Rules, endings, scattered
from pickomino.training.backup import TurnGraph, solve_plain
from pickomino.training.contests import WormsValue, blind, contest, deeper, win
from pickomino.training.turn import giver_liking, prepare
from tests.tensor.games import games, known, positions


def worth(text: str) -> float:
    """Any number, the same for the same table."""
    return zlib.crc32(text.encode()) / 2**32


@pytest.mark.parametrize("key", ["classic", "deluxe"])
def test_turns_are_worth_what_the_solver_says(key: str, xp: Arrays) -> None:
    """Two seats, where nobody chooses a giver; every set of switches."""
    batch = games(key, 2, xp, 32)
    ends, possible = endings(batch)
    values = xp.full((*possible.shape, 1), 9, xp.float64)  # what cannot happen would be best
    there = [worth(known(end)) for end in positions(ends.flatten()[possible.reshape(-1)])]
    values[possible, 0] = xp.asarray(there, xp.float64)
    turn = prepare(TurnGraph(batch.rules.edition, xp), batch, values)
    for position, value in zip(positions(batch), turn.start_value[:, 0].tolist(), strict=True):
        solver = TurnSolver(position)
        payoff = [max(worth(known(end, 1)) for end in after(position, how)) for how in solver.endings]
        assert value == pytest.approx(solver.solve(payoff).value, abs=1e-9), position


@pytest.mark.parametrize("held", ["nothing", "can", "gold", "weasel"])
def test_play_brings_what_the_turn_is_worth(held: str, xp: Arrays) -> None:
    """The mean of many played turns is the solved value, within five errors; the chosen endings are there."""
    rules = Rules(find_edition("deluxe" if held in SPECIALISTS else "classic+fast"), 2, xp)
    some = scattered(rules, 8)
    if held in SPECIALISTS:
        some.place[:] = -1  # out of the game
        some.place[:, SPECIALISTS.index(held)] = rules.tiles  # seat 0 has it
    batch = some[xp.full((8,), 0, xp.int64)]
    possible = endings(batch)[1][0]
    values = xp.random(1, len(possible), 1)
    turn = prepare(
        TurnGraph(rules.edition, xp),
        batch,
        xp.contiguous(xp.broadcast_to(values, (8, *values.shape[1:]))),
    )
    ending = xp.concatenate([turn.play(xp.seeded(seed)) for seed in range(100)])
    assert bool(possible[ending].all())
    got = np.asarray(values[0, ending, 0], dtype=np.float64)
    assert abs(got.mean() - float(turn.start_value[0, 0])) <= 5 * got.std() / len(got) ** 0.5 + 1e-4


def test_the_turn_is_solved_exactly(xp: Arrays) -> None:
    """Most expected worms on a full grill, nothing to lose: a known number of the notation."""
    graph = TurnGraph(find_edition("classic"), xp)
    totals = graph.tables.max_total + 1
    stop = xp.full((2 * totals, 1, 1), 0, xp.float64)
    for total in range(21, totals):
        stop[totals + total] = (min(total, 36) - 21) // 4 + 1
    assert solve_plain(graph, stop).value[graph.start].item() == pytest.approx(1.6447296740, abs=1e-9)


@pytest.mark.parametrize(("key", "seats"), [("classic", 3), ("deluxe", 2), ("deluxe", 4)])
def test_worms_are_those_of_the_objective(key: str, seats: int, xp: Arrays) -> None:
    """The value of a turn under `worms`; round worms only from the supply, so that nobody chooses a giver."""
    values = (
        0.7,
        0.4,
        1.2,
        3.5,
        0.5,
        0.6,
        0.8,
        0.9,
    )  # any: loss, steal, round worm, then specialists by name
    batch = games(key, seats, xp, 16)
    batch = replace(batch, round_worms=xp.fill(batch.round_worms, batch.round_worms > 1, 1))
    graph = TurnGraph(batch.rules.edition, xp)
    turn = prepare(graph, batch, WormsValue(*values)(batch, endings(batch)[0]))
    for position, value in zip(positions(batch), turn.start_value[:, 0].tolist(), strict=True):
        solver = TurnSolver(position)
        best = solver.solve(Worms(*values).payoff(position, solver.endings)).value
        assert value == pytest.approx(best, abs=1e-4), position  # single precision


TINY = Edition("tiny", ((3, 1), (5, 1), (7, 2), (9, 2), (11, 3)), dice=3)
"""Games of a few short turns."""


def leader(batch: Batch) -> Array:
    """An estimate that believes in worms: every seat's share of them."""
    scores = batch.tally().scores + 1
    return batch.rules.xp.where(
        batch.over[:, None], batch.tally().shares, scores / scores.sum(-1, keepdims=True)
    )


def trailer(batch: Batch) -> Array:
    """The other way round."""
    return 1 - leader(batch)


def test_equals_win_equally_often(xp: Arrays) -> None:
    rules = Rules(TINY, 3, xp)
    result = contest(TurnGraph(TINY, xp), rules, WormsValue(), WormsValue(), 600, seed=1, at_once=400)
    assert result.games == 600
    assert abs(result.share - 1 / 3) <= 5 * result.error
    assert 0 < result.error < 0.02  # the deviation of a won game is at most 1/2: 0.5 / √600 is 0.02


def test_who_wants_worms_beats_who_gives_them_away(xp: Arrays) -> None:
    rules = Rules(TINY, 2, xp)
    result = contest(TurnGraph(TINY, xp), rules, win(leader), win(trailer), 200, seed=1)
    assert result.share - 5 * result.error > 1 / 2


def test_a_blind_player_sees_no_switches(xp: Arrays) -> None:
    batch = games("classic", 2, xp, 32)
    ends = endings(batch)[0]

    def told(batch: Batch) -> Array:
        return xp.astype(batch.switches[:, :2], xp.float32)

    assert bool(win(told)(batch, ends).any())
    assert not bool(blind(told)(batch, ends).any())


def test_a_turn_deeper_is_the_value_of_the_next_turn(xp: Arrays) -> None:
    batch, graph = scattered(Rules(TINY, 2, xp), 20), TurnGraph(TINY, xp)
    ends, possible = endings(batch)
    found = deeper(leader, graph)(batch, ends)
    flat = ends.flatten()
    turn = prepare(graph, flat, win(leader)(flat, endings(flat)[0])[..., :-1])
    mine = xp.where(flat.over, flat.tally().shares[:, 1], turn.shares[:, 1]).reshape(possible.shape)
    assert bool((found[..., 0] == mine).all())
    assert np.asarray(found.sum(-1)) == pytest.approx(1, abs=1e-5)


def test_givers_are_judged_by_what_they_leave(xp: Arrays) -> None:
    """An estimate that dislikes round worms of seat 2 wants them gone from there."""
    batch = Batch.start(Rules(find_edition("deluxe"), 3, xp), 1)
    batch.round_worms[:] = xp.asarray([[1, 3, 3]], xp.int8)

    def estimate(batch: Batch) -> Array:
        return -batch.round_worms[:, 2:] / 7 + xp.full((1, 3), 0, xp.float32)

    liking = giver_liking(estimate, batch)
    assert liking is not None
    assert liking[0, 1:].tolist() == pytest.approx([-3 / 7, -2 / 7])
    got = endings(batch, liking)[0].round_worms[0, -1]
    assert got.tolist() == [3, 2, 2]  # seats 1, 2 and 0 after a bust with two 1s on the way
    assert giver_liking(estimate, games("deluxe", 2, xp)) is None
