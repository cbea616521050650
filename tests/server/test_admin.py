"""`pickomino admin` against a running server: what it does, and whom it lets in."""

from __future__ import annotations

import asyncio
import json
import stat
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from pickomino.cli import main
from tests.server.parts import ServerProcess, client

FORWARDED = {"X-Forwarded-For": "203.0.113.5"}
TOKEN = "t" * 32


class Admin:
    """The command, against one server."""

    def __init__(self, server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
        self._server, self._capsys = server, capsys

    def text(self, *words: str, status: int = 0) -> str:
        """What it says, to stdout or as an error."""
        self._capsys.readouterr()
        assert main(["admin", "--database", str(self._server.database), *words]) == status
        said = self._capsys.readouterr()
        return said.err if status else said.out

    def json(self, *words: str) -> Any:
        return json.loads(self.text(*words, "--json"))


@pytest.fixture
def admin(server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> Admin:
    return Admin(server, capsys)


def _id(server: ServerProcess, token: str) -> str:
    return str(server.ok("GET", "/api/me", None, token)["guest"])


def test_tables_and_figures_are_listed(server: ServerProcess, admin: Admin) -> None:
    token = server.guest("Anna")
    table = server.table(token, start=False, seats=3, sit=["Anna"], bots=["cautious"])

    async def look() -> tuple[str, Any]:
        async with client(server, table=table["id"], token=token):
            return await asyncio.to_thread(admin.text, "list"), await asyncio.to_thread(admin.json, "list")

    text, found = asyncio.run(look())
    listed = next(each for each in found if each["id"] == table["id"])
    assert (listed["phase"], listed["addresses"]) == ("open", ["127.0.0.1"])
    assert [(seat["guest"], seat["bot"]) for seat in listed["seats"]] == [
        (_id(server, token), None),
        (None, "cautious"),
        (None, None),
    ]
    for line in (f"{table['code']}  open, classic", "A  Anna, here, guest ", "B  bot cautious", "C  empty"):
        assert line in text
    # The module's tests share the server, in any order: what it counts is what it lists.
    phases = Counter(each["phase"] for each in admin.json("list", "--closed"))
    assert phases["open"]
    assert admin.json("stats")["tables"] == phases
    assert "connections " in admin.text("stats")


def test_a_closed_table_is_told_and_plays_no_more(server: ServerProcess, admin: Admin) -> None:
    token = server.guest()
    table = server.table(token, seats=2, sit=["Anna", "Ben"], first="A")

    async def close() -> tuple[str, Any]:
        async with client(server, table=table["id"], token=token) as one:
            said = await asyncio.to_thread(admin.text, "close", table["code"], "--yes")
            while one.table["phase"] != "closed":
                await one.receive()
            return said, await one.ask(one.move())

    said, refused = asyncio.run(close())
    assert said == f"{table['code']} is closed\n"
    assert refused["code"] == "game_over"
    assert table["id"] in {each["id"] for each in admin.json("list", "--closed")}
    assert table["id"] not in {each["id"] for each in admin.json("list")}


def test_a_seat_changes_hands_in_mid_game(server: ServerProcess, admin: Admin) -> None:
    token, other = server.guest("Anna"), server.guest("Ben")
    table = server.table(token, seats=2, sit=["Anna", "Anne"], first="A", away=None)
    given = admin.json("seat", table["id"], "A", "--yes")
    assert given["link"].startswith(f"{server.url}/#seat=s1.")

    async def play() -> str:
        async with client(server) as old:  # the secret that there was is worthless
            refused = await old.hello(seats=[table["secrets"]["A"]])
        async with client(server, seats=[given["link"].partition("#seat=")[2]]) as new:
            assert new.seats == ["A"]
            assert (await new.ask(new.move()))["t"] == "ok"
        return str(refused["code"])

    assert asyncio.run(play()) == "unauthorized"
    admin.json("seat", table["id"], "A", _id(server, other), "--yes")
    games = server.ok("GET", "/api/me/games", None, other)["games"]
    assert [game["game"] for game in games] == [table["game"]]
    assert "only a person's seat" in admin.text("seat", _bots(server, token), "A", "--yes", status=1)


def _bots(server: ServerProcess, token: str) -> str:
    return str(server.table(token, seats=2, bots=["random", "random"])["id"])


def test_who_is_banned_stays_out_until_let_in(
    own_server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    server, admin = own_server, Admin(own_server, capsys)
    bad, good = server.guest("Bad"), server.guest("Good")
    table = server.table(bad, start=False, seats=2, sit=["Bad"], first="A")
    server.ok("POST", f"/api/tables/{table['id']}/seats", {}, good)
    server.ok("POST", f"/api/tables/{table['id']}/start", None, bad)
    who = _id(server, bad)

    async def ban() -> str:
        async with client(server, table=table["id"], token=bad) as one:
            await asyncio.to_thread(admin.text, "ban", who, "--days", "2", "--yes")
            return str((await one.wait_for("bye"))["d"]["code"])

    assert asyncio.run(ban()) == "unauthorized"
    assert server.refused("GET", "/api/me", None, bad) == (401, "unauthorized")
    seats = server.ok("GET", f"/api/tables/{table['id']}", None, good)["table"]["seats"]
    assert [seat["kind"] for seat in seats] == ["bot", "person"]
    server.kill()
    server.start()
    assert server.refused("GET", "/api/me", None, bad) == (401, "unauthorized")
    assert [each["who"] for each in admin.json("bans")] == [who]
    assert admin.text("unban", who) == "nobody is banned any more\n"
    assert server.ok("GET", "/api/me", None, bad)["name"] == "Bad"

    admin.text("ban", "127.0.0.1", "--yes")
    assert server.call("GET", "/api/about")[0] == 403

    async def connect() -> int:
        with pytest.raises(InvalidStatus) as refused:
            async with client(server):
                pass
        return int(refused.value.response.status_code)

    assert asyncio.run(connect()) == 403
    assert admin.json("unban", "127.0.0.1") == []  # whoever runs the server is not shut out of it
    server.ok("GET", "/api/about")


def test_a_guest_is_handed_out_and_deleted(server: ServerProcess, admin: Admin, tmp_path: Path) -> None:
    token = server.guest("Anna")
    who, file = _id(server, token), tmp_path / "anna.json"
    admin.text("export", who, "--output", str(file))
    assert json.loads(file.read_text())["name"] == json.loads(admin.text("export", who))["name"] == "Anna"
    assert f"guest {who} is deleted" in admin.text("delete", who, "--yes")
    assert "no such guest" in admin.text("delete", who, "--yes", status=1)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["close", "HPQ7KM"], "--yes"),
        (["close", "HPQ7KM", "--yes"], "no such table"),
        (["close"], "expected TABLE"),
        (["list", "x"], "expected nothing else"),
        (["ban", "somebody", "--yes"], "a guest's id or an address"),
        (["seat", "HPQ7KM", "Q", "--yes"], "no such"),
        (["export", "x", "--output", "/nowhere/x"], "cannot write"),
    ],
)
def test_slips_are_one_line(admin: Admin, words: list[str], told: str) -> None:
    said = admin.text(*words, status=1 if "no such" in told or "guest's" in told else 2)
    assert told in said
    assert said.count("\n") == 1


