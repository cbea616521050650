"""The chances of totals: every number of notation.md, exact fractions, and points in a turn."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pickomino import Phase, Position, Roll, parse_position
from pickomino.rules.dice import tally
from pickomino.solver import exact_odds, odds
from tests.solver.brute import Brute

# notation.md, known numbers: total, P(at least), P(exactly)
TABLE = [
    (21, 0.893027, 0.439597),
    (22, 0.855602, 0.413313),
    (24, 0.748373, 0.375060),
    (25, 0.680331, 0.336481),
    (27, 0.524759, 0.247760),
    (29, 0.346293, 0.176790),
    (30, 0.263790, 0.135642),
    (32, 0.135813, 0.072343),
    (33, 0.086775, 0.050814),
    (36, 0.015678, 0.009236),
]


@pytest.mark.parametrize(("total", "at_least", "exactly"), TABLE)
def test_the_table_of_the_notation(total: int, at_least: float, exactly: float) -> None:
    found = odds("classic")
    assert found.at_least[total] == pytest.approx(at_least, abs=5e-7)
    assert found.exactly[total] == pytest.approx(exactly, abs=5e-7)


def test_exact_fractions() -> None:
    """notation.md: P(at least 21), P(at least 36)."""
    exact = exact_odds("classic", [21, 36])
    assert exact.at_least == {
        21: Fraction(4113019191611091399863, 4605706660848611622912),
        36: Fraction(6964596619329209, 444223250467651584),
    }


@pytest.mark.parametrize("source", ["classic", "deluxe"])
def test_floats_are_the_exact_numbers(source: str) -> None:
    exact, floats = exact_odds(source, [13, 21, 30]), odds(source, [13, 21, 30])
    assert floats.at_least == pytest.approx({t: float(p) for t, p in exact.at_least.items()}, abs=1e-12)
    assert floats.exactly == pytest.approx({t: float(p) for t, p in exact.exactly.items()}, abs=1e-12)


def test_the_tiles_of_the_edition_are_the_goals() -> None:
    assert list(odds("deluxe").at_least) == [11, 13, *range(21, 37)]
    assert list(odds("classic").exactly) == list(range(21, 37))


POINTS = [
    "pkp1 classic 21-36 -/- A 55WWW:?",
    "pkp1 classic 21-36 -/- A 444:12255",
    "pkp1 classic 21-36 -/- A 55WWW:-",
    "pkp1 deluxe 13,21-36 11/- A 44455:? can@A 0/0",
    "pkp1 deluxe 13,21-24,26-36 25/- A 44WWW:? weasel@A 0/0",
    "pkp1 deluxe 13,21-24,26-36 25/- A 444WW:444 weasel@A 0/0",
    "pkp1 deluxe 13,21-26,28-36 27/- A 3355WW:?+ gold@A 0/0",
    "pkp1 deluxe 13,21-36 -/-/- A 11555W:^ crow@23 1/4/2",
]


class Goal(Brute):
    """Brute force in which a stop ends the game, won or lost by its total."""

    def __init__(self, goal: int, exact: bool) -> None:
        super().__init__(lambda end: 0)
        self.goal, self.exact = goal, exact

    def _worth(self, position: Position) -> Fraction:
        best = super()._worth(position)
        if position.phase is Phase.GO:
            total, worm = tally(position.edition, position.kept, position.has_can)
            reached = worm and (total == self.goal if self.exact else total >= self.goal)
            best = max(best, Fraction(reached))
        return best

    def after(self, position: Position, ply: object) -> Fraction:
        if position.phase is Phase.KEEP and not isinstance(
            ply, Roll
        ):  # a keep may end the turn at once (R2.4)
            kept = position.apply(ply)  # type: ignore[arg-type]
            if kept.position.seat != position.seat and str(ply).startswith("k"):
                dice = "".join(sorted(position.kept + str(ply)[1] * position.rolled.count(str(ply)[1])))
                total, worm = tally(position.edition, dice, position.has_can)
                return Fraction(worm and (total == self.goal if self.exact else total >= self.goal))
        return super().after(position, ply)


@pytest.mark.parametrize("text", POINTS)
def test_points_of_a_turn_against_brute_force(text: str) -> None:
    position = parse_position(text)
    goals = [13, 25, 29]
    found, exact = odds(position, goals), exact_odds(position, goals)
    for goal in goals:
        assert exact.at_least[goal] == Goal(goal, exact=False).worth(position)
        assert exact.exactly[goal] == Goal(goal, exact=True).worth(position)
        assert found.at_least[goal] == pytest.approx(float(exact.at_least[goal]), abs=1e-12)
        assert found.exactly[goal] == pytest.approx(float(exact.exactly[goal]), abs=1e-12)


def test_a_reached_total_is_certain() -> None:
    found = odds(parse_position("pkp1 classic 21-36 -/- A 55WWW:-"))
    assert found.at_least[25] == 1
    assert found.exactly[25] == 1
    assert found.exactly[24] == 0
