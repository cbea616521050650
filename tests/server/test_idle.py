"""A table that nobody uses leaves memory and costs its rows; it is back when it is used or has something to do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.parts import ServerProcess, client, figure, until


@pytest.fixture
def forgetful(tmp_path: Path) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path)
    process.program = [str(Path(__file__).with_name("forgetful.py"))]
    process.start()
    yield process
    assert process.stop() == 0
    process.no_mistakes()


def wait_until_empty(server: ServerProcess) -> None:
    until(lambda: not figure(server, "tables_in_memory"), "a table stays in memory")


def version(server: ServerProcess, table: str) -> int:
    async def look() -> int:
        async with client(server, table=table) as watcher:
            assert watcher.state is not None
            return int(watcher.state["v"])

    return asyncio.run(look())


def test_a_table_whose_people_have_gone_leaves_memory_and_comes_back(forgetful: ServerProcess) -> None:
    token = forgetful.guest()
    table = forgetful.table(token, seats=2, sit=["A", "B"], away=5)

    async def play(moves: int) -> int:
        async with client(forgetful, table=table["id"], token=token) as one:
            for _ in range(moves):
                assert (await one.ask(one.move()))["t"] == "ok"
                await one.wait_for("state")
            assert one.state is not None
            return int(one.state["v"])

    before = asyncio.run(play(8))
    wait_until_empty(forgetful)
    assert figure(forgetful, "connections") == figure(forgetful, "wakes") == 0
    assert version(forgetful, table["id"]) == before
    assert asyncio.run(play(8)) > before
    wait_until_empty(forgetful)
    assert forgetful.stop() == 0
    assert "still held: 0\n" in forgetful.log()


def test_bots_play_on_to_the_turn_of_somebody_who_has_gone(forgetful: ServerProcess) -> None:
    bots = ["cautious", "cautious"]
    token = forgetful.guest()
    table = forgetful.table(token, seats=3, sit=["Anna"], bots=bots, first="B", pace_ms=0)
    wait_until_empty(forgetful)
    assert figure(forgetful, "wakes") == 0

    async def look() -> str:
        async with client(forgetful, table=table["id"], token=token) as one:
            assert one.state is not None
            return str(one.state["seat"])

    assert asyncio.run(look()) == "A"


def test_a_clock_wakes_a_table_that_has_left_memory(forgetful: ServerProcess) -> None:
    token = forgetful.guest()
    table = forgetful.table(token, seats=2, sit=["A", "B"], timer=5)
    before = version(forgetful, table["id"])
    wait_until_empty(forgetful)
    assert figure(forgetful, "wakes") == 1
    until(lambda: figure(forgetful, "entries_total"), "the clock is forgotten")
    assert version(forgetful, table["id"]) > before


def test_a_table_of_bots_plays_while_somebody_looks_and_sleeps_otherwise(forgetful: ServerProcess) -> None:
    table = forgetful.table(forgetful.guest(), seats=2, bots=["random", "random"], pace_ms=0)["id"]
    wait_until_empty(forgetful)
    assert (figure(forgetful, "entries_total"), figure(forgetful, "wakes")) == (0, 0)

    async def watch(versions: int) -> int:
        async with client(forgetful, table=table) as watcher:
            assert watcher.state is not None
            first = watcher.state["v"]
            while watcher.state["v"] < first + versions and not watcher.state["over"]:
                await watcher.receive()
            return int(watcher.state["v"])

    seen = asyncio.run(watch(4))
    assert seen >= 4
    wait_until_empty(forgetful)
    assert figure(forgetful, "wakes") == 0
    slept_at = version(forgetful, table)
    forgetful.stop()
    forgetful.start()
    wait_until_empty(forgetful)
    assert figure(forgetful, "entries_total") == 0, "a restart wakes nobody either"
    assert asyncio.run(watch(10_000)) > slept_at, "it goes on to its end once somebody looks"
