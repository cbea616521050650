"""``pickomino review``: report, JSON, comments, page, profiles, one-line errors."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pickomino.bots import make_bot
from pickomino.cli import main
from pickomino.locale import languages
from pickomino.notation import Record, format_record, parse_record
from pickomino.testing import random_game

NAMES = ("Anna", "Ben", "Cleopatra", "Dan", "Eva-Maria", "Finn", "Someone of a long name")


def record(number: int, plies: int | None = None) -> str:
    bot = make_bot("easy")
    game = random_game("classic", 2, f"cli {number}", bot.choose, plies=plies)
    return format_record(Record(game, ("Anna", "Ben")))


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("review") / "one.pkgn"
    path.write_text(record(1), "utf-8")
    return path


def output(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(argv) == 0
    return capsys.readouterr().out


def test_a_report_for_people(one: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "review", str(one))
    assert text.startswith("classic, ")
    for part in (
        "100 % │",
        "without luck",
        "Anna (A): ",
        "Ben (B): ",
        "Turning points",
        "Slips: ",
        "Estimate: ",
    ):
        assert part in text
    assert max(map(len, text.splitlines())) <= 100
    assert re.search(r"  kept [1-5W]+, rolled [1-5W]+\n", text)  # the dice of a slip
    alone = output(capsys, "review", str(one), "--seat", "B", "--all")
    assert "Anna (A): " not in alone
    assert "(--all)" not in alone


def test_the_estimate_is_explained(one: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "\nEstimate: how much the forecast itself changed" in output(capsys, "review", str(one))
    worms = output(capsys, "review", str(one), "--objective", "worms")
    assert "\nEstimate: what each new turn was expected to bring" in worms


def test_json(one: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(output(capsys, "review", str(one), "--json"))
    assert found["review"]["objective"] == found["report"]["objective"] == "win"
    assert len(found["review"]["balances"]) == 2
    worms = json.loads(output(capsys, "review", str(one), "--json", "--objective", "worms"))
    assert worms["report"]["objective"] == "worms"


def test_annotate(one: Path, capsys: pytest.CaptureFixture[str]) -> None:
    noted = parse_record(output(capsys, "review", str(one), "--annotate"))
    assert noted.game == parse_record(one.read_text("utf-8")).game
    assert any(text.startswith("?") for texts in noted.comments.values() for text in texts)


def test_html(one: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.html"
    assert "kB" in output(capsys, "review", str(one), "--html", str(path), "--language", "fr")
    assert '<html lang="fr">' in path.read_text("utf-8")


def test_many_records_give_profiles_by_one_process_or_by_several(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "many.pkgn"
    path.write_text("\n".join(record(number, 40) for number in range(9)), "utf-8")
    table = output(capsys, "review", str(path), "--processes", "1")
    assert table.splitlines()[1].split()[:2] == ["Anna", "9"]
    assert "against Ben: 9 games" in table
    # For people, not as JSON: sums in the last places depend on how many threads a process has.
    assert output(capsys, "review", str(path), "--processes", "2") == table
    single = tmp_path / "single.pkgn"
    single.write_text(record(0, 40), "utf-8")
    table = output(capsys, "review", str(single), "--profiles")
    assert "against Ben: 1 game, won" in table
    lucks = [line.split()[-3] for line in table.splitlines()[1:3]]
    assert sorted(luck[0] for luck in lucks) == ["+", "−"]  # of two seats: what one gains, the other loses
    found = output(capsys, "review", str(path), "--profiles", "--json", "--processes", "1")
    assert [json.loads(line)["name"] for line in found.splitlines()] == ["Anna", "Ben"]
    assert len(output(capsys, "review", str(path), "--json").splitlines()) == 9


def test_bad_records_are_named_and_the_rest_is_reviewed(
    one: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.pkgn"
    path.write_text(
        '[PKGN "1"]\n[Edition "nonsense"]\n[Seats "A:x B:y"]\n\n' + one.read_text("utf-8"), "utf-8"
    )
    assert main(["review", str(path)]) == 1
    captured = capsys.readouterr()
    assert "nonsense" in captured.err
    assert "Anna (A): " in captured.out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--seat", "C"], "expected one of A, B"),
        (["--annotate", "--profiles"], "at most one of them"),
        (["--html", "/nonexistent/x.html"], "cannot write"),
        (["--objective", "luck"], "expected one of win, worms"),
        (["/nonexistent.pkgn"], "cannot read"),
    ],
)
def test_errors_are_one_line(
    one: Path, more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", str(one), *more]) in (1, 2)
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_profiles_fit_the_terminal(
    one: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = output(capsys, "review", "--profiles", str(one)).splitlines()
    note = next(index for index, line in enumerate(lines) if line.startswith("Given away"))
    assert lines[note + 1].endswith("three).")
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("seats", [2, 4, 7])
def test_a_report_fits_the_terminal(
    seats: int,
    language: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The balance stands on its side, or with letters alone, where its rows are too wide."""
    monkeypatch.setenv("COLUMNS", "80")
    game = random_game("classic", seats, f"width {seats}", make_bot("cautious").choose)
    path = tmp_path / "game.pkgn"
    path.write_text(format_record(Record(game, NAMES[:seats])), "utf-8")
    lines = output(capsys, "review", str(path), "--all", "--lang", language).splitlines()
    assert max(map(len, lines)) <= 80


def test_a_seat_that_never_came_to_choose(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "short.pkgn"
    path.write_text('[PKGN "1"]\n[Edition "classic"]\n[Seats "A:Anna B:Ben"]\n\n1 A 11223345/3\n', "utf-8")
    text = output(capsys, "review", str(path))
    assert text.startswith("classic, 1 turn, not finished: A Anna 0, B Ben 0.")
    assert "No choices." in text.partition("Ben (B): ")[2]


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_an_interrupt_says_nothing_of_the_processes(tmp_path: Path) -> None:
    path = tmp_path / "many.pkgn"
    path.write_text("\n".join([record(number) for number in range(4)] * 200), "utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "pickomino", "review", "--processes", "2", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "1 game reviewed\n"
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the workers get it too
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == err.strip() == ""
