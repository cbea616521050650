"""Clocks that are set, disks that fill up, processes that stood still, hosts that vanish."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pickomino.notation import parse_record
from tests.server.parts import ServerProcess, client, until


def _program(name: str, argument: str) -> list[str]:
    return [str(Path(__file__).with_name(name)), argument]


def test_a_clock_that_is_set_back_freezes_nobody(tmp_path: Path) -> None:
    shift = tmp_path / "shift"
    shift.write_text("0")
    server = ServerProcess(tmp_path)
    server.program = _program("shifted.py", str(shift))
    server.start()
    try:
        token = server.guest()
        bots = ["random", "random"]
        table = server.table(token, seats=3, sit=["Anna"], bots=bots, first="B", timer=5, pace_ms=10)["id"]

        async def watch() -> None:
            async with client(server, table=table, token=token) as one:
                await one.wait_for("state")
                shift.write_text("-7200")
                for _ in range(2):  # bots play up to Anna, her time runs out, and they play on
                    while one.state is None or one.state["seat"] != "A":
                        await one.receive()
                    while one.state["seat"] == "A":
                        await one.receive()

        asyncio.run(watch())
        server.stop()
        server.start()  # with games that were played two hours from now

        async def go_on() -> None:
            async with client(server, table=table, token=token) as one:
                await one.wait_for("state")

        asyncio.run(go_on())
    finally:
        server.stop()
    server.no_mistakes()


def test_a_move_that_was_sent_in_time_counts_though_the_server_stood_still(own_server: ServerProcess) -> None:
    token = own_server.guest()
    table = own_server.table(token, seats=2, sit=["Anna", "Ben"], first="A", timer=5)["id"]

    async def play() -> dict[str, Any]:
        async with client(own_server, table=table, token=token) as one:
            assert one.state is not None
            os.kill(own_server.pid, signal.SIGSTOP)
            await one.send(message := one.move("roll", seat="A"))
            await asyncio.sleep(one.state["left_ms"] / 1000 + 0.5)  # her time runs out while it stands still
            os.kill(own_server.pid, signal.SIGCONT)
            while (answer := await one.receive()).get("id") != message["id"]:
                pass
            return answer

    answer = asyncio.run(play())
    assert (answer["t"], answer["v"]) == ("ok", 1)


def test_a_full_disk_is_not_ready_and_is_told_in_the_log(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    server.program = _program("tight.py", "400000")
    server.start()
    try:
        while server.call("GET", "/readyz")[0] == 200:  # each look writes; the file grows to its limit
            server.call("POST", "/api/guests", {"name": "x" * 24})
        assert server.call("GET", "/healthz")[0] == 200
        told = [json.loads(line) for line in server.log().splitlines()]
        assert any(line["level"] == "error" and "cannot be written" in line["message"] for line in told)
    finally:
        server.stop()


def test_a_closed_table_shows_whole_dice_or_none(tmp_path: Path) -> None:
    text = "housekeeping_seconds = 0.1\nexpire_hours = 0.0001\n"
    server = ServerProcess(tmp_path, limits=True, settings=text).start()
    try:
        token = server.guest()
        table = server.table(token, seats=2, sit=["Anna", "Ben"], first="A")["id"]

        async def look() -> None:
            async with client(server, table=table, token=token) as one:
                await one.ask(one.move("roll", seat="A"))
            while True:
                async with client(server, table=table, token=token, since=0) as one:
                    if one.state is None:  # it has become a record
                        assert one.table["phase"] == "closed"
                        return
                    assert [entry["k"] for entry in one.state["entries"]] == [1]
                await asyncio.sleep(0.1)  # the limit of connections begun

        asyncio.run(look())
    finally:
        server.stop()
    server.no_mistakes()


def test_a_game_whose_rows_have_gone_shows_no_dice(own_server: ServerProcess) -> None:
    """Another process has made a record of it; this one still has the game in memory."""
    token = own_server.guest()
    table = own_server.table(token, seats=2, sit=["Anna", "Ben"], first="A")["id"]

    async def look() -> None:
        async with client(own_server, table=table, token=token) as one:
            await one.ask(one.move("roll", seat="A"))
            with closing(sqlite3.connect(own_server.database)) as rows, rows:
                rows.execute("DELETE FROM entries")
            async with client(own_server, table=table, token=token, since=0) as other:
                assert other.state is None

    asyncio.run(look())


def test_who_sits_there_may_start_when_the_host_has_vanished(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, settings="host_seconds = 0.5\n").start()
    try:
        host, guest, stranger = server.guest("Host"), server.guest("Guest"), server.guest("Stranger")
        path = f"/api/tables/{server.table(host, start=False, seats=3, sit=['Host'])['id']}"
        server.ok("POST", f"{path}/seats", {}, guest)

        async def while_the_host_is_there() -> None:
            async with client(server, table=path.rpartition("/")[2], token=host):
                await asyncio.sleep(0.6)
                refused = await asyncio.to_thread(server.refused, "POST", f"{path}/start", None, guest)
                assert refused == (403, "forbidden")

        asyncio.run(while_the_host_is_there())
        bot = ("PUT", f"{path}/seats/C", {"bot": "random"}, guest)
        until(lambda: server.call(*bot)[0] == 200, "the host is not taken for gone")
        assert server.refused("POST", f"{path}/start", None, stranger) == (403, "forbidden")
        assert server.ok("POST", f"{path}/start", None, guest)["you"]["host"]
    finally:
        server.stop()
    server.no_mistakes()


@pytest.mark.parametrize("name", ["👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 Ailsa", "नमस्ते", "می‌خواهم", "❤️"])
def test_names_in_which_signs_are_joined(server: ServerProcess, name: str) -> None:
    token = server.guest(name)
    table = server.table(token, seats=2, sit=[name, "Ben"], first="A")

    async def play() -> None:
        async with client(server, table=table["id"], token=token) as one:
            assert one.table["seats"][0]["name"] == name
            assert (await one.ask({"t": "resign", "id": "r", "seat": "B"}))["t"] == "ok"

    asyncio.run(play())
    assert parse_record(server.ok("GET", f"/api/games/{table['game']}/record")).names == (name, "Ben")


@pytest.mark.parametrize("name", ["\u200d", "a\u200d", "\u200db", "a\u202eb", "\ufeffa", "a\u200d\u200db"])
def test_names_that_only_look_like_something(server: ServerProcess, name: str) -> None:
    assert server.refused("POST", "/api/guests", {"name": name}) == (400, "bad_message")
