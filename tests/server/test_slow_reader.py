"""A client that does not read costs its table nothing."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
from itertools import pairwise
from typing import Any

from tests.server.parts import ServerProcess, client, memory_kb

MOVES = 900  # about a megabyte of states: more than the socket, the kernel and the server keep for one reader


def _deaf(server: ServerProcess, table: str) -> socket.socket:
    """A spectator whose socket takes next to nothing and who never reads."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    raw.connect(("127.0.0.1", server.port))
    key = base64.b64encode(os.urandom(16)).decode()
    raw.sendall(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    raw.recv(1024)
    hello = json.dumps({"t": "hello", "id": "1", "d": {"table": table}}).encode()
    mask = b"\x01\x02\x03\x04"
    masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(hello))
    raw.sendall(bytes([0x81, 0x80 | len(hello)]) + mask + masked)
    return raw


async def _moves(server: ServerProcess, table: str, token: str, count: int) -> None:
    """So many moves, each made when the state after the one before has come."""
    async with client(server, table=table, token=token) as one:
        for _ in range(count):
            assert one.state is not None
            if one.state["over"]:
                server.ok("POST", f"/api/tables/{table}/rematch", None, token)
                server.ok("POST", f"/api/tables/{table}/start", None, token)
                await one.wait_for("state")
            await one.send(one.move(seat=one.state["seat"]))
            await one.wait_for("state")


def test_a_reader_that_stands_still_holds_nobody_up(server: ServerProcess) -> None:
    token = server.guest()
    table = server.table(token, seats=2, sit=["Anna", "Ben"])["id"]
    asyncio.run(_moves(server, table, token, 150))
    deaf = [_deaf(server, table) for _ in range(5)]
    before = memory_kb(server.pid)
    try:
        asyncio.run(_moves(server, table, token, MOVES))  # a table that waited for them would wait for ever
    finally:
        for raw in deaf:
            raw.close()
    assert memory_kb(server.pid) - before < 20_000, "what waits for them is bounded"


def test_who_was_slow_sees_a_gap_and_the_newest_state(server: ServerProcess) -> None:
    token = server.guest()
    table = server.table(token, seats=2, sit=["Anna", "Ben"])["id"]

    async def play() -> list[dict[str, Any]]:
        raw = _deaf(server, table)
        await _moves(server, table, token, MOVES)
        async with client(server, table=table) as now:
            assert now.state is not None
            newest = now.state["v"], now.state["game"]
        raw.settimeout(60.0)
        received, messages = b"", list[dict[str, Any]]()
        while not messages or (messages[-1]["v"], messages[-1]["d"]["game"]) != newest:
            chunk = await asyncio.to_thread(raw.recv, 65536)
            assert chunk, "the connection ends before the newest state"
            received += chunk
            messages = [message for message in _frames(received) if message["t"] == "state"]
        raw.close()
        return messages

    messages = asyncio.run(play())
    gaps = [
        second["d"]["from"] - first["v"]
        for first, second in pairwise(messages)
        if first["d"]["game"] == second["d"]["game"]
    ]
    assert all(gap >= 0 for gap in gaps)
    assert len(messages) < MOVES / 2


def _frames(data: bytes) -> list[dict[str, Any]]:
    """The texts in a stream of a server's frames."""
    found, place = [], 0
    while place + 4 <= len(data):
        size, head = data[place + 1] & 127, 2
        if size == 126:
            size, head = int.from_bytes(data[place + 2 : place + 4], "big"), 4
        elif size == 127:
            size, head = int.from_bytes(data[place + 2 : place + 10], "big"), 10
        body = data[place + head : place + head + size]
        if len(body) == size and data[place] & 15 == 1:
            found.append(json.loads(body))
        place += head + size
    return found
