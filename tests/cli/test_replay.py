"""pickomino replay: the JSON of the command, bad records among good ones, unreadable files."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from pickomino import Game, Record, format_record
from pickomino.chance import SeededDice
from pickomino.cli import main
from pickomino.play import Match, Seat, bot_decider, play_match

Capture = pytest.CaptureFixture[str]

OPEN_GAME = """\
[PKGN "1"]
[Edition "classic"]
[Seats "A:red B:blue"]
[Result "*"]

1 A 112345WW/W 445WWW/4 2224/2 t24
2 B 12223345/3 344455/4 125/5 15/1 4 !
"""  # the example of the notation

KEYS = ["edition", "seats", "turns", "over", "position", "grill", "flipped", "stacks", "scores", "winners"]


def played(edition: str, seats: int = 2, seed: int = 1) -> Record:
    game = Game.new(edition, seats)
    match = Match(game, tuple(Seat(f"s{seat}", "random") for seat in range(seats)))
    play_match(match, [bot_decider("random", f"{seed} {seat}") for seat in range(seats)], SeededDice(seed))
    return Record(game, tuple(seat.name for seat in match.seats))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.pkgn"


def test_json_of_an_open_game(file: Path, capsys: Capture) -> None:
    file.write_text(OPEN_GAME, encoding="utf-8")
    assert main(["replay", str(file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data) == KEYS
    assert data == {
        "edition": "classic",
        "seats": ["red", "blue"],
        "turns": 2,
        "over": False,
        "position": "pkp1 classic 21-23,25-36 24/- A -:?",
        "grill": [21, 22, 23, *range(25, 37)],
        "flipped": [],
        "stacks": [[24], []],
        "scores": [1, 0],
        "winners": [],
    }


@pytest.mark.parametrize("edition", ["classic", "summary", "course", "classic+fast", "deluxe", "extrawurm"])
def test_json_of_whole_games(edition: str, file: Path, capsys: Capture) -> None:
    records = [played(edition, seats, seed) for seed, seats in enumerate((2, 3, 7))]
    file.write_text("\n".join(map(format_record, records)), encoding="utf-8")
    assert main(["replay", "--json", "--positions", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    for line, record in zip(lines, records, strict=True):
        data, last = json.loads(line), record.game.position
        assert data["over"] is True
        assert data["seats"] == list(record.names)
        assert data["position"] == str(last) == data["positions"][-1]
        assert len(data["positions"]) == data["turns"] == record.turns
        assert "".join(data["winners"]) == record.result
        assert data["scores"] == list(last.scores)
        more = ["specialists", "round_worms"] if last.specialists else []
        assert list(data) == [*KEYS, *more, "positions"]
        if last.specialists:
            assert list(data["specialists"]) == [name for name, _ in last.edition.specialists]
            assert data["round_worms"] == list(last.specialists.round_worms)


def test_a_specialist_is_on_a_tile_at_a_seat_or_out(file: Path, capsys: Capture) -> None:
    position = "pkp1 deluxe 21-23 24/25/- A -:? can@B,crow@23 0/2/0"
    text = OPEN_GAME.split("\n\n")[0].replace("classic", "deluxe").replace("B:blue", "B:blue C:x")
    file.write_text(text.replace("[Result", f'[Position "{position}"]\n[Result') + "\n", encoding="utf-8")
    assert main(["replay", str(file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["specialists"] == {
        "apple": None,
        "can": "B",
        "crow": 23,
        "gold": None,
        "hen": None,
        "weasel": None,
    }
    assert data["round_worms"] == [0, 2, 0]
    assert data["turns"] == 0


def test_a_bad_record_does_not_hide_the_next(file: Path, capsys: Capture) -> None:
    bad = OPEN_GAME.replace("t24", "t25")
    file.write_text(f"{OPEN_GAME}\n{bad}\n{OPEN_GAME}", encoding="utf-8")
    assert main(["replay", "--json", str(file)]) == 1
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2
    assert err.startswith("pickomino: error: line 14: turn 1: ")
    assert err.count("\n") == 1


def test_text_tells_the_turns_and_the_end(file: Path, capsys: Capture) -> None:
    record = played("deluxe", 3)
    file.write_text(f"{OPEN_GAME}\n{format_record(record)}", encoding="utf-8")
    assert main(["replay", str(file), "--positions"]) == 0
    out = capsys.readouterr().out
    assert "   1  red   112345WW/W 445WWW/4 2224/2 t24\n" in out
    assert "Not finished. The standings:" in out
    assert "Game 2, deluxe: A s0, B s1, C s2" in out
    assert str(record.game.position) in out
    assert " wins" in out or " share the win" in out


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(OPEN_GAME.replace("\n", "\r\n").encode())))
    assert main(["replay", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["turns"] == 2


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"\0" * 99, OPEN_GAME.encode()[:-9] + b"\xff", b"[PKGN"])
def test_bytes_that_are_no_record(data: bytes, file: Path, capsys: Capture) -> None:
    file.write_bytes(data)
    assert main(["replay", str(file), "--json"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pickomino: error: line ")


@pytest.mark.parametrize("command", ["replay", "review", "verify"])
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_an_empty_file(file: Path, capsys: Capture, command: str, more: list[str]) -> None:
    file.write_bytes(b"")
    assert main([command, str(file), *more]) == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", "pickomino: error: no records: expected at least one game\n")


@pytest.mark.parametrize("name", ["/nowhere/to/be/found", ".", "a\0b", ""])
def test_files_that_cannot_be_read(name: str, capsys: Capture) -> None:
    assert main(["replay", name]) == 2
    assert capsys.readouterr().err.startswith("pickomino: error: cannot read ")


def test_names_cannot_steer_the_terminal(file: Path, capsys: Capture) -> None:
    file.write_text(OPEN_GAME.replace("A:red", "A:%1B[31mred"), encoding="utf-8")
    assert main(["replay", str(file)]) == 0
    assert "\x1b" not in capsys.readouterr().out
