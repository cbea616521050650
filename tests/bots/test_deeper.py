"""The champion one turn deeper, as the benchmark plays it, against the rules and the turn solver."""

from __future__ import annotations

import pytest

from benchmarks.deeper import DeeperBot
from pickomino import parse_position
from pickomino.bots.champion.win import win_shares
from pickomino.bots.ends import turn_ends, turn_starts
from pickomino.compact.packed import pack, unpack
from pickomino.rules import Position


def value(position: Position, seat: int) -> float:
    """What a seat wins if the other one plays its turn by the estimate."""
    if not position.over:
        return win_shares(position)[seat]
    winners = position.standings.winners
    return (seat in winners) / len(winners)


@pytest.mark.parametrize(
    "text",
    [
        "pkp1 classic 23,26,30 25,21/28 A -:?",
        "pkp1 classic 24 29,25/28,22 B -:?",
        "pkp1 classic+fast 24,31 29/- A -:?",
        "pkp1 course 24 -/33 A -:?",
        "pkp1 deluxe 13,23,25,31 21,26/22,27 A -:? apple@B,crow@23,gold@13,hen@31,weasel@A 1/2",
        "pkp1 deluxe 13,23,25,31 21,26/22 A -:+? can@25,crow@13,gold@A,hen@23,weasel@B 3/4",
        "pkp1 deluxe 23 26,29/24 A -:? crow@23,gold@B 3/4",
    ],
)
def test_two_turns_by_hand(text: str) -> None:
    """Every end of the turn is worth what one more turn of the other seat leaves."""
    position = parse_position(text)
    edition = position.edition
    ends = turn_ends(edition, turn_starts(pack(position))).ends
    found = DeeperBot().end_values(edition, ends)
    after = [unpack(row, edition) for row in ends.rows]
    expected = [value(end, position.seat) for end in after]
    assert found == pytest.approx(expected, abs=1e-5)  # the net is in single precision
    assert len({end.over for end in after}) == (2 if len(position.grill) == 1 else 1)
