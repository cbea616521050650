"""Upkeep: tables that nobody uses are closed, and the games of closed tables become records."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from pickomino.server.live import record_of
from pickomino.server.logs import facts, log
from pickomino.server.registry import DEAD_SECONDS, Registry
from pickomino.server.storage.base import Unavailable
from pickomino.server.storage.engine import Storage

__all__ = ["Upkeep"]

AT_ONCE: Final = 100


class Upkeep:
    """Runs now and then. Doing it twice, or in two processes, is harmless."""

    def __init__(self, storage: Storage, registry: Registry, expire_hours: float, every: float) -> None:
        self._storage = storage
        self._registry = registry
        self._expire_seconds = expire_hours * 3600
        self._every = every

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            try:
                await self.once()
            except Unavailable:
                log.warning("the database does not answer", extra=facts(what="upkeep"))
            except Exception:
                log.exception("upkeep failed")

    async def once(self) -> None:
        if self._storage.presence is not None:
            await self._storage.presence.forget(time.time() - 5 * DEAD_SECONDS)
        closed = await self._storage.expire(time.time() - self._expire_seconds, AT_ONCE)
        for table in closed:
            live = self._registry.tables.get(table)
            if live is not None:
                async with live.lock:
                    await self._registry.reread(live)
        archived = 0
        for game in await self._storage.archivable(AT_ONCE):
            row = await self._storage.game(game)
            if row is not None:
                rows = await self._storage.entries(game)
                await self._storage.archive(game, await asyncio.to_thread(record_of, row, rows))
                archived += 1
        if closed or archived:
            log.info("upkeep", extra=facts(closed=len(closed), archived=archived))
