"""show, perft, editions, and the command line around them: output, one-line errors, exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

import pickomino
from pickomino.cli import COMMANDS, main
from pickomino.rules import EDITIONS, SWITCHES

POSITION = "pkp1 classic 23,24,26,28,29,31-34 27,25,22/21/30 B 55W:11244"  # the example of the notation
DELUXE = "pkp1 deluxe 11,13,21-36 -/-/- A -:? apple@29,can@11,crow@23,gold@27,hen@21,weasel@25 0/0/0"

OFFERED = [command.name for command in COMMANDS if find_spec(f"pickomino.cli.{command.name}")]
Capture = pytest.CaptureFixture[str]


def fails(capsys: Capture, *argv: str, status: int = 2) -> str:
    """The one line on stderr of a command that must fail."""
    assert main(argv) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pickomino: error: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("argv", [[], ["--help"], ["-h"], ["help"]])
def test_overview_names_every_command(argv: list[str], capsys: Capture) -> None:
    assert main(argv) == 0
    out = capsys.readouterr().out
    for name in OFFERED:
        assert f"\n  {name} " in out
    assert max(map(len, out.splitlines())) <= 110


@pytest.mark.parametrize("name", OFFERED)
def test_help_of_every_command(name: str, capsys: Capture) -> None:
    assert main([name, "--help"]) == 0
    assert f"usage: pickomino {name}" in capsys.readouterr().out
    assert main(["help", name]) == 0
    assert f"usage: pickomino {name}" in capsys.readouterr().out


def test_version(capsys: Capture) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"pickomino {pickomino.__version__}\n"


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["nonsense"], "unknown command 'nonsense'"),
        (["--nonsense"], "unknown option '--nonsense'"),
        (["show"], "POSITION"),
        (["show", POSITION, "--nonsense"], "--nonsense"),
        (["show", "a\nb"], "expected pkp1"),
        (["show", "\udcff\0"], "expected pkp1"),
        (["show", POSITION.replace("B", "Z")], "seat 'Z'"),
        (["perft"], "DEPTH"),
        (["perft", "-1"], "-1"),
        (["perft", "x"], "expected a number from 0"),
        (["perft", "1_0"], "expected a number from 0"),
        (["perft", "٣"], "expected a number from 0"),
        (["perft", "9" * 6000], "expected a number from 0"),
        (["perft", "41"], "expected a number from 0"),
        (["perft", "1", "--edition", "chess"], "edition 'chess'"),
        (["perft", "1", "--seats", "8"], "expected 2 to 7 seats"),
        (["perft", "1", POSITION, "--seats", "3"], "leave --seats out"),
        (["perft", "1", DELUXE, "--turns"], "editions without specialists"),
        (["perft", "1", POSITION, "--turns"], "start of a turn"),
        (["editions", "classic"], "unrecognized"),
    ],
)
def test_bad_arguments(argv: list[str], expected: str, capsys: Capture) -> None:
    assert expected in fails(capsys, *argv)


def test_show(capsys: Capture) -> None:
    assert main(["show", POSITION]) == 0
    out = capsys.readouterr().out
    assert "│23││24│" in out
    assert "  k4  keep 2 × 4: total 23\n" in out
    assert "A bust would return 21 and flip 34." in out


def test_show_takes_the_position_unquoted_too(capsys: Capture) -> None:
    assert main(["show", *POSITION.split(" ")]) == 0
    assert "k4" in capsys.readouterr().out


def test_show_json(capsys: Capture) -> None:
    assert main(["show", "--json", POSITION]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["position"] == POSITION
    assert shown["moves"] == ["k1", "k2", "k4"]
    assert shown["bust"] == {"returned": 21, "flipped": 34, "worms": 1}


def test_show_dice_due_and_over(capsys: Capture) -> None:
    assert main(["show", DELUXE]) == 0
    assert "Next, seat A rolls 8 dice." in capsys.readouterr().out
    assert main(["show", "pkp1 classic - 21,22/36 - -:-"]) == 0
    assert "seat B wins with 4 worms." in capsys.readouterr().out


# Counts from the notation's "Known numbers".
@pytest.mark.parametrize(
    ("argv", "nodes"),
    [
        (["0"], 1),
        (["1"], 1287),
        (["2"], 4752),
        (["3", "--seats", "2", "--edition", "classic"], 15928),
        (["4", "--turns"], 70978),
        (["4", "--turns", "--edition", "summary"], 69634),
    ],
)
def test_perft(argv: list[str], nodes: int, capsys: Capture) -> None:
    assert main(["perft", *argv]) == 0
    assert capsys.readouterr().out == f"{nodes}\n"
    assert main(["perft", "--json", *argv]) == 0
    assert json.loads(capsys.readouterr().out) == {"depth": int(argv[0]), "nodes": nodes}
    assert main(["perft", *argv, "--divide", "--json"]) == 0
    divided = json.loads(capsys.readouterr().out)
    assert divided["nodes"] == nodes
    split = nodes if argv[0] != "0" else 0  # without a ply there is nothing to split by
    assert sum(divided["divide"].values()) == split


def test_perft_of_a_position_split_by_ply(capsys: Capture) -> None:
    assert main(["perft", "1", "--divide", POSITION]) == 0
    assert capsys.readouterr().out == "k1 1\nk2 1\nk4 1\n3\n"
    assert main(["perft", "2", "pkp1 classic - 21,22/36 - -:-"]) == 0
    assert capsys.readouterr().out == "0\n"


def test_editions(capsys: Capture) -> None:
    assert main(["editions"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n{key} " in f"\n{out}" for key in EDITIONS)
    assert all(f"+{switch} " in out for switch in SWITCHES)
    assert main(["editions", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [edition["key"] for edition in data["editions"]] == list(EDITIONS)
    assert sum(data["editions"][0]["tiles"].values()) == 40  # R1.2
    assert set(data["switches"]) == set(SWITCHES)


def run(*argv: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # type: ignore[call-overload,no-any-return]  # options vary
        [sys.executable, "-m", "pickomino", *argv], capture_output=True, timeout=60, **options
    )


def test_a_real_process() -> None:
    done = run("perft", "1")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"1287\n", b"")
    done = run("show", "x")
    assert done.returncode == 2
    assert done.stderr.startswith(b"pickomino: error: position 'x'")


def test_ascii_where_the_terminal_has_no_boxes() -> None:
    done = run("show", POSITION, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert b"|23||24|" in done.stdout
    assert done.stdout.isascii()


def test_a_closed_pipe_is_no_drama() -> None:
    command = f"{sys.executable} -m pickomino perft 1 --divide | head -c 1"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, timeout=60, check=False)
    assert done.stderr == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pickomino", "editions"],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == b"pickomino: error: No space left on device\n"


def test_commands_are_imported_only_when_asked_for() -> None:
    code = (
        "import sys, pickomino.cli; print([m for m in sys.modules if m in ('numpy', 'pickomino.cli.play')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=True)
    assert done.stdout == b"[]\n"
