"""What only PostgreSQL brings: several processes that start at once, connections that die, a database that goes."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest

from pickomino.server.storage.base import Addition, EntryRow, GuestRow, Unavailable
from pickomino.server.storage.postgres import PostgresStorage
from tests.server.engines import Postgres, make_postgres


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[PostgresStorage]:
    """Closed whatever happens: a pool that is left open keeps its event loop from ending."""
    storage = PostgresStorage(url)
    await storage.open()
    try:
        yield storage
    finally:
        await storage.close()


def test_processes_that_start_together_migrate_once(postgres: Postgres) -> None:
    url = postgres.new_database()

    async def start() -> None:
        storages = [PostgresStorage(url, connections=2) for _ in range(5)]
        await asyncio.gather(*(storage.open() for storage in storages))
        keys = await asyncio.gather(*(storage.secret() for storage in storages))
        await asyncio.gather(*(storage.close() for storage in storages))
        assert len(set(keys)) == 1

    asyncio.run(start())


def test_connections_that_died_cost_nothing(postgres: Postgres) -> None:
    url = postgres.new_database()

    async def play() -> None:
        async with opened(url) as storage:
            for seq in range(1, 20):
                with psycopg.connect(url) as db:
                    db.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    )
                if seq % 3 == 0:
                    await storage.append(Addition("g1", [EntryRow(seq // 3, 1.0, "A k1")], None))
                elif seq % 3 == 1:
                    assert len(await storage.entries("g1")) == seq // 3
                else:
                    await storage.add_guest(GuestRow(f"guest{seq}", "Anna", 1.0))

    asyncio.run(play())


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL], ids=["stopped", "crashed"])
def test_a_database_that_goes_is_told_and_comes_back_by_itself(
    postgres: Postgres, by: signal.Signals
) -> None:
    url = postgres.new_database()

    async def play() -> None:
        async with opened(url) as storage:
            await storage.append(Addition("g1", [EntryRow(1, 1.0, "A k1")], None))
            postgres.stop(by)
            calls = (
                storage.append(Addition("g1", [EntryRow(2, 1.0, "A k1")], None)),
                storage.entries("g1"),
                storage.add_guest(GuestRow("h", "Anna", 1.0)),
                storage.ping(),
            )
            for result in await asyncio.gather(*calls, return_exceptions=True):
                assert isinstance(result, Unavailable)
            await asyncio.to_thread(postgres.start)
            await storage.append(Addition("g1", [EntryRow(2, 1.0, "A k1")], None))
            assert [row.seq for row in await storage.entries("g1")] == [1, 2]
            await storage.ping()

    asyncio.run(play())


def test_a_text_that_cannot_be_stored_harms_nobody_else(postgres: Postgres) -> None:
    async def append() -> None:
        async with opened(postgres.new_database()) as storage:
            odd = storage.append(Addition("odd", [EntryRow(1, 1.0, "A k1", "a\0b")], None))
            good = [storage.append(Addition(f"g{n}", [EntryRow(1, 1.0, "A k1")], None)) for n in range(30)]
            outcomes = await asyncio.gather(odd, *good, return_exceptions=True)
            assert isinstance(outcomes[0], Unavailable)
            assert outcomes[1:] == [None] * 30

    asyncio.run(append())


@pytest.mark.parametrize(("fsync", "shown"), [(False, "off"), (True, "on")])
def test_commits_wait_for_the_disk_where_that_is_asked_for(fsync: bool, shown: str) -> None:
    """By benchmarks; tests need not wait."""
    engine = make_postgres(fsync=fsync)
    try:
        with psycopg.connect(engine.url("postgres")) as db:
            assert db.execute("SHOW fsync").fetchone() == (shown,)
    finally:
        engine.remove()
