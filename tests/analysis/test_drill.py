"""Drills: the pool, today's ten, grading, and when a drill comes back."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from hashlib import sha256

import pytest

from pickomino.analysis.drill import Drill, Pool, answer, pool, result_line, todays_ten
from pickomino.analysis.judgement import KINDS
from pickomino.analysis.schedule import due, next_card
from pickomino.notation import parse_move
from pickomino.rules import IllegalMoveError

CLAIM = Drill("pkp1 classic 22,25,27 30/26 A 15555W:-", "missed steal")
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


def test_the_pool_has_choices_of_every_kind_and_of_several_editions() -> None:
    found = pool()
    assert len(found.drills) >= 200
    assert len({drill.key for drill in found.drills}) == len(found.drills)
    assert {drill.theme for drill in found.drills} <= set(KINDS)
    assert {"classic", "deluxe", "extrawurm"} <= {drill.edition for drill in found.drills}
    for drill in found.drills:
        assert str(drill.position) == drill.text
        assert len(drill.position.moves()) > 1
    assert len(found.some(theme="wrong face")) >= 40
    assert all(drill.edition == "deluxe" for drill in found.some(edition="deluxe"))


def test_todays_ten_are_drawn_by_sha256_of_the_date() -> None:
    """By the formula of docs/review.md: without replacement, eight bytes of each digest."""
    drills = Pool(7, tuple(Drill(f"position {number}", "wrong face") for number in range(30)))
    left, expected = list(drills.drills), []
    for number in range(10):
        digest = sha256(f"pickomino ten 7 2026-11-16 {number}".encode()).digest()
        expected.append(left.pop(int.from_bytes(digest[:8], "big") % len(left)))
    assert todays_ten(date(2026, 11, 16), drills) == expected
    assert len(set(expected)) == 10
    assert todays_ten(date(2026, 11, 17), drills) != expected
    assert len(todays_ten(date(2026, 11, 16))) == 10


def test_answers_are_graded_and_explained() -> None:
    """The steal is nine points better than the take."""
    right, wrong = (answer(CLAIM, parse_move(move), ("you", "Owl")) for move in ("x26", "t25"))
    assert (right.grade, right.cost, right.good) == ("best", 0, True)
    assert (wrong.grade, wrong.good) == ("blunder", False)
    assert wrong.cost in range(7, 12)
    assert wrong.sentence.startswith("Owl’s 26 counts twice")
    with pytest.raises(IllegalMoveError, match="not legal"):
        answer(CLAIM, parse_move("k1"), ("you", "Owl"))
    line = result_line(date(2026, 11, 16), [right, wrong])
    assert line == f"Pickomino ten 2026-11-16: 1/2 · −{wrong.cost} points\n✓ ??"


def test_what_was_wrong_comes_back_soon_and_what_is_known_ever_later() -> None:
    pytest.importorskip("fsrs", reason="the extra drill is not installed")
    wrong = next_card(None, "blunder", NOON)
    assert due(wrong) - NOON == timedelta(days=1)
    card, now, gaps = None, NOON, []
    for _ in range(4):
        card = next_card(card, "best", now)
        gaps.append(due(card) - now)
        now = due(card)
    assert gaps == sorted(gaps)
    assert gaps[-1] > 4 * gaps[0]
    assert next_card(None, "best", NOON) == next_card(None, "best", NOON)
    assert due(next_card(card, "mistake", now)) - now < gaps[-1]
