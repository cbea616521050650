"""Objectives by name, in a process that imported nothing else."""

import subprocess
import sys

import pytest

from pickomino.analysis import evaluate, find_objective
from pickomino.notation import parse_position
from pickomino.rules import PickominoError
from pickomino.solver import Worms


@pytest.mark.parametrize("way", ["pickomino", "pickomino.analysis"])
def test_every_objective_is_known_whatever_was_imported_before(way: str) -> None:
    code = f"from {way} import find_objective; print(find_objective('win'), find_objective('worms'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["win", "worms:loss=1,steal=0"]


def test_text_there_and_back() -> None:
    for text in ("worms:loss=1,steal=0", "worms:loss=1,steal=0,apple=4,hen=2", "win"):
        assert str(find_objective(text)) == text
    assert find_objective("worms:steal=0.5") == Worms(steal=0.5)


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ("luck", "expected one of worms, win"),
        ("worms:", "expected loss=NUMBER, steal=NUMBER"),
        ("worms:loss", "cannot read 'loss'"),
        ("worms:loss=x", "cannot read 'loss=x'"),
        ("worms:loss=nan", "cannot read 'loss=nan'"),
        ("worms:loss=1,loss=2", "each at most once"),
        ("worms:luck=1", "cannot read 'luck=1'"),
        ("win:", "win takes no options"),
        ("win:loss=1", "win takes no options"),
    ],
)
def test_errors(wrong: str, expected: str) -> None:
    with pytest.raises(PickominoError) as caught:
        find_objective(wrong)
    assert repr(wrong) in str(caught.value)
    assert expected in str(caught.value)


def test_evaluate_takes_an_objective_or_its_text() -> None:
    position = parse_position("pkp1 classic 21-36 -/- A -:1333445W")
    found = evaluate(position, Worms())
    assert found == evaluate(position) == evaluate(position, "worms")
    assert str(found.best) == "k4"  # docs/solver.md shows all five values
    assert 0 < evaluate(position, "win").value < 1
