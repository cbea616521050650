"""Tables over real sockets, beside an echo room on the same server library with the same client and sizes.

Run ``python -m benchmarks.server``: whole games by scripted clients, tables of four, at human pace and flat
out, every move in durable storage before it is told. Server and clients each get a core of their own where
there are two. ``--json`` for machines, ``--quick`` for a look; ``--sizes 1000 --pace human``: a thousand tables on one
core.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvloop

from benchmarks.server_load import Meter, Room, Table

SIZES = (1, 100, 500)
HUMAN = 2.0  # seconds between two moves at a table
PAYLOAD = 96  # bytes that a client sends, as a move with its nonce
STATE = 1320  # bytes that everybody gets: what a state takes on average

UNLIMITED = (
    "messages",
    "guest_messages",
    "requests",
    "new_guests",
    "new_tables",
    "codes",
    "heavy",
    "reactions",
    "histories",
    "connects",
)
NO_LIMITS = "\n".join(
    [
        "[limits]",
        *(f"{name} = {{per_second = 0, burst = 0}}" for name in UNLIMITED),
        "connections = 0",
        "connections_per_guest = 0",
        "connections_per_address = 0",
        "tables_per_guest = 0",
    ]
)


# --- the peer: an echo room on uvicorn, plain ASGI, nothing stored ---


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Every message goes to all members of the sender's room, as a text of a state's size."""
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    await receive()
    await send({"type": "websocket.accept"})
    members: list[Any] = []
    while (event := await receive())["type"] == "websocket.receive":
        if event["text"].startswith("join"):
            members = ROOMS.setdefault(event["text"], [])
            members.append(send)
        else:
            for member in members:
                await member({"type": "websocket.send", "text": TEXT})


ROOMS: dict[str, list[Any]] = {}
TEXT = (
    '{"t":"state","v":1,"d":{"v":1,"seat":"A","moves":["k1","k2"],"over":false,"x":"'
    + "x" * (STATE - 90)
    + '"}}'
)


def serve_echo() -> None:
    import uvicorn

    uvicorn.run(
        "benchmarks.server:echo",
        port=0,
        loop="uvloop",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        access_log=False,
    )


# --- processes ---


class Process:
    """A server on the first core; this process moves to the second."""

    def __init__(self, command: list[str], folder: Path, ready: str) -> None:
        self._log = folder / "log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen([sys.executable, *command], stdout=log, stderr=log)
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) > 1:
            os.sched_setaffinity(self._process.pid, {cores[0]})
        for _ in range(3000):
            if found := re.search(ready, self._log.read_text()):
                self.port = int(found[1])
                return
            time.sleep(0.01)
        raise RuntimeError(self._log.read_text())

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(20)

    @property
    def pid(self) -> int:
        return self._process.pid

    def memory_kb(self) -> int:
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self._process.pid}/status").read_text())
        return int(found[1]) if found else 0

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def table_server(folder: Path, limits: str = NO_LIMITS) -> Process:
    (folder / "server.toml").write_text(limits)
    command = ["-m", "pickomino", "serve", "--port", "0", "--config", str(folder / "server.toml")]
    command += ["--database", str(folder / "games.db")]
    return Process(command, folder, r'"addresses": \["127\.0\.0\.1:(\d+)"')


def post(port: int, path: str, body: dict[str, Any] | None, token: str = "") -> Any:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = json.dumps(body or {}).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


# --- measurements ---


def figures(meter: Meter, seconds: float, cpu: float) -> dict[str, float]:
    return {
        "deliveries_per_second": round(meter.deliveries / seconds),
        "moves_per_second": round(len(meter.times) / seconds, 1),
        "p50_ms": round(meter.percentile(0.50), 2),
        "p99_ms": round(meter.percentile(0.99), 2),
        "max_ms": round(meter.percentile(1.0), 2),
        "bytes": round(meter.bytes / max(1, meter.deliveries)),
        "server_cpu": round(cpu / seconds, 2),
        "cpu_us_per_delivery": round(cpu / max(1, meter.deliveries) * 1e6, 1),
        "refused": len(meter.refused),
    }


async def _measure(
    server: Process, meter: Meter, rooms: list[Any], pace: float, seconds: float
) -> dict[str, float]:
    loop = asyncio.get_running_loop()
    for number, room in enumerate(rooms):  # spread over the pace, as people are
        loop.call_later(pace * number / len(rooms), room.begin)
    await asyncio.sleep(max(1.0, pace))
    meter.on = True
    began, cpu = time.perf_counter(), server.cpu_seconds()
    await asyncio.sleep(seconds)
    meter.on = False
    return figures(meter, time.perf_counter() - began, server.cpu_seconds() - cpu)


async def run_echo(server: Process, count: int, pace: float, seconds: float) -> dict[str, float]:
    meter = Meter()
    rooms = [Room(meter, pace, b"x" * PAYLOAD) for _ in range(count)]
    for number, room in enumerate(rooms):
        await room.join(server.port, number)
    return await _measure(server, meter, rooms, pace, seconds)


async def run_tables(server: Process, count: int, pace: float, seconds: float) -> dict[str, float]:
    port, meter = server.port, Meter()
    token = post(port, "/api/guests", {"name": "Load"})["token"]
    before = server.memory_kb()
    tables = []
    for _ in range(count):
        made = post(port, "/api/tables", {"seats": 4, "sit": ["A", "B", "C", "D"], "away": None}, token)
        table = made["table"]["id"]
        post(port, f"/api/tables/{table}/start", None, token)

        def again(table: str = table) -> None:
            def ask() -> None:
                post(port, f"/api/tables/{table}/rematch", None, token)
                post(port, f"/api/tables/{table}/start", None, token)

            with suppress(RuntimeError):  # the measurement is over
                asyncio.get_running_loop().run_in_executor(None, ask)

        tables.append(Table(meter, pace, [seat["secret"] for seat in made["you"]["seats"]], again))
    for found in tables:
        await found.join(port)
    await asyncio.sleep(0.5)
    result = await _measure(server, meter, tables, pace, seconds)
    result["kb_per_table"] = round((server.memory_kb() - before) / count, 1)
    return result


def one(kind: str, count: int, pace: float, seconds: float) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        if kind == "echo":
            command = ["-c", "from benchmarks.server import serve_echo; serve_echo()"]
            with Process(command, Path(folder), r"running on http://127\.0\.0\.1:(\d+)") as server:
                return uvloop.run(run_echo(server, count, pace, seconds))
        with table_server(Path(folder)) as server:
            return uvloop.run(run_tables(server, count, pace, seconds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="a few seconds each")
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--pace", choices=("flat", "human"), help="default: both")
    args = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[1]})
    seconds = 4.0 if args.quick else 15.0
    found: list[dict[str, Any]] = []
    paces = {"flat": (0.0, "flat out"), "human": (HUMAN, "human pace")}
    for pace, name in [paces[args.pace]] if args.pace else paces.values():
        for count in args.sizes:
            for kind in ("echo", "tables"):
                row = {"what": kind, "count": count, "pace": name, **one(kind, count, pace, seconds)}
                found.append(row)
                if not args.json:
                    print(row, flush=True)
    if args.json:
        print(json.dumps({"server": found}))
        return
    flat = {
        (row["what"], row["count"]): row["deliveries_per_second"]
        for row in found
        if row["pace"] == "flat out"
    }
    for count in args.sizes if flat else ():
        print(f"{count} tables flat out: {flat['tables', count] / flat['echo', count]:.2f} of the echo room")


if __name__ == "__main__":
    main()
