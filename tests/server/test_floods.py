"""Floods: what a connection may cost the process is bounded, whatever its frames are made of."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from tests.server.parts import ServerProcess, client, memory_kb
from tests.server.raw import CONT, PING, TEXT, frame, is_cut_off, message, open_socket

MANY = 4_000  # frames in one piece of a flood


@pytest.mark.parametrize(
    ("first", "flood"),
    [
        (frame(TEXT, b"", fin=False), frame(CONT, fin=False)),
        (b"", frame(PING)),
        (b"", frame(PING, b"x" * 125)),
        (b"", frame(0xA)),  # pongs that nobody asked for
    ],
    ids=["empty fragments", "pings", "pings whose pongs are not read", "pongs"],
)
def test_frames_that_are_no_messages_are_counted(server: ServerProcess, first: bytes, flood: bytes) -> None:
    before = memory_kb(server.pid)
    with closing(open_socket(server, receive_buffer=2048)) as raw:
        raw.sendall(first)
        assert is_cut_off(raw, flood * MANY)
    assert memory_kb(server.pid) - before < 20_000


def test_messages_far_beyond_the_rate_end_the_connection(tmp_path: Path) -> None:
    limited = ServerProcess(tmp_path, limits=True).start()
    try:
        with closing(open_socket(limited)) as raw:
            assert is_cut_off(raw, message({"t": "ping", "id": "1"}) * MANY, reads=True)
    finally:
        limited.stop()
    limited.no_mistakes()


def test_a_flood_of_bad_messages_ends_with_the_connection(server: ServerProcess) -> None:
    before = memory_kb(server.pid)
    with closing(open_socket(server)) as raw:
        assert is_cut_off(raw, frame(TEXT, b'{"t":"ping","id":"\\u0000"}'), reads=True)
    assert memory_kb(server.pid) - before < 20_000


def test_a_few_fragments_and_pings_are_fine(server: ServerProcess) -> None:
    async def play() -> None:
        async with client(server) as one:
            await asyncio.wait_for(await one.socket.ping(), 20)
            await one.socket.send(['{"t":"pi', "", 'ng","id":', '"1"}'])
            assert (await one.receive())["id"] == "1"

    asyncio.run(play())
