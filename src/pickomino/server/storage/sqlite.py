"""SQLite: one file, nothing to install. WAL so that readers never wait, FULL so that commits are on disk."""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pickomino.server.storage import rows
from pickomino.server.storage.base import (
    Conflict,
    EntryRow,
    Finish,
    GameRow,
    GuestRow,
    TableRow,
    Unavailable,
)
from pickomino.server.storage.migrations import migrate
from pickomino.server.storage.writer import Writer

__all__ = ["SqliteStorage", "copy_database"]

T = TypeVar("T")

_WORDS = {"CLUSTERED": " WITHOUT ROWID", "BLOB": "BLOB"}


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
        migrate(version, db.execute, lambda done: db.execute(f"PRAGMA user_version={done:d}"), _WORDS)
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


class SqliteStorage:
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

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self._parts.writer.do(work)  # type: ignore[return-value]  # there is work, so its result

    async def ping(self) -> None:
        await self._write(lambda db: db.execute("SELECT 1").fetchone())

    async def secret(self) -> bytes:
        def get(db: sqlite3.Connection) -> bytes:
            db.execute("INSERT OR IGNORE INTO meta VALUES ('secret', ?)", (secrets.token_hex(32),))
            return bytes.fromhex(db.execute("SELECT value FROM meta WHERE name = 'secret'").fetchone()[0])

        return await self._write(get)

    # --- guests ---

    async def add_guest(self, guest: GuestRow) -> None:
        await self._write(
            lambda db: db.execute(
                "INSERT INTO guests VALUES (?, ?, ?)", (guest.id, guest.name, guest.created)
            )
        )

    async def guest(self, guest: str) -> GuestRow | None:
        found = await self._read(
            lambda db: db.execute("SELECT id, name, created FROM guests WHERE id = ?", (guest,)).fetchone()
        )
        return GuestRow(*found) if found else None

    async def rename_guest(self, guest: str, name: str) -> None:
        await self._write(lambda db: db.execute("UPDATE guests SET name = ? WHERE id = ?", (name, guest)))

    # --- tables ---

    async def add_table(self, table: TableRow) -> None:
        await self._write(lambda db: rows.put_table(db, table))

    async def table(self, table: str) -> TableRow | None:
        found = await self._read(lambda db: rows.tables(db, "id = ?", (table,)))
        return found[0] if found else None

    async def table_of_code(self, code: str) -> str | None:
        found = await self._read(
            lambda db: db.execute(
                "SELECT id FROM tables WHERE code = ? AND phase <> 'closed'", (code,)
            ).fetchone()
        )
        return str(found[0]) if found else None

    async def save_table(self, table: TableRow, game: GameRow | None = None) -> None:
        def save(db: sqlite3.Connection) -> None:
            changed = db.execute(
                "UPDATE tables SET phase = ?, host = ?, game = ?, games = ?, rev = ?, used = ? "
                "WHERE id = ? AND rev = ?",
                (*rows.changeable(table), table.id, table.rev - 1),
            )
            if changed.rowcount != 1:
                raise Conflict(f"table {table.id} is not at rev {table.rev - 1}")
            rows.put_seats(db, table)
            if game is not None:
                rows.put_game(db, game)

        await self._write(save)

    async def lobby(self, limit: int) -> list[TableRow]:
        where = "public = 1 AND phase IN ('open', 'playing') ORDER BY created DESC LIMIT ?"
        return await self._read(lambda db: rows.tables(db, where, (limit,)))

    async def tables_of(self, guest: str, limit: int) -> list[TableRow]:
        where = (
            "phase <> 'closed' AND (host = ? OR id IN (SELECT tbl FROM seats WHERE guest = ?)) "
            "ORDER BY used DESC LIMIT ?"
        )
        return await self._read(lambda db: rows.tables(db, where, (guest, guest, limit)))

    # --- games ---

    async def game(self, game: str) -> GameRow | None:
        found = await self._read(lambda db: rows.games(db, "id = ?", (game,)))
        return found[0] if found else None

    async def entries(self, game: str, after: int = 0) -> list[EntryRow]:
        found = await self._read(
            lambda db: db.execute(
                "SELECT seq, at, entry, cid, proof FROM entries WHERE game = ? AND seq > ? ORDER BY seq",
                (game, after),
            ).fetchall()
        )
        return [EntryRow(*row) for row in found]

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

    async def waking(self, before: float, limit: int) -> list[tuple[str, str, float]]:
        return await self._read(
            lambda db: db.execute(
                "SELECT tbl, id, wake FROM games WHERE wake IS NOT NULL AND wake <= ? ORDER BY wake LIMIT ?",
                (before, limit),
            ).fetchall()
        )

    async def history(self, guest: str, before: float, limit: int) -> list[GameRow]:
        where = (
            "id IN (SELECT DISTINCT game FROM players WHERE guest = ? AND started < ? "
            "ORDER BY started DESC LIMIT ?) ORDER BY started DESC"
        )
        return await self._read(lambda db: rows.games(db, where, (guest, before, limit)))

    # --- upkeep ---

    async def expire(self, unused_since: float, limit: int) -> list[str]:
        def close(db: sqlite3.Connection) -> list[str]:
            # A game that is being played keeps its table's `used` in its entries.
            found = db.execute(
                """SELECT id FROM tables WHERE phase <> 'closed' AND used < ?1 AND NOT EXISTS (
                     SELECT 1 FROM entries WHERE game = tables.game AND at >= ?1) LIMIT ?2""",
                (unused_since, limit),
            ).fetchall()
            for row in found:
                db.execute("UPDATE tables SET phase = 'closed', rev = rev + 1 WHERE id = ?", row)
                db.execute("UPDATE games SET wake = NULL WHERE tbl = ?", row)
            return [row[0] for row in found]

        return await self._write(close)

    async def archivable(self, limit: int) -> list[str]:
        found = await self._read(
            lambda db: db.execute(
                """SELECT games.id FROM games JOIN tables ON tables.id = games.tbl
                   WHERE tables.phase = 'closed' AND games.record IS NULL
                     AND EXISTS (SELECT 1 FROM entries WHERE game = games.id) LIMIT ?""",
                (limit,),
            ).fetchall()
        )
        return [row[0] for row in found]

    async def archive(self, game: str, record: str | None) -> None:
        def put(db: sqlite3.Connection) -> None:
            db.execute("UPDATE games SET record = ? WHERE id = ?", (record, game))
            db.execute("DELETE FROM entries WHERE game = ?", (game,))

        await self._write(put)

    async def backup(self, target: Path) -> None:
        try:
            await asyncio.to_thread(copy_database, self._path, target)
        except (sqlite3.Error, OSError) as error:
            raise Unavailable(str(error)) from None
