"""Mutated and random text at every command: exit status 0, 1 or 2, one-line complaints, no traceback."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pickomino import Game, Record, format_record
from pickomino.cli import main
from pickomino.testing import random_game
from tests.cli.test_replay import OPEN_GAME, played
from tests.random_games import KEYS

POSITIONS = [str(position) for key in KEYS for position in random_game(key, 3, 4).positions[::9]]
SIGNS = st.sampled_from(
    '0123456789ABCDEFGWkrtxsgnw^<>+-*:?/,@=![]{}"\\;. \t\n\r\0pkclassidex\u00e9\udcff\U0001f41b'
)
TEXTS = st.one_of(st.text(max_size=40), st.text(SIGNS, max_size=60))


def call(*argv: str, stdin: bytes = b"") -> tuple[int, str, str]:
    """The command with its own streams, whatever they hold."""
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = main(argv)
    return status, out.getvalue(), err.getvalue()


def check(status: int, err: str) -> None:
    assert status in (0, 1, 2)
    assert "Traceback" not in err
    for line in err.splitlines():
        assert line.startswith("pickomino: error: ")
    assert bool(err) == (status != 0)


@st.composite
def mutated(draw: st.DrawFn, source: st.SearchStrategy[str]) -> str:
    """A text with a few signs replaced, inserted or taken out."""
    text = draw(source)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        text = (
            text[:place]
            + draw(st.sampled_from(["", "W", "-", "21", "A", " "]) | SIGNS)
            + text[place + draw(st.integers(0, 2)) :]
        )
    return text


@given(mutated(st.sampled_from(POSITIONS)) | TEXTS)
@settings(max_examples=300)
def test_show(text: str) -> None:
    status, out, err = call("show", "--json", "--", text)
    check(status, err)
    assert bool(out) == (status == 0)
    assert status in (0, 2)
    if status == 0:
        assert call("show", "--", text)[0] == 0


@given(
    st.lists(
        TEXTS | st.sampled_from(["--json", "--turns", "--divide", "0", "1", "--edition", "deluxe"]),
        max_size=5,
    )
)
@settings(max_examples=200)
def test_arguments(argv: list[str]) -> None:
    for command in ("show", "editions", "perft", "replay", "play"):
        if command == "play" and not {*argv} & {"--turns", "--json"}:
            continue  # no such option there: always an error, never a game
        status, _, err = call(command, *argv)
        check(status, err)


@given(TEXTS)
def test_command(text: str) -> None:
    status, _, err = call(text)
    if text not in ("play", "-h", "--help", "help", "-V", "--version"):
        check(status, err)


@pytest.fixture(scope="module")
def records() -> list[bytes]:
    games = [format_record(played(key, 3)) for key in ("classic+fast", "deluxe")]
    start = format_record(Record(Game.new("deluxe", 2, 1), ("a b", "%ü"), {"Note": 'x "y" \\'}))
    return [text.encode() for text in (OPEN_GAME, start, *(game[:1000] for game in games))]


@given(st.data())
@settings(max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_records(records: list[bytes], tmp_path: Path, data: st.DataObject) -> None:
    raw = bytearray(b"\n".join(data.draw(st.lists(st.sampled_from(records), min_size=1, max_size=2))))
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(raw)))
        raw[place : place + data.draw(st.integers(0, 2))] = data.draw(
            st.binary(max_size=2) | st.sampled_from([b"W", b" ", b"]"])
        )
    status, out, err = call("replay", "-", "--json", "--positions", stdin=bytes(raw))
    check(status, err)
    assert status in (0, 1)
    assert call("replay", "-", stdin=bytes(raw))[0] == status
    path = tmp_path / "game.pkgn"
    path.write_bytes(raw)
    status, out, err = call("play", "--resume", str(path), stdin=b"")
    check(status, err)
    assert out or status


@given(st.binary(max_size=300))
@settings(max_examples=60)
def test_any_bytes_as_answers(answers: bytes) -> None:
    status, out, err = call("play", "--edition", "deluxe", "--seed", "1", stdin=answers)
    check(status, err)
    assert out.startswith("Pickomino (deluxe)")
