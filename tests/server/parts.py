"""The real parts that these tests use: a server process, and clients on real sockets."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from pickomino.chance import Contributor

UNLIMITED = """
housekeeping_seconds = 3600
grace_seconds = {grace}
[limits]
messages = {{per_second = 0, burst = 0}}
guest_messages = {{per_second = 0, burst = 0}}
requests = {{per_second = 0, burst = 0}}
new_guests = {{per_second = 0, burst = 0}}
new_tables = {{per_second = 0, burst = 0}}
codes = {{per_second = 0, burst = 0}}
heavy = {{per_second = 0, burst = 0}}
reviews = {{per_second = 0, burst = 0}}
coach = {{per_second = 0, burst = 0}}
reactions = {{per_second = 0, burst = 0}}
histories = {{per_second = 0, burst = 0}}
connects = {{per_second = 0, burst = 0}}
connections = 0
connections_per_guest = 0
connections_per_address = 0
tables_per_guest = 0
"""


def until(there: Callable[[], object], what: str) -> None:
    """Wait for what a server does by itself; it has a minute."""
    deadline = time.monotonic() + 60
    while not there():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


class ServerProcess:
    """``pickomino serve`` as a process of its own, on a free port that it keeps over restarts."""

    def __init__(
        self,
        folder: Path,
        *,
        limits: bool = False,
        grace: float = 0.2,
        settings: str = "",
        postgres: str = "",
        redis: str = "",
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.postgres, self.redis = postgres, redis
        self.database = folder / "games.db"
        self.log_path = folder / "server.log"
        self.config = folder / "server.toml"
        text = settings if limits else settings + UNLIMITED.format(grace=grace)
        self.config.write_text(text)
        self.port = 0
        self.python, self.program = sys.executable, ["-m", "pickomino"]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> ServerProcess:
        command = [self.python, *self.program, "serve", "--config", str(self.config)]
        command += ["--port", str(self.port), "--database", self.postgres or str(self.database)]
        command += ["--redis", self.redis] if self.redis else []
        offset = self.log_path.stat().st_size if self.log_path.exists() else 0
        with self.log_path.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            started = self.log_path.read_bytes()[offset:].decode()
            if found := re.search(r'"addresses": \["[\d.]+:(\d+)"', started):
                self.port = int(found[1])
                return self
            if self._process.poll() is not None:
                break
            time.sleep(0.01)
        raise AssertionError(f"the server did not start:\n{self.log()}")

    def kill(self) -> None:
        """kill -9: no farewell, nothing written any more."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> int:
        assert self._process is not None
        if self._process.poll() is None:
            self._process.terminate()
        return self._process.wait(timeout=20)

    def log(self) -> str:
        return self.log_path.read_text() if self.log_path.exists() else ""

    def no_mistakes(self) -> None:
        """Nothing in the log that the server is to blame for."""
        bad = [line for line in self.log().splitlines() if "Traceback" in line or '"level": "error"' in line]
        assert not bad, "\n".join(bad[:3])

    # --- HTTP ---

    def call(
        self, method: str, path: str, body: Any = None, token: str = "", headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        """Status and decoded answer."""
        sent = {"Content-Type": "application/json"} | (headers or {})
        if token:
            sent["Authorization"] = f"Bearer {token}"
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                status, text, kind = answer.status, answer.read(), answer.headers.get_content_type()
        except urllib.error.HTTPError as error:
            status, text, kind = error.code, error.read(), error.headers.get_content_type()
        return status, json.loads(text) if kind == "application/json" else text.decode()

    def ok(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        status, answer = self.call(method, path, body, token)
        assert status in (200, 201), (method, path, status, answer)
        return answer

    def refused(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, str]:
        status, answer = self.call(method, path, body, token)
        assert status >= 400, (status, answer)
        return status, answer["code"]

    def review(self, game: str, token: str = "", language: str = "en") -> Any:
        """The review of a game. On a busy machine the first takes longer than a request may; it goes on meanwhile."""
        for _ in range(8):
            try:
                return self.ok("GET", f"/api/games/{game}/review?language={language}", None, token)
            except TimeoutError:
                continue
        raise AssertionError("the review takes too long")

    def guest(self, name: str = "Anna") -> str:
        return str(self.ok("POST", "/api/guests", {"name": name})["token"])

    def table(self, token: str, *, start: bool = True, **settings: Any) -> dict[str, Any]:
        """A table with its id, code and the seats' secrets; started unless said otherwise."""
        made = self.ok("POST", "/api/tables", settings, token)
        if start:
            made = self.ok("POST", f"/api/tables/{made['table']['id']}/start", None, token)
        return {
            "id": made["table"]["id"],
            "code": made["table"]["code"],
            "game": made["table"]["game"],
            "secrets": {seat["seat"]: seat["secret"] for seat in made["you"]["seats"]},
        }


class Client:
    """A client that plays whatever its seats have to play, and remembers all it was told."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.pushes: deque[dict[str, Any]] = deque()
        self.state: dict[str, Any] | None = None
        self.table: dict[str, Any] = {}
        self.seats: list[str] = []
        self.contributor: Contributor | None = None
        self.asleep = False  # gives no values
        self._given: dict[str, dict[str, Any]] = {}  # id -> what was given to the dice
        self._number = 0

    def next_id(self) -> str:
        self._number += 1
        return f"{self._number}-{secrets.token_hex(4)}"

    async def send(self, message: dict[str, Any] | str) -> None:
        await self.socket.send(message if isinstance(message, str) else json.dumps(message))

    async def receive(self, seconds: float = 20.0) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(self.socket.recv(), seconds))
        data = message.get("d") or {}
        if message["t"] == "state":
            self.state = data
            await self._give(data)
        elif message["t"] == "table":
            self.table, self.seats = data["table"], data["seats"]
        elif self.contributor is not None and message.get("id") in self._given:
            self.contributor.answered(self._given.pop(message["id"]), message)
        return message

    async def _give(self, state: dict[str, Any], *, hello: bool = False) -> None:
        """What this client adds to the dice."""
        if self.contributor is None or self.asleep:
            return
        for message in self.contributor.hear(state, self.seats, hello=hello):
            cid = self.next_id()
            self._given[cid] = message
            await self.send({"id": cid, **message})

    async def ask(self, message: dict[str, Any] | str, cid: str | None = None) -> dict[str, Any]:
        """Send, and read on to the answer; pushes on the way are kept."""
        await self.send(message)
        wanted = cid if cid is not None or isinstance(message, str) else message.get("id")
        while True:
            answer = await self.receive()
            if "id" in answer and answer["id"] == wanted:
                return answer
            self.pushes.append(answer)

    async def hello(self, contributor: Contributor | None = None, **data: Any) -> dict[str, Any]:
        """`contributor`: adds to the dice, and may have done so over another connection before."""
        self.contributor = contributor
        data |= {"chains": True} if contributor is not None else {}
        answer = await self.ask({"t": "hello", "id": self.next_id(), "d": data})
        if answer["t"] == "ok":
            self.state, self.table, self.seats = (
                answer["d"]["state"],
                answer["d"]["table"],
                answer["d"]["seats"],
            )
            if self.state is not None:
                await self._give(self.state, hello=True)
        return answer

    def move(self, move: str | None = None, **more: Any) -> dict[str, Any]:
        """The message for a move in the state last seen; by default one that brings the game to its end."""
        assert self.state is not None
        # Steal, take, roll on, keep the highest face, stop: in this order.
        chosen = move or max(reversed(self.state["moves"]), key=lambda text: "skrtx".find(text[0]))
        data = {"move": chosen}
        if chosen in ("roll", "r", "w"):
            data["nonce"] = secrets.token_urlsafe(16)
        return {"t": "move", "id": self.next_id(), "v": self.state["v"], "d": data, **more}

    async def wait_for(self, kind: str, seconds: float = 20.0) -> dict[str, Any]:
        while True:
            message = await self.receive(seconds)
            if message["t"] == kind:
                return message

    async def play_on(self, seconds: float = 60.0) -> dict[str, Any]:
        """Play all own seats until the game is over; gives its last state."""
        deadline = time.monotonic() + seconds
        answered = -1
        while time.monotonic() < deadline:
            state = self.state
            if state is not None and state["over"]:
                return state
            if state is not None and state["seat"] in self.seats and state["v"] > answered:
                answered = state["v"]
                await self.send(self.move(seat=state["seat"]))
            await self.receive()
        raise AssertionError("the game takes too long")


@asynccontextmanager
async def client(server: ServerProcess, **hello: Any) -> AsyncIterator[Client]:
    async with connect(server.ws, compression=None, max_size=None) as socket:
        found = Client(socket)
        try:
            if hello:
                answer = await found.hello(**hello)
                assert answer["t"] == "ok", answer
            yield found
        except asyncio.CancelledError:
            socket.transport.abort()  # a second cancellation, while it says goodbye, would leave it open
            raise


def figure(server: ServerProcess, name: str) -> float:
    """One of the server's own figures."""
    found = re.search(rf"^pickomino_{name} (\S+)$", server.ok("GET", "/metrics"), re.MULTILINE)
    assert found is not None
    return float(found[1])


def memory_kb(pid: int) -> int:
    """What a process holds in memory now."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1])


def cores() -> int:
    return len(os.sched_getaffinity(0))
