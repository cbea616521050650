"""What the end of a turn does to a batch, against the rules: every edition, every set of switches, 2 to 7 seats."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pickomino.compact.turn import turn_tables
from pickomino.rules import SPECIALISTS, Position, Steal, Take
from pickomino.solver import Ending, after
from pickomino.solver.ending import claims_by_slot
from pickomino.solver.point import SUPPLY, Claim
from pickomino.tensor import Arrays, Rules, claims, endings
from tests.tensor.games import games, known, positions

EVERY = pytest.mark.parametrize(
    ("key", "seats"), [(k, n) for k in ("classic", "deluxe") for n in range(2, 8)]
)
OWNABLE = [name for name in SPECIALISTS if name != "crow"]  # D10.2


def numbers(position: Position, claim: Claim | None, rules: Rules) -> list[int]:
    """The endings that a claim may bring, see `Rules`; the second one puts back what came along (D10.4)."""
    if claim is None:
        return [rules.bust]
    specialists = position.specialists
    choice = specialists is not None and bool(specialists.held[0])
    if isinstance(claim, Take):
        number, who = rules.edition.values.index(claim.tile), specialists and specialists.on(claim.tile)
        return [number, rules.leave_at + OWNABLE.index(who)] if choice and who in OWNABLE else [number]
    victim = position.tops.index(claim.tile)
    number = rules.steal_at + victim - 1
    brings = specialists is not None and bool(specialists.held[victim])
    return [number, number + rules.seats - 1] if choice and brings else [number]


def all_claims(position: Position) -> list[Claim | None]:
    """Every tile that some total takes or steals, and the bust."""
    inexact = [tile for tile in position.tops[1:] if tile and tile not in position.edition.exact_only]
    return [*map(Take, position.grill), *map(Steal, inexact), None]


def liked_giver(position: Position, liking: list[float]) -> int | None:
    """Who gives a round worm (D11.1): the supply, the seat that is liked best, or nobody."""
    assert position.specialists is not None
    if position.specialists.supply(position.edition):
        return SUPPLY
    givers = position.specialists.givers(position.edition, 0)
    return max(givers, key=liking.__getitem__, default=None)


def expected(position: Position, claim: Claim | None, giver: int | None, liking: list[float]) -> set[str]:
    """What the rules make of it; where the crow lets one choose a giver, the one that is liked best."""
    ends = after(position, Ending(claim, giver))
    on_crow = (
        isinstance(claim, Take) and position.specialists and position.specialists.on(claim.tile) == "crow"
    )
    if on_crow and len(ends) > 1:
        assert position.specialists is not None
        had = position.specialists
        if giver is not None:
            had = had.received(0, None if giver == SUPPLY else giver)
        second = liked_giver(replace(position, specialists=had), liking)
        worms = had.received(0, second).round_worms
        ends = tuple(end for end in ends if end.specialists and end.specialists.round_worms == worms)
    return {known(end, 1) for end in ends}


@EVERY
def test_endings_are_those_of_the_rules(key: str, seats: int, xp: Arrays) -> None:
    batch = games(key, seats, xp)
    rules, likings = batch.rules, xp.random(len(batch), seats)
    ends, possible = endings(batch, likings)
    for index, position in enumerate(positions(batch)):
        liking, there = likings[index].tolist(), np.flatnonzero(np.asarray(possible[index])).tolist()
        found = dict(zip(there, map(known, positions(ends[index][possible[index]])), strict=True))
        seen = set()
        for variant in range(rules.variants):
            giver = liked_giver(position, liking) if variant else None
            for claim in all_claims(position):
                mine = [variant * rules.endings + number for number in numbers(position, claim, rules)]
                assert {found[number] for number in mine} == expected(position, claim, giver, liking), (
                    position
                )
                seen.update(mine)
        assert seen == set(there), position


@EVERY
def test_claims_are_those_of_the_rules(key: str, seats: int, xp: Arrays) -> None:
    """Of all that a total allows the best for random values of the endings."""
    batch = games(key, seats, xp)
    rules, tables = batch.rules, turn_tables(batch.rules.edition)
    values = xp.random(len(batch), rules.variants * rules.endings)
    shape = (len(batch), rules.variants, 2, tables.max_total + 1)
    found = np.asarray(claims(batch, tables.max_total, values)).reshape(shape)
    for index, position in enumerate(positions(batch)):
        mine = values[index].tolist()
        for (worm, total), allowed in claims_by_slot(position, tables).items():
            brings = [number for claim in allowed or (None,) for number in numbers(position, claim, rules)]
            for variant in range(rules.variants):
                best = max((variant * rules.endings + number for number in brings), key=mine.__getitem__)
                assert found[index, variant, worm, total] == best, (position, worm, total)


@pytest.mark.parametrize("seats", [3, 6])
def test_the_leader_gives_if_nothing_else_is_said(seats: int, xp: Arrays) -> None:
    batch = games("deluxe", seats, xp)
    found, given = endings(batch)[0], endings(batch, batch.tally().scores)[0]
    assert all(
        bool((one == other).all()) for one, other in zip(found.columns(), given.columns(), strict=True)
    )
