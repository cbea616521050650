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

from pickomino.server.storage.base import Conflict, EntryRow, Finish, Unavailable, Unsure
from pickomino.server.storage.batches import Batches

__all__ = ["AWAY", "NOT_GIVEN", "SECONDS", "Appender", "Connection", "Pool", "failure_of"]

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


def failure_of(error: BaseException) -> type[Unavailable]:
    """Whether a transaction that failed is known to be undone: it is if the database itself said so."""
    return Unavailable if getattr(error, "sqlstate", None) is not None else Unsure


class _Job(NamedTuple):
    """What one caller appends, all or nothing."""

    future: asyncio.Future[None]
    game: str
    rows: Sequence[EntryRow]
    wake: float | None
    finish: Finish | None
    same_wake: bool

    @property
    def noted(self) -> bool:
        return not self.same_wake or self.finish is not None


class Appender:
    """Commits jobs, many to a transaction."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._batches = Batches(self._settle, most=MAX_BATCH, at_once=AT_ONCE)
        self.commits = 0
        self.jobs = 0

    async def append(
        self, game: str, rows: Sequence[EntryRow], wake: float | None, finish: Finish | None, same_wake: bool
    ) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._batches.add(_Job(future, game, rows, wake, finish, same_wake))
        await future  # a caller that goes away does not undo the job

    async def close(self) -> None:
        """Everything handed in is finished first."""
        await self._batches.close()

    async def _settle(self, batch: list[_Job]) -> None:
        try:
            await self._run(lambda db: _append(db, batch))
            _resolve(batch, None)
        except NOT_GIVEN as error:
            _resolve(batch, Unavailable(str(error)))
        except (errors.UniqueViolation, errors.DeadlockDetected):
            await self._one_by_one(batch, Unavailable)  # somebody was second: find out who
        except AWAY as error:
            with suppress(Exception):
                await (
                    self._pool.check()
                )  # drops connections that are dead, so that the next try has a good one
            await self._one_by_one(batch, failure_of(error))
        except Exception as error:
            _resolve(batch, Unavailable(str(error)))

    async def _one_by_one(self, batch: list[_Job], failure: type[Unavailable]) -> None:
        """Once more; `failure`: what is known of the first try."""
        append = _append_or_find if failure is Unsure else _append_one
        for job in batch:
            try:
                await self._run(partial(append, job))
                _resolve([job], None)
            except errors.UniqueViolation as error:
                _resolve([job], Conflict(str(error)))
            except Exception as error:
                unsure = failure is Unsure or (isinstance(error, AWAY) and failure_of(error) is Unsure)
                _resolve([job], (Unsure if unsure else Unavailable)(str(error)))

    async def _run(self, work: Callable[[Connection], Awaitable[int]]) -> None:
        async with self._pool.connection() as db, asyncio.timeout(SECONDS):
            stored = await work(db)
        self.jobs += stored
        self.commits += 1


async def _append(db: Connection, batch: Sequence[_Job]) -> int:
    rows = [(job.game, row.seq, row.at, row.entry, row.cid, row.proof) for job in batch for row in job.rows]
    columns = [list(column) for column in zip(*rows, strict=True)]
    noted = [job for job in batch if job.noted]
    if not noted:
        await db.execute(_ADD, columns)
        return len(batch)
    notes = [
        [job.game for job in noted],
        [None if job.finish else job.wake for job in noted],
        [job.finish.at if job.finish else None for job in noted],
        [job.finish.result if job.finish else None for job in noted],
        [job.finish.table for job in noted if job.finish],
        [job.finish.at for job in noted if job.finish],
    ]
    await db.execute(_ADD_AND_NOTE, notes + columns)
    return len(batch)


async def _append_one(job: _Job, db: Connection) -> int:
    return await _append(db, [job])


async def _append_or_find(job: _Job, db: Connection) -> int:
    """Append, unless just these rows are there already."""
    try:
        return await _append(db, [job])
    except errors.UniqueViolation:
        first = job.rows[0].seq
        found = await db.execute(
            "SELECT seq, at, entry, cid, proof FROM entries WHERE game = %s AND seq >= %s ORDER BY seq LIMIT %s",
            (job.game, first, len(job.rows)),
        )
        if [EntryRow(*row) for row in await found.fetchall()] == list(job.rows):
            return 0
        raise


def _resolve(batch: Sequence[_Job], error: Exception | None) -> None:
    for job in batch:
        if job.future.done():
            continue
        if error is None:
            job.future.set_result(None)
        else:
            job.future.set_exception(error)
