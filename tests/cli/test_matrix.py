"""Every command in every kind of surroundings: one clear line, the right exit status, no traceback, nothing English in
a French run but notation."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from pickomino.cli import COMMANDS, main
from pickomino.rules import find_edition
from tests.cli.test_replay import OPEN_GAME

NAMES = [command.name for command in COMMANDS]
POSITION = "pkp1 classic 21-25,27,29 28,30/26 A 55WW:-"
GOOD = {
    "play": ["play", "--seat", "A=bot:random", "--edition", "course", "--seed", "1"],
    "show": ["show", POSITION],
    "replay": ["replay", "--words", "GAME"],
    "review": ["review", "GAME", "--objective", "worms"],
    "verify": ["verify", "GAME"],
    "bots": ["bots"],
    "editions": ["editions"],
    "completion": ["completion", "fish"],
    "odds": ["odds", POSITION],
    "advise": ["advise", POSITION, "--objective", "worms"],
    "drill": ["drill", "--export", "--progress", "none.json"],
    "solve": ["solve", "--tiles", "21", "--position", "pkp1 classic 21 -/- A -:?"],
    "arena": ["arena", "cautious", "random", "--games", "2", "--workers", "1"],
    "perft": ["perft", "1"],
}
"""A quick command line of each; those of servers need one and are tried with wrong arguments only."""
STATUS = {"verify": 1}  # nothing to verify in that record
ENGLISH = re.compile(
    r"\b(the|of|and|with|is|are|what|your|you|not|from|expected|which|this|that)\b", re.IGNORECASE
)


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "game.pkgn"
    path.write_text(OPEN_GAME, "utf-8")
    return str(path)


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at a terminal, in English, unless a test says otherwise."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "COLUMNS", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))


def call(monkeypatch: pytest.MonkeyPatch, argv: list[str], encoding: str = "utf-8") -> tuple[int, str, str]:
    """A command with streams of its own."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding, newline="\n") for _ in range(2))
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    status = main(argv)
    texts = []
    for stream in (out, err):
        stream.flush()
        assert isinstance(stream.buffer, io.BytesIO)
        texts.append(stream.buffer.getvalue().decode(encoding))
    return status, texts[0], texts[1]


@pytest.mark.parametrize(
    ("language", "begins"), [("en", "pickomino: error: "), ("fr", "pickomino : erreur : ")]
)
@pytest.mark.parametrize("name", NAMES)
def test_wrong_arguments(name: str, language: str, begins: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", f"{language}_XX.UTF-8")
    status, out, err = call(monkeypatch, [name, "--nonsense"])
    assert (status, out) == (2, "")
    assert err.startswith(begins)
    assert err.count("\n") == 1
    assert language == "en" or not ENGLISH.search(err), err


@pytest.mark.parametrize("name", NAMES)
def test_help_in_french(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    status, out, err = call(monkeypatch, [name, "--help", "--lang", "fr"])
    assert (status, err) == (0, "")
    said = re.sub(r"(?m)^  pickomino .*|[\"{].*|--[a-z-]+|[A-Z]{3,}\S*", "", out)  # examples, JSON, options
    assert not ENGLISH.search(said), ENGLISH.search(said)


@pytest.mark.parametrize("name", GOOD)
def test_surroundings(name: str, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No colour, a dumb terminal of 40 columns that knows ASCII only, in French."""
    for variable, value in {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "40", "LANG": "fr_FR"}.items():
        monkeypatch.setenv(variable, value)
    argv = [game if word == "GAME" else word for word in GOOD[name]]
    status, out, err = call(monkeypatch, argv, "ascii")
    assert status == STATUS.get(name, 0)
    assert err == ""
    assert "\\x" not in out
    assert "\\u" not in out
    assert "\x1b" not in out
    for line in out.splitlines():
        assert name == "completion" or not ENGLISH.search(line), line
        assert name not in ("play", "show", "odds") or len(line) <= 40, line


@pytest.mark.parametrize(
    "name", ["show", "replay", "verify", "bots", "editions", "completion", "odds", "perft", "play"]
)
def test_nobody_reads_on(name: str, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe that is closed at the other end: status 1, not a word."""

    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    err = io.StringIO()
    monkeypatch.setattr("sys.stdout", Closed())
    monkeypatch.setattr("sys.stderr", err)
    assert main([game if word == "GAME" else word for word in GOOD[name]]) == 1
    assert err.getvalue() == ""


def test_no_streams_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """As under pythonw."""
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(f"sys.{name}", None)
    assert main(["perft", "1"]) == 0
    assert main(["replay", "-"]) == 2


def test_join_needs_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    status, _, err = call(monkeypatch, ["join", "localhost:8000/HPQ7KM"])
    assert status == 1
    assert "needs a terminal" in err


def test_again_of_a_house_edition_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line that repeats an arena names the file: another shell knows no key of a house edition."""
    path = tmp_path / "short.toml"
    path.write_text('name = "Short"\n[tiles]\n"21-24" = 1\n', "utf-8")
    _, out, _ = call(monkeypatch, [*GOOD["arena"], "--edition", str(path)])
    assert f"--edition {path}" in out.splitlines()[-1]
    assert find_edition(path.read_text("utf-8")).key not in out.splitlines()[-1]


def test_a_bot_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "my_bot.py"
    path.write_text(
        "class Thief:\n    def choose(self, position, rng):\n        return position.moves()[-1]\n", "utf-8"
    )
    status, out, _ = call(monkeypatch, ["arena", f"{path}:Thief", "random", "--games", "2", "--workers", "1"])
    assert status == 0
    assert f"{path}:Thief" in out
    status, out, _ = call(monkeypatch, ["play", "--seat", f"A=bot:{path}:Thief", "--seed", "1"])
    assert (status, "Thief" in out) == (0, True)
    for bot, why in ((f"{path}:Nobody", "has no 'Nobody'"), ("none.py:Thief", "there is no file 'none.py'")):
        status, _, err = call(monkeypatch, ["arena", bot, "random"])
        assert status == 2
        assert why in err


def test_advice_at_a_turn_of_a_record(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    status, out, err = call(monkeypatch, ["advise", game, "--at", "1", "--objective", "worms"])
    assert (status, err) == (0, "")
    assert out.startswith("pkp1 ")
    assert "played: " in out
    for wrong in (["advise", game], ["advise", game, "--at", "999"], ["advise", POSITION, "--at", "1"]):
        assert call(monkeypatch, wrong)[0] == 2


def test_completion_knows_commands_options_and_values(monkeypatch: pytest.MonkeyPatch) -> None:
    for shell in ("bash", "zsh", "fish"):
        _, out, _ = call(monkeypatch, ["completion", shell])
        assert all(name in out for name in NAMES)
        assert "theme" in out
        assert "dark light 16 mono ascii" in out
