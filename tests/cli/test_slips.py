"""Small slips that commands forgive, or answer with one clear line: each of these once went wrong."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from pickomino.cli import main
from pickomino.cli.seating import seats_of

Capture = pytest.CaptureFixture[str]


def complaint(capsys: Capture, *argv: str) -> str:
    """The one line on stderr of a command that fails."""
    assert main(list(argv)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_a_position_without_quotes(capsys: Capture) -> None:
    position = "pkp1 classic 21-36 -/- A 55W:11244"
    assert main(["show", *position.split(" ")]) == 0
    unquoted = capsys.readouterr().out
    assert main(["show", position]) == 0
    assert capsys.readouterr().out == unquoted
    assert main(["odds", *position.split(" "), "--json"]) == 0


def test_did_you_mean(capsys: Capture) -> None:
    assert "did you mean replay?" in complaint(capsys, "repaly")
    assert "did you mean --edition?" in complaint(capsys, "odds", "--editon", "deluxe")


def test_a_folder_that_is_not_there_is_found_out_before_the_work(capsys: Capture, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing" / "table.npz")
    assert "cannot write to the folder" in complaint(capsys, "solve", "--tiles", "21,25", "--save", missing)


def test_charts_are_svg(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    assert "ends in .svg" in complaint(capsys, "arena", "cautious", "random", "--plot", str(path))
    assert not path.exists()


def test_a_table_that_is_none_says_nothing_of_pickles(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "letter.npz"
    path.write_bytes(b"Dear Anna")
    line = complaint(capsys, "solve", "--load", str(path))
    assert "pickle" not in line
    assert "is not a table of a small game" in line


def test_people_of_the_same_name_are_told_apart() -> None:
    seats = seats_of(["A=me:Anna", "B=me:anna", "C=me:Ben"], None)
    assert [seat.name for seat in seats] == ["Anna-A", "anna-B", "Ben"]


def test_odds_put_face_down_tiles_on_one_line(capsys: Capture) -> None:
    assert main(["odds", "pkp1 classic 21-30 -/- A -:?"]) == 0
    out = capsys.readouterr().out
    assert "Face down: 31, 32, 33, 34, 35, 36." in out
    assert "\n  31 " not in out


def test_seats_everywhere_and_players_as_before(capsys: Capture) -> None:
    outs = []
    for option in ("--seats", "--players"):
        assert (
            main(["arena", "cautious", "random", option, "3", "--games", "3", "--workers", "1", "--json"])
            == 0
        )
        outs.append('"players":3' in capsys.readouterr().out)
        assert main(["solve", "--tiles", "21", option, "3", "--json"]) == 0
        outs.append('"players":3' in capsys.readouterr().out)
    assert outs == [True] * 4


def test_bots_explains_the_levels(capsys: Capture) -> None:
    assert main(["bots"]) == 0
    out = capsys.readouterr().out
    assert "champion  plays the whole game to win" in out
    assert "hard 65 against medium" in out
    assert main(["bots", "--json"]) == 0


def test_replay_in_words(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "game.pkgn"
    assert main(["play", "--seat", "A=bot:random", "--seed", "1", "--record", str(path)]) == 0
    told = capsys.readouterr().out
    assert main(["replay", "--words", str(path)]) == 0
    words = capsys.readouterr().out
    assert "random rolls [" in words
    assert "cautious takes " in words
    assert "cautious takes " in told


def test_an_ascii_terminal_gets_letters(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pickomino", "show", "pkp1 classic 21-36 -/- A 55W:11244"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, timeout=60, check=True, env=environment)
    assert b"\\x" not in done.stdout
    assert b"2 x 1" in done.stdout


def test_quitting_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    path = tmp_path / "a game.pkgn"
    assert main(["play", "--plain", "--seed", "1", "--record", str(path)]) == 0
    assert capsys.readouterr().out.endswith(f"\nSaved; continue with: pickomino play --resume '{path}'\n")


def test_a_port_that_is_taken(capsys: Capture, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port), "--database", str(tmp_path / "games.db")]) == 1
    assert capsys.readouterr().err == f"pickomino: error: port {port} is taken; try --port {port + 1}\n"
