"""SQLite's one writer: a thread that commits whatever has piled up while it was committing (group commit).

A commit with synchronous=FULL waits for the disk, so one commit a move would let tables wait for each other's
disk writes. Jobs that arrive meanwhile share the next one; each still has its own success or failure.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

from pickomino.server.storage.base import Conflict, Unavailable

__all__ = ["Writer"]

T = TypeVar("T")

MAX_BATCH: Final = 512
"""Jobs in one transaction: bounds how long the first of them waits."""


class _Job(NamedTuple):
    work: Callable[[sqlite3.Connection], Any]
    future: asyncio.Future[Any]
    alone: bool  # one statement can fail, and it is the first: needs no savepoint


class Writer:
    """Runs jobs on one connection, in order, many to a commit."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._loop = asyncio.get_running_loop()
        self._jobs: deque[_Job] = deque()
        self._ready = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="sqlite-writer", daemon=True)
        self.commits = 0
        self.jobs = 0
        self._thread.start()

    async def do(self, work: Callable[[sqlite3.Connection], T], *, alone: bool = False) -> T:
        """The job's result once it is durable."""
        future: asyncio.Future[T] = self._loop.create_future()
        with self._ready:
            if self._stopping:
                raise Unavailable("the database is closed")
            self._jobs.append(_Job(work, future, alone))
            self._ready.notify()
        # A caller that goes away does not undo the job, and must not cancel the batch's future.
        return await asyncio.shield(future)

    async def close(self) -> None:
        """Everything handed in is finished first."""
        with self._ready:
            self._stopping = True
            self._ready.notify()
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        db = self._db
        while True:
            with self._ready:
                while not self._jobs and not self._stopping:
                    self._ready.wait()
                if not self._jobs:
                    break
                batch = [self._jobs.popleft() for _ in range(min(len(self._jobs), MAX_BATCH))]
            outcomes = self._commit(db, batch)
            self.commits += 1
            self.jobs += len(batch)
            self._loop.call_soon_threadsafe(_resolve, batch, outcomes)
        db.close()

    def _commit(self, db: sqlite3.Connection, batch: list[_Job]) -> list[Any]:
        try:
            db.execute("BEGIN IMMEDIATE")
            outcomes = [self._one(db, job) for job in batch]
            db.execute("COMMIT")
            return outcomes
        except (
            sqlite3.Error
        ) as error:  # disk full, locked by a stranger, I/O: nobody in this batch was written
            if db.in_transaction:
                db.execute("ROLLBACK")
            return [Unavailable(str(error))] * len(batch)

    @staticmethod
    def _one(db: sqlite3.Connection, job: _Job) -> Any:
        if not job.alone:
            db.execute("SAVEPOINT job")
        try:
            outcome = job.work(db)
        except (Conflict, sqlite3.IntegrityError) as error:
            outcome = error if isinstance(error, Conflict) else Conflict(str(error))
            if not job.alone:
                db.execute("ROLLBACK TO job")
        if not job.alone:
            db.execute("RELEASE job")
        return outcome


def _resolve(batch: list[_Job], outcomes: list[Any]) -> None:
    for job, outcome in zip(batch, outcomes, strict=True):
        if job.future.done():
            continue
        if isinstance(outcome, Exception):
            job.future.set_exception(outcome)
        else:
            job.future.set_result(outcome)
