"""The storage interface: conditions, durability, upkeep; the same over every engine."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pickomino.server.storage.base import (
    Addition,
    Conflict,
    EntryRow,
    Finish,
    GameRow,
    GuestRow,
    Head,
    PlayerRow,
    SeatRow,
    Settings,
    TableRow,
    Unavailable,
)
from pickomino.server.storage.copies import copy_database
from pickomino.server.storage.engine import Storage, ask
from pickomino.server.storage.migrations import MIGRATIONS
from pickomino.server.storage.presence import PresenceRows
from pickomino.server.storage.sqlite import SqliteStorage

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
    players=(PlayerRow("h", "Anna", None, "DF", 82, -21.0), PlayerRow(None, "random", "random", "BB")),
    timer=None,
    away=90,
    pace_ms=0,
)


Run = Callable[[Callable[[Storage], Awaitable[None]]], None]


def running(make: Callable[[], Storage]) -> Run:
    def run(work: Callable[[Storage], Awaitable[None]]) -> None:
        async def whole() -> None:
            storage = make()
            await storage.open()
            try:
                await work(storage)
            finally:
                await storage.close()

        asyncio.run(whole())

    return run


@pytest.fixture(params=["sqlite", "postgres"])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """Does work with the storage of a process, each time of another process."""
    if request.param == "sqlite":
        return running(lambda: SqliteStorage(tmp_path / "games.db"))
    from pickomino.server.storage.postgres import PostgresStorage

    url = request.getfixturevalue("postgres").new_database()
    return running(lambda: PostgresStorage(url))


@pytest.fixture
def sqlite(tmp_path: Path) -> Run:
    return running(lambda: SqliteStorage(tmp_path / "games.db"))


def test_rows_come_back_as_they_went_in(run: Run) -> None:
    async def put(storage: Storage) -> None:
        await storage.add_guest(GuestRow("h", "Anna", 1.5))
        await storage.add_table(TABLE)
        playing = msgspec.structs.replace(TABLE, phase="playing", game="g1", games=1, rev=2)
        await storage.save_table(playing, GAME)
        await storage.append(Addition("g1", [EntryRow(1, 201.0, "=11234555", "A:c1", "1 v n")], 210.0))

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

    run(put)
    run(get)  # another life of the process


def test_a_number_of_a_log_is_given_once(run: Run) -> None:
    async def race(storage: Storage) -> None:
        rows = [EntryRow(1, 1.0, "=11234555"), EntryRow(2, 1.0, "A k1")]
        tries = [storage.append(Addition("g1", rows, None)) for _ in range(50)]
        results = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(result is None for result in results) == 1
        assert all(result is None or isinstance(result, Conflict) for result in results)
        with pytest.raises(Conflict):
            await storage.append(Addition("g1", [EntryRow(2, 2.0, "A k2"), EntryRow(3, 2.0, "A r")], None))
        assert [row.seq for row in await storage.entries("g1")] == [1, 2]

    run(race)


def test_a_value_comes_in_time_or_its_roll_is_void(run: Run) -> None:
    """The primary key decides; whoever is second learns it."""
    void = Addition("g1", [EntryRow(1, 2.0, "#4 void B")], 9.0)

    async def race(storage: Storage) -> None:
        assert await storage.offer_value("g1", 3, 0, "v") == {0: "v"}
        assert await storage.offer_value("g1", 3, 0, "other") == {0: "v"}, "kept once"
        with pytest.raises(Conflict):
            await storage.append_void(void, 3, [0])
        assert (await storage.entries("g1"), await storage.values("g1", 3)) == ([], {0: "v"})
        await storage.append_void(void, 4, [1])
        assert await storage.offer_value("g1", 4, 1, "late") == {1: ""}
        assert await storage.values("g1", 4) == {1: ""}
        assert [row.entry for row in await storage.entries("g1")] == ["#4 void B"]
        await storage.archive("g1", "record")
        assert await storage.values("g1", 3) == {}

    run(race)


def test_a_table_changes_only_from_the_rev_that_was_read(run: Run) -> None:
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

    run(race)


def test_many_changes_share_a_commit(run: Run) -> None:
    async def many(storage: Storage) -> None:
        before = storage.commits
        await asyncio.gather(
            *(storage.append(Addition(f"g{n}", [EntryRow(1, 1.0, "=1")], None)) for n in range(1000))
        )
        assert storage.commits - before < 200
        assert storage.jobs >= 1000

    run(many)


def test_the_end_of_a_game_is_part_of_its_last_entry(run: Run) -> None:
    async def end(storage: Storage) -> None:
        await storage.add_table(TABLE)
        await storage.save_table(msgspec.structs.replace(TABLE, phase="playing", game="g1", rev=2), GAME)
        await storage.append(
            Addition("g1", [EntryRow(1, 5.0, "A resign")], 9.0, Finish("t1", 5.0, '{"winners":["B"]}'))
        )
        game, table = await storage.game("g1"), await storage.table("t1")
        assert game is not None
        assert table is not None
        assert (game.finished, game.result, game.wake) == (5.0, '{"winners":["B"]}', None)
        assert (table.phase, table.rev) == ("over", 3)

    run(end)


def test_unused_tables_are_closed_and_their_games_archived(run: Run) -> None:
    async def expire(storage: Storage) -> None:
        await storage.add_table(TABLE)
        await storage.add_table(msgspec.structs.replace(TABLE, id="t2", code="GHJKMN", used=999.0))
        playing = msgspec.structs.replace(TABLE, phase="playing", game="g1", rev=2, used=200.0)
        await storage.save_table(playing, GAME)
        await storage.append(Addition("g1", [EntryRow(1, 600.0, "=11234555", None, "1 v n")], 700.0))
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

    run(expire)


def test_the_signing_key_stays_the_same(run: Run) -> None:
    keys = []

    async def key(storage: Storage) -> None:
        keys.append(await storage.secret())

    run(key)
    run(key)
    assert keys[0] == keys[1]
    assert len(keys[0]) == 32


def _readable_by_others(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_file() and path.stat().st_mode & 0o077)


@pytest.mark.parametrize("there_before", [False, True])
def test_only_its_owner_reads_the_database_its_log_and_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there_before: bool
) -> None:
    """Also while they are being made: whenever SQLite opens a file, it is there and private already."""
    opened: list[int] = []

    def connect(path: Path, **options: Any) -> Any:
        opened.append(Path(path).stat().st_mode & 0o777)
        return really_connect(path, **options)

    really_connect = sqlite3.connect
    database, before = tmp_path / "games.db", os.umask(0o022)
    try:
        if there_before:  # by a version that did not care
            old = sqlite3.connect(database)
            old.execute("PRAGMA journal_mode=WAL")
            old.execute("CREATE TABLE x (y)")
            assert _readable_by_others(tmp_path) == ["games.db", "games.db-shm", "games.db-wal"]
        monkeypatch.setattr(sqlite3, "connect", connect)

        async def look() -> None:
            storage = SqliteStorage(database)
            await storage.open()
            await storage.secret()
            copy_database(database, tmp_path / "copy.db")
            assert len(list(tmp_path.iterdir())) >= 4
            assert _readable_by_others(tmp_path) == []
            await storage.close()

        asyncio.run(look())
        assert set(opened) == {0o600}
        if there_before:
            old.close()
    finally:
        os.umask(before)


def test_a_copy_of_a_database_in_use_is_whole(sqlite: Run, tmp_path: Path) -> None:
    async def copy(storage: Storage) -> None:
        async def write(name: str) -> None:
            for seq in range(1, 200):
                await storage.append(
                    Addition(name, [EntryRow(seq, 1.0, "A k1"), EntryRow(seq + 1000, 1.0, "A r")], None)
                )

        writing = [asyncio.create_task(write(f"g{number}")) for number in range(10)]
        await asyncio.sleep(0.02)
        await asyncio.to_thread(copy_database, tmp_path / "games.db", tmp_path / "copy.db")
        await asyncio.gather(*writing)

    sqlite(copy)
    with sqlite3.connect(tmp_path / "copy.db") as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        halves = db.execute("SELECT sum(seq < 1000), sum(seq > 1000) FROM entries").fetchone()
    db.close()
    assert halves[0] == halves[1], "no transaction by halves"
    with pytest.raises(FileNotFoundError):
        copy_database(tmp_path / "nothing.db", tmp_path / "x.db")
    assert not (tmp_path / "x.db").exists()


def test_a_newer_database_is_left_alone(sqlite: Run, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "games.db") as db:
        db.execute(f"PRAGMA user_version={len(MIGRATIONS) + 1}")
    db.close()

    async def nothing(storage: Storage) -> None: ...

    with pytest.raises(RuntimeError, match="version"):
        sqlite(nothing)


def test_a_database_has_one_process(sqlite: Run, tmp_path: Path) -> None:
    async def second(storage: Storage) -> None:
        with pytest.raises(RuntimeError, match=r"database '.*games\.db': another process is using it"):
            await SqliteStorage(tmp_path / "games.db").open()
        await storage.ping()  # the first one goes on

    sqlite(second)
    sqlite(second)  # and leaves it to the next


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "games.db").write_text("something else, and long enough to be looked at" * 30)
    with pytest.raises(RuntimeError, match=r"database '.*games\.db': file is not a database"):
        asyncio.run(SqliteStorage(tmp_path / "games.db").open())


def test_a_full_disk_is_told_and_changes_nothing(sqlite: Run) -> None:
    async def full(storage: Storage) -> None:
        assert isinstance(storage, SqliteStorage)
        await storage.append(Addition("g1", [EntryRow(1, 1.0, "=1")], None))
        await storage.write(ask("PRAGMA max_page_count=1"))
        with pytest.raises(Unavailable):
            await storage.append(Addition("g1", [EntryRow(2, 1.0, "x" * 2_000_000)], None))
        assert [row.seq for row in await storage.entries("g1")] == [1]
        await storage.write(ask("PRAGMA max_page_count=1000000"))
        await storage.append(Addition("g1", [EntryRow(2, 1.0, "A k1")], None))

    sqlite(full)


def test_after_closing_nothing_is_taken(run: Run) -> None:
    async def closed(storage: Storage) -> None:
        await storage.close()
        with pytest.raises(Unavailable):
            await storage.append(Addition("g1", [EntryRow(1, 1.0, "=1")], None))
        with pytest.raises(Unavailable):
            await storage.table("t1")

    run(closed)


def test_what_is_overdue_is_given_to_one(run: Run) -> None:
    async def claim(storage: Storage) -> None:
        await storage.add_table(TABLE)
        await storage.save_table(msgspec.structs.replace(TABLE, phase="playing", game="g1", rev=2), GAME)
        await storage.append(Addition("g1", [EntryRow(1, 5.0, "=11234555")], 9.0))
        assert await storage.claim(8.0, 20.0, 10) == []
        tries = await asyncio.gather(*(storage.claim(10.0, 20.0, 10) for _ in range(10)))
        assert [found for found in tries if found] == [[("t1", "g1")]]
        assert await storage.claim(21.0, 30.0, 10) == [("t1", "g1")], "if that one dies, another is given it"

    run(claim)


def test_heads_tell_how_far_it_has_come(run: Run) -> None:
    async def look(storage: Storage) -> None:
        await storage.add_table(TABLE)
        await storage.add_table(msgspec.structs.replace(TABLE, id="t2", code="GHJKMN"))
        await storage.save_table(msgspec.structs.replace(TABLE, phase="playing", game="g1", rev=2), GAME)
        await storage.append(Addition("g1", [EntryRow(1, 5.0, "=11234555"), EntryRow(2, 5.0, "A k1")], None))
        heads = {head.table: head for head in await storage.heads(["t1", "t2", "none"])}
        assert heads == {"t1": Head("t1", 2, "g1", 2), "t2": Head("t2", 1, None, 0)}

    run(look)


def test_presence_counts_while_its_process_lives(run: Run) -> None:
    async def look(storage: Storage) -> None:
        rows = PresenceRows(storage)
        assert not await rows.heard("p1", 100.0)
        assert await rows.heard("p1", 101.0)
        await rows.heard("p2", 90.0)
        await rows.note("p1", {"t1": {0, 2}, "t2": set()})
        await rows.note("p2", {"t1": {1}})
        assert await rows.seats(["t1", "t2"], "p3", 50.0) == {"t1": {0, 1, 2}, "t2": frozenset()}
        assert await rows.seats(["t1"], "p1", 50.0) == {"t1": {1}}
        assert await rows.seats(["t1"], "p3", 95.0) == {"t1": {0, 2}}, "the other was not heard of"
        await rows.note("p1", {"t1": {2}, "t2": None})
        assert await rows.seats(["t1", "t2"], "p2", 50.0) == {"t1": {2}}
        assert await rows.forget(95.0) == 1
        assert await rows.seats(["t1"], "p3", 0.0) == {"t1": {2}}
        assert not await rows.heard("p2", 102.0), "it was forgotten, and so must note everything again"

    run(look)


def test_a_table_that_somebody_looks_at_does_not_expire(run: Run) -> None:
    async def look(storage: Storage) -> None:
        await storage.add_table(TABLE)
        rows = PresenceRows(storage)
        await rows.heard("p1", 100.0)
        await rows.note("p1", {"t1": set()})
        assert await storage.expire(500.0, 10) == []
        await rows.forget(200.0)
        assert await storage.expire(500.0, 10) == ["t1"]

    run(look)


def test_what_is_kept_long_enough_is_forgotten(run: Run) -> None:
    async def forget(storage: Storage) -> None:
        of_bots = (PlayerRow(None, "a", "random"), PlayerRow(None, "b", "random"))
        for number, players in enumerate((GAME.players, of_bots), 1):
            table = msgspec.structs.replace(
                TABLE, id=f"t{number}", code=f"ABCDE{number}", host=f"h{number}", seats=()
            )
            game = msgspec.structs.replace(GAME, id=f"g{number}", table=table.id, players=players)
            seats = (SeatRow(f"h{number}", "Anna", None, 1), SeatRow())
            await storage.add_guest(GuestRow(f"h{number}", "Anna", 50.0))
            await storage.add_table(msgspec.structs.replace(table, seats=seats))
            await storage.save_table(
                msgspec.structs.replace(table, phase="playing", game=game.id, rev=2, seats=seats), game
            )
            finish = Finish(table.id, 300.0, "{}")
            await storage.append(Addition(game.id, [EntryRow(1, 201.0, "A resign")], None, finish))
        await storage.add_guest(GuestRow("h", "who played in g1", 50.0))

        async def left() -> list[str]:
            games = [name for name in ("g1", "g2") if await storage.game(name) is not None]
            tables = [name for name in ("t1", "t2") if await storage.table(name) is not None]
            guests = [name for name in ("h", "h1", "h2") if await storage.guest(name) is not None]
            return games + tables + guests

        async def forget_all(before: float, bots_before: float) -> list[str]:
            while await storage.forget(before, bots_before, 2):
                pass
            return await left()

        everything = ["g1", "g2", "t1", "t2", "h", "h1", "h2"]
        assert await forget_all(1e9, 1e9) == everything, "its table may still be used"
        assert len(await storage.expire(500.0, 10)) == 2
        assert await forget_all(1e9, 1e9) == everything, "nothing is deleted before it is a record"
        for name in await storage.archivable(10):
            await storage.archive(name, "the record")
        assert await forget_all(300.0, 300.0) == everything
        without = [name for name in everything if name != "g2"]
        assert await forget_all(300.0, 301.0) == without, "those of bots alone are not kept so long"
        assert await forget_all(301.0, 301.0) == [], (
            "with the last game go its table and who has nothing else here"
        )

    run(forget)
