"""Dice from every seat: how long a roll takes from the roller's message until all four clients are shown the dice.

Run ``python -m benchmarks.every_seat``: tables of four guests, each with a client that adds to every roll, whole games
at human pace; decision, values and dice are each in durable storage before they are told. Server and clients get a
core of their own where there are two. ``--json`` for machines, ``--quick`` for a look.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import tempfile
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from benchmarks.server import HUMAN, Process, post, table_server
from benchmarks.server_load import Meter, Socket, connect
from pickomino.chance import Contributor

SIZES = (1, 25, 100)
NAMES = ("Anna", "Ben", "Cleo", "Dora")


class Person:
    """One guest's client at a table."""

    def __init__(self, table: JointTable, token: str) -> None:
        self._table, self._token = table, token
        self._contributor = Contributor()
        self._given: dict[str, dict[str, Any]] = {}
        self._number = 0
        self.seats: list[str] = []
        self.socket: Socket | None = None

    async def join(self, port: int) -> None:
        self.socket = await connect(port, self._text)
        self.send({"t": "hello", "d": {"table": self._table.id, "token": self._token, "chains": True}}, "h")

    def send(self, message: dict[str, Any], cid: str = "") -> None:
        self._number += 1
        cid = cid or str(self._number)
        if message["t"] in ("tip", "value"):
            self._given[cid] = message
        assert self.socket is not None
        self.socket.send(msgspec.json.encode({"id": cid, **message}))

    def _text(self, _: Socket, body: bytes) -> None:
        message = msgspec.json.decode(body)
        if message["t"] == "state":
            self._hear(message["d"], hello=False)
        elif message["t"] == "table":
            self.seats = message["d"]["seats"]
        elif message["t"] == "error":
            self._table.meter.refused.append(body)
        elif message.get("id") == "h":
            self.seats = message["d"]["seats"]
            if message["d"]["state"] is not None:
                self._hear(message["d"]["state"], hello=True)
        elif (given := self._given.pop(message.get("id", ""), None)) is not None:
            self._contributor.answered(given, message)

    def _hear(self, state: dict[str, Any], *, hello: bool) -> None:
        for message in self._contributor.hear(state, self.seats, hello=hello):
            self.send(message)
        self._table.seen(state)


class JointTable:
    """Four guests who play whole games."""

    def __init__(self, port: int, meter: Meter, pace: float) -> None:
        self.meter = meter
        self._port, self._pace = port, pace
        self._tokens = [post(port, "/api/guests", {"name": name})["token"] for name in NAMES]
        settings = {"seats": 4, "sit": [NAMES[0]], "away": None}
        self.id = post(port, "/api/tables", settings, self._tokens[0])["table"]["id"]
        for token in self._tokens[1:]:
            post(port, f"/api/tables/{self.id}/seats", None, token)
        self.people = [Person(self, token) for token in self._tokens]
        self.rolls: list[float] = []  # seconds each
        self.voids = 0
        self._counts: dict[int, int] = {}
        self._rolled_at: float | None = None

    async def join(self) -> None:
        for person in self.people:
            await person.join(self._port)

    def start(self, *, again: bool = False) -> None:
        if again:
            post(self._port, f"/api/tables/{self.id}/rematch", None, self._tokens[0])
        post(self._port, f"/api/tables/{self.id}/start", None, self._tokens[0])

    def seen(self, state: dict[str, Any]) -> None:
        """Once all four have it, the seat to act goes on."""
        count = self._counts[state["v"]] = self._counts.get(state["v"], 0) + 1
        if count < 4:
            return
        del self._counts[state["v"]]
        self.voids += sum(entry["kind"] == "void" for entry in state["entries"])
        if self._rolled_at is not None and any(entry["kind"] == "dice" for entry in state["entries"]):
            if self.meter.on:
                self.rolls.append(time.perf_counter() - self._rolled_at)
            self._rolled_at = None
        loop = asyncio.get_running_loop()
        if state["over"]:
            with suppress(RuntimeError):  # the measurement is over
                loop.run_in_executor(None, partial(self.start, again=True))
        elif state["seat"] is not None:
            loop.call_later(self._pace, self._act, state)

    def _act(self, state: dict[str, Any]) -> None:
        move = max(reversed(state["moves"]), key=lambda text: "skrtx".find(text[0]))
        data = {"move": move}
        if move in ("roll", "r", "w"):
            data["nonce"] = secrets.token_urlsafe(16)
            self._rolled_at = time.perf_counter()
        person = next(person for person in self.people if state["seat"] in person.seats)
        person.send({"t": "move", "v": state["v"], "d": data})


async def run(server: Process, count: int, pace: float, seconds: float) -> dict[str, Any]:
    meter = Meter()
    tables = [JointTable(server.port, meter, pace) for _ in range(count)]
    loop = asyncio.get_running_loop()
    for table in tables:
        await table.join()
    await asyncio.sleep(0.5)
    for number, table in enumerate(tables):  # spread over the pace, as people are
        loop.call_later(pace * number / count, partial(loop.run_in_executor, None, table.start))
    await asyncio.sleep(pace + 3.0)
    meter.on, cpu = True, server.cpu_seconds()
    await asyncio.sleep(seconds)
    meter.on = False
    meter.times = [took for table in tables for took in table.rolls]
    return {
        "tables": count,
        "rolls": len(meter.times),
        "p50_ms": round(meter.percentile(0.50), 1),
        "p99_ms": round(meter.percentile(0.99), 1),
        "max_ms": round(meter.percentile(1.0), 1),
        "void": sum(table.voids for table in tables),
        "server_cpu": round((server.cpu_seconds() - cpu) / seconds, 2),
        "refused": len(meter.refused),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="a few seconds each")
    parser.add_argument("--pace", type=float, default=HUMAN, help="seconds before each move")
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    args = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[1]})
    found = []
    for count in args.sizes:
        # One table rolls every few seconds only: it gets a faster pace and more time, for as many rolls.
        pace = min(args.pace, 0.1) if count == 1 else args.pace
        with tempfile.TemporaryDirectory() as folder, table_server(Path(folder)) as server:
            row = uvloop.run(run(server, count, pace, 8.0 if args.quick else 60.0))
        found.append(row)
        if not args.json:
            print(row, flush=True)
    if args.json:
        print(json.dumps({"every_seat": found}))


if __name__ == "__main__":
    main()
