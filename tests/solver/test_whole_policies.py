"""Policies valued exactly: against best play and against their worst enemy."""

from __future__ import annotations

import numpy as np
import pytest

from pickomino.rules import PickominoError, Position, Steal, Take
from pickomino.solver.whole import WholeGame, evaluate_policy, evaluate_values, solve_whole
from tests.solver.small_games import TINY


def worms(game: WholeGame, position: Position) -> list[float]:
    """Worms gained by the turn, minus those of the own top tile on a bust."""
    top = position.tops[position.seat]
    lost = 0 if top is None else game.edition.worms[top]
    return [
        game.edition.worms[ending.move.tile] if isinstance(ending.move, Take | Steal) else -lost
        for ending in game.endings(position)
    ]


@pytest.mark.parametrize("players", [2, 3])
def test_best_play_wins_what_the_game_is_worth(players: int) -> None:
    game = solve_whole((21, 25), players=players)
    best = evaluate_policy(game, lambda p: [ending.values[p.seat] for ending in game.endings(p)])
    assert best.by_seat == pytest.approx(game.values(game.start), abs=1e-11)
    assert best.mean == pytest.approx(1 / players)


def test_two_players_nothing_beats_best_play_and_an_enemy_hurts_most() -> None:
    game = solve_whole((21, 25, 29))
    greedy = evaluate_policy(game, lambda p: worms(game, p))
    exploited = evaluate_policy(game, lambda p: worms(game, p), against="best response")
    for seat in (0, 1):
        assert exploited.by_seat[seat] <= greedy.by_seat[seat] + 1e-12
        assert greedy.by_seat[seat] <= game.values(game.start)[seat] + 1e-12
    assert greedy.mean < 0.5 - 1e-4
    assert exploited.mean < greedy.mean - 1e-6
    best = evaluate_policy(
        game, lambda p: [ending.values[p.seat] for ending in game.endings(p)], against="best response"
    )
    assert best.by_seat == pytest.approx(game.values(game.start), abs=1e-11)  # best play cannot be exploited


@pytest.mark.parametrize("players", [2, 3])
def test_a_policy_that_goes_by_values(players: int) -> None:
    game = solve_whole((21, 25), players=players)
    assert evaluate_values(game, game.table).by_seat == pytest.approx(game.values(game.start), abs=1e-11)
    values = np.random.default_rng(1).dirichlet([1] * players, game.positions)

    def opinions(position: Position) -> list[float]:
        """One by one, of the same values."""
        found = []
        for ending in game.endings(position):
            end = ending.after
            if end.over:
                found.append(end.standings.shares[position.seat])
            else:
                found.append(values[game.space.number(end)][(position.seat - end.seat) % players])
        return found

    expected = evaluate_policy(game, opinions)
    assert evaluate_values(game, values).table == pytest.approx(expected.table, abs=1e-12)
    with pytest.raises(PickominoError, match="expected"):
        evaluate_values(game, values[1:])


def test_a_policy_played_ply_by_ply() -> None:
    """The same by the rules engine: the policy's turns by its own opinions, the others by best play."""
    edition = TINY["tiny1-optional-nearest-keep-slow-highest_tile"]
    game = solve_whole(edition.values, edition)
    found = evaluate_policy(game, lambda p: worms(game, p))
    wins = {(game.space.position(n, seat), 0): 0.5 for n in range(game.positions) for seat in (0, 1)}

    def play(
        position: Position, opinion: dict[Position, float], end: Position | None = None
    ) -> tuple[float, float]:
        """(what the seat to act thinks, what seat A wins) from a point within a turn."""
        if position in opinion and position != end:
            won = _share(position) if position.over else wins[position, 0]
            return opinion[position], won
        if position.rolls():
            rolls = position.rolls()
            parts = [
                (w / sum(rolls.values()), play(position.apply(r).position, opinion)) for r, w in rolls.items()
            ]
            return sum(p * v for p, (v, _) in parts), sum(p * won for p, (_, won) in parts)
        best = (-100.0, 0.0)
        for move in position.moves():
            entry = play(position.apply(move).position, opinion)
            if entry[0] > best[0] + 1e-12:
                best = entry
        return best

    for _ in range(80):
        for position, _seat in wins:
            endings = game.endings(position)
            mine = worms(game, position) if position.seat == 0 else [e.values[1] for e in endings]
            opinion = dict(zip((ending.after for ending in endings), mine, strict=True))
            wins[position, 0] = play(position, opinion, end=position)[1]
    assert wins[game.start, 0] == pytest.approx(found.by_seat[0], abs=1e-10)


def _share(position: Position) -> float:
    winners = position.standings.winners
    return (0 in winners) / len(winners)


def test_policies_that_cannot_be_valued() -> None:
    game = solve_whole((21, 25), players=3)
    with pytest.raises(PickominoError, match="one per ending"):
        evaluate_policy(game, lambda p: [0.0])
    with pytest.raises(PickominoError, match="two players"):
        evaluate_policy(game, lambda p: worms(game, p), against="best response")
