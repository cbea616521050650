"""SQLite: one file, nothing to install. WAL so that readers never wait, FULL so that commits are on disk."""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from pickomino.server.storage import rows as values_of
from pickomino.server.storage import sql
from pickomino.server.storage.base import (
    Conflict,
    EntryRow,
    Finish,
    GameRow,
    GuestRow,
    Head,
    TableRow,
    Unavailable,
)
from pickomino.server.storage.migrations import pending
from pickomino.server.storage.queries import Queries
from pickomino.server.storage.writer import Writer

__all__ = ["SqliteStorage", "copy_database"]

T = TypeVar("T")

_WORDS: Final = {"CLUSTERED": " WITHOUT ROWID", "BLOB": "BLOB", "FLEETING": ""}
_AMONG: Final = {"AMONG": "IN (SELECT value FROM json_each(?))", "SKIP": ""}
_CLAIM, _HEADS = sql.worded(sql.CLAIM, _AMONG), sql.worded(sql.HEADS, _AMONG)
_UNUSED, _PRESENCE = sql.worded(sql.UNUSED, _AMONG), sql.worded(sql.PRESENCE, _AMONG)


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10.0)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("PRAGMA wal_autocheckpoint=4000")  # pages: about 16 MB of log between checkpoints
    return db


def _migrate(db: sqlite3.Connection) -> None:
    db.execute("BEGIN IMMEDIATE")
    try:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        for number, statements in pending(version, _WORDS):
            for statement in statements:
                db.execute(statement)
            db.execute(f"PRAGMA user_version={number:d}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def copy_database(source: Path, target: Path) -> None:
    """A consistent copy of a database that may be in use. It appears under its name only when it is whole."""
    if not source.is_file():
        raise FileNotFoundError(2, "no such database", str(source))
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    reader, copy = _connect(source), sqlite3.connect(part)
    try:
        reader.backup(copy, pages=1024)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
    finally:
        copy.close()
        reader.close()
    part.replace(target)


@dataclass
class _Open:
    writer: Writer
    reader: sqlite3.Connection
    threads: ThreadPoolExecutor


class SqliteStorage(Queries):
    """The `Storage` of one process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._open: _Open | None = None

    async def open(self) -> None:
        def prepare() -> tuple[sqlite3.Connection, sqlite3.Connection]:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            db = _connect(self._path)
            _migrate(db)
            self._path.chmod(0o600)  # it holds the signing key and the dice secrets
            return db, _connect(self._path)

        reader, writer = await asyncio.to_thread(prepare)
        # One reading thread: reads are short, and a connection must not be used by two threads at once.
        threads = ThreadPoolExecutor(1, thread_name_prefix="sqlite-reader")
        self._open = _Open(Writer(writer), reader, threads)

    async def close(self) -> None:
        if self._open is not None:
            opened, self._open = self._open, None
            await opened.writer.close()
            opened.threads.shutdown()
            opened.reader.close()

    @property
    def _parts(self) -> _Open:
        if self._open is None:
            raise Unavailable("the database is closed")
        return self._open

    @property
    def shared(self) -> bool:
        return False  # one process; a second one on the same file would not notice the first one's moves

    @property
    def commits(self) -> int:
        return self._parts.writer.commits

    @property
    def jobs(self) -> int:
        return self._parts.writer.jobs

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        parts = self._parts
        try:
            return await asyncio.get_running_loop().run_in_executor(parts.threads, work, parts.reader)
        except sqlite3.Error as error:
            raise Unavailable(str(error)) from None

    async def _all(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        return await self._read(lambda db: db.execute(statement, values).fetchall())

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self._parts.writer.do(work)  # type: ignore[return-value]  # there is work, so its result

    async def ping(self) -> None:
        await self._write(lambda db: db.execute("SELECT 1").fetchone())

    async def secret(self) -> bytes:
        def get(db: sqlite3.Connection) -> bytes:
            db.execute(sql.NEW_KEY, (secrets.token_hex(32),))
            return bytes.fromhex(db.execute(sql.KEY).fetchone()[0])

        return await self._write(get)

    # --- guests ---

    async def add_guest(self, guest: GuestRow) -> None:
        await self._write(lambda db: db.execute(sql.ADD_GUEST, (guest.id, guest.name, guest.created)))

    async def rename_guest(self, guest: str, name: str) -> None:
        await self._write(lambda db: db.execute(sql.RENAME_GUEST, (name, guest)))

    # --- tables ---

    async def add_table(self, table: TableRow) -> None:
        def add(db: sqlite3.Connection) -> None:
            db.execute(sql.ADD_TABLE, values_of.table_values(table))
            db.executemany(sql.PUT_SEAT, values_of.seat_values(table))

        await self._write(add)

    async def save_table(self, table: TableRow, game: GameRow | None = None) -> None:
        def save(db: sqlite3.Connection) -> None:
            values = (*values_of.changed_values(table), table.id, table.rev - 1)
            if db.execute(sql.SAVE_TABLE, values).rowcount != 1:
                raise Conflict(f"table {table.id} is not at rev {table.rev - 1}")
            db.executemany(sql.PUT_SEAT, values_of.seat_values(table))
            if game is not None:
                db.execute(sql.ADD_GAME, values_of.game_values(game))
                db.executemany(sql.ADD_PLAYER, values_of.player_values(game))

        await self._write(save)

    # --- games ---

    async def entries(self, game: str, after: int = 0) -> list[EntryRow]:
        return [EntryRow(*row) for row in await self._all(sql.ENTRIES, (game, after))]

    async def append(
        self,
        game: str,
        rows: Sequence[EntryRow],
        wake: float | None,
        finish: Finish | None = None,
        *,
        same_wake: bool = False,
    ) -> None:
        values = [(game, row.seq, row.at, row.entry, row.cid, row.proof) for row in rows]

        def note(db: sqlite3.Connection) -> None:
            db.execute("UPDATE games SET wake = ? WHERE id = ?", (wake, game))
            if finish is not None:
                db.execute(
                    "UPDATE games SET finished = ?, result = ?, wake = NULL WHERE id = ?",
                    (finish.at, finish.result, game),
                )
                db.execute(
                    "UPDATE tables SET phase = 'over', rev = rev + 1, used = ? WHERE id = ?",
                    (finish.at, finish.table),
                )

        await self._parts.writer.do(None if same_wake and finish is None else note, values)

    async def claim(self, before: float, until: float, limit: int) -> list[tuple[str, str]]:
        return await self._write(lambda db: db.execute(_CLAIM, (until, before, limit)).fetchall())

    async def heads(self, tables: Sequence[str]) -> list[Head]:
        return [Head(*row) for row in await self._all(_HEADS, (_list(tables),))]

    # --- upkeep ---

    async def expire(self, unused_since: float, limit: int) -> list[str]:
        def close(db: sqlite3.Connection) -> list[str]:
            found = db.execute(_UNUSED, (unused_since, unused_since, limit)).fetchall()
            for row in found:
                db.execute(sql.CLOSE_TABLE, row)
                db.execute(sql.NO_WAKE, row)
            return [row[0] for row in found]

        return await self._write(close)

    async def archive(self, game: str, record: str | None) -> None:
        def put(db: sqlite3.Connection) -> None:
            db.execute(sql.ARCHIVE, (record, game))
            db.execute(sql.DROP_ENTRIES, (game,))

        await self._write(put)

    # --- who is there ---

    async def heard(self, process: str, at: float) -> bool:
        def note(db: sqlite3.Connection) -> bool:
            known = db.execute(sql.HEARD_OF, (at, process)).rowcount == 1
            if not known:
                db.execute(sql.HEARD_ANEW, (at, process))
            return known

        return await self._write(note)

    async def note_presence(self, process: str, seats: Mapping[str, Collection[int] | None]) -> None:
        def note(db: sqlite3.Connection) -> None:
            for table, there in seats.items():
                if there is None:
                    db.execute(sql.NOTE_GONE, (table, process))
                else:
                    db.execute(sql.NOTE_HERE, (table, process, values_of.seats_text(there)))

        await self._write(note)

    async def presence(
        self, tables: Sequence[str], besides: str, heard_since: float
    ) -> dict[str, frozenset[int]]:
        return values_of.seats_of(await self._all(_PRESENCE, (besides, heard_since, _list(tables))))

    async def forget_processes(self, heard_before: float) -> int:
        def forget(db: sqlite3.Connection) -> int:
            gone = db.execute(sql.FORGET_PROCESSES, (heard_before,)).rowcount
            db.execute(sql.FORGET_PRESENCE)
            return gone

        return await self._write(forget)


def _list(values: Sequence[str]) -> str:
    return msgspec.json.encode(list(values)).decode()
