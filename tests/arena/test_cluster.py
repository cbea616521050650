"""A Ray cluster of this machine: the same chunks, and a worker that is killed in the middle changes nothing."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pickomino.arena import Spec, run_arena
from pickomino.arena.games import play_chunk
from pickomino.rules import PickominoError

SPEC = Spec(("ev", "cautious"), players=3, games=1200, seed=5, chunk_groups=40)  # 10 chunks

pytestmark = [
    pytest.mark.soak,
    pytest.mark.filterwarnings("ignore"),  # Ray's own
]


def playing() -> Iterator[int]:
    """The processes that play a chunk: Ray names a worker after its task."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "cmdline").read_bytes().startswith(b"ray::played"):
                yield int(folder.name)
        except OSError:  # gone meanwhile
            continue


@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999"])
def test_nobody_there(address: str) -> None:
    pytest.importorskip("ray")
    with pytest.raises(PickominoError, match=r"no Ray cluster at|expected an address"):
        run_arena(SPEC, cluster=address)


def test_a_lost_worker_changes_nothing() -> None:
    pytest.importorskip("ray")
    killed: list[int] = []
    stop = threading.Event()

    def kill_two() -> None:
        """Two workers, one after the other, each half a second into its work."""
        while not stop.wait(0.05) and len(killed) < 2:
            for process in playing():
                if process in killed:
                    continue
                time.sleep(0.5)
                os.kill(process, signal.SIGKILL)
                killed.append(process)
                break

    hunter = threading.Thread(target=kill_two)
    hunter.start()
    try:
        outcome = run_arena(SPEC, cluster="")
    finally:
        stop.set()
        hunter.join()
    assert len(killed) == 2
    assert outcome.chunks == [play_chunk(SPEC, number) for number in range(SPEC.chunks)]
