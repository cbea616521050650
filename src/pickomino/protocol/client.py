"""One seat at a table of a server: a connection that comes back, and every state in its order."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import secrets
from collections.abc import Callable
from typing import Any, Final

from pickomino.chance import Contributor
from pickomino.protocol.http import TableHost
from pickomino.rules import PickominoError, said

_FIRST, _LONGEST = 0.5, 30.0  # seconds before the connection is tried again: at first, at most
_QUIET: Final = 25.0  # seconds without a word after which a ping finds out whether it is dead


class TableClient:
    """Talks to one table. What it hears goes to `hear`: state, table, reaction, lost, back, refused."""

    def __init__(self, server: TableHost, table: str, secret: str, hear: Callable[[str, Any], None]) -> None:
        self.server: Final = server
        self.table: Final = table
        self.seats: list[str] = []  # those that this connection plays
        self.dice: Final = Contributor()
        self._secret = secret
        self._hear = hear
        self._ids = itertools.count(1)
        self._name = secrets.token_hex(4)  # ids are new in every process
        self._game, self._version = "", 0
        self._open: dict[str, dict[str, Any]] = {}  # sent and not answered
        self._socket: Any = None

    # --- the connection ---

    async def run(self) -> None:
        """Stay connected until cancelled."""
        try:
            from websockets.asyncio.client import connect
            from websockets.exceptions import WebSocketException
        except ModuleNotFoundError:
            raise PickominoError(said("join needs websockets: pip install 'pickomino[terminal]'")) from None
        wait = _FIRST
        url = f"{self.server.url.replace('http', 'ws', 1)}/ws?table={self.table}"
        while True:
            try:
                async with connect(url, max_size=2**22, open_timeout=20) as socket:
                    self._socket = socket
                    await self._greet()
                    wait = _FIRST
                    await self._listen(socket)
            except (OSError, TimeoutError, WebSocketException):
                pass
            finally:
                self._socket = None
            self._hear("lost", None)
            await asyncio.sleep(wait * random.uniform(0.7, 1.3))
            wait = min(2 * wait, _LONGEST)

    async def _greet(self) -> None:
        data: dict[str, Any] = {"table": self.table, "since": self._version, "chains": True}
        if self.server.token:
            data["token"] = self.server.token
        if self._secret:
            data["seats"] = [self._secret]
        await self._send({"t": "hello", "id": self._id(), "d": data}, keep=False)

    async def _listen(self, socket: Any) -> None:
        while True:
            try:
                text = await asyncio.wait_for(socket.recv(), _QUIET)
            except TimeoutError:
                await self._send({"t": "ping", "id": self._id()}, keep=False)
                text = await asyncio.wait_for(socket.recv(), _QUIET)
            message = json.loads(text)
            match message.get("t"):
                case "state":
                    await self._state(message["d"])
                case "table":
                    self.seats = message["d"]["seats"]
                    self._hear("table", message["d"]["table"])
                case "reaction":
                    self._hear("reaction", message["d"])
                case "ok":
                    await self._answered(message)
                case "error":
                    await self._refused(message)
                case "bye":
                    return

    async def _answered(self, message: dict[str, Any]) -> None:
        sent = self._open.pop(str(message["id"]), None)
        if sent is not None:
            self.dice.answered(sent, message)
        data = message.get("d") or {}
        if "seats" in data:  # of hello
            self.seats = data["seats"]
            self._hear("table", data["table"])
            self._hear("back", None)
            if data["state"] is not None:
                await self._state(data["state"], hello=True)
            for again in list(self._open.values()):
                await self._send(again)
        elif data.get("state") is not None:
            await self._state(data["state"])

    async def _refused(self, message: dict[str, Any]) -> None:
        sent = self._open.get(str(message["id"]))
        if message["code"] in ("rate_limited", "unavailable") and sent is not None:
            await asyncio.sleep(message.get("retry_ms", 1000) / 1000)
            await self._send(sent)
            return
        self._open.pop(str(message["id"]), None)
        if sent is not None:
            self.dice.answered(sent, message)
        self._hear("refused", message)
        if message["code"] == "stale_version":
            await self._ask_state()

    async def _state(self, state: dict[str, Any], *, hello: bool = False) -> None:
        """In their order and without a gap, or it is asked for anew."""
        if state["game"] != self._game:
            self._game, self._version = state["game"], 0
        elif state["v"] <= self._version and not hello:
            return
        if state["from"] > self._version:
            await self._ask_state()
            return
        news = [entry for entry in state["entries"] if entry["seq"] > self._version]
        self._version = state["v"]
        for message in self.dice.hear(state, self.seats, hello=hello):
            await self._send({"id": self._id(), **message})
        self._hear("state", {**state, "entries": news})

    async def _ask_state(self) -> None:
        await self._send({"t": "state", "id": self._id(), "d": {"since": self._version}}, keep=False)

    # --- what a player does ---

    def _id(self) -> str:
        return f"{self._name}-{next(self._ids)}"

    async def _send(self, message: dict[str, Any], *, keep: bool = True) -> None:
        """Send it; what changes something is kept until it is answered, and sent again after a lost connection."""
        if keep:
            self._open[message["id"]] = message
        if self._socket is not None:
            from websockets.exceptions import ConnectionClosed

            try:
                await self._socket.send(json.dumps(message))
            except ConnectionClosed:
                return  # whoever listens notices, and sends it again

    async def move(self, seat: str, move: str) -> None:
        """Make a move; what makes dice fall carries a new nonce."""
        data = {"move": move}
        if move in ("roll", "r", "w"):
            data["nonce"] = secrets.token_urlsafe(16)
        await self._send({"t": "move", "id": self._id(), "seat": seat, "v": self._version, "d": data})

    async def react(self, reaction: str) -> None:
        await self._send({"t": "react", "id": self._id(), "d": {"reaction": reaction}}, keep=False)
