"""PostgreSQL's group commit: the entries of all tables that wait go in with one statement, one transaction.

A commit waits for the disk, and a statement costs its way there and back, so entries that arrive meanwhile
share the next one; each job still has its own success or failure.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple

import psycopg
from psycopg import errors
from psycopg_pool import AsyncConnectionPool, PoolTimeout, TooManyRequests

from pickomino.server.storage.base import Addition, Conflict, EntryRow, Unavailable, Unsure
from pickomino.server.storage.batches import Batches, resolve
from pickomino.server.storage.rows import entry_values

Pool = AsyncConnectionPool[psycopg.AsyncConnection[Any]]
Connection = psycopg.AsyncConnection[Any]

MAX_BATCH: Final = 512
"""Jobs in one transaction: bounds how long the first of them waits."""
AT_ONCE: Final = 2
"""Transactions under way: one waits for the disk while the next is on its way."""
SECONDS: Final = 10.0
"""How long a transaction may take before it is given up."""

NOT_GIVEN: Final = (PoolTimeout, TooManyRequests)
"""No connection could be had, so nothing was sent."""
AWAY: Final = (psycopg.OperationalError, psycopg.InterfaceError, TimeoutError, OSError)


# Sorted, so that two processes that want the same numbers wait for each other and never in a circle.
_ADD: Final = (
    "INSERT INTO entries (game, seq, at, entry, cid, proof) SELECT * FROM unnest("
    "%s::text[], %s::int[], %s::float8[], %s::text[], %s::text[], %s::text[]) "
    "AS new (game, seq, at, entry, cid, proof) ORDER BY game, seq"
)
# The insertion comes first: PostgreSQL carries out the other parts behind it.
_ADD_AND_NOTE: Final = (
    "WITH noted AS (UPDATE games SET wake = n.wake, finished = COALESCE(n.finished, games.finished), "
    "result = COALESCE(n.result, games.result) "
    "FROM unnest(%s::text[], %s::float8[], %s::float8[], %s::text[]) AS n (id, wake, finished, result) "
    "WHERE games.id = n.id), "
    "ended AS (UPDATE tables SET phase = 'over', rev = rev + 1, used = e.at "
    "FROM unnest(%s::text[], %s::float8[]) AS e (id, at) WHERE tables.id = e.id) "
    f"{_ADD}"
)
_FROM: Final = (
    "SELECT seq, at, entry, cid, proof FROM entries WHERE game = %s AND seq >= %s ORDER BY seq LIMIT %s"
)


def failure_of(error: BaseException) -> type[Unavailable]:
    """Whether a transaction that failed is known to be undone: it is if the database itself said so."""
    return Unavailable if getattr(error, "sqlstate", None) is not None else Unsure


async def drop_dead(pool: Pool) -> None:
    """Connections that are dead go, so that the next try has a good one."""
    with suppress(Exception):
        await pool.check()


class AppendJob(NamedTuple):
    """What one caller appends, all or nothing."""

    future: asyncio.Future[None]
    new: Addition


class Appender:
    """Commits jobs, many to a transaction."""

    def __init__(self, pool: Pool, count: Callable[[int], None]) -> None:
        """`count` receives the number of jobs in each commit."""
        self._pool = pool
        self._count = count
        self._batches = Batches(self._settle, most=MAX_BATCH, at_once=AT_ONCE)

    async def append(self, new: Addition) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._batches.add(AppendJob(future, new))
        await future  # a caller that goes away does not undo the job

    async def close(self) -> None:
        """Everything handed in is finished first."""
        await self._batches.close()

    async def _settle(self, batch: list[AppendJob]) -> None:
        try:
            await self._run(partial(_append, [job.new for job in batch]))
            self._resolve(batch, None)
        except NOT_GIVEN as error:
            self._resolve(batch, Unavailable(str(error)))
        except (errors.UniqueViolation, errors.DeadlockDetected, psycopg.DataError):
            await self._one_by_one(batch, Unavailable)  # somebody was second, or impossible: find out who
        except AWAY as error:
            await drop_dead(self._pool)
            await self._one_by_one(batch, failure_of(error))
        except Exception as error:
            self._resolve(batch, Unavailable(str(error)))

    @staticmethod
    def _resolve(batch: Sequence[AppendJob], answer: Exception | None) -> None:
        for job in batch:
            resolve(job.future, answer)

    async def _one_by_one(self, batch: list[AppendJob], failure: type[Unavailable]) -> None:
        """Once more; `failure`: what is known of the first try."""
        append = _append_or_find if failure is Unsure else _append
        for job in batch:
            try:
                await self._run(partial(append, [job.new]))
                resolve(job.future, None)
            except errors.UniqueViolation as error:
                resolve(job.future, Conflict(str(error)))
            except Exception as error:
                unsure = failure is Unsure or (isinstance(error, AWAY) and failure_of(error) is Unsure)
                resolve(job.future, (Unsure if unsure else Unavailable)(str(error)))

    async def _run(self, work: Callable[[Connection], Awaitable[int]]) -> None:
        async with self._pool.connection() as db, asyncio.timeout(SECONDS):
            stored = await work(db)
        self._count(stored)


async def _append(batch: Sequence[Addition], db: Connection) -> int:
    rows = [values for new in batch for values in entry_values(new)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    noted = [new for new in batch if not new.same_wake or new.finish is not None]
    if not noted:
        await db.execute(_ADD, columns)
        return len(batch)
    notes = [
        [new.game for new in noted],
        [None if new.finish else new.wake for new in noted],
        [new.finish.at if new.finish else None for new in noted],
        [new.finish.result if new.finish else None for new in noted],
        [new.finish.table for new in noted if new.finish],
        [new.finish.at for new in noted if new.finish],
    ]
    await db.execute(_ADD_AND_NOTE, notes + columns)
    return len(batch)


async def _append_or_find(batch: Sequence[Addition], db: Connection) -> int:
    """Append what is one job's, unless just these rows are there already."""
    try:
        return await _append(batch, db)
    except errors.UniqueViolation:
        (new,) = batch
        found = await db.execute(_FROM, (new.game, new.rows[0].seq, len(new.rows)))
        if [EntryRow(*row) for row in await found.fetchall()] == list(new.rows):
            return 0
        raise
