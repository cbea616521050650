"""A database of an earlier version is brought up to date, and every game goes on."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from pickomino.chance import check_dice
from pickomino.notation import parse_record
from pickomino.server.storage.migrations import MIGRATIONS
from tests.server.parts import ServerProcess, client

OLD = Path(__file__).parent / "data" / "version-2.sql"
"""Dumped from a server of that version: a game of three after eight entries, and one that ended by resignation."""


def test_games_of_an_earlier_schema_go_on(tmp_path: Path) -> None:
    text = OLD.read_text()
    token = re.findall(r"g1\.\S+", text)[0]
    running, over = re.findall(r"-- running: (\w+), over: (\w+)", text)[0]
    server = ServerProcess(tmp_path)
    with closing(sqlite3.connect(server.database)) as db:
        db.executescript(text)
        assert db.execute("PRAGMA user_version").fetchone() == (2,)
    server.start()
    try:

        async def play() -> str:
            async with client(server, table=running, token=token, since=0) as one:
                assert one.state is not None
                assert [entry["seq"] for entry in one.state["entries"]] == list(range(1, 9))
                return str((await one.play_on())["game"])

        played = asyncio.run(play())
        for game in (played, server.ok("GET", f"/api/tables/{over}")["table"]["game"]):
            assert check_dice(parse_record(server.ok("GET", f"/api/games/{game}/record"))).good
        assert len(server.ok("GET", "/api/me/games", None, token)["games"]) == 2
    finally:
        server.stop()
    server.no_mistakes()
    with closing(sqlite3.connect(server.database)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
