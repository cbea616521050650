"""Chances that people are shown, and those that the champion plays by: where exact turns come before the net."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from pickomino import parse_position
from pickomino.analysis import evaluate, review
from pickomino.analysis.advice import advise
from pickomino.bots.champion import ChampionBot
from pickomino.bots.champion.net import load_net
from pickomino.game import Game
from pickomino.rules import Position
from pickomino.solver import TurnSolver, after
from pickomino.tensor import batch_of

Look = Callable[[int], int]
"""Tiles on the grill -> exact turns before the net's estimate."""


@cache
def worth(end: Position, seat: int, turns: int) -> float:
    """The end of a seat's turn, to that seat; with exact turns for two seats."""
    if end.over:
        return (seat in end.standings.winners) / len(end.standings.winners)
    if not turns:
        return float(load_net(end.edition, len(end.stacks)).shares(batch_of([end]))[0, -1])
    return 1 - turn_value(end, lambda tiles: turns - 1)


def turn_value(position: Position, look: Look) -> float:
    solver = TurnSolver(position)
    ends = (after(position, ending) for ending in solver.endings)
    return solver.solve(
        [max(worth(end, position.seat, look(len(end.grill))) for end in choices) for choices in ends]
    ).value


def shown(tiles: int) -> int:
    return 2 if tiles <= 4 else 1


def played(tiles: int) -> int:
    return 1 if tiles <= 1 else 0


def net(tiles: int) -> int:
    return 0


@pytest.mark.parametrize(
    ("text", "for_people", "for_moves"),
    [
        ("pkp1 deluxe 23,25 26/24 A -:? crow@23,weasel@B 3/4", shown, played),
        ("pkp1 extrawurm 21 -/- B -:+? can@A,gold@B,hen@21 7/0", shown, played),
        ("pkp1 deluxe 24-28 34/- A -:? hen@A,weasel@25 0/0", shown, played),
        ("pkp1 classic 23,26 25/28 A -:?", net, net),
        ("pkp1 deluxe 23 26/24/- A -:? crow@23,gold@B 3/3/0", net, net),
    ],
)
def test_exact_turns_come_before_the_net(text: str, for_people: Look, for_moves: Look) -> None:
    position = parse_position(text)
    seat, expected = (
        position.seat,
        pytest.approx(turn_value(position, for_people), abs=1e-5),
    )  # single precision
    assert evaluate(position, "win").value == expected
    assert advise(position).values[seat] == expected
    assert review(Game(position)).balances[seat].start == expected
    assert ChampionBot().explain(position).value == pytest.approx(turn_value(position, for_moves), abs=1e-5)
