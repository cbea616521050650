"""``pickomino odds`` and ``pickomino advise``: JSON shapes, tables for people, one-line errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pickomino.cli import main
from pickomino.notation import Record, format_record
from pickomino.testing import random_game

FIRST_ROLL = "pkp1 classic 21-36 -/- A -:1333445W"
CLAIM = "pkp1 classic 22,25,27 30/26 A 15555W:-"


def output(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(argv) == 0
    return capsys.readouterr().out


def test_odds_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Figures from notation.md, known numbers."""
    found = json.loads(output(capsys, "odds", "--json"))
    assert list(found) == ["at_least", "exactly"]
    assert list(found["at_least"]) == list(found["exactly"]) == [str(tile) for tile in range(21, 37)]
    assert found["at_least"]["21"] == pytest.approx(
        4113019191611091399863 / 4605706660848611622912, abs=1e-12
    )
    assert found["exactly"]["36"] == pytest.approx(0.009236, abs=5e-7)


def test_odds_json_of_a_point_in_a_turn(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(output(capsys, "odds", "pkp1 classic 21-36 -/- A 55WWW:-", "--json"))
    assert found["at_least"]["25"] == found["exactly"]["25"] == 1


def test_odds_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "odds", "pkp1 classic 21-25,27,29 28,30/26 A 55WW:-")
    assert "Kept 55WW, total 20." in text
    assert "Stopping now: nothing to claim, a bust." in text
    assert "Within reach this turn: 21, 22, 23, 24, 25, 26, 27, 29." in text
    rows = {line.split()[0]: line for line in text.splitlines() if line[:4].strip().isdigit()}
    assert rows["26"].endswith("top of B")
    assert rows["28"].endswith("your stack")
    assert "31" not in rows
    assert "Face down: 31, 32, 33, 34, 35, 36." in text
    assert "11" in output(capsys, "odds", "--edition", "deluxe")


def test_advise_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The values of the keeps were worked out before the project was written."""
    found = json.loads(output(capsys, "advise", FIRST_ROLL, "--json", "--objective", "worms"))
    assert found["best"] == "k4"
    assert found["value"] == found["moves"][0]["value"]
    assert [(move["move"], round(move["value"], 8)) for move in found["moves"]] == [
        ("k4", 1.38470529),
        ("kW", 1.17419281),
        ("k5", 1.12205339),
        ("k3", 1.11129802),
        ("k1", 1.05393094),
    ]
    assert [round(move["cost"], 8) for move in found["moves"][:2]] == [0, 0.21051248]


def test_advise_json_where_dice_are_due(capsys: pytest.CaptureFixture[str]) -> None:
    start = "pkp1 classic 21-36 -/- A -:?"
    found = json.loads(output(capsys, "advise", start, "--json", "--objective", "worms"))
    assert found["value"] == pytest.approx(1.64472967404010, abs=1e-12)
    assert (found["best"], found["moves"]) == (None, [])
    found = json.loads(output(capsys, "advise", start, "--json"))
    assert (found["best"], found["moves"], found["sentences"]) == (None, [], [])
    assert found["win"]["A"] + found["win"]["B"] == pytest.approx(1, abs=1e-6)


def test_advise_plays_to_win(capsys: pytest.CaptureFixture[str]) -> None:
    """The steal wins nine points more often than the take, though both bring two worms."""
    found = json.loads(output(capsys, "advise", CLAIM, "--json"))
    assert found["objective"] == "win"
    assert [move["move"] for move in found["moves"]] == ["x26", "t25", "r"]
    assert found["moves"][1]["cost"] == pytest.approx(0.09, abs=0.02)
    assert found["win"]["A"] == found["value"] == found["moves"][0]["value"]
    assert "counts twice" in found["sentences"][1]


def test_advise_json_says_about_what(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Of a turn every choice has its line: a program needs to know which, and what was played."""
    assert json.loads(output(capsys, "advise", CLAIM, "--json"))["position"] == CLAIM
    game = random_game("classic", 2, 5)
    path = tmp_path / "game.pkgn"
    path.write_text(format_record(Record(game, ("Anna", "Ben"))), "utf-8")
    for objective in ("win", "worms"):
        text = output(capsys, "advise", str(path), "--at", "1", "--json", "--objective", objective)
        made = {str(position): str(ply) for position, ply, _ in game.steps()}
        for one in map(json.loads, text.splitlines()):
            assert made[one["position"]] == one["played"]


