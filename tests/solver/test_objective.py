"""Objectives: worms gained in a turn, by name and options."""

from __future__ import annotations

import pytest

from pickomino import Position, parse_position
from pickomino.analysis import find_objective
from pickomino.rules import InvalidPositionError
from pickomino.solver import Worms, endings, move_values


def values(text: str, objective: str = "worms") -> dict[str, float]:
    found = move_values(parse_position(text), find_objective(objective))
    return {str(move): value for move, value in found.moves.items()}


def test_keeps_of_a_first_roll() -> None:
    """Worked out before the project was written: roll 13334456 with 6 for the worm, nothing to lose."""
    assert values("pkp1 classic 21-36 -/- A -:1333445W") == pytest.approx(
        {"k4": 1.38470529, "kW": 1.17419281, "k5": 1.12205339, "k3": 1.11129802, "k1": 1.05393094}, abs=5e-9
    )


@pytest.mark.parametrize(
    ("loss", "expected"), [(0, 1.64472967404010), (1, 1.43542843099067), (2, 1.26322219759319)]
)
def test_a_bust_costs_loss_times_the_own_top_tile(loss: int, expected: float) -> None:
    """The values of a full grill in `test_turn`, with a tile of one worm beside it that no turn can reach."""
    full = Position.start("classic")
    assert move_values(full, Worms(loss)).value == pytest.approx(1.64472967404010, abs=1e-12)
    edition = type(full.edition)("one more", ((1, 1), *full.edition.tiles))
    holder = Position(edition, full.grill, ((1,), ()), 0, full.phase)
    assert move_values(holder, Worms(loss)).value == pytest.approx(expected, abs=1e-12)


def test_a_steal_counts_its_worms_more() -> None:
    text = "pkp1 classic 21-25,27,29 28,30/26 A 1335WWW:-"
    assert values(text)["t27"] == 2
    text = "pkp1 classic 21-25,27,29 28,30/26 A 33WWWW:-"
    assert values(text)["x26"] == 2
    assert values(text, "worms:loss=1,steal=1")["x26"] == 4
    assert values(text, "worms:steal=0.5")["x26"] == 3
    assert values(text)["t25"] == 2


def test_deluxe_counts_what_the_score_counts() -> None:
    """Round worms one each, the apple three, a hen instead of the tile nothing, a protected tile no loss."""
    crow = "pkp1 deluxe 13,23,36 -/- A 355WW:- crow@23 0/0"
    assert values(crow)["t23"] == 2
    apple = "pkp1 deluxe 13,29,36 -/- A 4555WW:- apple@29,crow@13 0/0"
    assert values(apple)["t29"] == 3 + 3
    hen = "pkp1 deluxe 13,21-28 -/29 A 4555WW:- hen@B 0/0"
    assert values(hen)["x29"] == 0
    stolen = "pkp1 deluxe 13,21-28 -/29 A 4555WW:- apple@B 0/0"
    assert values(stolen, "worms:steal=1")["x29"] == 12
    protected = "pkp1 deluxe 13,36 29/- A 555:- hen@A 0/0"
    assert values(protected)["s"] == 0
    lost = "pkp1 deluxe 13,36 29/- A 555:- apple@A 0/0"
    assert values(lost, "worms:loss=2")["s"] == -12


def test_deluxe_values_what_a_seat_holds() -> None:
    """Options by name: worth after the turn less worth before it."""
    crow = "pkp1 deluxe 13,23,36 -/- A 355WW:- crow@23 0/0"
    assert values(crow, "worms:round=0.25")["t23"] == 1 + 0.25
    hen = "pkp1 deluxe 13,21-28 -/29 A 4555WW:- hen@B 0/0"
    assert values(hen, "worms:steal=1,hen=2")["x29"] == 4
    weasel = "pkp1 deluxe 13,25,36 -/- A 555WW:- weasel@25 0/0"
    assert values(weasel, "worms:weasel=1.5")["t25"] == 2 + 1.5
    lost = "pkp1 deluxe 13,36 29/- A 555:- gold@A 0/0"
    assert values(lost, "worms:gold=0.5,loss=2")["s"] == -2 * (3 + 0.5)
    put_back = "pkp1 deluxe 13,21-28 29/- A -:< can@A,gold@A 0/0"
    assert values(put_back, "worms:gold=2,can=0.5") == {"<can": -0.5, "<gold": -2}


def test_two_ones_count_beside_the_gain() -> None:
    """D8.4: a round worm on the way adds `round` once, whatever `loss` makes of the bust that follows."""

    def payoffs(text: str, objective: Worms) -> dict[str, float]:
        position = parse_position(text)
        found = endings(position)
        return dict(zip(map(str, found), objective.payoff(position, found), strict=True))

    some = payoffs("pkp1 deluxe 24,36 21/- A -:? crow@36 0/0", Worms(loss=5, round=0.5))
    assert (some["bust"], some["bust with a round worm"]) == (-5, -4.5)
    last = payoffs("pkp1 deluxe 23,36 -/- A -:? crow@23 6/0", Worms())
    assert last["t23"] == last["t23 with a round worm"] == 2  # the last one is had once, either way


def test_choices_after_the_claim() -> None:
    assert values("pkp1 deluxe 13,21-28 29/- A -:< apple@A,can@A 0/0") == {"<apple": -3, "<can": 0}
    assert values("pkp1 deluxe 13,24 23/-/- A -:^ crow@13 0/4/3") == {"^B": 1, "^C": 1}


def test_nothing_is_worth_anything_once_the_game_is_over() -> None:
    with pytest.raises(InvalidPositionError, match="the game is over"):
        move_values(parse_position("pkp1 classic - 21/22 - -:-"), Worms())
