"""pickomino play: whole games from a pipe in every edition, records, break-off, resume, wrong arguments."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from shutil import rmtree

import pytest

from pickomino import Record, parse_record, read_records
from pickomino.cli import main
from pickomino.rules import EDITIONS

Capture = pytest.CaptureFixture[str]

# Whatever is asked, one of these fits; wrong ones are answered with an explanation and asked again.
TILES = [f"t{tile}" for tile in range(21, 33)]
ANSWERS = ["t", "x", *TILES, "y", "kW", *"543r21ABCDEFG", "hen", "apple", "can", "gold", "weasel", "s"]


class Stdin(io.StringIO):
    """Answers as long as they last."""

    def __init__(self, answers: Iterator[str], limit: int = 100_000) -> None:
        super().__init__()
        self._answers = islice(answers, limit)

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # text, not bytes
        return next((f"{answer}\n" for answer in self._answers), "")


Use = Callable[..., None]


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Lets the game read so many answers, or just these."""

    def use(limit: int = 100_000, answers: list[str] | None = None) -> None:
        monkeypatch.setattr("sys.stdin", Stdin(cycle(ANSWERS) if answers is None else iter(answers), limit))

    return use


def record_of(path: Path) -> Record:
    return parse_record(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("seats", "edition"), list(enumerate(["classic+any-lower+fast+flip-empty+shared-ties", *EDITIONS], 2))
)
def test_whole_games(edition: str, seats: int, answer: Use, tmp_path: Path, capsys: Capture) -> None:
    answer()
    path = tmp_path / "game.pkgn"
    options = ["--edition", edition, "--seats", str(seats), "--seat", "B=me:Ben", "--first", "B"]
    assert main(["play", "--plain", *options, "--seed", str(seats), "--record", str(path)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "The game is over." in out
    assert " wins" in out or " share the win" in out
    record = record_of(path)
    assert record.game.over
    assert record.game.start.seat_letter == "B"
    assert record.names[:2] == ("Player", "Ben")
    assert "Termination" not in record.headers
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.pkgn"]


def test_a_seed_fixes_the_whole_game(tmp_path: Path, capsys: Capture) -> None:
    bots = ["--seat", "A=bot:random", "--seat", "B=bot:cautious", "--seat", "C=bot:random"]
    texts = []
    for name, seed in (("1", "7"), ("2", "7"), ("3", "8")):
        path = tmp_path / name
        assert main(["play", *bots, "--seed", seed, "--record", str(path)]) == 0
        texts.append((path.read_text(encoding="utf-8"), capsys.readouterr().out))
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


def test_no_seed_gives_another_game_each_time(tmp_path: Path) -> None:
    games = []
    for name in "ab":
        assert main(["play", "--seat", "A=bot:random", "--record", str(tmp_path / name)]) == 0
        games.append(record_of(tmp_path / name).game)
    assert games[0] != games[1]


@pytest.mark.parametrize(("edition", "limit"), [("classic", 1), ("deluxe", 9), ("deluxe", 70)])
def test_resume_after_the_input_ended(
    edition: str, limit: int, answer: Use, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "game.pkgn"
    options = [
        "--edition",
        edition,
        "--seed",
        "5",
        "--seats",
        "4",
        "--seat",
        "A=bot:random",
        "--seat",
        "B=me",
    ]
    answer(limit)
    assert main(["play", *options, "--record", str(path)]) == 1
    err = capsys.readouterr().err
    assert err.startswith("pickomino: error: the input ended before the game did; continue with: ")
    assert err.count("\n") == 1
    broken = record_of(path)
    assert broken.result == "*"
    assert broken.headers["Termination"] == "the input ended"
    answer()
    assert main(["play", "--resume", str(path)]) == 0
    assert " continues." in capsys.readouterr().out
    again = record_of(path)
    assert again.game.over
    assert again.names == broken.names
    assert again.game.plies[: len(broken.game)] == broken.game.plies
    assert "Termination" not in again.headers


def test_bot_games_resume_to_the_very_same_game(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    assert main(["play", "--seed", "3", "--seat", "A=bot:random", "--record", str(whole)]) == 0
    lines = whole.read_text(encoding="utf-8").split("\n")
    blank = lines.index("")
    cut = tmp_path / "cut"
    head = [line for line in lines[:blank] if not line.startswith("[Result")]
    for turns in (1, 5, 12):
        cut.write_text("\n".join([*head, *lines[blank : blank + 1 + turns]]) + "\n", encoding="utf-8")
        assert main(["play", "--resume", str(cut)]) == 0
        assert cut.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")


def test_quit_saves_and_is_no_error(answer: Use, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "game.pkgn"
    answer(answers=["?", "b", "", "nonsense", "q"])
    assert main(["play", "--seed", "1", "--record", str(path)]) == 0
    out = capsys.readouterr().out
    assert "The game is not over yet." in out
    assert "roll the dice that are left" in out  # the help
    assert "I do not understand 'nonsense'. Say " in out
    assert record_of(path).headers["Termination"] == "a player left"


def test_interrupt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Interrupted(Stdin):
        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # text, not bytes
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Interrupted(iter(())))
    path = tmp_path / "game.pkgn"
    assert main(["play", "--record", str(path)]) == 130
    assert record_of(path).headers["Termination"] == "interrupted"


def test_records_are_added_and_only_the_unfinished_one_is_replaced(
    answer: Use, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "games.pkgn"
    bots = ["--seat", "A=bot:random", "--record", str(path)]
    assert main(["play", *bots, "--seed", "1"]) == 0
    first = path.read_text(encoding="utf-8")
    answer(1)
    assert main(["play", "--record", str(path), "--seat", "A=me:Anna"]) == 1
    assert main(["play", *bots, "--seed", "2"]) == 0
    answer()
    assert main(["play", "--resume", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    assert text.startswith(first)
    records = list(read_records(text.split("\n")))
    assert [record.game.over for record in records] == [True, True, True]
    assert records[1].names == ("Anna", "cautious")
    assert main(["replay", str(path)]) == 0
    capsys.readouterr()
    assert main(["play", "--resume", str(path)]) == 2
    assert "no unfinished game in" in capsys.readouterr().err


def test_resume_knows_bots_by_name_and_takes_other_seats(
    answer: Use, tmp_path: Path, capsys: Capture
) -> None:
    path, other = tmp_path / "a", tmp_path / "b"
    path.write_text('[PKGN "1"]\n[Edition "classic"]\n[Seats "A:cautious B:Ben"]\n', encoding="utf-8")
    answer(3)
    assert main(["play", "--resume", str(path), "--record", str(other)]) == 1
    assert path.read_text(encoding="utf-8").count("\n") == 3  # the other file is the record now
    assert record_of(other).headers["Players"] == "A=bot:cautious B=me"
    assert main(["play", "--resume", str(other), "--seat", "B=bot:cautious"]) == 0
    assert record_of(other).names == ("cautious", "cautious-B")


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["--seats", "1"], "expected 2 to 7 seats"),
        (["--seat", "A"], "expected A=me"),
        (["--seat", "H=me"], "expected A=me"),
        (["--seat", "A=you"], "expected me, me:NAME or bot:"),
        (["--seat", "A=me:"], "expected a printable name"),
        (["--seat", "A=me:\x1b[2J"], "expected a printable name"),
        (["--seat", "A=me:\udcff"], "expected a printable name"),
        (["--seat", "A=bot:cautios"], "did you mean cautious?"),
        (["--seat", "A=me", "--seat", "A=me"], "is given twice"),
        (["--seats", "2", "--seat", "C=me"], "only 2 seats"),
        (["--first", "C"], "expected one of the seats A B"),
        (["--seed", "-1"], "--seed"),
        (["--seed", "9" * 5000], "expected a number"),
        (["--edition", "classic+nonsense"], "expected switches"),
        (["--record", ""], "not a file name"),
        (["--record", "a\0b"], "not a file name"),
        (["--record", "/"], "not a regular file"),
        (["--record", "/missing-folder/game"], "cannot write"),
        (["--resume", "/missing-folder/game"], "no such file"),
        (["--resume", "x", "--seats", "3"], "leave out those options"),
    ],
)
def test_bad_arguments(argv: list[str], expected: str, capsys: Capture) -> None:
    assert main(["play", *argv]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pickomino: error: ")
    assert err.count("\n") == 1
    assert expected in err


def test_a_file_that_holds_something_else_is_left_alone(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(b"Dear Anna,\xff\n")
    assert main(["play", "--record", str(path)]) == 2
    assert "is not a file of game records" in capsys.readouterr().err
    assert path.read_bytes() == b"Dear Anna,\xff\n"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    path, link = tmp_path / "game.pkgn", tmp_path / "link"
    path.write_bytes(b"")
    path.chmod(0o640)
    link.symlink_to(path)
    assert main(["play", "--seat", "A=bot:random", "--record", str(link)]) == 0
    assert link.is_symlink()
    assert record_of(path).game.over
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_file_that_can_no_longer_be_written_does_not_end_the_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()

    def answers() -> Iterator[str]:
        rmtree(folder)
        yield from cycle(ANSWERS)

    monkeypatch.setattr("sys.stdin", Stdin(answers()))
    assert main(["play", "--seats", "5", "--record", str(folder / "game.pkgn")]) == 0
    out, err = capsys.readouterr()
    assert "The game is over." in out
    assert "cannot write" in err
    assert err.count("\n") == 1


def test_a_kill_loses_nothing(tmp_path: Path) -> None:
    """SIGKILL while the game waits for an answer: the roll on the table is in the record."""
    path = tmp_path / "game.pkgn"
    command = [sys.executable, "-m", "pickomino", "play", "--seed", "2", "--record", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(200):
            if path.exists() and len(record_of(path).game):
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    record = record_of(path)
    assert len(record.game) == 1
    assert record.headers["Termination"] == "unfinished"


def test_a_pipe_with_stray_bytes() -> None:
    command = [sys.executable, "-m", "pickomino", "play", "--seed", "2"]
    data = b"\xff\xfe\0\n" + "\n".join(ANSWERS * 300).encode()
    done = subprocess.run(command, input=data, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"The game is over." in done.stdout
