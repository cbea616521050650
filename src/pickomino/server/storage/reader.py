"""PostgreSQL's group reading: logs that are asked for while a statement is on its way share the next one.

Every move is read by each other process that has players at its table, so what a statement costs counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple

from pickomino.server.storage.base import EntryRow
from pickomino.server.storage.batches import Batches, resolve

AT_ONCE: Final = 2
MAX_BATCH: Final = 256

_READ: Final = (
    "SELECT asked.n, e.seq, e.at, e.entry, e.cid, e.proof "
    "FROM unnest(?::int[], ?::text[], ?::int[]) AS asked (n, game, after) "
    "JOIN entries e ON e.game = asked.game AND e.seq > asked.after ORDER BY asked.n, e.seq"
)


class ReadJob(NamedTuple):
    future: asyncio.Future[list[EntryRow]]
    game: str
    after: int


class Reader:
    """Reads logs from a version on, many to a statement."""

    def __init__(self, read: Callable[..., Awaitable[list[Any]]]) -> None:
        self._read = read
        self._batches = Batches(self._settle, most=MAX_BATCH, at_once=AT_ONCE)

    async def entries(self, game: str, after: int) -> list[EntryRow]:
        asked = ReadJob(asyncio.get_running_loop().create_future(), game, after)
        self._batches.add(asked)
        return await asked.future

    async def _settle(self, batch: list[ReadJob]) -> None:
        try:
            found: Sequence[object] = await self._together(batch)
        except Exception as error:
            found = [error] * len(batch)
        for asked, answer in zip(batch, found, strict=True):
            resolve(asked.future, answer)

    async def _together(self, batch: Sequence[ReadJob]) -> list[list[EntryRow]]:
        values = [
            list(range(len(batch))),
            [asked.game for asked in batch],
            [asked.after for asked in batch],
        ]
        found: list[list[EntryRow]] = [[] for _ in batch]
        for number, *row in await self._read(_READ, *values):
            found[number].append(EntryRow(*row))
        return found
