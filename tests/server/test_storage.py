"""The storage interface, over SQLite: conditions, durability, upkeep. The same tests serve any engine."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

from pickomino.server.storage import (
    Conflict,
    EntryRow,
    Finish,
    GameRow,
    GuestRow,
    PlayerRow,
    SeatRow,
    Settings,
    Storage,
    TableRow,
    Unavailable,
)
from pickomino.server.storage.migrations import MIGRATIONS
from pickomino.server.storage.sqlite import SqliteStorage, copy_database

TABLE = TableRow(
    id="t1",
    code="ABCDEF",
    phase="open",
    host="h",
    settings=Settings(public=True),
    seats=(SeatRow("h", "Anna", None, 1), SeatRow(None, "random", "random", 1)),
    game=None,
    games=0,
    rev=1,
    created=100.0,
    used=100.0,
)
GAME = GameRow(
    id="g1",
    table="t1",
    edition="classic",
    first=0,
    started=200.0,
    secret=b"s" * 32,
    tip="0" * 64,
    players=(PlayerRow("h", "Anna", None), PlayerRow(None, "random", "random")),
    timer=None,
    away=90,
    pace_ms=0,
)


def run(path: Path, work: Callable[[Storage], Awaitable[None]]) -> None:
    async def whole() -> None:
        storage = SqliteStorage(path / "games.db")
        await storage.open()
        try:
            await work(storage)
        finally:
            await storage.close()

    asyncio.run(whole())


def test_rows_come_back_as_they_went_in(tmp_path: Path) -> None:
    async def put(storage: Storage) -> None:
        await storage.add_guest(GuestRow("h", "Anna", 1.5))
        await storage.add_table(TABLE)
        playing = msgspec.structs.replace(TABLE, phase="playing", game="g1", games=1, rev=2)
        await storage.save_table(playing, GAME)
        await storage.append("g1", [EntryRow(1, 201.0, "=11234555", "A:c1", "1 v n")], 210.0)

    async def get(storage: Storage) -> None:
        assert await storage.guest("h") == GuestRow("h", "Anna", 1.5)
        assert await storage.guest("x") is None
        table = await storage.table("t1")
        assert table == msgspec.structs.replace(TABLE, phase="playing", game="g1", games=1, rev=2)
        assert await storage.table_of_code("ABCDEF") == "t1"
        assert await storage.game("g1") == msgspec.structs.replace(GAME, wake=210.0)
        assert await storage.entries("g1") == [EntryRow(1, 201.0, "=11234555", "A:c1", "1 v n")]
        assert await storage.entries("g1", 1) == []
        assert await storage.waking(1e9, 10) == [("t1", "g1", 210.0)]
        assert await storage.waking(209.0, 10) == []
        assert [row.id for row in await storage.lobby(10)] == ["t1"]
        assert [row.id for row in await storage.tables_of("h", 10)] == ["t1"]
        assert [row.id for row in await storage.history("h", 1e9, 10)] == ["g1"]
        assert await storage.history("h", 200.0, 10) == []

    run(tmp_path, put)
    run(tmp_path, get)  # another life of the process


def test_a_number_of_a_log_is_given_once(tmp_path: Path) -> None:
    async def race(storage: Storage) -> None:
        rows = [EntryRow(1, 1.0, "=11234555"), EntryRow(2, 1.0, "A k1")]
        tries = [storage.append("g1", rows, None) for _ in range(50)]
        results = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(result is None for result in results) == 1
        assert all(result is None or isinstance(result, Conflict) for result in results)
        with pytest.raises(Conflict):
            await storage.append("g1", [EntryRow(2, 2.0, "A k2"), EntryRow(3, 2.0, "A r")], None)
        assert [row.seq for row in await storage.entries("g1")] == [1, 2]

    run(tmp_path, race)


def test_a_table_changes_only_from_the_rev_that_was_read(tmp_path: Path) -> None:
    async def race(storage: Storage) -> None:
        await storage.add_table(TABLE)
        with pytest.raises(Conflict):
            await storage.add_table(msgspec.structs.replace(TABLE, id="t2"))  # the code is in use
        changed = msgspec.structs.replace(TABLE, rev=2)
        results = await asyncio.gather(
            *(storage.save_table(changed, msgspec.structs.replace(GAME, id=f"g{n}")) for n in range(20)),
            return_exceptions=True,
        )
        assert sum(result is None for result in results) == 1
        games = [await storage.game(f"g{number}") for number in range(20)]
        assert sum(game is not None for game in games) == 1, "a loser's game is not there either"

    run(tmp_path, race)


def test_many_changes_share_a_commit(tmp_path: Path) -> None:
    async def many(storage: Storage) -> None:
        before = storage.commits
        await asyncio.gather(*(storage.append(f"g{n}", [EntryRow(1, 1.0, "=1")], None) for n in range(1000)))
        assert storage.commits - before < 200
        assert storage.jobs >= 1000

    run(tmp_path, many)


def test_the_end_of_a_game_is_part_of_its_last_entry(tmp_path: Path) -> None:
    async def end(storage: Storage) -> None:
        await storage.add_table(TABLE)
        await storage.save_table(msgspec.structs.replace(TABLE, phase="playing", game="g1", rev=2), GAME)
        await storage.append(
            "g1", [EntryRow(1, 5.0, "A resign")], 9.0, Finish("t1", 5.0, '{"winners":["B"]}')
        )
        game, table = await storage.game("g1"), await storage.table("t1")
        assert game is not None
        assert table is not None
        assert (game.finished, game.result, game.wake) == (5.0, '{"winners":["B"]}', None)
        assert (table.phase, table.rev) == ("over", 3)

    run(tmp_path, end)


def test_unused_tables_are_closed_and_their_games_archived(tmp_path: Path) -> None:
    async def expire(storage: Storage) -> None:
        await storage.add_table(TABLE)
        await storage.add_table(msgspec.structs.replace(TABLE, id="t2", code="GHJKMN", used=999.0))
        playing = msgspec.structs.replace(TABLE, phase="playing", game="g1", rev=2, used=200.0)
        await storage.save_table(playing, GAME)
        await storage.append("g1", [EntryRow(1, 600.0, "=11234555", None, "1 v n")], 700.0)
        assert await storage.expire(500.0, 10) == [], "a move counts as use"
        assert await storage.expire(800.0, 10) == ["t1"]
        assert await storage.waking(1e9, 10) == []
        assert await storage.table_of_code("ABCDEF") is None
        assert await storage.archivable(10) == ["g1"]
        await storage.archive("g1", "the record")
        assert await storage.entries("g1") == []
        assert await storage.archivable(10) == []
        game = await storage.game("g1")
        assert game is not None
        assert game.record == "the record"

    run(tmp_path, expire)


def test_the_signing_key_stays_the_same(tmp_path: Path) -> None:
    keys = []

    async def key(storage: Storage) -> None:
        keys.append(await storage.secret())

    run(tmp_path, key)
    run(tmp_path, key)
    assert keys[0] == keys[1]
    assert len(keys[0]) == 32
    assert (tmp_path / "games.db").stat().st_mode & 0o077 == 0


def test_a_copy_of_a_database_in_use_is_whole(tmp_path: Path) -> None:
    async def copy(storage: Storage) -> None:
        async def write(name: str) -> None:
            for seq in range(1, 200):
                await storage.append(
                    name, [EntryRow(seq, 1.0, "A k1"), EntryRow(seq + 1000, 1.0, "A r")], None
                )

        writing = [asyncio.create_task(write(f"g{number}")) for number in range(10)]
        await asyncio.sleep(0.02)
        await storage.backup(tmp_path / "copy.db")
        await asyncio.gather(*writing)

    run(tmp_path, copy)
    with sqlite3.connect(tmp_path / "copy.db") as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        halves = db.execute("SELECT sum(seq < 1000), sum(seq > 1000) FROM entries").fetchone()
    db.close()
    assert halves[0] == halves[1], "no transaction by halves"
    with pytest.raises(FileNotFoundError):
        copy_database(tmp_path / "nothing.db", tmp_path / "x.db")
    assert not (tmp_path / "x.db").exists()


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "games.db") as db:
        db.execute(f"PRAGMA user_version={len(MIGRATIONS) + 1}")
    db.close()

    async def nothing(storage: Storage) -> None: ...

    with pytest.raises(RuntimeError, match="version"):
        run(tmp_path, nothing)


def test_a_full_disk_is_told_and_changes_nothing(tmp_path: Path) -> None:
    async def full(storage: Storage) -> None:
        assert isinstance(storage, SqliteStorage)
        await storage.append("g1", [EntryRow(1, 1.0, "=1")], None)
        await storage._write(lambda db: db.execute("PRAGMA max_page_count=1").fetchone())
        with pytest.raises(Unavailable):
            await storage.append("g1", [EntryRow(2, 1.0, "x" * 2_000_000)], None)
        assert [row.seq for row in await storage.entries("g1")] == [1]
        await storage._write(lambda db: db.execute("PRAGMA max_page_count=1000000").fetchone())
        await storage.append("g1", [EntryRow(2, 1.0, "A k1")], None)

    run(tmp_path, full)


def test_after_closing_nothing_is_taken(tmp_path: Path) -> None:
    async def closed(storage: Storage) -> None:
        await storage.close()
        with pytest.raises(Unavailable):
            await storage.append("g1", [EntryRow(1, 1.0, "=1")], None)
        with pytest.raises(Unavailable):
            await storage.table("t1")

    run(tmp_path, closed)
