"""Several processes, one PostgreSQL, one Redis: no process owns a table, and players notice none of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from pickomino.chance import Contributor, check_dice
from pickomino.notation import parse_record
from pickomino.server.following import SURE_SECONDS
from tests.server.engines import Postgres, Redis
from tests.server.parts import Client, ServerProcess, client
from tests.server.test_hostile import ODD_PATHS

PATIENT = "roll_seconds = 3.0\n"  # on a busy machine an honest client may be late by a second
Pair = tuple[ServerProcess, ServerProcess]


def _processes(folder: Path, postgres: Postgres, redis: str) -> Pair:
    database = postgres.new_database()
    return (
        ServerProcess(folder / "0", postgres=database, redis=redis, settings=PATIENT).start(),
        ServerProcess(folder / "1", postgres=database, redis=redis, settings=PATIENT).start(),
    )


def _end(pair: Pair) -> None:
    for process in pair:
        assert process.stop() == 0
        process.no_mistakes()


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, postgres: Postgres, redis: Redis) -> Iterator[Pair]:
    started = _processes(tmp_path_factory.mktemp("pair"), postgres, redis.url)
    yield started
    _end(started)


def test_a_guest_and_a_table_are_found_from_anywhere(pair: Pair) -> None:
    first, second = pair
    anna, ben = first.guest("Anna"), second.guest("Ben")
    assert second.ok("GET", "/api/me", None, anna)["name"] == "Anna"
    table = first.table(anna, start=False, seats=3, sit=["Anna"], public=True)
    assert second.ok("GET", f"/api/codes/{table['code']}")["table"] == table["id"]
    assert table["id"] in [found["id"] for found in second.ok("GET", "/api/tables")["tables"]]
    second.ok("POST", f"/api/tables/{table['id']}/seats", {}, ben)
    seen = first.ok("POST", f"/api/tables/{table['id']}/seats", {"name": "Cleo"}, anna)
    assert [seat["name"] for seat in seen["table"]["seats"]] == ["Anna", "Ben", "Cleo"]
    assert second.refused("POST", f"/api/tables/{table['id']}/seats", {}, ben)[1] == "table_full"
    first.ok("POST", f"/api/tables/{table['id']}/start", None, anna)
    assert second.refused("POST", f"/api/tables/{table['id']}/start", None, anna)[1] == "already_started"


def test_players_on_different_processes_play_a_whole_game(pair: Pair) -> None:
    first, second = pair
    anna, ben = first.guest("Anna"), second.guest("Ben")
    table = first.table(anna, start=False, seats=3, sit=["Anna"], bots=["cautious"], pace_ms=0)["id"]
    second.ok("POST", f"/api/tables/{table}/seats", {}, ben)

    async def play() -> tuple[dict[str, Any], ...]:
        async with (
            client(first, table=table, token=anna) as one,
            client(second, table=table, token=ben) as two,
        ):
            second.ok("POST", f"/api/tables/{table}/start", None, anna)
            watching = client(second, table=table)
            async with watching as three:
                return tuple(await asyncio.gather(*(player.play_on(120) for player in (one, two, three))))

    ends = asyncio.run(play())
    assert len({end["v"] for end in ends}) == 1
    record = first.ok("GET", f"/api/games/{ends[0]['game']}/record")
    assert record == second.ok("GET", f"/api/games/{ends[0]['game']}/record")
    assert check_dice(parse_record(record)).good


def test_any_process_takes_values_and_finishes_rolls(pair: Pair) -> None:
    """A value that is sent again elsewhere gets its first answer, before the roll falls and after."""
    first, second = pair
    anna, ben = first.guest("Anna"), second.guest("Ben")
    table = first.table(anna, start=False, seats=2, sit=["Anna"], first="A")["id"]
    second.ok("POST", f"/api/tables/{table}/seats", {}, ben)

    async def play() -> dict[str, Any]:
        async with client(first) as one, client(second) as two, client(first) as other:
            mine, theirs = Contributor(), Contributor()
            await one.hello(mine, table=table, token=anna, since=0)
            await two.hello(theirs, table=table, token=ben, since=0)
            await other.hello(table=table, token=ben, since=0)
            first.ok("POST", f"/api/tables/{table}/start", None, anna)
            everybody = (one, two, other)
            tips = [_until(p, lambda p=p: p.state and len(p.state["chains"]["tips"]) == 2) for p in everybody]
            await asyncio.gather(*tips)
            two.asleep = True
            assert (await one.ask(one.move("roll")))["t"] == "ok"
            await _until(two, lambda: two.state is not None and two.state["chains"]["ask"])
            assert two.state is not None
            (value,) = theirs.hear(two.state, ["B"])
            answers = await asyncio.gather(two.ask({"id": "v", **value}), other.ask({"id": "v", **value}))
            assert [answer["t"] for answer in answers] == ["ok", "ok"]
            await _until(one, lambda: one.state and one.state["chains"]["next"] == 2 and one.state["seat"])
            assert (await other.ask({"id": "v", **value}))["t"] == "ok"
            two.asleep = False
            answer = await two.ask({"t": "state", "id": "s", "d": {"since": 0}})
            return dict(answer["d"]["state"])

    state = asyncio.run(play())
    assert [entry["kind"] for entry in state["entries"]] == ["tip", "tip", "ask", "dice"]
    assert sorted(state["entries"][-1]["values"]) == ["A", "B"]


def test_a_rematch_reaches_everybody(pair: Pair) -> None:
    first, second = pair
    anna = first.guest("Anna")
    table = first.table(anna, seats=2, sit=["Anna", "Ben"])["id"]

    async def play() -> None:
        async with client(second, table=table, token=anna) as two:
            assert two.state is not None
            game = two.state["game"]
            async with client(first, table=table, token=anna) as one:
                assert (await one.ask({"t": "resign", "id": "r", "seat": "A"}))["t"] == "ok"
                await _until(two, lambda: two.state is not None and two.state["over"])
                second.ok("POST", f"/api/tables/{table}/rematch", None, anna)
                first.ok("POST", f"/api/tables/{table}/start", None, anna)
                for player in (one, two):
                    await _until(player, lambda p=player: p.state["game"] != game)
                assert (await two.ask(two.move("roll", seat=two.state["seat"])))["t"] == "ok"
                await _until(one, lambda: one.state is not None and one.state["v"] == 1)

    asyncio.run(play())


async def _until(player: Client, holds: Any) -> None:
    while not holds():
        await player.receive()


def test_who_is_there_is_known_everywhere(pair: Pair) -> None:
    first, second = pair
    anna, ben = first.guest("Anna"), second.guest("Ben")
    table = first.table(anna, start=False, seats=2, sit=["Anna"])["id"]
    second.ok("POST", f"/api/tables/{table}/seats", {}, ben)

    def connected(player: Client) -> list[bool]:
        return [seat["connected"] for seat in player.table["seats"]]

    async def look() -> None:
        async with client(first, table=table, token=anna) as one:
            assert connected(one) == [True, False]
            async with client(second, table=table, token=ben) as two:
                await _until(two, lambda: connected(two) == [True, True])
                await _until(one, lambda: connected(one) == [True, True])
                listed = second.ok("GET", "/api/me/tables", None, ben)["tables"]
                assert [seat["connected"] for seat in listed[0]["seats"]] == [True, True]
            await _until(one, lambda: connected(one) == [True, False])

    asyncio.run(look())


def test_who_is_away_is_replaced_and_comes_back_through_another_process(pair: Pair) -> None:
    first, second = pair
    anna, ben = first.guest("Anna"), second.guest("Ben")
    table = first.table(anna, start=False, seats=2, sit=["Anna"], first="B", away=5, pace_ms=10_000)["id"]
    second.ok("POST", f"/api/tables/{table}/seats", {}, ben)
    first.ok("POST", f"/api/tables/{table}/start", None, anna)

    def stand_in(player: Client) -> str | None:
        found: str | None = player.table["seats"][1]["stand_in"]
        return found

    async def play() -> None:
        async with client(first, table=table, token=anna) as one:
            await _until(one, lambda: stand_in(one) == "cautious")
            async with client(second, table=table, token=ben) as two:
                assert two.table["seats"][1]["stand_in"] is None, "the seat is given back at once"
                assert (await two.ask(two.move("roll")))["t"] == "ok"
                await _until(
                    one, lambda: one.state is not None and one.state["seat"] == "B" and one.state["v"] == 3
                )

    asyncio.run(play())


def test_who_is_there_through_another_process_is_not_replaced(pair: Pair) -> None:
    first, second = pair
    anna, ben = first.guest("Anna"), second.guest("Ben")

    def start() -> str:
        table = first.table(anna, start=False, seats=2, sit=["Anna"], first="B", away=5)["id"]
        second.ok("POST", f"/api/tables/{table}/seats", {}, ben)
        first.ok("POST", f"/api/tables/{table}/start", None, anna)
        return str(table)

    async def play() -> None:
        table = start()
        async with client(first, table=table, token=anna), client(second, table=table, token=ben) as two:
            # At a table that started later and to which Ben does not come his time has run out.
            async with client(first, table=start(), token=anna) as alone:
                await _until(alone, lambda: alone.table["seats"][1]["stand_in"] == "cautious")
            answer = await two.ask(two.move("roll"))
            assert (answer["t"], answer["v"]) == ("ok", 1)

    asyncio.run(play())


async def _noted(server: ServerProcess, table: str) -> None:
    """Until the others can read who is at a table."""
    async with asyncio.timeout(60), await psycopg.AsyncConnection.connect(server.postgres) as db:
        while not await (await db.execute("SELECT 1 FROM presence WHERE tbl = %s", (table,))).fetchone():
            await asyncio.sleep(0.02)


def test_leaving_through_another_process_stays(pair: Pair) -> None:
    first, second = pair
    anna = first.guest("Anna")
    table = first.table(anna, seats=3, sit=["Anna"], bots=["random", "random"], first="A", pace_ms=10_000)[
        "id"
    ]

    async def play() -> None:
        async with client(first, table=table, token=anna) as one:
            await _noted(first, table)
            await asyncio.sleep(SURE_SECONDS + 0.5)  # what was noted a moment ago may not be known yet
            second.ok("DELETE", f"/api/tables/{table}/seats/A", None, anna)
            await _until(one, lambda: one.state is not None and one.state["v"] == 1)
            # Who would give the seat back does so before this is answered: it has the table's lock.
            answer = await one.ask({"t": "state", "id": "s"})
            assert answer["v"] == 1, "a bot plays on"

    asyncio.run(play())


def test_reactions_reach_the_others(pair: Pair) -> None:
    first, second = pair
    anna = first.guest("Anna")
    table = first.table(anna, seats=2, sit=["Anna", "Ben"])["id"]

    async def play() -> dict[str, Any]:
        async with client(first, table=table, token=anna) as one, client(second, table=table) as two:
            while True:  # until Redis has let it in
                await one.ask({"t": "react", "id": one.next_id(), "d": {"reaction": "worm"}})
                try:
                    return await two.wait_for("reaction", 0.5)
                except TimeoutError:
                    continue

    assert asyncio.run(play())["d"] == {"seat": "A", "reaction": "worm"}


def test_without_redis_the_rows_are_looked_at(tmp_path: Path, postgres: Postgres) -> None:
    first, second = pair = _processes(tmp_path, postgres, "")
    anna = first.guest("Anna")
    table = first.table(anna, start=False, seats=2, sit=["Anna", "Ben"], first="A")["id"]

    async def play() -> None:
        async with (
            client(first, table=table, token=anna) as one,
            client(second, table=table, token=anna) as two,
        ):
            second.ok("POST", f"/api/tables/{table}/start", None, anna)
            await _until(one, lambda: one.state is not None)
            assert (await one.ask(one.move("roll")))["t"] == "ok"
            await _until(two, lambda: two.state is not None and two.state["v"] == 1)
            assert (await two.ask(two.move()))["t"] == "ok"
            await _until(one, lambda: one.state is not None and one.state["v"] == 2)

    asyncio.run(play())
    _end(pair)


@pytest.mark.parametrize("path", ODD_PATHS)
def test_odd_names_of_things_are_not_found_here_either(pair: Pair, path: str) -> None:
    status, answer = pair[0].call("GET", path, None, pair[0].guest())
    assert (status, answer["code"]) == (404, "not_found")
