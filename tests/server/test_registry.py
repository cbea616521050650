"""What a process knows of a table that others change, and whom it tells."""

from __future__ import annotations

import asyncio
import json
from collections.abc import MutableMapping
from typing import Any

import msgspec
import pytest

from pickomino.server.bus import Bus, Hint
from pickomino.server.config import Config
from pickomino.server.connection import Connection
from pickomino.server.errors import Refused
from pickomino.server.following import Following
from pickomino.server.limits import Bucket, Rate
from pickomino.server.live_table import LiveTable
from pickomino.server.metrics import Figures
from pickomino.server.playing import Playing
from pickomino.server.registry import Registry
from pickomino.server.storage.base import Addition, EntryRow, GuestRow, Unavailable
from pickomino.server.storage.engine import Storage
from pickomino.server.storage.postgres import PostgresStorage
from pickomino.server.tokens import Signer
from tests.server.engines import Postgres
from tests.server.test_storage import GAME, TABLE, running


def test_who_stays_while_rows_cannot_be_read_is_told_everything_later(postgres: Postgres) -> None:
    sent: list[dict[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(json.loads(message["text"]))

    async def told(kind: str, count: int) -> list[dict[str, Any]]:
        async with asyncio.timeout(20):
            while len(found := [one["d"] for one in sent if one["t"] == kind]) < count:
                await asyncio.sleep(0.01)
        return found

    async def follow(storage: Storage) -> None:
        await storage.add_guest(GuestRow("h", "Anna", 1.5))
        await storage.add_table(TABLE)
        registry, live = Registry(storage, Signer(b"k" * 32), Figures()), LiveTable(TABLE)
        live.connections.add(Connection(send, "a", Bucket(Rate(0, 0), 0), Bucket(Rate(0, 0), 0)))
        # Another process begins the game.
        playing = msgspec.structs.replace(TABLE, phase="playing", game="g1", games=1, rev=2)
        await storage.save_table(playing, GAME)
        rows = [EntryRow(1, 201.0, "=11234555"), EntryRow(2, 202.0, "A k5")]
        await storage.append(Addition("g1", rows, None))
        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(storage, "entries", _lost)
            with pytest.raises(Refused):
                async with registry.current(live):
                    pass
        async with registry.current(live):
            pass
        assert [one["table"]["phase"] for one in await told("table", 1)] == ["playing"]
        assert [(one["from"], one["v"]) for one in await told("state", 1)] == [(0, 2)]
        # What was stored while the connection to the database was lost.
        rows = [EntryRow(3, 203.0, "A r"), EntryRow(4, 204.0, "=11234")]
        await storage.append(Addition("g1", rows, None))
        live.game = None
        await registry.game_of(live)
        assert [(one["from"], one["v"]) for one in await told("state", 2)] == [(0, 2), (2, 4)]

    url = postgres.new_database()
    running(lambda: PostgresStorage(url))(follow)


def test_a_hint_that_comes_while_the_database_goes_is_followed(
    postgres: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    async def follow(storage: Storage) -> None:
        await storage.add_guest(GuestRow("h", "Anna", 1.5))
        await storage.add_table(TABLE)
        registry, live = Registry(storage, Signer(b"k" * 32), Figures()), LiveTable(TABLE)
        registry.tables[live.id] = live
        live.connections.add(Connection(_unheard, "a", Bucket(Rate(0, 0), 0), Bucket(Rate(0, 0), 0)))
        following = Following(
            registry, Playing(registry, Config(grace_seconds=0, roll_seconds=0), _unused), Bus()
        )
        # Another process begins the game, and the database goes while this one reads that.
        playing = msgspec.structs.replace(TABLE, phase="playing", game="g1", games=1, rev=2)
        await storage.save_table(playing, GAME)
        hint = msgspec.msgpack.encode(Hint("another", 2, None, 0))
        going = asyncio.Event()

        async def goes(*_: object) -> None:
            going.set()
            await asyncio.sleep(0)
            raise Unavailable("no connection")

        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(storage, "table", goes)
            following.hinted(live.id, hint)
            await going.wait()
            following.hinted(live.id, hint)  # and waits for the table's lock
        async with asyncio.timeout(20):
            while live.row.rev < 2:
                await asyncio.sleep(0.01)

    url = postgres.new_database()
    running(lambda: PostgresStorage(url))(follow)
    assert not [one for one in caplog.records if one.levelname == "ERROR"]


async def _unheard(_: MutableMapping[str, Any]) -> None: ...


async def _unused(*_: object) -> Any:
    raise AssertionError


async def _lost(*_: object) -> list[EntryRow]:
    raise Unavailable("no connection")
