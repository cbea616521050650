"""How long a request may take to arrive: uvicorn bounds its size and the pause before it, not its trickling."""

from __future__ import annotations

import asyncio
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["bounded"]

_TOO_SLOW: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_ARRIVING: Final = (h11.IDLE, h11.SEND_BODY)  # what the client's side is in until its request is whole


def bounded(seconds: float) -> type[H11Protocol]:
    """HTTP/1.1 that gives every request so long, from the connection or its first byte to its last."""

    class Bounded(H11Protocol):
        _patience: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
            super().connection_made(transport)
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop()
            super().connection_lost(exc)

        def _watch(self) -> None:
            became_websocket = self.transport.get_protocol() is not self
            if became_websocket or self.conn.their_state not in _ARRIVING:
                self._stop()
            elif self._patience is None:
                self._patience = self.loop.call_later(seconds, self._give_up)

        def _stop(self) -> None:
            if self._patience is not None:
                self._patience.cancel()
                self._patience = None

        def _give_up(self) -> None:
            if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                self.transport.write(_TOO_SLOW)
            self.transport.close()

    return Bounded
