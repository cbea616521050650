"""SQLite's one writer: a thread that commits whatever has piled up while it was committing (group commit).

A commit with synchronous=FULL waits for the disk, so one commit a move would let tables wait for each other's
disk writes. Jobs of one turn of the event loop are handed over together, and what arrives during a commit shares
the next one; each job still has its own success or failure.

Log entries, the hot path, go in with one statement for all of a batch: each SQL call gives up Python's lock
and must win it back from a busy event loop, so calls cost more than rows.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from pickomino.rules import said
from pickomino.server.logs import facts, log
from pickomino.server.storage.base import Conflict, Unavailable
from pickomino.server.storage.batches import resolve

T = TypeVar("T")
Row = tuple[str, int, float, str, str | None, str | None]
"""A row of `entries`: game, seq, at, entry, cid, proof."""

MAX_BATCH: Final = 512
"""Jobs in one transaction beyond which no more are added: bounds how long the first of them waits."""

_BULK: Final = "INSERT INTO entries SELECT {} FROM json_each(?)".format(
    ", ".join(f"json_extract(value, '$[{column}]')" for column in range(6))
)


class WriteJob(NamedTuple):
    """What one caller changes, all or nothing."""

    future: asyncio.Future[Any]
    rows: Sequence[Row]  # entries to append, all or none
    work: Callable[[sqlite3.Connection], Any] | None  # what else there is to do


class Writer:
    """Runs jobs on one connection, many to a commit."""

    def __init__(self, db: sqlite3.Connection, count: Callable[[int], None]) -> None:
        """`count` receives the number of jobs in each commit."""
        self._db = db
        self._count = count
        self._loop = asyncio.get_running_loop()
        self._gathered: list[WriteJob] = []  # in this turn of the event loop
        self._batches: SimpleQueue[list[WriteJob] | None] = SimpleQueue()  # None: no more to come
        self._stopping = False
        self._failing = False
        self._thread = threading.Thread(target=self._run, name="sqlite-writer", daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[sqlite3.Connection], T] | None, rows: Sequence[Row] = ()) -> T | None:
        """Append entries and do the work, in one transaction; gives the work's result once it is durable."""
        future: asyncio.Future[T | None] = self._loop.create_future()
        if self._stopping:
            raise Unavailable("the database is closed")
        if not self._gathered:
            self._loop.call_soon(self._hand_over)
        self._gathered.append(WriteJob(future, rows, work))
        return await future  # a caller that goes away does not undo the job

    def _hand_over(self) -> None:
        self._batches.put(self._gathered)
        self._gathered = []

    async def close(self) -> None:
        """Everything handed in is finished first."""
        self._stopping = True
        self._hand_over()
        self._batches.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while (batch := self._batches.get()) is not None:
            while len(batch) < MAX_BATCH and not self._batches.empty():
                more = self._batches.get()
                if more is None:
                    self._batches.put(None)  # for the loop above
                    break
                batch += more
            if not batch:
                continue
            answers = self._commit(batch)
            if self._failing and not all(isinstance(answer, Unavailable) for answer in answers):
                self._failing = False
                log.info(said("the database can be written to again"))
            self._count(len(batch))
            self._loop.call_soon_threadsafe(_resolve, batch, answers)
        self._db.close()

    def _commit(self, batch: list[WriteJob]) -> list[Any]:
        db = self._db
        try:
            if all(job.work is None for job in batch):
                try:
                    self._append(batch)  # a statement on its own is a transaction
                    return [None] * len(batch)
                except sqlite3.IntegrityError:
                    pass  # somebody was second: one by one, to find out who
            db.execute("BEGIN IMMEDIATE")
            answers = [self._one(job) for job in batch]
            db.execute("COMMIT")
            return answers
        except Exception as error:  # disk full, locked, I/O: nobody in this batch was written
            if db.in_transaction:
                db.execute("ROLLBACK")
            if not self._failing:  # logged once, not with every batch
                log.error(said("the database cannot be written to"), extra=facts(reason=str(error)))
            self._failing = True
            return [Unavailable(str(error))] * len(batch)

    def _append(self, jobs: Sequence[WriteJob]) -> None:
        rows = [row for job in jobs for row in job.rows]
        if rows:
            self._db.execute(_BULK, (msgspec.json.encode(rows).decode(),))

    def _one(self, job: WriteJob) -> Any:
        self._db.execute("SAVEPOINT job")
        try:
            self._append((job,))
            answer = None if job.work is None else job.work(self._db)
        except (Conflict, sqlite3.IntegrityError) as error:
            answer = error if isinstance(error, Conflict) else Conflict(str(error))
            self._db.execute("ROLLBACK TO job")
        self._db.execute("RELEASE job")
        return answer


def _resolve(batch: list[WriteJob], answers: list[Any]) -> None:
    for job, answer in zip(batch, answers, strict=True):
        resolve(job.future, answer)
