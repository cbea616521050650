"""The same result whatever happens on the way: workers, deaths, interruptions."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pickomino.arena import ArenaResult, Chunk, Spec, plot, run_arena
from pickomino.arena.games import play_chunk
from pickomino.arena.origin import made_with
from pickomino.arena.processes import play_in_processes
from pickomino.notation import read_records
from pickomino.rules import PickominoError

SPEC = Spec(("ev", "cautious"), players=3, games=60, seed=5, chunk_groups=4)  # 20 groups, 5 chunks


@pytest.fixture(scope="module")
def expected() -> list[Chunk]:
    """All chunks, one after the other in this process."""
    return [play_chunk(SPEC, number) for number in range(SPEC.chunks)]


def test_a_chunk_is_a_function_of_its_number(expected: list[Chunk]) -> None:
    assert play_chunk(SPEC, 3) == expected[3]
    assert len({chunk.ranks for chunk in expected}) == SPEC.chunks
    assert all(chunk.fits(SPEC) for chunk in expected)
    assert not Chunk(5, expected[0].ranks).fits(SPEC)
    assert not Chunk(0, expected[0].ranks[1:]).fits(SPEC)


def test_equal_bots_with_the_same_dice_share_a_group() -> None:
    """Copies of one bot that draws no lots play one and the same game from every seat: luck cancels out."""
    spec = Spec(("ev", "ev"), players=2, games=40, chunk_groups=20)
    outcome = play_chunk(spec, 0).table(spec)
    assert (outcome[0] == outcome[1]).all()


def test_free_for_all_in_deluxe() -> None:
    spec = Spec(("random", "cautious", "random"), "deluxe", players=2, games=12, chunk_groups=6)
    chunk = play_chunk(spec, 0)
    assert chunk.fits(spec)
    assert chunk.unfinished == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_any_number_of_workers(workers: int, expected: list[Chunk], tmp_path: Path) -> None:
    seen = []
    outcome = run_arena(SPEC, workers=workers, progress=lambda progress: seen.append(progress.tally.games))
    assert outcome.chunks == expected
    assert seen[-1] == outcome.spec.games_played == 60
    ev, cautious = outcome.shares
    assert ev.share > 0.4
    assert ev.wins + cautious.wins == pytest.approx(60)
    ElementTree.fromstring(plot(outcome))


def test_a_killed_worker_changes_nothing(expected: list[Chunk]) -> None:
    chunks: list[Chunk] = []
    for chunk in play_in_processes(SPEC, range(SPEC.chunks), 2):
        if not chunks:  # the others are in the middle of their work, or waiting for it
            for child in multiprocessing.active_children():
                child.kill()
        chunks.append(chunk)
    assert sorted(chunks, key=lambda chunk: chunk.number) == expected
    assert not multiprocessing.active_children()


def test_a_chunk_that_always_kills_is_given_up() -> None:
    stop = threading.Event()

    def hunt() -> None:
        while not stop.wait(0.01):
            for child in multiprocessing.active_children():
                child.kill()

    hunter = threading.Thread(target=hunt)
    hunter.start()
    try:
        with pytest.raises(PickominoError, match="chunk 0: its process died 3 times"):
            list(play_in_processes(SPEC, [0], 1))
    finally:
        stop.set()
        hunter.join()


def test_what_a_worker_complains_about_is_said_here(expected: list[Chunk]) -> None:
    nobody = Spec(("nobody", "random"), games=4)
    with pytest.raises(PickominoError, match="bot 'nobody': expected one of"):
        run_arena(nobody)
    with pytest.raises(PickominoError, match="bot 'nobody': expected one of"):
        list(play_in_processes(nobody, [0], 1))


# --- checkpoints ---


def finished(path: Path) -> list[Chunk]:
    """Pretends that chunks 1 and 3 were played before, and half of another line."""
    lines = [json.dumps({"format": "pickomino arena 1", **SPEC.as_json(), **made_with(SPEC)})]
    lines += [json.dumps(chunk.as_json()) for chunk in (play_chunk(SPEC, 1), play_chunk(SPEC, 3))]
    path.write_text("\n".join([*lines, lines[-1][:25]]), encoding="ascii")
    return [play_chunk(SPEC, number) for number in (1, 3)]


def result(outcome: ArenaResult) -> dict[str, object]:
    shown = outcome.as_json()
    del shown["seconds"]
    return shown


def test_go_on_from_a_checkpoint(tmp_path: Path, expected: list[Chunk]) -> None:
    path = tmp_path / "arena.jsonl"
    finished(path)
    told = []
    outcome = run_arena(
        SPEC, workers=1, checkpoint=str(path), resume=True, progress=lambda progress: told.append(progress)
    )
    assert len(told) == 3  # chunks 0, 2 and 4
    assert outcome.chunks == expected
    assert len(path.read_text(encoding="ascii").splitlines()) == 6  # what was torn is gone
    again = run_arena(SPEC, checkpoint=str(path), resume=True)  # nothing left to play
    assert result(again) == result(outcome)
    more = Spec(SPEC.entrants, SPEC.edition, SPEC.players, 70, SPEC.seed, SPEC.chunk_groups)
    assert run_arena(more, workers=1, checkpoint=str(path), resume=True).chunks[:5] == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello\n", "is not a checkpoint"),
        ("hello", "is not a checkpoint"),
        ('{"format": "pickomino arena 1", "entrants": ["ev", "ev"]}\n', "another arena: its entrants"),
        (
            json.dumps({"format": "pickomino arena 1", **SPEC.as_json(), **made_with(SPEC), "weights": "0"})
            + "\n",
            "another arena: its weights",
        ),
        (
            json.dumps({"format": "pickomino arena 1", **SPEC.as_json(), **made_with(SPEC)}) + "\n{}\n",
            "line 2: expected a fin",
        ),
    ],
)
def test_other_files_are_left_alone(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(text, encoding="ascii")
    with pytest.raises(PickominoError, match=message):
        run_arena(SPEC, checkpoint=str(path), resume=True)
    with pytest.raises(PickominoError, match="exists: add --resume"):
        run_arena(SPEC, checkpoint=str(path))
    assert path.read_text(encoding="ascii") == text


LONG = """
from pickomino.arena import Spec, run_arena
if __name__ == "__main__":
    run_arena(Spec(("cautious", "ev"), players=3, games=30_000, chunk_groups=4), workers=1,
              checkpoint={path!r}, records={records!r}, records_limit=15)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_killed_in_the_middle_and_resumed(how: signal.Signals, tmp_path: Path) -> None:
    path, records, script = tmp_path / "arena.jsonl", tmp_path / "games.pkgn", tmp_path / "long.py"
    script.write_text(LONG.format(path=str(path), records=str(records)), encoding="utf-8")
    process = subprocess.Popen([sys.executable, str(script)], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (path.exists() and path.read_bytes().count(b"\n") > 3):
        time.sleep(0.02)
    process.send_signal(how)
    assert process.wait(30) != 0
    assert path.read_bytes().count(b"\n") > 3
    spec = Spec(("cautious", "ev"), players=3, games=12 * 4, chunk_groups=4)
    outcome = run_arena(
        spec, workers=1, checkpoint=str(path), resume=True, records=str(records), records_limit=15
    )
    assert outcome.chunks == [play_chunk(spec, number) for number in range(4)]
    with open(records, encoding="utf-8", newline="\n") as file:
        assert len(list(read_records(file))) == 15


# --- records ---


def test_records_tell_the_same_games(tmp_path: Path) -> None:
    path = tmp_path / "games.pkgn"
    outcome = run_arena(SPEC, workers=1, records=str(path))
    with open(path, encoding="utf-8", newline="\n") as file:
        records = list(read_records(file))
    assert len(records) == 60
    wins = 0.0
    for record in records:
        assert sorted(record.names) == ["cautious", "cautious", "ev"]
        seat = "ABC"[record.names.index("ev")]
        wins += (seat in record.result) / len(record.result)
    assert wins == pytest.approx(outcome.shares[0].wins)
    assert [record.names.index("ev") for record in records[:6]] == [0, 1, 2, 0, 1, 2]
    first = [str(record.game.plies[0]) for record in records[:3]]
    assert len(set(first)) == 1  # a group begins with one and the same roll
    assert sorted(item.name for item in tmp_path.iterdir()) == ["games.pkgn"]
