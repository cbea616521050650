"""The command ``pickomino arena``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pickomino import __version__, find_edition
from pickomino.bots.champion.net import weights_digest
from pickomino.cli import main

Capture = pytest.CaptureFixture[str]


def test_json_with_everything_written_down(tmp_path: Path, capsys: Capture) -> None:
    records, picture, kept = (str(tmp_path / name) for name in ("games.pkgn", "wins.svg", "arena.jsonl"))
    argv = [
        "arena",
        "ev:loss=1,steal=1",
        "cautious",
        "--players",
        "3",
        "--games",
        "20",
        "--edition",
        "classic",
    ]
    argv += ["--seed", "7", "--workers", "1", "--json"]
    more = ["--records", records, "--records-limit", "4", "--plot", picture, "--checkpoint", kept]
    files = {name: str(tmp_path / f"{name}.svg") for name in ("--plot-matrix", "--plot-ratings", "--csv")}
    more += [part for pair in files.items() for part in pair]
    assert main([*argv, *more, "--progress"]) == 0
    out, err = capsys.readouterr()
    shown = json.loads(out)
    assert {key: shown[key] for key in ("edition", "players", "games", "seed")} == {
        "edition": "classic",
        "players": 3,
        "games": 21,  # whole groups of three
        "seed": 7,
    }
    assert shown["equal_share"] == pytest.approx(1 / 3)
    first, second = shown["entrants"]
    assert (first["bot"], second["bot"]) == ("ev:loss=1,steal=1", "cautious")
    assert set(first) >= {"bot", "games", "wins", "share", "error", "low", "high", "rating"}
    assert set(first["rating"]) == {"elo", "error", "low", "high"}
    assert shown["version"] == __version__
    assert shown["weights"] == weights_digest(find_edition("classic"), 3)
    assert shown["settings"]["chunk_groups"] == 2048 // 3
    assert first["low"] <= first["share"] <= first["high"]
    assert first["wins"] + second["wins"] == pytest.approx(21)
    assert "21 of 21 games: ev:loss=1,steal=1 wins" in err
    for path in (picture, files["--plot-matrix"], files["--plot-ratings"]):
        assert Path(path).read_text(encoding="utf-8").startswith("<svg")
    assert Path(files["--csv"]).read_text(encoding="utf-8").count("\n") == 3
    assert main(["replay", records, "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4
    assert main([*argv, "--checkpoint", kept, "--resume"]) == 0  # all is played: nothing but the sum
    again = json.loads(capsys.readouterr().out)
    del again["seconds"], shown["seconds"]
    assert again == shown


def test_table(capsys: Capture) -> None:
    assert main(["arena", "cautious", "random", "ev", "--games", "12", "--workers", "1"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("classic, 2 seats: 12 games in 6 groups with the same dice, seed 0")
    for bot in ("cautious", "random", "ev"):
        assert f"\n{bot} " in out
    again = "Again: pickomino arena cautious random ev --seats 2 --games 12 --edition classic --seed 0"
    assert out.endswith(f"{again} --no-luck-adjusted\n")  # `cautious` and `random` do not solve their turns


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        ((), "BOT"),
        (("ev",), "expected 2 to 64 of them"),
        (("ev", "nobody"), "bot 'nobody'"),
        (("program:/nonexistent", "cautious"), "there is no program '/nonexistent'"),
        (("program:/nonexistent", "ev", "--no-luck-adjusted"), "there is no program '/nonexistent'"),
        (("ev", "ev:loss=x"), "loss"),
        (("ev", "random", "--players", "8"), "expected 2 to 7 seats"),
        (("ev", "random", "--games", "0"), "expected a number from 1"),
        (("ev", "random", "--games", "many"), "expected a number from 1"),
        (("ev", "random", "--seed", "-1"), "--seed"),
        (("ev", "random", "--workers", "0"), "expected a number from 1"),
        (("ev", "random", "--edition", "nonsense"), "nonsense"),
        (("ev", "random", "--resume"), "--resume needs --checkpoint"),
        (("ev", "random", "--records-limit", "3"), "--records-limit needs --records"),
        (("ev", "random", "--workers", "2", "--cluster"), "leave it out with --cluster"),
        (("ev", "random", "--plot", "no/such/folder/x.svg"), "cannot write to the folder"),
        (("ev", "random", "--plot-matrix", "x.png"), "expected a name that ends in .svg"),
        (("ev", "random", "--records", "."), "expected the name of a file"),
        (("ev", "random", "--checkpoint", ""), "expected the name of a file"),
        (("ev", "random", "--resume", "--checkpoint", __file__), "is not a checkpoint"),
    ],
)
def test_bad_input_is_one_line(argv: tuple[str, ...], expected: str, capsys: Capture) -> None:
    assert main(["arena", *argv]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pickomino: error: ")
    assert err.count("\n") == 1
    assert expected in err


def test_no_ray_is_one_line(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["arena", "ev", "random", "--cluster"]) == 2
    assert (
        capsys.readouterr().err == "pickomino: error: --cluster needs Ray: pip install pickomino[cluster]\n"
    )


def test_decisions_of_cautious_in_place_of_another_are_counted(capsys: Capture, tmp_path: Path) -> None:
    """A program that answers nonsense: every one of its decisions is `cautious`'s."""
    script = tmp_path / "nonsense.py"
    script.write_text("import sys\nfor _ in sys.stdin: print('?', flush=True)\n", encoding="utf-8")
    argv = ["arena", f"program:{sys.executable} {script}", "random", "--games", "2", "--workers", "1"]
    assert main([*argv, "--no-luck-adjusted", "--checkpoint", str(tmp_path / "kept")]) == 0
    assert "decisions in place of program:" in capsys.readouterr().out
    assert (
        main([*argv, "--no-luck-adjusted", "--checkpoint", str(tmp_path / "kept"), "--resume", "--json"]) == 0
    )
    first, second = json.loads(capsys.readouterr().out)["entrants"]
    assert first["decisions_by_cautious"] > 10 > second["decisions_by_cautious"] == 0


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_an_interrupt_keeps_what_is_finished(tmp_path: Path) -> None:
    kept = tmp_path / "arena.jsonl"
    argv = ["arena", "cautious", "random", "--games", "1000000", "--no-luck-adjusted"]
    argv += ["--workers", "2", "--checkpoint", str(kept)]
    process = subprocess.Popen(
        [sys.executable, "-m", "pickomino", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline and not (kept.exists() and kept.read_bytes().count(b"\n") > 1):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the workers get it too
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == ""
    assert err.strip() == f"interrupted; {kept} holds what is finished, --resume continues from there"
    assert kept.read_bytes().count(b"\n") > 1
