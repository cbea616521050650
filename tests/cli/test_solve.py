"""The command ``pickomino solve``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pickomino.cli import solve
from pickomino.cli.parsing import CommandError, Parser
from pickomino.rules import PickominoError


def run(*argv: str) -> int:
    parser = Parser("pickomino solve")
    solve.add_arguments(parser)
    return solve.run(parser.parse_args(argv))


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--tiles", "21,25", "--edition", "classic", "--players", "2", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    del shown["seconds"]  # whatever it took
    assert shown.pop("residual") < 1e-12
    assert shown.pop("iterations") > 0
    assert shown.pop("value") == pytest.approx(0.6127857238, abs=1e-10)  # notation, solved small games
    assert shown == {"edition": "classic", "tiles": [21, 25], "players": 2, "positions": 6, "converged": True}


def test_a_position_from_a_saved_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, position = str(tmp_path / "table.npz"), "pkp1 classic 21 25/- B 55W:11244"
    assert run("--tiles", "21,25", "--save", path) == 0
    assert "0.612785723" in capsys.readouterr().out
    assert run("--load", path, "--position", position, "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["position"] == position
    assert [entry["move"] for entry in shown["moves"]] == ["k4", "k2", "k1"]
    assert shown["value"] == shown["moves"][0]["value"]
    assert run("--position", position, "--json") == 0  # the small game of its own tiles
    again = json.loads(capsys.readouterr().out)
    assert [entry["value"] for entry in again["moves"]] == pytest.approx(
        [entry["value"] for entry in shown["moves"]]
    )
    for tiles in (("--tiles", "21,25"), ()):  # the table knows its tiles
        assert run(*tiles, "--save", path, "--resume", "--position", position, "--progress") == 0
        assert "k4" in capsys.readouterr().out


def test_three_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--tiles", "21-22", "--players", "3", "--json", "--progress") == 0
    captured = capsys.readouterr()
    assert sum(json.loads(captured.out)["values"]) == pytest.approx(1)
    assert "looking for positions: 1 so far" in captured.err


@pytest.mark.parametrize(
    "argv",
    [
        (),
        ("--tiles", "21,x"),
        ("--tiles", "25-21"),
        ("--tiles", "20"),
        ("--tiles", "21,21"),
        ("--tiles", "21-29", "--edition", "deluxe"),
        ("--tiles", "21", "--players", "9"),
        ("--tiles", "21", "--resume"),
        ("--tiles", "21-36"),
        ("--tiles", "21", "--load", "table.npz"),
        ("--tiles", "21", "--position", "pkp1 classic 21,25 -/- A -:?"),
        ("--position", "pkp1 nonsense"),
    ],
)
def test_bad_input_is_refused(argv: tuple[str, ...]) -> None:
    with pytest.raises((CommandError, PickominoError)):
        run(*argv)


def test_specialists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "table.npz")
    deluxe = ("--tiles", "29", "--edition", "deluxe", "--round-worms", "3/4")
    assert run(*deluxe, "--save", path, "--json", "--progress") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["start"] == "pkp1 deluxe 29 -/- A -:? apple@29 3/4"
    assert shown["converged"]
    position = "pkp1 deluxe 29 -/- A 55WW:- apple@29 3/4"
    for table in (("--load", path), ("--save", path, "--resume")):
        assert run(*table, "--position", position, "--json") == 0
        found = json.loads(capsys.readouterr().out)
        assert {entry["move"] for entry in found["moves"]} == {"r", "s"}
        assert found["start_value"] == pytest.approx(shown["value"])
    assert run(*deluxe, "--specialists", "-") == 0
    assert "from pkp1 deluxe 29 -/- A -:? - 3/4" in capsys.readouterr().out


@pytest.mark.parametrize(
    "argv",
    [
        ("--specialists", "hen"),
        ("--specialists", "hen@21,hen@25"),
        ("--specialists", "hen@22"),
        ("--round-worms", "3"),
        ("--round-worms", "7/7"),
        ("--round-worms", "1/1/1", "--players", "2"),
    ],
)
def test_specialists_that_are_refused(argv: tuple[str, ...]) -> None:
    with pytest.raises((CommandError, PickominoError)):
        run("--tiles", "21,25", "--edition", "deluxe", *argv)
