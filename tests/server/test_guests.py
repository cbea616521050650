"""What is known of a guest can be had and deleted, and the others' games go on."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from pickomino.chance import check_dice
from pickomino.notation import parse_record
from tests.server.parts import Client, ServerProcess, client, until


def _resigned(server: ServerProcess, token: str, **settings: Any) -> dict[str, Any]:
    """A table of two whose game has ended at once: the first seat has resigned."""
    table = server.table(token, seats=2, away=None, first="A", **settings)

    async def resign() -> None:
        async with client(server, table=table["id"], token=token) as one:
            assert (await one.ask({"t": "resign", "id": "r", "seat": "A"}))["t"] == "ok"

    asyncio.run(resign())
    return table


def _sit(server: ServerProcess, token: str, table: str) -> None:
    server.ok("POST", f"/api/tables/{table}/seats", {}, token)


@pytest.fixture
def archiving(tmp_path: Path) -> Iterator[ServerProcess]:
    """Closed tables become records at once."""
    server = ServerProcess(tmp_path, settings="housekeeping_seconds = 0.1\n")
    server.config.write_text(server.config.read_text().replace("housekeeping_seconds = 3600\n", ""))
    server.start()
    yield server
    server.stop()
    server.no_mistakes()


def test_everything_is_handed_out(server: ServerProcess) -> None:
    token = server.guest("Anna")
    over = _resigned(server, token, sit=["Anna", "Anne"])
    running = server.table(token, seats=2, sit=["Anna"], bots=["cautious"], first="A")
    status, told = server.call("GET", "/api/me/export", token=token)
    assert status == 200
    assert (told["name"], told["guest"]) == ("Anna", server.ok("GET", "/api/me", None, token)["guest"])
    assert {table["id"] for table in told["tables"]} == {over["id"], running["id"]}
    by_id = {game["game"]: game for game in told["games"]}
    assert by_id[running["game"]]["record"] is None  # it is being played
    record = parse_record(by_id[over["game"]]["record"])
    assert record.names == ("Anna", "Anne")
    assert check_dice(record).good


def test_games_of_nobody_else_go_with_their_secrets(own_server: ServerProcess) -> None:
    server, token = own_server, own_server.guest("Zoltan")
    _resigned(server, token, sit=["Zoltan", "Zoe"])
    server.table(token, seats=2, sit=["Zoltan"], bots=["cautious"], first="A")
    erased = server.ok("DELETE", "/api/me", None, token)
    assert (erased["tables"], erased["games_deleted"], erased["games_kept"]) == (2, 2, 0)
    assert server.refused("GET", "/api/me", None, token) == (401, "unauthorized")
    server.stop()
    with closing(sqlite3.connect(server.database)) as db:
        for name in ("guests", "games", "players", "entries"):
            assert db.execute(f"SELECT count(*) FROM {name}").fetchone() == (0,), name
        assert db.execute("SELECT DISTINCT phase FROM tables").fetchall() == [("closed",)]
        assert "Zoltan" not in "\n".join(db.iterdump())


def test_others_play_on_and_the_name_goes(archiving: ServerProcess) -> None:
    server = archiving
    leaver, stayer = server.guest("Quentin"), server.guest("Ben")
    made = server.table(
        leaver, start=False, seats=3, sit=["Quentin"], bots=["cautious"], pace_ms=0, first="A"
    )
    _sit(server, stayer, made["id"])
    server.ok("POST", f"/api/tables/{made['id']}/start", None, leaver)

    async def play() -> dict[str, Any]:
        there = {"table": made["id"]}
        async with (
            client(server, **there, token=leaver) as gone,
            client(server, **there, token=stayer) as one,
        ):
            erased = await asyncio.to_thread(server.ok, "DELETE", "/api/me", None, leaver)
            assert (erased["games_deleted"], erased["games_kept"]) == (0, 1)
            assert (await _farewell(gone))["d"]["code"] == "unauthorized"
            return await one.play_on()

    state = asyncio.run(play())
    assert state["result"]["reason"] != "resignation"  # whoever goes like this has not resigned
    table = server.ok("GET", f"/api/tables/{made['id']}", None, stayer)
    assert table["you"]["host"]  # the next person
    assert [seat["name"] for seat in table["table"]["seats"]] == ["cautious", "cautious", "Ben"]
    players = server.ok("GET", f"/api/games/{state['game']}")["players"]
    assert [player["name"] for player in players] == ["gone", "cautious", "Ben"]
    _without_names(server, state["game"])
    # Ben goes too: nobody is left whose game it is.
    assert server.ok("DELETE", "/api/me", None, stayer)["games_deleted"] == 1
    assert server.refused("GET", f"/api/games/{state['game']}") == (404, "not_found")


async def _farewell(gone: Client) -> dict[str, Any]:
    bye = await gone.wait_for("bye")
    with pytest.raises(ConnectionClosed):
        await gone.receive()
    return bye


def _without_names(server: ServerProcess, game: str) -> None:
    text = server.ok("GET", f"/api/games/{game}/record")
    record = parse_record(text)
    assert "Quentin" not in text
    assert (record.names[0], record.headers["Removed"]) == ("gone", "A")
    problem = check_dice(record).problem
    assert problem is not None  # the tip is bound to the name
    assert problem.roll == 1
    assert "tip" in problem.reason


def test_names_go_out_of_records_that_were_made_before(archiving: ServerProcess) -> None:
    server = archiving
    leaver, stayer = server.guest("Quentin"), server.guest("Ben")
    made = server.table(leaver, start=False, seats=2, sit=["Quentin"], first="A", pace_ms=0)
    _sit(server, stayer, made["id"])
    started = server.ok("POST", f"/api/tables/{made['id']}/start", None, leaver)

    async def play() -> None:
        async with client(server, table=made["id"], token=leaver) as one:
            assert (await one.ask(one.move()))["t"] == "ok"
            assert (await one.ask({"t": "resign", "id": "r"}))["t"] == "ok"

    asyncio.run(play())
    server.stop()
    with closing(sqlite3.connect(server.database)) as db:
        db.execute("UPDATE tables SET used = 0")
        db.execute("UPDATE entries SET at = 0")
        db.commit()
    server.start()

    def archived() -> bool:
        with closing(sqlite3.connect(server.database)) as db:
            return bool(db.execute("SELECT count(*) = 0 FROM entries").fetchone()[0])

    until(archived, "the game does not become a record")
    assert server.ok("DELETE", "/api/me", None, leaver)["games_kept"] == 1
    _without_names(server, started["table"]["game"])
    server.stop()
    with closing(sqlite3.connect(server.database)) as db:
        assert "Quentin" not in "\n".join(db.iterdump())
