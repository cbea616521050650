"""Chances that people are shown: in deluxe with two seats exact turns come before the net."""

from __future__ import annotations

from functools import cache

import pytest

from benchmarks.consistency import backed_up
from pickomino import parse_position
from pickomino.analysis import evaluate, review
from pickomino.analysis.advice import advise
from pickomino.bots.champion import ChampionBot
from pickomino.game import Game
from pickomino.rules import Position
from pickomino.solver import TurnSolver, after


@cache
def value(position: Position, turns: int) -> float:
    """To the seat to act, if so many turns are played best for the net's estimates of what is left then."""
    if turns == 1:
        return backed_up(position)
    solver = TurnSolver(position)

    def worth(end: Position) -> float:
        if end.over:
            return (position.seat in end.standings.winners) / len(end.standings.winners)
        return 1 - value(end, turns - 1)

    return solver.solve([max(map(worth, after(position, ending))) for ending in solver.endings]).value


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("pkp1 deluxe 23 26/24 A -:? crow@23,weasel@B 3/4", 3),  # an endgame
        ("pkp1 extrawurm 21 -/- B -:+? can@A,gold@B,hen@21 7/0", 3),
        ("pkp1 deluxe 24-33 34/- A -:? hen@A,weasel@25 0/0", 2),  # more than eight tiles, whatever happens
        ("pkp1 classic 23,26 25/28 A -:?", 1),
        ("pkp1 deluxe 23 26/24/- A -:? crow@23,gold@B 3/3/0", 1),
    ],
)
def test_chances_are_shown_after_exact_turns(text: str, turns: int) -> None:
    position = parse_position(text)
    seat, expected = position.seat, pytest.approx(value(position, turns), abs=1e-5)  # single precision
    assert evaluate(position, "win").value == expected
    assert advise(position).values[seat] == expected
    assert review(Game(position)).balances[seat].start == expected
    assert ChampionBot().explain(position).value == pytest.approx(value(position, 1), abs=1e-5)
