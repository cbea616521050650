"""One WebSocket as the rest of the server sees it: push texts at it, and never wait for it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pickomino.server.limits import Bucket
from pickomino.server.wire import Send, Wire, cut_off, frame_of, wire_of

if TYPE_CHECKING:
    from pickomino.server.live_table import LiveTable

MAX_STATES: Final = 16
"""States that wait for a slow reader before they are thrown away for the newest: it sees a gap and asks."""
MAX_WAITING: Final = 256
"""Texts that wait in all. Answers are never thrown away, so beyond this the reader is given up."""
SLOW_SECONDS: Final = 30.0
"""How long a reader may not read at all."""


class Outbox:
    """Who has something to write once this turn of the event loop is done."""

    def __init__(self) -> None:
        self._holding: list[Connection] = []

    def add(self, connection: Connection) -> None:
        if not self._holding:
            asyncio.get_running_loop().call_soon(self._let_go)
        self._holding.append(connection)

    def _let_go(self) -> None:
        holding, self._holding = self._holding, []
        for connection in holding:
            connection.let_go()


@dataclass(slots=True, eq=False)
class Connection:
    """A client at a table, or not yet."""

    _send: Send
    address: str
    messages: Bucket
    reactions: Bucket
    _outbox: Outbox = field(default_factory=Outbox)  # of the process, so that all write in one go
    guest: str | None = None
    secrets: dict[tuple[str, int], int] = field(default_factory=dict)  # (table, seat) -> serial
    seats: frozenset[int] = frozenset()
    table: LiveTable | None = None
    chains: bool = False  # it adds to the dice
    open: bool = True
    _wire: Wire | None = field(init=False)
    _held: bytes = b""
    _waiting: list[tuple[bytes, bool]] = field(default_factory=list)
    _writing: asyncio.Task[None] | None = None
    _blocked_at: float = 0.0

    def __post_init__(self) -> None:
        self._wire = wire_of(self._send)

    def push(self, text: bytes, *, state: bool = False, frame: bytes | None = None) -> None:
        """Send in this turn of the event loop if the socket takes it, else as soon as it does; never waits,
        never fails.

        `text` is UTF-8. `state`: may give way to a newer one. `frame`: the text, framed already.
        """
        wire = self._wire
        if not self.open or (wire is not None and wire.transport.is_closing()):
            return  # who has gone hears nothing; the farewell is on its way
        if wire is not None and self._writing is None and wire.writable.is_set() and not wire.close_sent:
            # Written when all tables of this turn have been dealt with: readers then wake once, not for each.
            if not self._held:
                self._outbox.add(self)
            self._held += frame or frame_of(text)
            return
        loop = asyncio.get_running_loop()
        if self._writing is None:
            self._blocked_at = loop.time()
            self._writing = loop.create_task(self._drain())
        self._queue(text, state)

    def let_go(self) -> None:
        """Write what was held back."""
        wire = self._wire
        gone = not self.open or wire is None or wire.close_sent or wire.transport.is_closing()
        if self._held and wire is not None and not gone:
            wire.transport.write(self._held)
        self._held = b""

    async def _drain(self) -> None:
        self.let_go()
        try:
            while self._waiting and self.open:
                text, _ = self._waiting.pop(0)
                await self._send({"type": "websocket.send", "text": text.decode()})
                self._blocked_at = asyncio.get_running_loop().time()
        except Exception:  # the client has gone; the receiving side notices
            self.open = False
        finally:
            self._writing = None

    def _queue(self, text: bytes, state: bool) -> None:
        if state and sum(is_state for _, is_state in self._waiting) >= MAX_STATES:
            self._waiting = [item for item in self._waiting if not item[1]]
        self._waiting.append((text, state))
        slow = asyncio.get_running_loop().time() - self._blocked_at > SLOW_SECONDS
        if slow or len(self._waiting) > MAX_WAITING:
            self.abort()

    def abort(self) -> None:
        """Drop a client that does not read: a close frame would only wait behind everything else."""
        self.open = False
        self._waiting.clear()
        if self._writing is not None:
            self._writing.cancel()
        if self._wire is not None:
            cut_off(self._wire.transport)

    async def close(self, code: int, last: bytes | None = None) -> None:
        """Say goodbye to a client that reads; one that does not is dropped."""
        if not self.open:
            return
        if last is not None:
            self.push(last)
        if self._writing is not None:
            await asyncio.wait({self._writing}, timeout=1.0)
            if self._writing is not None:
                self.abort()
                return
        self.let_go()
        self.open = False
        try:
            await asyncio.wait_for(self._send({"type": "websocket.close", "code": code}), 2.0)
        except Exception:  # it has gone already
            self.abort()
