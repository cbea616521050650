"""Past ASGI to the socket, where uvicorn lets us: ASGI frames every text for every reader anew and costs a coroutine
each; what goes to a whole table is framed once and written here."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol, TypeAlias

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]


class Wire(Protocol):
    """What we use of uvicorn's WebSocket protocol object, which is its own business and may change."""

    transport: asyncio.Transport
    writable: asyncio.Event
    close_sent: bool


def wire_of(send: Send) -> Wire | None:
    """The object behind an ASGI `send`; None where it is not as expected, and then all goes through `send`."""
    found: Any = getattr(send, "__self__", None)
    return found if all(hasattr(found, name) for name in Wire.__annotations__) else None


def cut_off(transport: asyncio.Transport) -> None:
    """End a connection at once; what the kernel still holds for its reader goes too."""
    found = transport.get_extra_info("socket")
    if found is not None and not transport.is_closing():
        found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


def frame_of(body: bytes) -> bytes:
    """A text, as UTF-8, in an unmasked, uncompressed WebSocket frame."""
    size = len(body)
    if size < 126:
        return bytes((0x81, size)) + body
    if size < 65536:
        return b"\x81\x7e" + size.to_bytes(2, "big") + body
    return b"\x81\x7f" + size.to_bytes(8, "big") + body
