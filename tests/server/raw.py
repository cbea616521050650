"""A WebSocket by hand: frames that no client library would send, at whatever pace."""

from __future__ import annotations

import base64
import json
import os
import socket
import threading
from contextlib import suppress
from typing import Any

from tests.server.parts import ServerProcess

CONT, TEXT, PING = 0x0, 0x1, 0x9


def frame(opcode: int, data: bytes = b"", *, fin: bool = True) -> bytes:
    """A client's frame: masked, with a mask that changes nothing."""
    assert len(data) < 65536
    head = bytes([(0x80 if fin else 0) | opcode])
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    return head + size + bytes(4) + data


def open_socket(server: ServerProcess, receive_buffer: int = 0) -> socket.socket:
    """A socket whose handshake is done; with a small buffer it takes next to nothing without being read."""
    raw = socket.socket()
    raw.settimeout(20)
    if receive_buffer:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    raw.connect(("127.0.0.1", server.port))
    key = base64.b64encode(os.urandom(16)).decode()
    raw.sendall(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += raw.recv(1)
    assert b" 101 " in answer.partition(b"\r\n")[0]
    return raw


def message(value: Any) -> bytes:
    return frame(TEXT, json.dumps(value).encode())


FLOOD = 32_000_000  # bytes: more than the buffers on the way hold


def is_cut_off(raw: socket.socket, data: bytes, *, reads: bool = False) -> bool:
    """Send a flood, reading the answers or not: does the server end it before all has been taken?"""

    def read() -> None:
        with suppress(OSError):
            while raw.recv(65536):
                pass

    if reads:
        threading.Thread(target=read, daemon=True).start()
    try:
        for _ in range(FLOOD // len(data)):
            raw.sendall(data)
    except (ConnectionError, BrokenPipeError):
        return True
    return False
