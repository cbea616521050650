"""The champion one turn deeper, as the benchmark plays it, against the rules and the turn solver."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.deeper import DeeperBot
from pickomino import parse_position
from pickomino.bots.champion.win import estimate
from pickomino.bots.payoffs import turn_starts
from pickomino.compact.packed import pack
from pickomino.rules import Position, Take
from pickomino.solver import TurnSolver, after


def value(position: Position) -> float:
    """What the seat to act wins if it plays its turn by the estimate."""
    solver = TurnSolver(position)
    ends = estimate([after(position, ending)[0] for ending in solver.endings])
    return solver.solve(ends[:, position.seat]).value


@pytest.mark.parametrize(
    "text",
    [
        "pkp1 classic 23,26,30 25,21/28 A -:?",
        "pkp1 classic 24 29,25/28,22 B -:?",
        "pkp1 classic+fast 24,31 29/- A -:?",
        "pkp1 course 24 -/33 A -:?",
    ],
)
def test_two_turns_by_hand(text: str) -> None:
    position = parse_position(text)
    edition = position.edition
    payoffs = DeeperBot().payoffs(edition, turn_starts(pack([position])))
    for ending in TurnSolver(position).endings:
        (end,) = after(position, ending)
        winners = end.standings.winners
        expected = (position.seat in winners) / len(winners) if end.over else 1 - value(end)
        if ending.claim is None:
            found = payoffs.bust[0]
        else:
            column = payoffs.take if isinstance(ending.claim, Take) else payoffs.steal
            found = column[0, edition.values.index(ending.claim.tile)]
        assert found == pytest.approx(expected, abs=1e-5)  # the net is in single precision
    assert np.isfinite(payoffs.take).all()
