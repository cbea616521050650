"""Upkeep: tables that nobody uses are closed, and the games of closed tables become records."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

from pickomino.server.config import Config
from pickomino.server.logs import facts, log
from pickomino.server.recording import record_of
from pickomino.server.registry import DEAD_SECONDS, Registry
from pickomino.server.tasks import reported

AT_ONCE: Final = 100
DAY: Final = 86400.0
FORGET_SECONDS: Final = 3600.0
"""How often it is looked for what has been kept long enough: all rows are gone through for it."""


class Upkeep:
    """Runs now and then. Doing it twice, or in two processes, is harmless."""

    def __init__(self, registry: Registry, config: Config, read_bans: Callable[[], Awaitable[None]]) -> None:
        self._storage = registry.storage
        self._registry = registry
        self._config = config
        self._read_bans = read_bans
        self._forget_at = 0.0

    async def abandon_after_restore(self) -> None:
        """Values of dice chains that were shown after the copy was made are public, and whoever knows the next one
        could try nonces until the dice please. So games that are being played are not played on."""
        now, storage = time.time(), self._storage
        if await storage.was_restored():
            games = [row for game in await storage.running() if (row := await storage.game(game)) is not None]
            # Later ones were started by whoever settled first.
            before = [row for row in games if row.started < now]
            for row in before:
                rows = await storage.entries(row.id)
                record = await asyncio.to_thread(record_of, row, rows, "the database was restored")
                await storage.abandon(row.id, record)
                await self._reread(row.table)
            told = facts(games=len(before))
            log.warning("the database was restored; games in progress are abandoned", extra=told)
        await storage.settle()

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self._config.housekeeping_seconds)
            with reported("upkeep", "upkeep failed"):
                await self.once()

    async def once(self) -> None:
        await self._read_bans()  # another process may have been told of one
        if self._storage.presence is not None:
            await self._storage.presence.forget(time.time() - 5 * DEAD_SECONDS)
            await self.abandon_after_restore()  # a standby may have taken over
        closed = await self._storage.expire(time.time() - self._config.expire_hours * 3600, AT_ONCE)
        for table in closed:
            await self._reread(table)
        archived = 0
        for game in await self._storage.archivable(AT_ONCE):
            row = await self._storage.game(game)
            if row is not None:
                rows = await self._storage.entries(game)
                await self._storage.archive(game, await asyncio.to_thread(record_of, row, rows))
                if (live := self._registry.tables.get(row.table)) is not None:
                    live.game = None
                archived += 1
        forgotten = await self._forget()
        if closed or archived or forgotten:
            log.info("upkeep", extra=facts(closed=len(closed), archived=archived, forgotten=forgotten))

    async def _forget(self) -> int:
        now, config, count = time.time(), self._config, 0
        if time.monotonic() < self._forget_at:
            return 0
        self._forget_at = time.monotonic() + FORGET_SECONDS
        before, bots_before = (
            now - days * DAY if days else 0.0 for days in (config.keep_days, config.keep_bot_games_days)
        )
        while found := await self._storage.forget(before, bots_before, AT_ONCE):
            count += found
        return count

    async def _reread(self, table: str) -> None:
        if (live := self._registry.tables.get(table)) is not None:
            async with live.lock:
                await self._registry.reread(live)
