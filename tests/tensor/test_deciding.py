"""Single decisions of a batch of games against the rules: the same moves are legal, the same positions follow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pickomino.compact.moves import move_table
from pickomino.compact.packed import unpack
from pickomino.rules import Edition, Phase, Position
from pickomino.tensor import Arrays, Decisions, packed_games
from tests.tensor.games import games, positions, switched

LANES, STEPS = 32, 60


def dice_text(edition: Edition, position: Position, sides: list[int]) -> str:
    """The roll that a position makes of these sides: white dice that are left, then the golden one."""
    faces = [face.sign for face in edition.faces for _ in range(face.sides)]
    white, _, gold = position.kept.partition("+")
    shown = "=" + "".join(sorted(faces[side] for side in sides[: edition.dice - len(white)]))
    if position.gold_joined and not gold:
        golden = [face.sign for face in edition.golden_die for _ in range(face.sides)]
        shown += f"+{golden[sides[edition.dice]]}"
    return shown


def follow(position: Position, move: str, sides: list[list[int]]) -> Position:
    """A move by the rules, and the rolls after it: the first of the seat that moved, the second of the next one."""
    edition, mover = position.edition, position.seat
    rolls_on = move in {"r", "w", "g", "n"}
    position = position.apply(move).position
    if rolls_on:
        position = position.apply(dice_text(edition, position, sides[0])).position
    if position.phase is Phase.ROLL:
        assert not rolls_on or position.seat != mover, "a roll that was dead ends the turn"
        position = position.apply(dice_text(edition, position, sides[1])).position
    return position


def rolled(position: Position, sides: list[list[int]]) -> Position:
    """The first roll of a turn, unless the golden die is asked for before it."""
    if position.phase is not Phase.ROLL:
        return position
    return position.apply(dice_text(position.edition, position, sides[1])).position


def turned(position: Position, first: int) -> Position:
    """Seat A's turn as that of another seat, the others behind it."""
    seats, specialists = len(position.stacks), position.specialists
    order = [(seat - first) % seats for seat in range(seats)]
    if specialists is not None:
        held, worms = specialists.held, specialists.round_worms
        specialists = replace(
            specialists,
            held=tuple(held[seat] for seat in order),
            round_worms=tuple(worms[seat] for seat in order),
        )
    stacks = tuple(position.stacks[seat] for seat in order)
    return replace(position, stacks=stacks, seat=first, specialists=specialists)


EVERY = [(key, seats) for key in ("classic", "deluxe") for seats in range(2, 8)]


@pytest.mark.parametrize(("key", "seats"), EVERY)
def test_decisions_are_those_of_the_rules(key: str, seats: int, xp: Arrays) -> None:
    """From games anywhere, with every set of switches: each position and its legal moves, until games end and begin."""
    batch = games(key, seats, xp, LANES)
    edition, table = batch.rules.edition, move_table(key)
    decisions = Decisions(batch.rules)
    seat = xp.asarray(np.arange(LANES) % seats, xp.int8)
    sides = decisions.draw(LANES)
    running = decisions.begin(batch, seat, sides)
    begun = zip(positions(batch), seat.tolist(), sides.tolist(), strict=True)
    expected = [rolled(turned(position, first), drawn) for position, first, drawn in begun]
    first, ended, phases = seat.tolist(), 0, set()
    for _ in range(STEPS):
        rows, legal = packed_games(running), np.asarray(running.legal)
        for lane, position in enumerate(expected):
            assert str(unpack(rows[lane], position.edition)) == str(position)
            assert [table.texts[move] for move in np.flatnonzero(legal[lane])] == [
                *map(str, position.moves())
            ]
            phases.add(position.phase)
        moves, sides = decisions.random_moves(running), decisions.draw(LANES)
        running, finished = decisions.decide(running, moves, sides)
        for lane, position in enumerate(expected):
            drawn = sides[lane].tolist()
            position = follow(position, str(table[int(moves[lane])]), drawn)
            assert bool(finished.over[lane]) == position.over
            if position.over:
                ended += 1
                outcome = position.outcome
                assert outcome is not None
                shares = [(seat in outcome.winners) / len(outcome.winners) for seat in range(seats)]
                assert finished.shares[lane].tolist() == pytest.approx(shares, abs=1e-6)
                assert finished.worms[lane].tolist() == list(position.scores)
                first[lane] = (first[lane] + 1) % seats
                following = switched(edition, tuple(running.batch.switches[lane].tolist()))
                position = rolled(Position.start(following, seats, first=first[lane]), drawn)
            expected[lane] = position
    assert ended, "no game ended: nothing was seen of the next one"
    assert len(phases) >= (2 if key == "classic" else 4)  # of keep and go; and gold, giver, put back
