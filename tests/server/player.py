"""Players who go on over every crash and check all they are told."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from http.client import HTTPException
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from pickomino.chance import Contributor
from tests.server.parts import Client, ServerProcess, client


class Player:
    """Plays its seats for ever, over every crash, and checks what it is told against what it knows."""

    def __init__(self, server: ServerProcess, table: str, token: str) -> None:
        self.server = server
        self.table, self.token = table, token
        self.game = ""
        self.entries: list[dict[str, Any]] = []  # all that was ever shown, in order
        self.acknowledged: dict[int, str] = {}  # version -> move
        self.open: dict[str, Any] | None = None  # sent and not answered
        self.acks = 0
        self.contributor = Contributor()

    async def play(self) -> None:
        """Until the connection is lost."""
        with suppress(ConnectionClosed, InvalidHandshake, EOFError, OSError, TimeoutError):
            async with client(self.server) as one:
                await self._visit(one, seconds=10)

    async def _visit(self, one: Client, seconds: float) -> None:
        answer = await one.hello(self.contributor, table=self.table, token=self.token, since=0)
        self._available(answer)
        self._compare(one)
        if answer["d"]["table"]["phase"] == "open":
            await self._ask("start")  # a crash came between rematch and start
        if self.open is not None:
            await one.send(self.open)  # the same text again: counts once
        while True:
            await self._act(one)
            self._note(one, await one.receive(seconds=seconds))

    def _available(self, answer: dict[str, Any]) -> None:
        """A server that stands alone is there, or nobody answers."""

    async def _ask(self, what: str) -> None:
        """Another player, or this one before a crash, may have asked already."""
        with suppress(AssertionError, OSError, HTTPException):
            path = f"/api/tables/{self.table}/{what}"
            await asyncio.to_thread(self.server.ok, "POST", path, None, self.token)

    async def look(self) -> int:
        """Connect, compare, and tell the version."""
        async with client(self.server, table=self.table, token=self.token, since=0) as one:
            self._compare(one)
            return 0 if one.state is None else int(one.state["v"])

    def _compare(self, one: Client) -> None:
        state = one.state
        if state is None:
            return
        if state["game"] != self.game:
            self.game, self.entries, self.acknowledged, self.open = state["game"], [], {}, None
        now = state["entries"]
        assert [entry["seq"] for entry in now] == list(range(1, state["v"] + 1))
        assert now[: len(self.entries)] == self.entries, "something that was shown is gone or has changed"
        for version, move in self.acknowledged.items():
            last = now[version - 1]
            if move in ("roll", "r", "w"):
                assert last["kind"] in ("dice", "ask")
                last = now[version - 2] if move != "roll" else {"move": "roll"}
            assert last["move"] == move, "an acknowledged move is not there"
        self.entries = now

    async def _act(self, one: Client) -> None:
        state = one.state
        if state is None or self.open is not None or state["v"] < max(self.acknowledged, default=0):
            return  # the answer to a move comes before the state that it brings
        if state["over"]:
            one.state = None
            await self._ask("rematch")
            await self._ask("start")
        elif state["seat"] in one.seats:
            self.open = one.move(seat=state["seat"])
            await one.send(self.open)

    def _note(self, one: Client, message: dict[str, Any]) -> None:
        if message["t"] == "state":
            state = message["d"]
            if state["game"] != self.game:
                self.game, self.entries, self.acknowledged, self.open = state["game"], [], {}, None
            assert state["from"] == len(self.entries), "a reader that keeps up is told everything"
            self.entries += state["entries"]
        elif self.open is not None and message.get("id") == self.open["id"]:
            # After a crash the game may have gone on without us, to its end and to a rematch that is yet to start;
            # otherwise our moves are good.
            if message["t"] == "ok":
                self.acknowledged[message["v"]] = self.open["d"]["move"]
                self.acks += 1
            else:
                late = ("not_your_turn", "stale_version", "game_over", "not_started")
                assert message["code"] in late, message
            self.open = None


class Unavailable(Exception):
    """Said by a server: come back with the same message."""


class Roamer(Player):
    """Goes to another process whenever a connection is lost or something is unavailable."""

    def __init__(self, servers: list[ServerProcess], table: str, token: str) -> None:
        super().__init__(servers[0], table, token)
        self.servers = servers
        self.byes: list[dict[str, Any]] = []
        self.unavailable = 0

    async def roam(self) -> None:
        while True:
            self.server = random.choice(self.servers)
            with suppress(ConnectionClosed, InvalidHandshake, EOFError, OSError, TimeoutError, Unavailable):
                async with client(self.server) as one:
                    await self._visit(one, seconds=3)
            await asyncio.sleep(0.02)

    def _available(self, answer: dict[str, Any]) -> None:
        if answer.get("code") == "unavailable":
            self.unavailable += 1
            raise Unavailable

    def _note(self, one: Client, message: dict[str, Any]) -> None:
        if message["t"] == "bye":
            self.byes.append(message["d"])
        self._available(message)
        super()._note(one, message)