def test_advise_marks_ties(capsys: pytest.CaptureFixture[str]) -> None:
    """For worms alone the take and the steal are the same two worms."""
    found = json.loads(output(capsys, "advise", CLAIM, "--json", "--objective", "worms"))
    assert [(move["move"], move["tied"]) for move in found["moves"]] == [
        ("t25", False),
        ("x26", True),
        ("r", False),
    ]
    lines = output(capsys, "advise", CLAIM, "--objective", "worms").splitlines()
    assert "tied" in lines[3]
    assert "Stealing the 26 is worth just as much as taking the 25." in lines


def test_advise_takes_objectives(capsys: pytest.CaptureFixture[str]) -> None:
    steal = "pkp1 classic 21-25,27,29 28,30/26 A 33WWWW:-"
    plain = json.loads(output(capsys, "advise", steal, "--json", "--objective", "worms"))
    greedy = json.loads(output(capsys, "advise", steal, "--json", "--objective", "worms:loss=1,steal=1"))
    assert {move["move"]: move["value"] for move in plain["moves"]}["x26"] == 2
    assert {move["move"]: move["value"] for move in greedy["moves"]}["x26"] == 4
    assert greedy["best"] == "x26"


def test_advise_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "advise", CLAIM).splitlines()
    assert "playing to win" in lines[0]
    assert lines[2].split()[1] == "x26"
    shown = [
        float(line.split()[2 if number == 0 else 1].rstrip("%")) for number, line in enumerate(lines[2:5])
    ]
    costs = [float(line.split()[2].replace("−", "").rstrip("%")) for line in lines[3:5]]
    assert costs == pytest.approx([shown[0] - value for value in shown[1:]])  # as shown, they subtract
    bars = [line.count("█") for line in lines[2:5]]
    assert bars == [int(value / 5) for value in shown]  # twenty blocks are certainty
    assert lines[-1].startswith("To win: A ")
    assert "the dice are rolled next" in output(capsys, "advise", "pkp1 classic 21-36 -/- A -:?")


def test_long_moves_keep_their_columns(capsys: pytest.CaptureFixture[str]) -> None:
    back = "pkp1 deluxe 28,29 33,24/23,13,21,22,26,25,11,27 B -:< apple@29,gold@B,hen@A,weasel@B 6/1"
    lines = output(capsys, "advise", back).splitlines()[2:4]
    assert len({line.index("%") for line in lines}) == 1
    assert len({line.index("put the") for line in lines}) == 1


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["advise", "pkp1 classic - 21/22 - -:-"], "the game is over"),
        (["odds", "pkp1 classic - 21/22 - -:-"], "no turn is being played"),
        (["advise", FIRST_ROLL, "--objective", "luck"], "expected one of worms"),
        (["odds", FIRST_ROLL, "--edition", "deluxe"], "leave out --edition"),
        (["advise", "nonsense"], "nonsense"),
    ],
)
def test_errors_are_one_line(argv: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert not captured.out


def test_nobody_waits_for_a_compiler() -> None:
    """Advice and odds leave numba alone, and the package itself needs not even NumPy."""
    code = (
        "import sys, pickomino; assert 'numpy' not in sys.modules\n"
        "from pickomino.cli import main\n"
        f"main(['advise', {FIRST_ROLL!r}]); main(['odds'])\n"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=dict(os.environ))


def test_a_figure_and_its_per_cent_sign_stay_on_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns in range(60, 80):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert main(["advise", "pkp1 classic 25,31 21,22,34,29/32/24/26,23,27,30,28 A 555:111WW"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert not [line for line in lines if line.startswith("%")]
        assert max(map(len, lines)) <= 80


def test_nothing_is_not_less_than_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """What is lost and won alike is 0, without a sign."""
    assert main(["advise", "pkp1 classic 22,25,27 30/26 A 15555W:-", "--objective", "worms:loss=2"]) == 0
    out = capsys.readouterr().out
    assert "0.0000" in out
    assert "-0.0000" not in out
    assert "−0.0000" not in out
