"""PostgreSQL: the engine for many processes. psycopg 3 with its pool; a commit is on disk when it returns."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

import psycopg
from psycopg import errors
from psycopg_pool import AsyncConnectionPool, PoolClosed

from pickomino.server.storage import sql
from pickomino.server.storage.appender import (
    AWAY,
    NOT_GIVEN,
    SECONDS,
    Appender,
    Connection,
    Pool,
    drop_dead,
    failure_of,
)
from pickomino.server.storage.base import Addition, Conflict, EntryRow, Unavailable
from pickomino.server.storage.engine import Found, Storage, Work, ask, demand_open
from pickomino.server.storage.migrations import pending
from pickomino.server.storage.presence import PresenceRows
from pickomino.server.storage.reader import Reader

T = TypeVar("T")

WAIT_SECONDS: Final = 2.0
"""How long a call waits for a connection before it is refused."""
MAX_WAITING: Final = 2000
_LOCK: Final = 0x7069636B  # "pick": the advisory lock of who migrates
_WORDS: Final = {
    "CLUSTERED": "",
    "BLOB": "BYTEA",
    "FLEETING": "UNLOGGED ",
    "AMONG": "= ANY(?)",
    "SKIP": " FOR UPDATE SKIP LOCKED",
}
# A dump that is read in makes other tables, a standby that takes over begins another timeline.
_HERE: Final = (
    "SELECT (SELECT system_identifier FROM pg_control_system()) || ' ' || "
    "(SELECT timeline_id FROM pg_control_checkpoint()) || ' ' || 'games'::regclass::oid"
)
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


@cache
def _own(statement: str) -> str:
    return sql.worded(statement, _WORDS).replace("?", "%s")


class PostgresParts(NamedTuple):
    """Of an open database."""

    pool: Pool
    appender: Appender
    reader: Reader


class PostgresStorage(Storage):
    """The `Storage` of any number of processes."""

    def __init__(self, url: str, connections: int = 8) -> None:
        super().__init__()
        self._opened: PostgresParts | None = None
        self.presence = PresenceRows(self)
        self._url = url
        self._connections = max(2, connections)

    @property
    def _parts(self) -> PostgresParts:
        return demand_open(self._opened)

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
        self._opened = PostgresParts(pool, Appender(pool, self._count), Reader(self.read))

    async def close(self) -> None:
        if self._opened is not None:
            parts, self._opened = self._opened, None
            await parts.appender.close()
            await parts.pool.close()

    async def was_restored(self) -> bool:
        found = await self.read(sql.PLACE)
        return bool(found) and found[0] != (await self.read(_HERE))[0]

    async def settle(self) -> None:
        await self.write(ask(sql.PUT_META, "place", (await self.read(_HERE))[0][0]))

    async def read(self, statement: str, *values: Any) -> list[Any]:
        """A connection that died since it was last used is replaced once."""
        try:
            return await self._fetch(statement, values)
        except AWAY:
            await drop_dead(self._parts.pool)
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

    async def write(self, work: Work[T]) -> T:
        """A connection that is dead when it begins is replaced once."""
        for again in (True, False):
            begun = False
            try:
                async with self._parts.pool.connection() as db, db.transaction():
                    begun = True
                    result = await _run(work, db)
                self._count(1)
                return result
            except errors.IntegrityError as error:
                raise Conflict(str(error)) from None
            except (*NOT_GIVEN, PoolClosed) as error:
                raise Unavailable(str(error)) from None
            except AWAY as error:
                if begun or not again:
                    raise failure_of(error)(str(error)) from None
                await drop_dead(self._parts.pool)
            except psycopg.Error as error:
                raise Unavailable(str(error)) from None
        raise AssertionError("the second try returns or raises")

    def listed(self, texts: Sequence[str]) -> list[str]:
        return list(texts)

    async def entries(self, game: str, after: int = 0) -> list[EntryRow]:
        return await self._parts.reader.entries(game, after)

    async def append(self, new: Addition) -> None:
        await self._parts.appender.append(new)


async def _run(work: Work[T], db: Connection) -> T:
    found = None
    try:
        while True:
            statement, values = work.send(found)  # type: ignore[arg-type]  # None begins it
            if isinstance(values, list):
                found = Found(0, [])
                if values:
                    # Pipelined: one way there and back.
                    await db.cursor().executemany(_own(statement), values)
            else:
                cursor = await db.execute(_own(statement), values)
                rows = await cursor.fetchall() if cursor.description else []
                found = Found(cursor.rowcount, rows)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]  # what a generator returns is not typed here


async def _configure(db: Connection) -> None:
    """Moves are announced only once they are on disk, even where the server's default differs. Nobody waits for ever
    for what another process is writing."""
    await db.execute("SELECT set_config('lock_timeout', %s, false)", (f"{SECONDS:.0f}s",))
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
        for number, statements in pending(version):
            for statement in statements:
                await db.execute(_own(statement))
            await db.execute(
                "INSERT INTO meta VALUES ('schema', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (str(number),),
            )
