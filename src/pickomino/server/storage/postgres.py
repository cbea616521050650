"""PostgreSQL: the engine for many processes. psycopg 3 with its pool; a commit is on disk when it returns."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import psycopg
from psycopg import errors
from psycopg_pool import AsyncConnectionPool, PoolClosed

from pickomino.server.storage import rows as values_of
from pickomino.server.storage import sql
from pickomino.server.storage.appender import AWAY, NOT_GIVEN, SECONDS, Appender, Connection, Pool, failure_of
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
from pickomino.server.storage.reader import Reader

__all__ = ["PostgresStorage"]

T = TypeVar("T")

WAIT_SECONDS: Final = 2.0
"""How long a call waits for a connection before it is refused."""
MAX_WAITING: Final = 2000
_LOCK: Final = 0x7069636B  # "pick": the advisory lock of who migrates
_WORDS: Final = {"CLUSTERED": "", "BLOB": "BYTEA", "FLEETING": "UNLOGGED "}
_DIALECT: Final = {"AMONG": "= ANY(?)", "SKIP": " FOR UPDATE SKIP LOCKED"}
# A host that vanishes is noticed in seconds, not in the two hours of TCP.
_SETTINGS: Final[dict[str, Any]] = {
    "autocommit": True,
    "application_name": "pickomino",
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 8000,
}


def _own(statement: str) -> str:
    return sql.worded(statement, _DIALECT).replace("?", "%s")


@dataclass
class _Open:
    pool: Pool
    appender: Appender
    reader: Reader


class PostgresStorage(Queries):
    """The `Storage` of any number of processes."""

    def __init__(self, url: str, connections: int = 8) -> None:
        self._url = url
        self._connections = max(2, connections)
        self._open: _Open | None = None
        self._commits = 0

    async def open(self) -> None:
        async with await psycopg.AsyncConnection.connect(self._url, **_SETTINGS) as db:
            await _migrate(db)
        pool: Pool = AsyncConnectionPool(
            self._url,
            kwargs=_SETTINGS,
            min_size=2,
            max_size=self._connections,
            max_waiting=MAX_WAITING,
            timeout=WAIT_SECONDS,
            reconnect_timeout=2.0,  # then it is tried anew for whoever asks next
            configure=_configure,
            open=False,
        )
        await pool.open(wait=True, timeout=10.0)
        self._open = _Open(pool, Appender(pool), Reader(self._all))

    async def close(self) -> None:
        if self._open is not None:
            opened, self._open = self._open, None
            await opened.appender.close()
            await opened.pool.close()

    @property
    def shared(self) -> bool:
        return True

    @property
    def _parts(self) -> _Open:
        if self._open is None:
            raise Unavailable("the database is closed")
        return self._open

    @property
    def commits(self) -> int:
        return self._commits + self._parts.appender.commits

    @property
    def jobs(self) -> int:
        return self._commits + self._parts.appender.jobs

    # --- how statements are run ---

    async def _all(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Read; a connection that died since it was last used is replaced once."""
        try:
            return await self._fetch(statement, values)
        except AWAY:
            await self._parts.pool.check()
        try:
            return await self._fetch(statement, values)
        except (psycopg.Error, *AWAY) as error:
            raise Unavailable(str(error)) from None

    async def _fetch(self, statement: str, values: Sequence[Any]) -> list[Any]:
        try:
            async with self._parts.pool.connection() as db, asyncio.timeout(SECONDS):
                return await (await db.execute(_own(statement), values)).fetchall()
        except (*NOT_GIVEN, PoolClosed) as error:
            raise Unavailable(str(error)) from None

    async def _write(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """One transaction. A connection that is dead when it begins is replaced once."""
        for again in (True, False):
            begun = False
            try:
                async with self._parts.pool.connection() as db, db.transaction():
                    begun = True
                    result = await work(db)
                self._commits += 1
                return result
            except errors.IntegrityError as error:
                raise Conflict(str(error)) from None
            except (*NOT_GIVEN, PoolClosed) as error:
                raise Unavailable(str(error)) from None
            except AWAY as error:
                if begun or not again:
                    raise failure_of(error)(str(error)) from None
                await self._parts.pool.check()
            except psycopg.Error as error:
                raise Unavailable(str(error)) from None
        raise AssertionError("the second try returns or raises")

    async def _do(self, statement: str, values: Sequence[Any] = ()) -> int:
        async def work(db: Connection) -> int:
            return (await db.execute(_own(statement), values)).rowcount

        return await self._write(work)

    async def ping(self) -> None:
        if (await self._all("SELECT pg_is_in_recovery()"))[0][0]:
            raise Unavailable("the database only reads")

    async def secret(self) -> bytes:
        await self._do(sql.NEW_KEY, (secrets.token_hex(32),))
        return bytes.fromhex((await self._all(sql.KEY))[0][0])

    # --- guests ---

    async def add_guest(self, guest: GuestRow) -> None:
        await self._do(sql.ADD_GUEST, (guest.id, guest.name, guest.created))

    async def rename_guest(self, guest: str, name: str) -> None:
        await self._do(sql.RENAME_GUEST, (name, guest))

    # --- tables ---

    async def add_table(self, table: TableRow) -> None:
        async def add(db: Connection) -> None:
            await db.execute(_own(sql.ADD_TABLE), values_of.table_values(table))
            await _many(db, sql.PUT_SEAT, values_of.seat_values(table))

        await self._write(add)

    async def save_table(self, table: TableRow, game: GameRow | None = None) -> None:
        async def save(db: Connection) -> None:
            values = (*values_of.changed_values(table), table.id, table.rev - 1)
            if (await db.execute(_own(sql.SAVE_TABLE), values)).rowcount != 1:
                raise Conflict(f"table {table.id} is not at rev {table.rev - 1}")
            await _many(db, sql.PUT_SEAT, values_of.seat_values(table))
            if game is not None:
                await db.execute(_own(sql.ADD_GAME), values_of.game_values(game))
                await _many(db, sql.ADD_PLAYER, values_of.player_values(game))

        await self._write(save)

    # --- games ---

    async def entries(self, game: str, after: int = 0) -> list[EntryRow]:
        return await self._parts.reader.entries(game, after)

    async def append(
        self,
        game: str,
        rows: Sequence[EntryRow],
        wake: float | None,
        finish: Finish | None = None,
        *,
        same_wake: bool = False,
    ) -> None:
        await self._parts.appender.append(game, rows, wake, finish, same_wake)

    async def claim(self, before: float, until: float, limit: int) -> list[tuple[str, str]]:
        async def take(db: Connection) -> list[tuple[str, str]]:
            return await (await db.execute(_own(sql.CLAIM), (until, before, limit))).fetchall()

        return await self._write(take)

    async def heads(self, tables: Sequence[str]) -> list[Head]:
        return [Head(*row) for row in await self._all(sql.HEADS, (list(tables),))]

    # --- upkeep ---

    async def expire(self, unused_since: float, limit: int) -> list[str]:
        async def close(db: Connection) -> list[str]:
            found = await db.execute(_own(sql.UNUSED), (unused_since, unused_since, limit))
            closed = [row[0] for row in await found.fetchall()]
            await _many(db, sql.CLOSE_TABLE, [(table,) for table in closed])
            await _many(db, sql.NO_WAKE, [(table,) for table in closed])
            return closed

        return await self._write(close)

    async def archive(self, game: str, record: str | None) -> None:
        async def put(db: Connection) -> None:
            await db.execute(_own(sql.ARCHIVE), (record, game))
            await db.execute(_own(sql.DROP_ENTRIES), (game,))

        await self._write(put)

    # --- who is there ---

    async def heard(self, process: str, at: float) -> bool:
        known = await self._do(sql.HEARD_OF, (at, process)) == 1
        if not known:
            await self._do(sql.HEARD_ANEW, (at, process))
        return known

    async def note_presence(self, process: str, seats: Mapping[str, Collection[int] | None]) -> None:
        async def note(db: Connection) -> None:
            gone = [(table, process) for table, there in sorted(seats.items()) if there is None]
            here = [
                (table, process, values_of.seats_text(there))
                for table, there in sorted(seats.items())
                if there is not None
            ]
            await _many(db, sql.NOTE_GONE, gone)
            await _many(db, sql.NOTE_HERE, here)

        await self._write(note)

    async def presence(
        self, tables: Sequence[str], besides: str, heard_since: float
    ) -> dict[str, frozenset[int]]:
        return values_of.seats_of(await self._all(sql.PRESENCE, (besides, heard_since, list(tables))))

    async def forget_processes(self, heard_before: float) -> int:
        gone = await self._do(sql.FORGET_PROCESSES, (heard_before,))
        await self._do(sql.FORGET_PRESENCE)
        return gone


async def _many(db: Connection, statement: str, values: Sequence[Sequence[Any]]) -> None:
    if values:
        await db.cursor().executemany(_own(statement), values)  # pipelined: one way there and back


async def _configure(db: Connection) -> None:
    """Moves are told when they are on disk, also where the server's default is otherwise."""
    await db.execute(
        "SELECT set_config('synchronous_commit', 'on', false) "
        "WHERE current_setting('synchronous_commit') = 'off'"
    )


async def _migrate(db: Connection) -> None:
    """One process at a time; those that start together find it done."""
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        there = await (await db.execute("SELECT to_regclass('meta') IS NOT NULL")).fetchone()
        version = 0
        if there is not None and there[0]:
            found = await (await db.execute("SELECT value FROM meta WHERE name = 'schema'")).fetchone()
            version = int(found[0]) if found is not None else 0
        for number, statements in pending(version, _WORDS):
            for statement in statements:
                await db.execute(statement)
            await db.execute(
                "INSERT INTO meta VALUES ('schema', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (str(number),),
            )
