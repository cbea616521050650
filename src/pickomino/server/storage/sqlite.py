"""SQLite: one file, nothing to install. WAL so that readers never wait, FULL so that commits are on disk."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from pickomino.files import replacing
from pickomino.server.storage import rows as values_of
from pickomino.server.storage import sql
from pickomino.server.storage.base import Addition, Unavailable
from pickomino.server.storage.engine import Found, Storage, Work, ask, demand_open, note
from pickomino.server.storage.files import beside, lock, make_private
from pickomino.server.storage.migrations import pending
from pickomino.server.storage.writer import Writer
from pickomino.server.tokens import new_id

T = TypeVar("T")

_WORDS: Final = {
    "CLUSTERED": " WITHOUT ROWID",
    "BLOB": "BLOB",
    "FLEETING": "",
    "AMONG": "IN (SELECT value FROM json_each(?))",
    "SKIP": "",
}


@cache
def _own(statement: str) -> str:
    return sql.worded(statement, _WORDS)


def connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10.0)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("PRAGMA secure_delete=ON")  # what is deleted on request is overwritten
    db.execute("PRAGMA wal_autocheckpoint=4000")  # pages: about 16 MB of log between checkpoints
    return db


def _migrate(db: sqlite3.Connection) -> None:
    db.execute("BEGIN IMMEDIATE")
    try:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        for number, statements in pending(version):
            for statement in statements:
                db.execute(_own(statement))
            db.execute(f"PRAGMA user_version={number:d}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


class SqliteParts(NamedTuple):
    """Of an open database."""

    writer: Writer
    reader: sqlite3.Connection
    threads: ThreadPoolExecutor
    lock: int


class SqliteStorage(Storage):
    """The `Storage` of one process: a second one on the same file would not notice the first one's moves."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._opened: SqliteParts | None = None
        self._path = path
        self._place = beside(path, ".place")

    @property
    def _parts(self) -> SqliteParts:
        return demand_open(self._opened)

    def beside(self, suffix: str) -> Path:
        return beside(self._path, suffix)

    async def open(self) -> None:
        try:
            held, reader, writer = await asyncio.to_thread(self._prepare)
        except (OSError, sqlite3.Error, RuntimeError) as error:
            raise RuntimeError(f"database {str(self._path)!r}: {error}") from None
        # One reading thread: reads are short, and a connection must not be used by two threads at once.
        threads = ThreadPoolExecutor(1, thread_name_prefix="sqlite-reader")
        self._opened = SqliteParts(Writer(writer, self._count), reader, threads, held)

    def _prepare(self) -> tuple[int, sqlite3.Connection, sqlite3.Connection]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        held = lock(self._path)
        try:
            make_private(self._path)
            db = connect(self._path)
            _migrate(db)
            return held, db, connect(self._path)
        except BaseException:
            os.close(held)
            raise

    async def close(self) -> None:
        if self._opened is not None:
            parts, self._opened = self._opened, None
            await parts.writer.close()
            parts.threads.shutdown()
            parts.reader.close()
            os.close(parts.lock)

    async def was_restored(self) -> bool:
        """A name that changes with every start stands in the rows and in a file beside them."""
        found = [row[0] for row in await self.read(sql.PLACE)]
        known = self._place.read_text().split() if self._place.exists() else []
        return found != known and not (found and found[0] in known)

    async def settle(self) -> None:
        """While the name changes, the file has both: a crash in between is no restore."""
        old, new = await self.read(sql.PLACE), new_id()
        self._write_place(" ".join([new, *(row[0] for row in old)]))
        await self.write(ask(sql.PUT_META, "place", new))
        self._write_place(new)

    def _write_place(self, text: str) -> None:
        with replacing(self._place, mode=0o600) as file:
            file.write(text.encode())

    async def read(self, statement: str, *values: Any) -> list[Any]:
        parts = self._parts

        def look() -> list[Any]:
            return parts.reader.execute(_own(statement), values).fetchall()

        try:
            return await asyncio.get_running_loop().run_in_executor(parts.threads, look)
        except sqlite3.Error as error:
            raise Unavailable(str(error)) from None

    async def write(self, work: Work[T]) -> T:
        return await self._parts.writer.do(partial(_run, work))  # type: ignore[return-value]  # there is work

    def listed(self, texts: Sequence[str]) -> str:
        return msgspec.json.encode(list(texts)).decode()

    async def append(self, new: Addition) -> None:
        work = None if new.same_wake and new.finish is None else partial(_run, note(new))
        await self._parts.writer.do(work, values_of.entry_values(new))


def _run(work: Work[T], db: sqlite3.Connection) -> T:
    found = None
    try:
        while True:
            statement, values = work.send(found)  # type: ignore[arg-type]  # None begins it
            if isinstance(values, list):
                db.executemany(_own(statement), values)
                found = Found(0, [])
            else:
                cursor = db.execute(_own(statement), values)
                rows = cursor.fetchall()
                found = Found(cursor.rowcount, rows)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]  # what a generator returns is not typed here
