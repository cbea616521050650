"""Chances that people are shown, and those that the champion plays by: where exact turns come before the net."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
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
Shares = tuple[float, ...]


@cache
def worth(end: Position, turns: int) -> Shares:
    """The end of a turn, to every seat."""
    seats = len(end.stacks)
    if end.over:
        winners = end.standings.winners
        return tuple((seat in winners) / len(winners) for seat in range(seats))
    if turns:
        return turn_shares(end, lambda tiles: turns - 1)
    net = load_net(end.edition, seats).shares(batch_of([end]))[0]  # the seat to act first
    return tuple(np.roll(net, end.seat).tolist())


def turn_shares(position: Position, look: Look) -> Shares:
    """Every seat's, if the seat to act plays the turn best: how often each ending comes, times what it is worth."""
    solver, seat = TurnSolver(position), position.seat
    best = [
        max((worth(end, look(len(end.grill))) for end in after(position, ending)), key=lambda one: one[seat])
        for ending in solver.endings
    ]
    return tuple(solver.solve([one[seat] for one in best]).probs @ np.array(best))


def up_to(*most: int) -> Look:
    """One exact turn where at most so many tiles are left, another one where at most …"""
    return lambda tiles: sum(tiles <= some for some in most)


DELUXE = up_to(99, 3, 2, 2)  # with two seats
PLAYED = up_to(1)
CLASSIC = {2: up_to(8, 4, 2, 1, 1), 3: up_to(6, 3, 2, 1), 4: up_to(5, 2, 1), 5: up_to(4, 2)}
NET = up_to()


@pytest.mark.parametrize(
    ("text", "for_people", "for_moves"),
    [
        ("pkp1 deluxe 23,25 26/24 A -:? crow@23,weasel@B 3/4", DELUXE, PLAYED),
        ("pkp1 extrawurm 21 -/- B -:+? can@A,gold@B,hen@21 7/0", DELUXE, PLAYED),
        ("pkp1 deluxe 24-28 34/- A -:? hen@A,weasel@25 0/0", DELUXE, PLAYED),
        ("pkp1 classic 23,26 25/28 A -:?", CLASSIC[2], NET),
        ("pkp1 classic 27 25/-/21,33 B -:?", CLASSIC[3], NET),
        ("pkp1 classic 23,28 25/-/30,32/21 C -:?", CLASSIC[4], NET),
        ("pkp1 classic 21 25/-/30/22/28 A -:?", CLASSIC[5], NET),
        ("pkp1 summary 21-24,26,27 25/-/30 A -:?", CLASSIC[3], NET),
        ("pkp1 deluxe 23 26/24/- A -:? crow@23,gold@B 3/3/0", NET, NET),
    ],
)
def test_exact_turns_come_before_the_net(text: str, for_people: Look, for_moves: Look) -> None:
    position = parse_position(text)
    seat, expected = position.seat, turn_shares(position, for_people)
    close = pytest.approx(expected, abs=1e-5)  # single precision
    assert evaluate(position, "win").value == pytest.approx(expected[seat], abs=1e-5)
    assert advise(position).values == close
    assert tuple(one.start for one in review(Game(position)).balances) == close
    moves = turn_shares(position, for_moves)[seat]
    assert ChampionBot().explain(position).value == pytest.approx(moves, abs=1e-5)
