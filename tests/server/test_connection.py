"""A connection by itself, over a wire that the test holds."""

from __future__ import annotations

import asyncio

from pickomino.server.connection import Connection
from pickomino.server.limits import Bucket, Rate
from pickomino.server.wire import Message, frame_of, wire_of


class Transport:
    """As much of a transport as a connection touches; writing to one that is closing raises, as uvloop does."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.closing = False

    def is_closing(self) -> bool:
        return self.closing

    def write(self, data: bytes) -> None:
        if self.closing:
            raise RuntimeError("unable to perform operation; the handler is closed")
        self.written.append(data)


class Wire:
    """uvicorn's protocol object, in outline."""

    def __init__(self) -> None:
        self.transport = Transport()
        self.writable = asyncio.Event()
        self.writable.set()
        self.close_sent = False

    async def send(self, message: Message) -> None:
        raise AssertionError("what is written straight to the wire is not sent through ASGI")


def connection(wire: Wire) -> Connection:
    return Connection(wire.send, "127.0.0.1", Bucket(Rate(10, 10), 0), Bucket(Rate(10, 10), 0))


def test_a_state_goes_straight_to_the_wire() -> None:
    async def run() -> None:
        wire = Wire()
        connection(wire).push(b"hello", state=True)
        await asyncio.sleep(0)
        assert b"".join(wire.transport.written) == frame_of(b"hello")

    asyncio.run(run())


def test_a_state_for_someone_who_has_just_gone_is_dropped() -> None:
    async def run() -> None:
        wire = Wire()
        there = connection(wire)
        wire.transport.closing = True
        there.push(b"hello", state=True)
        await asyncio.sleep(0)
        assert wire.transport.written == []

    asyncio.run(run())


class OtherWire:
    """A protocol object of some later uvicorn: what was `writable` has another name."""

    def __init__(self) -> None:
        self.transport = Transport()
        self.can_write = asyncio.Event()
        self.close_sent = False
        self.sent: list[Message] = []

    async def send(self, message: Message) -> None:
        self.sent.append(message)


def test_where_the_wire_is_not_as_expected_everything_goes_through_asgi() -> None:
    async def run() -> None:
        wire = OtherWire()
        assert wire_of(wire.send) is None
        there = Connection(wire.send, "127.0.0.1", Bucket(Rate(10, 10), 0), Bucket(Rate(10, 10), 0))
        there.push(b"one", state=True, frame=frame_of(b"one"))
        there.push(b"two")
        await there.close(1000, b"three")
        assert [message.get("text", message["type"]) for message in wire.sent] == [
            "one",
            "two",
            "three",
            "websocket.close",
        ]
        assert wire.transport.written == []

    asyncio.run(run())
