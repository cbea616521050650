"""Whole games of tiny editions, under all combinations of switches, against enumeration by the rules."""

from __future__ import annotations

import pytest

from pickomino.solver.whole import solve_whole
from tests.solver.small_games import TINY, Naive


@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=pytest.mark.soak if key.startswith("tiny2") else ()) for key in TINY]
)
def test_two_players_agree_with_enumeration(key: str) -> None:
    edition = TINY[key]
    naive = Naive(edition, 2)
    assert naive.solve()
    game = solve_whole(edition.values, edition)
    assert game.converged
    assert game.residual < 1e-13
    assert game.positions == naive.distinct
    for position, values in naive.values.items():
        assert game.values(position) == pytest.approx(values, abs=1e-11)
    assert game.start_value == pytest.approx(naive.values[naive.start][0], abs=1e-12)


@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=() if key.startswith("tiny1") else pytest.mark.soak) for key in TINY]
)
def test_three_players_play_best_replies_everywhere(key: str) -> None:
    edition = TINY[key]
    game = solve_whole(edition.values, edition, players=3)
    naive = Naive(edition, 3)
    assert game.positions == naive.distinct
    naive.values = {position: game.values(position) for position in naive.values}
    change = max(
        abs(new - old)
        for position, values in naive.values.items()
        for new, old in zip(naive.play(position), values, strict=True)
    )
    assert change == pytest.approx(game.residual, abs=1e-10)  # 0 where converged, and honest where not
    assert game.converged == (change < 1e-10)


def test_three_players_agree_with_enumeration_where_that_settles() -> None:
    """Plain value iteration goes in circles for 8 of the 32 switch sets; the others must agree."""
    settled = 0
    for key in (key for key in TINY if key.startswith("tiny1")):
        edition = TINY[key]
        naive = Naive(edition, 3)
        if not naive.solve(sweeps=150):  # those that settle need at most 101
            continue
        settled += 1
        game = solve_whole(edition.values, edition, players=3)
        for position, values in naive.values.items():
            assert game.values(position) == pytest.approx(values, abs=1e-10), key
    assert settled == 24


@pytest.mark.parametrize(
    ("key", "players"),
    [
        ("tiny0-optional-nearest-keep-slow-highest_tile", 2),
        ("tiny1-optional-nearest-keep-slow-highest_tile", 3),
        ("tiny1-mandatory-any-flip-fast-shared", 3),
    ],
)
def test_every_point_of_every_turn(key: str, players: int) -> None:
    edition = TINY[key]
    game = solve_whole(edition.values, edition, players=players)
    naive = Naive(edition, players)
    naive.values = {position: game.values(position) for position in naive.values}
    for position, values, move_values in naive.points():
        assert game.values(position) == pytest.approx(values, abs=1e-11)
        entries = game.moves(position)
        assert tuple(entry.move for entry in entries) == position.moves()
        assert len(entries) == len(move_values)
        for entry, expected in zip(entries, move_values, strict=True):
            assert entry.values == pytest.approx(expected, abs=1e-11)
        if entries:
            best = next(entry for entry in entries if entry.move == game.policy(position))
            assert best.value == pytest.approx(game.value(position), abs=1e-11)
