"""What attacks do to the others: people play at twenty tables while one client at a time misbehaves.

Run ``python -m benchmarks.server_attacks``. For each attack: the time from a move to its state for the people (p50
and p99), before and during it, and how much memory the server has taken more. The limits are the default
ones, but for the number of connections; the attacker comes from another address than the people.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.synchronize import Event
from pathlib import Path

import uvloop

from benchmarks.server import Process, post, table_server
from benchmarks.server_load import Meter, Table

TABLES = 20
PACE = 0.2  # seconds between two moves at a table
SECONDS = 6.0

LIMITS = "[limits]\nconnections_per_address = 100\n"  # the people are 80
ATTACKER = ("127.0.0.2", 0)


def frame(opcode: int, data: bytes = b"", *, fin: bool = True) -> bytes:
    head = bytes([(0x80 if fin else 0) | opcode])
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    return head + size + bytes(4) + data


def websocket(port: int) -> socket.socket:
    raw = socket.create_connection(("127.0.0.1", port), source_address=ATTACKER)
    raw.sendall(
        b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    raw.recv(4096)
    return raw


def flood(first: bytes, data: bytes) -> Callable[[int, str, Event], None]:
    def attack(port: int, table: str, over: Event) -> None:
        while not over.is_set():
            with suppress(OSError), websocket(port) as raw:
                raw.sendall(first)
                while not over.is_set():
                    raw.sendall(data)

    return attack


def unread_replays(port: int, table: str, over: Event) -> None:
    from pickomino.notation import Record
    from pickomino.testing import random_game, uniform

    record = str(Record(random_game("classic", 7, 1, uniform), tuple("ABCDEFG"))).encode()
    head = "POST /api/replay HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
    asked = f"{head}Content-Length: {len(record)}\r\n\r\n".encode() + record
    held: list[socket.socket] = []
    while not over.is_set():
        if len(held) < 50:
            raw = socket.socket()
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            raw.bind(ATTACKER)
            raw.connect(("127.0.0.1", port))
            raw.sendall(asked)
            held.append(raw)
        time.sleep(0.02)
    for raw in held:
        raw.close()


def histories(port: int, table: str, over: Event) -> None:
    hello = json.dumps({"t": "hello", "id": "1", "d": {"table": table, "since": 0}}).encode()
    sockets = [websocket(port) for _ in range(60)]
    for raw in sockets:
        raw.setblocking(False)
    while not over.is_set():
        began = time.monotonic()
        for raw in sockets:
            with suppress(OSError):
                raw.sendall(frame(1, hello))
            with suppress(OSError):
                while raw.recv(1 << 20):
                    pass
        time.sleep(max(0.0, 0.05 - (time.monotonic() - began)))


def _nothing(port: int, table: str, over: Event) -> None:
    over.wait()


ATTACKS: dict[str, Callable[[int, str, Event], None]] = {
    "empty fragments": flood(frame(1, fin=False), frame(0, fin=False) * 4000),
    "pings": flood(b"", frame(9) * 4000),
    "pings, pongs unread": flood(b"", frame(9, b"x" * 125) * 500),
    "messages": flood(b"", frame(1, b'{"t":"ping","id":"1"}') * 1000),
    "a message id with a NUL": flood(b"", frame(1, b'{"t":"ping","id":"\\u0000"}')),
    "60 sockets, hello since 0": histories,
    "50 replays unread": unread_replays,
}


async def play(server: Process, attack: Callable[[int, str, Event], None] | None) -> dict[str, float]:
    port, meter = server.port, Meter()
    token = post(port, "/api/guests", {"name": "Load"})["token"]
    tables = []
    for _ in range(TABLES):
        made = post(port, "/api/tables", {"seats": 4, "sit": ["A", "B", "C", "D"], "away": None}, token)
        post(port, f"/api/tables/{made['table']['id']}/start", None, token)
        secrets = [seat["secret"] for seat in made["you"]["seats"]]
        tables.append((made["table"]["id"], Table(meter, PACE, secrets, lambda: None)))
    for _, table in tables:
        await table.join(port)
    for number, (_, table) in enumerate(tables):
        asyncio.get_running_loop().call_later(PACE * number / TABLES, table.begin)
    await asyncio.sleep(2.0)
    over, before, most = multiprocessing.Event(), server.memory_kb(), 0
    attacker = multiprocessing.Process(
        target=attack or _nothing, args=(port, tables[0][0], over), daemon=True
    )
    attacker.start()
    await asyncio.sleep(0.5)
    meter.on = True
    for _ in range(int(SECONDS * 4)):
        await asyncio.sleep(0.25)
        most = max(most, server.memory_kb())
    meter.on = False
    over.set()
    await asyncio.to_thread(attacker.join)
    return {
        "moves": len(meter.times),
        "p50_ms": round(meter.percentile(0.50), 2),
        "p99_ms": round(meter.percentile(0.99), 2),
        "memory_mb": round((most - before) / 1000, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help="default: all")
    args = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[1]})
    found = []
    for name in ["nothing", *(args.attacks or ATTACKS)]:
        with tempfile.TemporaryDirectory() as folder, table_server(Path(folder), LIMITS) as server:
            row = {"attack": name, **uvloop.run(play(server, ATTACKS.get(name)))}
        found.append(row)
        if not args.json:
            print(row, flush=True)
    if args.json:
        print(json.dumps({"server_attacks": found}))


if __name__ == "__main__":
    main()
