"""The bus over a real Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pickomino.server.redis_bus import RedisBus
from tests.server.engines import Redis


class Hearer:
    """Makes a mistake with the first text that it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.joins = 0

    def hinted(self, table: str, text: bytes) -> None:
        self.heard.append((table, text))
        if len(self.heard) == 1:
            raise AttributeError("a mistake")

    def joined(self, table: str) -> None:
        assert table == "one"
        self.joins += 1


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.01)


def test_whatever_fails_the_bus_comes_back(redis: Redis) -> None:
    async def try_it() -> Hearer:
        bus, hearer = RedisBus(redis.url), Hearer()
        await bus.start(hearer)
        bus.follow("one")
        await _until(lambda: hearer.joins == 1)
        bus.send("one", b"first")
        await _until(lambda: hearer.joins == 2)  # it is a new connection
        assert bus.up
        bus.send("one", b"second")
        await _until(lambda: len(hearer.heard) == 2)
        await bus.stop()
        return hearer

    assert asyncio.run(try_it()).heard == [("one", b"first"), ("one", b"second")]
