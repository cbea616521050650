"""pickomino verify: what it says, and its exit status."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from pickomino.cli import verify
from pickomino.cli.parsing import CommandError, Parser
from tests.chance.checkable_games import record_text
from tests.chance.joint_games import SmallServer

GOOD = record_text()
DELUXE = record_text("deluxe", 3, bots="")
PLAIN = re.sub(r'\[(Dice|Table|Bots|Nonces) ".*"\]\n| \{.*?\}', "", GOOD)
UNFINISHED = re.sub(r'\[Result ".*"\]\n', "", GOOD[: GOOD.index("\n2 B ") + 1])


def run(*argv: str) -> int:
    parser = Parser("pickomino verify")
    verify.add_arguments(parser)
    return verify.run(parser.parse_args(argv))


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return tmp_path / "games.pkgn"


def test_good_games(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written.write_text(f"; two games\n\n{GOOD}\n{DELUXE}", encoding="utf-8")
    assert run(str(written)) == 0
    out = capsys.readouterr().out
    assert out.startswith("Game 1: good. classic, A:Anna%20B B:bøt, table t-1\n  tip     ")
    assert "Game 2: good. deluxe," in out
    assert out.count("each recomputed") == 2
    assert re.search(r"bots    B: \d+ nonces", out)


def test_json_says_what_was_checked(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written.write_text(GOOD, encoding="utf-8")
    assert run("--json", str(written)) == 0
    data = json.loads(capsys.readouterr().out)
    rolls = GOOD.count("{#")
    assert data == {
        "record": 1,
        "good": True,
        "edition": "classic",
        "seats": ["Anna B", "bøt"],
        "over": True,
        "termination": None,
        "table": "t-1",
        "tip": re.findall(r"sha256-chain (\w+)", GOOD)[0],
        "checked": {
            "tip": True,
            "rolls": rolls,
            "nonces": True,
            "bot_nonces": data["checked"]["bot_nonces"],
            "stand_ins": 0,
            "hand_overs": 0,
        },
    }


@pytest.mark.parametrize(
    ("old", "new", "turn", "roll", "reason"),
    [
        ("[Table", "[Tables", None, None, "no header Table"),
        ('"t-1"', '"t-2"', 1, 1, "tip"),
        ("B:bøt", "B:bat", 1, 1, "tip"),
        ('"sha256-chain ', '"sha256-chain x', None, None, "header Dice"),
        ('[Nonces "', '[Nonces "x', None, None, "header Nonces"),
        (" {#7 ", " {#8 ", 2, 7, "expected {#7 value nonce}"),
    ],
)
def test_wrong_games_name_line_turn_roll_and_reason(
    old: str,
    new: str,
    turn: int | None,
    roll: int | None,
    reason: str,
    written: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert GOOD.count(old) == 1
    text = DELUXE + "\n" + GOOD.replace(old, new) + "\n" + DELUXE
    written.write_text(text, encoding="utf-8")
    assert run("--json", str(written)) == 1
    first, second, third = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["good"], second["good"], third["good"]) == (True, False, True)
    problem = second["problem"]
    assert (problem["turn"], problem["roll"]) == (turn, roll)
    assert reason in problem["reason"]
    line = text.splitlines()[problem["line"] - 1]
    begin = f"{turn} " if turn else "[PKGN"  # what is wrong with no turn is told of the first line
    assert line.startswith(begin)
    assert run(str(written)) == 1
    assert f"Game 2: not good. line {problem['line']}" in capsys.readouterr().out


def test_a_wrong_roll_says_how_many_were_good(capsys: pytest.CaptureFixture[str], written: Path) -> None:
    written.write_text(re.sub(r"(\{#2 )\w{4}", r"\g<1>0000", GOOD), encoding="utf-8")
    assert run(str(written)) == 1
    out = capsys.readouterr().out
    assert (
        "turn 1: roll 2: the value does not hash to the value before it\n  1 roll before that is good.\n"
        in out
    )


def test_records_that_cannot_be_read(capsys: pytest.CaptureFixture[str], written: Path) -> None:
    written.write_text("junk\n" + GOOD.replace("1 A ", "9 A ", 1) + "\n" + GOOD, encoding="utf-8")
    assert run(str(written)) == 1
    first, second, third = (line for line in capsys.readouterr().out.splitlines() if line.startswith("Game"))
    assert first.startswith("Game 1: not good. line 1: 'junk'")
    assert second.startswith("Game 2: not good. line 11: turn 1: '9'")
    assert third.startswith("Game 3: good.")


def test_nothing_to_verify(capsys: pytest.CaptureFixture[str], written: Path) -> None:
    written.write_text(PLAIN, encoding="utf-8")
    assert run(str(written)) == 1
    assert capsys.readouterr().out == "Game 1: nothing to verify, as it has no header Dice\n"
    assert run("--json", str(written)) == 1
    assert json.loads(capsys.readouterr().out)["problem"]["reason"] == "nothing to verify: no header Dice"


def test_a_game_cut_short_needs_its_own_seal(capsys: pytest.CaptureFixture[str], written: Path) -> None:
    """Rolls left out at the end are noticed: the seal counts all nonces."""
    written.write_text(UNFINISHED, encoding="utf-8")
    assert run(str(written)) == 1
    assert "header Nonces is not the hash of all nonces" in capsys.readouterr().out


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert run("-") == 0
    assert capsys.readouterr().out.startswith("Game 1: good.")


@pytest.mark.parametrize("argv", [(), ("nosuchfile",), ("--nosuch", "-"), ("a", "b")])
def test_bad_usage(argv: tuple[str, ...]) -> None:
    with pytest.raises(CommandError) as caught:
        run(*argv)
    assert caught.value.status == 2


def test_what_a_client_kept_is_compared(
    written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = SmallServer(sleeping=lambda k, letter: (k, letter) == (3, "C"))
    server.start()
    server.play(turns=3)
    written.write_text(str(server.record), encoding="utf-8")
    kept = tmp_path / "kept.json"
    kept.write_text(str(server.clients["A"].kept))
    assert run("--kept", str(kept), str(written)) == 0
    out = capsys.readouterr().out
    rolls = len(server.rolls) + 1  # and who starts
    for line in (
        f"  added   A (Anna B): {rolls} values of its own chain",
        "  void    1 roll because C was missing: 3",
        f"  kept    the tip from before the game, 1 tip, {rolls} values, 0 nonces as you sent them",
    ):
        assert f"\n{line}\n" in out
    server.clients["A"].kept.values["A"][2] = "0" * 64
    kept.write_text(str(server.clients["A"].kept))
    assert run("--json", "--kept", str(kept), str(written)) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["checked"]["void"] == [{"roll": 3, "missing": ["C"]}]
    assert data["kept"]["problems"] == ["roll 2: the value of A is not in it"]
