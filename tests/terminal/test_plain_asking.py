"""Asking before deciding in the plain game: hint, odds, rules, position, undo; V for a worm."""

from __future__ import annotations

import io

import pytest

from pickomino import Keep, parse_position
from pickomino.terminal.answers import question, understand
from pickomino.terminal.plain import PlainTable, TakenBack
from pickomino.views import roll_bust_prob

GO = "pkp1 classic 23,24,26-30,32-34 31,22/21,25 A 244WWW:-"


def asked(*answers: str, undo: bool = False) -> str:
    out, lines = io.StringIO(), iter([*answers, "r"])
    table = PlainTable(["Anna", "Ben"], [True, False], lambda: f"{next(lines)}\n", out, can_undo=lambda: undo)
    table.decide(parse_position(GO))
    return out.getvalue()


def test_facts() -> None:
    assert "Hint: " in asked("hint")
    assert "26 or more       75 %" in asked("odds")  # any of 1, 3, 5 with two dice: 1 - (1/2)²
    assert "A worm counts 5." in asked("rules")
    assert GO in asked("pos")
    assert "There is nothing to take back." in asked("undo")


def test_undo() -> None:
    with pytest.raises(TakenBack):
        asked("undo", undo=True)


def test_the_risk_is_told() -> None:
    position = parse_position(GO)
    assert roll_bust_prob(position) == 0.25  # both dice show 2, 4 or a worm: (3/6)²
    assert "a bust, 25 %, would return 22 and flip 34" in "\n".join(question(position, ["Anna", "Ben"]))
    last = parse_position(
        "pkp1 classic 36 -/- A 1122345:-"
    )  # one die, five faces kept: only a worm, 18 + 5, no tile
    assert roll_bust_prob(last) == 1


def test_v_means_a_worm() -> None:
    position = parse_position("pkp1 course 21-36 -/- A -:112345WW")
    assert understand(position, "v", ["Anna", "Ben"]) == Keep("W")
