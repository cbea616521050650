"""``pickomino drill``: questions, answers, today's ten, progress in a file."""

from __future__ import annotations

import io
import json
from datetime import date
from pathlib import Path

import pytest

from pickomino import parse_position
from pickomino.analysis.drill import todays_ten
from pickomino.cli import main


def play(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, answers: str, *argv: str
) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    status = main(["drill", *argv])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_todays_ten(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    status, text, _ = play(capsys, monkeypatch, "1\n" * 10, "--ten", "--date", "2026-11-16")
    assert status == 0
    assert "10 of 10" in text
    assert text.splitlines()[-2].startswith("Pickomino ten 2026-11-16: ")
    assert len(text.splitlines()[-1].split()) == 10


def test_an_answer_that_is_no_move_is_asked_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, text, _ = play(capsys, monkeypatch, "nonsense\nq\n", "--date", "2026-11-16")
    assert "expected one of" in text
    assert "2 of 10" not in text


def test_progress_is_kept_and_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fsrs", reason="the extra drill is not installed")
    path = tmp_path / "deep" / "progress.json"
    status, text, _ = play(capsys, monkeypatch, "1\n1\nq\n", "--progress", str(path), "--theme", "wrong face")
    assert status == 0
    assert text.count("It comes back in ") == 2
    assert "of 2 best or fine" in text
    _, text, _ = play(capsys, monkeypatch, "", "--progress", str(path), "--export")
    assert json.loads(text) == json.loads(path.read_text("utf-8"))
    assert len(json.loads(text)) == 2


def test_errors_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"x": 1}', "utf-8")
    for argv, message in (
        (["--progress", str(bad)], "expected the progress"),
        (["--date", "yesterday"], "expected a date"),
        (["--theme", "luck"], "expected one of"),
        (["--edition", "nonsense"], "nonsense"),
    ):
        status, out, error = play(capsys, monkeypatch, "", *argv)
        assert status == 2
        assert message in error
        assert error.count("\n") == 1
        assert not out


def test_drills_for_programs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The same ten as asked; nothing is asked, so nothing is read and nothing kept."""
    status, text, _ = play(capsys, monkeypatch, "", "--date", "2026-11-16", "--json")
    assert status == 0
    ten = [json.loads(line) for line in text.splitlines()]
    assert [one["key"] for one in ten] == [drill.key for drill in todays_ten(date(2026, 11, 16))]
    for one in ten:
        assert one["moves"] == [str(move) for move in parse_position(one["position"]).moves()]
    _, text, _ = play(capsys, monkeypatch, "", "--count", "3", "--theme", "wrong face", "--json")
    assert [json.loads(line)["theme"] for line in text.splitlines()] == ["wrong face"] * 3
