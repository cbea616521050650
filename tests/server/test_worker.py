"""What takes long is worked out beside the server, which waits for none of it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from tests.server.parts import ServerProcess, memory_kb


def _children(pid: int) -> list[int]:
    """Workers of a server: spawned Pythons, without the tracker that multiprocessing keeps beside them."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int(folder.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            if parent == pid and "spawn_main" in folder.joinpath("cmdline").read_text():
                found.append(int(folder.name))
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has just ended
    return found


def _ended(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    for _ in range(500):
        try:
            if stat.read_text().rpartition(")")[2].split()[0] == "Z":
                return True  # nobody has asked for its status yet
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.02)
    return False


def test_a_hint_is_worked_out_elsewhere(own_server: ServerProcess) -> None:
    server, token = own_server, own_server.guest()
    table = server.table(token, seats=2, sit=["Anna", "Ben"], first="A")
    before = memory_kb(server.pid)
    path = f"/api/tables/{table['id']}/advice"
    assert server.ok("GET", path, None, token)["moves"] == []  # dice are due
    # Loading the champion is what made everybody wait for the first hint: some hundred megabytes, elsewhere now.
    (worker,) = _children(server.pid)
    assert memory_kb(server.pid) - before < 10_000
    os.kill(worker, signal.SIGKILL)
    assert _ended(worker)
    answers = [server.call("GET", path, None, token)[0] for _ in range(3)]
    assert answers[-1] == 200  # who comes while it is found dead is told to come back
    (worker,) = _children(server.pid)
    server.kill()
    assert _ended(worker)
    server.start()
