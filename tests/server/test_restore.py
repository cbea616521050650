"""A database put back to where it was before: what players have seen since is not played over again."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path
from typing import Any

import psycopg
import pytest

from pickomino.chance import check_dice
from pickomino.cli import main
from pickomino.notation import parse_record
from pickomino.server.storage.sqlite import SqliteStorage
from tests.server.engines import Postgres
from tests.server.parts import ServerProcess, client


async def _roll(server: ServerProcess, table: dict[str, Any]) -> dict[str, Any]:
    """A first roll; gives the entry with its value, which is public from then on."""
    async with client(server, seats=list(table["secrets"].values())) as one:
        assert (await one.ask(one.move("roll", seat="A")))["t"] == "ok"
        return dict((await one.wait_for("state"))["d"]["entries"][0])


def _check_abandoned(server: ServerProcess, table: dict[str, Any], token: str, plies: int) -> None:
    async def ask() -> str:
        async with client(server, table=table["id"], token=token) as one:
            assert one.state is None
            message = {"t": "move", "id": "1", "v": 0, "seat": "A"}
            nonce = "0123456789abcdef"
            return str((await one.ask({**message, "d": {"move": "roll", "nonce": nonce}}))["code"])

    assert asyncio.run(ask()) == "not_started"
    assert server.ok("GET", f"/api/tables/{table['id']}")["table"]["phase"] == "open"
    record = parse_record(server.ok("GET", f"/api/games/{table['game']}/record"))
    assert (len(record.game), record.headers["Termination"]) == (
        plies,
        "abandoned: the database was restored",
    )
    assert check_dice(record).good
    again = server.ok("POST", f"/api/tables/{table['id']}/start", None, token)["table"]
    assert (again["phase"], again["game"] != table["game"]) == ("playing", True)
    assert "the database was restored" in server.log()


@pytest.mark.parametrize("way", ["restore", "copied file"])
def test_running_games_of_a_restored_database_are_abandoned(
    own_server: ServerProcess, tmp_path: Path, way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    token = own_server.guest()
    table = own_server.table(token, seats=2, sit=["Anna", "Ben"], first="A")
    database, copy = str(own_server.database), tmp_path / "copies" / "copy.db"
    copy.parent.mkdir()
    if way == "restore":
        assert main(["serve", "--database", database, "--backup", str(copy)]) == 0
    else:
        own_server.stop()
        shutil.copy(own_server.database, copy)
        own_server.start()
    asyncio.run(_roll(own_server, table))  # lost with the restore, and seen by everybody
    own_server.stop()
    if way == "restore":
        assert main(["serve", "--database", database, "--restore", str(copy)]) == 0
    else:
        shutil.copy(copy, own_server.database)
    own_server.start()
    _check_abandoned(own_server, table, token, plies=0)
    (tmp_path / "game.pkgn").write_text(own_server.ok("GET", f"/api/games/{table['game']}/record"))
    assert main(["verify", str(tmp_path / "game.pkgn")]) == 0
    assert "good. classic, A:Anna B:Ben" in (story := capsys.readouterr().out.splitlines()[0])
    assert story.endswith(", abandoned: the database was restored")
    game = own_server.ok("GET", f"/api/tables/{table['id']}")["table"]["game"]
    own_server.stop()
    own_server.start()
    now = own_server.ok("GET", f"/api/tables/{table['id']}")["table"]
    assert (now["phase"], now["game"]) == ("playing", game), "once is enough"


def test_a_server_that_runs_is_not_restored_under(own_server: ServerProcess, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert main(["serve", "--database", str(own_server.database), "--backup", str(copy)]) == 0
    before = own_server.database.stat().st_ino
    assert main(["serve", "--database", str(own_server.database), "--restore", str(copy)]) == 1
    assert own_server.database.stat().st_ino == before


def test_what_is_no_database_is_not_restored(tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("no database at all, and long enough to be one" * 30)
    assert (
        main(["serve", "--database", str(tmp_path / "games.db"), "--restore", str(tmp_path / "copy.db")]) == 1
    )
    assert (
        main(["serve", "--database", str(tmp_path / "games.db"), "--restore", str(tmp_path / "none.db")]) == 1
    )
    assert not (tmp_path / "games.db").exists()


def test_a_postgresql_that_was_rolled_back(tmp_path: Path, postgres: Postgres) -> None:
    """As after a restored dump or a failover that lost commits: the rows stand in another place than they say."""
    url = postgres.new_database()
    server = ServerProcess(tmp_path, postgres=url).start()
    try:
        token = server.guest()
        table = server.table(token, seats=2, sit=["Anna", "Ben"], first="A")
        asyncio.run(_roll(server, table))
        server.stop()
        server.start()
        assert server.ok("GET", f"/api/tables/{table['id']}")["table"]["phase"] == "playing"
        server.stop()
        with psycopg.connect(url, autocommit=True) as db:
            db.execute("UPDATE meta SET value = 'elsewhere' WHERE name = 'place'")
        server.start()
        _check_abandoned(server, table, token, plies=1)
    finally:
        server.stop()
    server.no_mistakes()


def test_copies_are_kept_in_turn(own_server: ServerProcess, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    (folder / "pickomino-notes.txt").write_text("not a copy")
    backup = ["serve", "--database", str(own_server.database), "--backup", str(folder), "--keep", "3"]
    for number in range(5):
        assert main(backup) == 0
        for path in folder.glob("games-*.db"):  # as if a day had passed
            os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 86400))
        assert len(list(folder.glob("games-*.db"))) == min(number + 1, 3)
    assert (folder / "pickomino-notes.txt").exists()


def test_a_crash_while_the_place_is_noted_is_no_restore(tmp_path: Path) -> None:
    file = tmp_path / "games.db.place"

    async def look() -> None:
        storage = SqliteStorage(tmp_path / "games.db")
        await storage.open()
        try:
            assert not await storage.was_restored(), "a new database"
            await storage.settle()
            place = file.read_text()
            assert not await storage.was_restored()
            file.write_text(f"other {place}")  # as it is while the name changes
            assert not await storage.was_restored()
            file.write_text("other")
            assert await storage.was_restored()
            file.unlink()
            assert await storage.was_restored()
        finally:
            await storage.close()

    asyncio.run(look())
