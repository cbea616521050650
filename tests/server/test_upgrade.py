"""A database of an earlier version is brought up to date, and every game goes on."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pickomino.chance import check_dice
from pickomino.notation import parse_record
from pickomino.server.storage.files import beside
from pickomino.server.storage.migrations import MIGRATIONS
from tests.server.parts import ServerProcess, client

DATA = Path(__file__).parent / "data"
"""Dumped from servers of those versions: a game after eight entries, and one that ended by resignation. In version 2
one guest has all seats, in version 3 there are two guests: such games go on with the roller's nonces alone."""


@pytest.mark.parametrize("version", [2, 3])
def test_games_of_an_earlier_schema_go_on(tmp_path: Path, version: int) -> None:
    text = (DATA / f"version-{version}.sql").read_text()
    tokens = re.findall(r"g1\.\S+", text)
    running, over = re.findall(r"-- running: (\w+), over: (\w+)", text)[0]
    server = ServerProcess(tmp_path)
    with closing(sqlite3.connect(server.database)) as db:
        db.executescript(text)
        assert db.execute("PRAGMA user_version").fetchone() == (version,)
        place = db.execute("SELECT value FROM meta WHERE name = 'place'").fetchone()
    if place is not None:  # the file beside it, without which it would pass for a copy
        beside(server.database, ".place").write_text(place[0])
    server.start()
    try:

        async def play(token: str) -> str:
            async with client(server, table=running, token=token, since=0) as one:
                assert one.state is not None
                assert [entry["seq"] for entry in one.state["entries"][:8]] == list(range(1, 9))
                return str((await one.play_on())["game"])

        async def play_all() -> list[str]:
            return list(await asyncio.gather(*map(play, tokens)))

        played = asyncio.run(play_all())[0]
        for game in (played, server.ok("GET", f"/api/tables/{over}")["table"]["game"]):
            check = check_dice(parse_record(server.ok("GET", f"/api/games/{game}/record")))
            assert (check.good, check.joint) == (True, False)
        for token in tokens:
            assert len(server.ok("GET", "/api/me/games", None, token)["games"]) == 2
    finally:
        server.stop()
    server.no_mistakes()
    with closing(sqlite3.connect(server.database)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
