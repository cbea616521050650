"""The load generator of `benchmarks.server`: many light WebSocket clients in one process.

It speaks just enough of the protocol: frames are parsed by hand and states are decoded only as far as playing
needs, so that the clients are not what is measured.
"""

from __future__ import annotations

import asyncio
import base64
import os
import secrets
import time
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

__all__ = ["Meter", "Room", "Socket", "Table", "connect"]


class Seen(msgspec.Struct):
    """What a client needs of a state."""

    v: int = -1
    seat: str | None = None
    moves: list[str] = []
    over: bool = False


class Message(msgspec.Struct):
    t: str
    id: str | None = None
    d: Seen | None = None


class HelloData(msgspec.Struct):
    state: Seen | None = None


class HelloAnswer(msgspec.Struct):
    t: str
    d: HelloData


_DECODER = msgspec.json.Decoder(Message)
_HELLO = msgspec.json.Decoder(HelloAnswer)


class Socket(asyncio.Protocol):
    """A client's end of one WebSocket."""

    def __init__(self, on_text: Callable[[Socket, bytes], None]) -> None:
        self._on_text = on_text
        self._data = b""
        self._open = False
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        self.transport.write(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        data = self._data + data if self._data else data
        if not self._open:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._data = data
                return
            assert data.startswith(b"HTTP/1.1 101"), data[:100]
            self._open = True
            self.ready.set_result(None)
            data = data[end + 4 :]
        place, length = 0, len(data)
        while length - place >= 2:
            size, head = data[place + 1], 2
            if size == 126:
                size, head = int.from_bytes(data[place + 2 : place + 4], "big"), 4
            elif size == 127:
                size, head = int.from_bytes(data[place + 2 : place + 10], "big"), 10
            if length - place < head + size:
                break
            body = data[place + head : place + head + size]
            kind = data[place] & 15
            place += head + size
            if kind == 1:
                self._on_text(self, body)
            elif kind == 9:
                self.transport.write(b"\x8a" + bytes([0x80 | len(body)]) + b"\0\0\0\0" + body)
        self._data = data[place:]

    def send(self, body: bytes) -> None:
        # A mask of zeros is a mask.
        size = len(body)
        head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + body)


async def connect(port: int, on_text: Callable[[Socket, bytes], None]) -> Socket:
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: Socket(on_text), "127.0.0.1", port)
    await socket.ready
    return socket


class Meter:
    """What was delivered, and how long each message took to reach its last reader."""

    def __init__(self) -> None:
        self.on = False
        self.deliveries = 0
        self.bytes = 0
        self.times: list[float] = []
        self.refused: list[bytes] = []

    def percentile(self, share: float) -> float:
        times = sorted(self.times)
        return times[min(len(times) - 1, int(share * len(times)))] * 1000 if times else float("nan")


class Room:
    """Four clients that echo: each message goes to all four, and then the next client sends."""

    def __init__(self, meter: Meter, pace: float, payload: bytes) -> None:
        self._meter, self._pace, self._payload = meter, pace, payload
        self._sockets: list[Socket] = []
        self._sent_at = 0.0
        self._seen = 0
        self._turn = 0

    async def join(self, port: int, room: int) -> None:
        for _ in range(4):
            socket = await connect(port, self._text)
            socket.send(f"join {room}".encode())
            self._sockets.append(socket)

    def begin(self) -> None:
        self._sent_at = time.perf_counter()
        self._sockets[self._turn % 4].send(self._payload)

    def _text(self, socket: Socket, body: bytes) -> None:
        _DECODER.decode(body)
        meter = self._meter
        if meter.on:
            meter.deliveries += 1
            meter.bytes += len(body)
        self._seen += 1
        if self._seen < 4:
            return
        self._seen = 0
        self._turn += 1
        if meter.on:
            meter.times.append(time.perf_counter() - self._sent_at)
        if self._pace:
            asyncio.get_running_loop().call_later(self._pace, self.begin)
        else:
            self.begin()


class Table:
    """Four clients that play whole games at a table."""

    def __init__(self, meter: Meter, pace: float, secrets_: Iterable[str], again: Callable[[], None]) -> None:
        self._meter, self._pace, self._again = meter, pace, again
        self._secrets = list(secrets_)
        self._sockets: list[Socket] = []
        self._nonce = secrets.token_hex(8)
        self._number = 0
        self._counts: dict[int, int] = {}  # version -> readers that have it
        self._sent: dict[str, float] = {}
        self._waiting_since = 0.0
        self._state = Seen()

    async def join(self, port: int) -> None:
        for secret in self._secrets:
            socket = await connect(port, self._text)
            socket.send(f'{{"t":"hello","id":"h","d":{{"seats":["{secret}"]}}}}'.encode())
            self._sockets.append(socket)

    def begin(self) -> None:
        """The seat to act sends."""
        state = self._state
        if state.over:
            self._again()
            return
        move = max(reversed(state.moves), key=lambda text: "skrtx".find(text[0]))
        self._number += 1
        text = f'{{"t":"move","id":"{self._number}","v":{state.v},"d":{{"move":"{move}"'
        if move in ("roll", "r", "w"):
            text += f',"nonce":"{self._nonce}{self._number:08}"'
        self._waiting_since = time.perf_counter()
        self._sockets["ABCD".index(state.seat or "A")].send(f"{text}}}}}".encode())

    def _text(self, socket: Socket, body: bytes) -> None:
        if body.startswith(b'{"t":"state"'):
            self._took(_DECODER.decode(body).d or Seen(), body)
        elif body.startswith(b'{"t":"ok","id":"h"'):
            self._state = _HELLO.decode(body).d.state or Seen()
        elif body.startswith(b'{"t":"error"'):
            self._meter.refused.append(body)

    def _took(self, state: Seen, body: bytes) -> None:
        meter = self._meter
        if meter.on:
            meter.deliveries += 1
            meter.bytes += len(body)
        count = self._counts.get(state.v, 0) + 1
        if count < 4:
            self._counts[state.v] = count
            return
        self._counts.pop(state.v, None)
        self._state = state
        if meter.on and state.v:
            meter.times.append(time.perf_counter() - self._waiting_since)
        if self._pace:
            asyncio.get_running_loop().call_later(self._pace, self.begin)
        else:
            self.begin()
