"""House editions on the command line: ``--edition FILE`` wherever a key is accepted."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pickomino import format_edition, load_edition
from pickomino.cli import main

EDITIONS = Path(__file__).parents[2] / "docs" / "examples" / "editions"
CHILDREN = str(EDITIONS / "children.toml")
KEY = load_edition(CHILDREN).key
START = f"pkp1 {KEY} 11-26 -/- A -:?"
Capture = pytest.CaptureFixture[str]


def out(capsys: Capture, *argv: str) -> str:
    assert main(argv) == 0
    return capsys.readouterr().out


def test_a_file_where_a_key_is_accepted(capsys: Capture) -> None:
    odds = json.loads(out(capsys, "odds", "--edition", CHILDREN, "--json"))
    assert min(map(int, odds["at_least"])) <= 11
    assert "26" in odds["at_least"]
    assert out(capsys, "perft", "1", "--edition", CHILDREN).split()[-1] == "462"  # six dice, docs/notation.md
    shown = json.loads(out(capsys, "show", "--edition", CHILDREN, START, "--json"))
    assert shown["position"] == START
    solved = json.loads(out(capsys, "solve", "--edition", CHILDREN, "--tiles", "11,12", "--json"))
    assert solved["edition"] == KEY
    assert 0.5 < solved["value"] < 1


def test_a_game_is_saved_and_resumed_by_processes_that_know_nothing_of_it(tmp_path: Path) -> None:
    record = tmp_path / "game.pkgn"
    seats = ["--seat", "A=bot:cautious", "--seat", "B=bot:random"]

    def pickomino(*argv: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pickomino", *argv],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    played = pickomino("play", "--edition", CHILDREN, "--seed", "1", *seats, "--record", str(record))
    assert (played.returncode, played.stderr) == (0, "")
    text = record.read_text("utf-8")
    assert f'[Edition "{KEY}"]' in text
    broken_off = re.sub(r'\[Result "\w+"\]', '[Result "*"]', text).split("\n2 ")[0] + "\n"
    record.write_text(broken_off, "utf-8")
    resumed = pickomino("play", "--resume", str(record), *seats)
    assert resumed.returncode == 0, resumed.stderr
    replayed = pickomino("replay", str(record))
    assert (replayed.returncode, replayed.stderr) == (0, "")
    assert KEY in replayed.stdout


def test_the_champion_says_what_it_has_not_learned(capsys: Capture) -> None:
    """Deluxe with switches is played by the nets of deluxe."""
    tail = "11,13,21-36 -/- A -:11234555"
    everybody = "can@11,crow@23,gold@27,hen@21,weasel@25 0/0"
    deluxe = f"{tail} apple@29,{everybody}"
    assert "by an estimate not learned in deluxe+fast." in out(capsys, "advise", f"pkp1 deluxe+fast {deluxe}")
    assert "not learned" not in out(capsys, "advise", f"pkp1 deluxe {deluxe}")
    advice = out(capsys, "advise", f"pkp1 extrawurm+fast {tail} {everybody}", "--json")
    assert json.loads(advice)["learned"] is False


def test_an_edition_is_printed_to_start_from(capsys: Capture) -> None:
    text = out(capsys, "editions", "--toml", "deluxe+fast")
    assert text.startswith('name = "deluxe+fast"\ndice = 8\nswitches = ["fast", "mandatory-steal"]\n')
    assert format_edition(load_edition(text)) == text


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["odds", "--edition", "missing.toml"], "cannot read 'missing.toml': No such file"),
        (["odds", "--edition", CHILDREN, "pkp1 classic 21-36 -/- A -:?"], "POSITION has the edition classic"),
        (
            ["show", "pkp1 house-00000000 11-26 -/- A -:?"],
            "'house-00000000' is not known here: expected its file",
        ),
    ],
)
def test_what_is_missing_is_said(argv: list[str], expected: str, capsys: Capture) -> None:
    assert main(argv) == 2
    error = capsys.readouterr().err
    assert expected in error
    assert error.count("\n") == 1


def test_a_bad_file_is_told_by_line(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('name = "x"\n\n[tiles]\n21 = "one"\n', "utf-8")
    assert main(["play", "--edition", str(path)]) == 2
    assert "line 4: tiles.21: expected a whole number from 0 to 99, not 'one'" in capsys.readouterr().err
