"""What a connection may cost before a message or a request of it reaches us.

uvicorn bounds the size of a request and the pause before it, not its trickling; and the size of a message, not
how many frames carry it. Both protocols are uvicorn's with those bounds added.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from pickomino.server.errors import Refused
from pickomino.server.http import address_of
from pickomino.server.limits import Bucket, Limiter, Rate
from pickomino.server.wire import cut_off

_TOO_SLOW: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_ARRIVING: Final = (h11.IDLE, h11.SEND_BODY)  # what the client's side is in until its request is whole

SLICE: Final = 512
"""Bytes of frames that are parsed before what they were is counted: a message is smaller, and a piece holds
85 empty frames."""
QUEUED: Final = 16
"""Messages that wait to be dealt with before the rest is parsed."""
FRAMES: Final = Rate(10, 100)
"""Frames that are no messages: pings, pongs, parts of a message. Libraries send one in some seconds."""
LINGER_SECONDS: Final = 5.0
"""How long a connection that was closed may take to read what is left for it."""


class _Timer:
    """Runs once unless it is stopped before; starting it again changes nothing."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float, work: Callable[[], None]) -> None:
        self._start: Final = partial(loop.call_later, seconds, work)
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        if self._handle is None:
            self._handle = self._start()

    def stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


class Inbox:
    """What has come and waits for the one task that takes it: an `asyncio.Queue` without the three deques and the event
    that it has for others, two kilobytes per connection."""

    __slots__ = ("_items", "_loop", "_taker")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop: Final = loop
        self._items: Final[list[Any]] = []
        self._taker: asyncio.Future[None] | None = None

    def put_nowait(self, item: Any) -> None:
        self._items.append(item)
        if self._taker is not None and not self._taker.done():
            self._taker.set_result(None)

    async def get(self) -> Any:
        while not self._items:
            self._taker = self._loop.create_future()
            await self._taker
        return self._items.pop(0)

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items


class BoundedSocket(WebSocketsSansIOProtocol):
    """A WebSocket that is dropped when its frames cost more than messages do."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue = Inbox(self.loop)  # type: ignore[assignment]  # all of a queue that is used
        self._frames = Bucket(FRAMES, self.loop.time())
        self._rest = b""  # what has come and is not parsed yet
        self._parsed = 0  # how much of it is

    def data_received(self, data: bytes) -> None:
        if not self._rest and len(data) <= SLICE and not self.close_sent:
            super().data_received(data)  # a message, as nearly always
            return
        self._rest = self._rest[self._parsed :] + data
        self._parsed = 0
        self._parse()

    def _parse(self) -> None:
        """Only as far as messages are taken: a piece of a flood may hold ten thousand. Once the farewell is sent
        nobody takes them, and what comes is looked through for the other's farewell."""
        while self._parsed < len(self._rest) and (self.close_sent or self.queue.qsize() < QUEUED):
            if self.transport.is_closing() or (self.close_sent and not self._allowed()):
                self._rest = b""
                return
            start, self._parsed = self._parsed, self._parsed + SLICE
            super().data_received(self._rest[start : self._parsed])
        if self._parsed >= len(self._rest):
            self._rest, self._parsed = b"", 0

    def receive(self) -> Any:
        if self._rest and self.queue.qsize() < 2:  # one less than makes uvicorn read on
            self._parse()
        return super().receive()

    def handle_cont(self, event: Frame) -> None:
        if self._allowed():
            super().handle_cont(event)

    def handle_pong(self, event: Frame) -> None:
        if self._allowed():
            super().handle_pong(event)

    def handle_ping(self) -> None:
        if not self._allowed():
            return
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()  # who does not read its pongs is not answered

    def _allowed(self) -> bool:
        if self.transport.is_closing():
            return False
        if self._frames.take(self.loop.time()):
            cut_off(self.transport)
            return False
        return True

    def start_keepalive(self) -> None:
        """The handshake is over: what was said in it is some kilobytes of headers, and nobody asks for it again."""
        super().start_keepalive()
        self.request.headers.clear()
        self.response.headers.clear()
        self.scope["headers"] = []

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._linger()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self._linger()

    def _linger(self) -> None:
        self.loop.call_later(LINGER_SECONDS, cut_off, self.transport)


def bounded(request_seconds: float, response_seconds: float, connects: Limiter | None) -> type[H11Protocol]:
    """HTTP/1.1 for addresses that do not come too often. It gives every request so long, from the connection or its
    first byte to its last, and a client so long to read an answer that does not fit into the buffers on the way."""

    class Bounded(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
            super().connection_made(transport)
            self._request = _Timer(self.loop, request_seconds, self._give_up)
            self._response = _Timer(self.loop, response_seconds, partial(cut_off, transport))
            try:
                if connects is not None:
                    connects.check(address_of({"client": self.client}))
            except Refused:
                cut_off(transport)  # an answer would cost more than it is worth
                return
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            self._request.stop()
            self._response.stop()
            super().connection_lost(exc)

        def _watch(self) -> None:
            became_websocket = self.transport.get_protocol() is not self
            if became_websocket or self.conn.their_state not in _ARRIVING:
                self._request.stop()
            else:
                self._request.start()

        def _give_up(self) -> None:
            if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                self.transport.write(_TOO_SLOW)
            self.transport.close()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._response.start()

        def resume_writing(self) -> None:
            super().resume_writing()
            self._read()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._read()

        def _read(self) -> None:
            if self.cycle.response_complete and not self.flow.write_paused:
                self._response.stop()

        def timeout_keep_alive_handler(self) -> None:
            super().timeout_keep_alive_handler()
            self.loop.call_later(LINGER_SECONDS, cut_off, self.transport)

    return Bounded
