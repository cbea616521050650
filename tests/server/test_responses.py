"""Answers over HTTP: who does not take one holds little, and not for long."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from pickomino.notation import Record
from pickomino.testing import random_game, uniform
from tests.server.parts import ServerProcess, memory_kb

PATIENCE = 2  # seconds that an answer may take to be read, in these tests


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder: Path = tmp_path_factory.mktemp("impatient")
    process = ServerProcess(folder, settings=f"response_seconds = {PATIENCE}\n").start()
    yield process
    assert process.stop() == 0
    process.no_mistakes()


GAME = random_game("classic", 7, 1, uniform)  # 2356 plies in 10 kB: two megabytes step by step
RECORD = str(Record(GAME, tuple("ABCDEFG"))).encode()


def _ask(server: ServerProcess) -> socket.socket:
    """A client that asks for a replay and takes next to nothing of the answer."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    raw.connect(("127.0.0.1", server.port))
    head = "POST /api/replay HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
    head += f"Content-Length: {len(RECORD)}\r\n\r\n"
    raw.sendall(head.encode() + RECORD)
    return raw


def _cut_off(raw: socket.socket) -> bool:
    poll = select.poll()
    poll.register(raw, 0)  # nothing but the end
    return bool(poll.poll(120_000))


def test_an_answer_that_nobody_reads_is_given_up(impatient: ServerProcess) -> None:
    impatient.call("POST", "/api/replay", RECORD, headers={"Content-Type": "text/plain"})
    before = memory_kb(impatient.pid)  # with all that a first answer loads
    with ExitStack() as stack:
        clients = [stack.enter_context(closing(_ask(impatient))) for _ in range(6)]
        assert all(map(_cut_off, clients))
        assert memory_kb(impatient.pid) - before < 20_000  # it held seven megabytes for each


def test_an_answer_comes_in_pieces_and_is_whole(server: ServerProcess) -> None:
    status, page = server.call("POST", "/api/replay", RECORD, headers={"Content-Type": "text/plain"})
    assert status == 200
    assert list(page) == ["edition", "names", "headers", "result", "house", "frames"]
    assert [frame["position"] for frame in page["frames"]] == [str(position) for position in GAME.positions]
    assert [frame["ply"] for frame in page["frames"]] == [None, *(str(ply) for _, ply, _ in GAME.steps())]