def test_without_a_server_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere = tmp_path / "games.db"
    assert main(["admin", "list", "--database", str(nowhere)]) == 1
    assert "no server runs on" in capsys.readouterr().err
    Path(f"{nowhere}.admin").write_text('{"port": 9, "token": "x"}')  # of one that was killed
    assert main(["admin", "list", "--database", str(nowhere)]) == 1
    assert "no server answers at http://127.0.0.1:9" in capsys.readouterr().err


def test_the_way_in_is_the_owners_only(own_server: ServerProcess) -> None:
    server = own_server
    file = Path(f"{server.database}.admin")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    token = json.loads(file.read_text())["token"]
    for given, headers, status in (
        (token, {}, 200),
        (token, FORWARDED, 403),  # a proxy stands before it
        ("", {}, 403),
        (server.guest(), {}, 403),
    ):
        assert server.call("GET", "/api/admin/statistics", token=given, headers=headers)[0] == status
    server.stop()
    assert not file.exists()


def test_a_token_of_ones_own_lets_in_from_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = ServerProcess(tmp_path, settings=f'admin_token = "{TOKEN}"\n').start()
    try:
        assert server.call("GET", "/api/admin/statistics", token=TOKEN, headers=FORWARDED)[0] == 200
        monkeypatch.setenv("PICKOMINO_ADMIN_TOKEN", TOKEN)
        assert main(["admin", "stats", "--server", server.url]) == 0
        monkeypatch.setenv("PICKOMINO_PORT", str(server.port))
        assert main(["admin", "stats"]) == 0
        monkeypatch.setenv("PICKOMINO_ADMIN_TOKEN", "x" * 32)
        capsys.readouterr()
        assert main(["admin", "stats"]) == 1
        assert "only for the operator of the server" in capsys.readouterr().err
        monkeypatch.delenv("PICKOMINO_ADMIN_TOKEN")
        assert main(["admin", "stats", "--server", server.url]) == 2
    finally:
        server.stop()
    server.no_mistakes()
