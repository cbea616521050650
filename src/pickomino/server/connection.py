"""One WebSocket as the rest of the server sees it: push texts at it, and never wait for it."""

from __future__ import annotations

import asyncio
import types
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator, MutableMapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pickomino.server.limits import Bucket

if TYPE_CHECKING:
    from pickomino.server.registry import LiveTable

__all__ = ["Connection", "Message", "Send"]

Message: TypeAlias = MutableMapping[str, Any]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

MAX_STATES: Final = 16
"""States that wait for a slow reader before they are thrown away for the newest: it sees a gap and asks."""
MAX_WAITING: Final = 256
"""Texts that wait in all. Answers are never thrown away, so beyond this the reader is given up."""
SLOW_SECONDS: Final = 30.0
"""How long a reader may not read at all."""


class Connection:
    """A client at a table, or not yet."""

    def __init__(self, send: Send, address: str, messages: Bucket, reactions: Bucket) -> None:
        self.address: Final = address
        self.messages: Final = messages
        self.reactions: Final = reactions
        self.guest: str | None = None
        self.secrets: dict[tuple[str, int], int] = {}  # (table, seat) -> serial
        self.seats: frozenset[int] = frozenset()
        self.table: LiveTable | None = None
        self.open = True
        self.sent = 0
        self._send = send
        self._waiting: deque[tuple[str, bool]] = deque()
        self._writing: asyncio.Task[None] | None = None
        self._blocked_at = 0.0

    def push(self, text: str, *, state: bool = False) -> None:
        """Send now if the socket takes it, else as soon as it does; never waits, never fails."""
        if not self.open:
            return
        if self._writing is not None:
            self._queue(text, state)
            return
        self.sent += 1
        blocked = self._start({"type": "websocket.send", "text": text})
        if blocked is not None:
            loop = asyncio.get_running_loop()
            self._blocked_at = loop.time()
            self._writing = loop.create_task(self._drain(blocked))

    def _start(self, message: Message) -> Coroutine[Any, Any, None] | None:
        """Run the send up to where it would wait. Most never wait, and a task for each would cost more.

        What comes back is the rest of a send whose socket is full.
        """
        sending = self._send(message)
        if not asyncio.iscoroutine(sending):  # pragma: no cover (every server's send is one)
            return _awaited(sending)
        try:
            waiting_for = sending.send(None)
        except StopIteration:
            return None
        except Exception:  # the client has gone; the receiving side tells
            self.open = False
            return None
        return _rest(sending, waiting_for)

    async def _drain(self, blocked: Coroutine[Any, Any, None]) -> None:
        try:
            await blocked
            while self._waiting and self.open:
                self._blocked_at = asyncio.get_running_loop().time()
                text, _ = self._waiting.popleft()
                self.sent += 1
                await self._send({"type": "websocket.send", "text": text})
        except Exception:  # as above
            self.open = False
        finally:
            self._writing = None

    def _queue(self, text: str, state: bool) -> None:
        if state and sum(is_state for _, is_state in self._waiting) >= MAX_STATES:
            self._waiting = deque(item for item in self._waiting if not item[1])
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
        transport = getattr(getattr(self._send, "__self__", None), "transport", None)
        if transport is not None:
            transport.abort()

    async def close(self, code: int, last: str | None = None) -> None:
        """Say goodbye to a client that reads; one that does not is dropped."""
        if not self.open:
            return
        if last is not None:
            self.push(last)
        if self._writing is not None:
            self.abort()
            return
        self.open = False
        try:
            await asyncio.wait_for(_awaited(self._send({"type": "websocket.close", "code": code})), 2.0)
        except Exception:  # it has gone already
            self.abort()


@types.coroutine
def _rest(sending: Coroutine[Any, Any, None], waiting_for: Any) -> Generator[Any, Any, None]:
    """What is left of a coroutine that has been run up to its first wait."""
    try:
        yield waiting_for
        yield from sending
    finally:
        sending.close()


async def _awaited(sending: Awaitable[None]) -> None:
    await sending
