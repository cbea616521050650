"""kill -9 at random moments of live games: what was acknowledged or shown is there once, and play goes on."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.parts import ServerProcess, client, until
from tests.server.player import Player

KILLS = 5  # in one test; five tests make the 25 of `make test`, forty the 200 of `make soak`


def _at_it(players: list[Player]) -> bool:
    """Moves were acknowledged, and a value of a guest's went into a roll."""
    return sum(player.acks for player in players) > KILLS and any(
        player.contributor.kept.taken for player in players
    )


async def _kill_and_return(server: ServerProcess, players: list[Player], after: float) -> None:
    games = [asyncio.create_task(player.play()) for player in players]
    async with asyncio.timeout(120):  # a limit to give up at, not one to hold
        while not _at_it(players):
            for index, game in enumerate(games):
                if game.done():  # a machine that is busy may lose a connection before the kill
                    game.result()
                    games[index] = asyncio.create_task(players[index].play())
            await asyncio.sleep(0.01)
    await asyncio.sleep(after)
    server.kill()
    await asyncio.wait_for(asyncio.gather(*games), 20)
    await asyncio.to_thread(server.start)


async def _look_on(server: ServerProcess, table: str) -> None:
    """The bots play on while somebody looks."""
    async with client(server, table=table) as one:
        assert one.state is not None
        before = one.state["v"]
        while one.state["v"] == before and not one.state["over"]:
            await one.receive()


def _players(server: ServerProcess) -> list[Player]:
    anna, ben, host = server.guest("Anna"), server.guest("Ben"), server.guest("Host")
    for_two = server.table(anna, start=False, seats=2, sit=["Anna"])["id"]
    server.ok("POST", f"/api/tables/{for_two}/seats", {}, ben)
    server.ok("POST", f"/api/tables/{for_two}/start", None, anna)
    hot_seat = server.table(host, edition="deluxe", seats=3, sit=["X", "Y", "Z"])["id"]
    mixed = server.table(host, seats=4, sit=["X"], bots=["cautious", "random", "cautious"], pace_ms=0)["id"]
    return [
        Player(server, for_two, anna),
        Player(server, for_two, ben),
        Player(server, hot_seat, host),
        Player(server, mixed, host),
    ]


def _kills(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    server = ServerProcess(tmp_path).start()
    try:
        players = _players(server)
        bots = server.table(server.guest(), seats=2, bots=["random", "random"], pace_ms=40)["id"]
        watcher = Player(server, bots, server.guest())
        for _ in range(KILLS):
            asyncio.run(_kill_and_return(server, players, rng.uniform(0.02, 0.5)))
            for player in [*players, watcher]:
                asyncio.run(player.look())
        asyncio.run(_look_on(server, bots))
        # Whose value was acknowledged is in the roll, and is not called missing.
        assert [player.contributor.complaints for player in players] == [[]] * len(players)
    finally:
        server.stop()
    server.no_mistakes()
    with sqlite3.connect(server.database) as db:
        doubled = db.execute(
            "SELECT game, cid FROM entries WHERE cid IS NOT NULL GROUP BY game, cid HAVING count(*) > 1"
        ).fetchall()
        gaps = db.execute("SELECT game FROM entries GROUP BY game HAVING max(seq) <> count(*)").fetchall()
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()
    assert (doubled, gaps) == ([], [])


@pytest.mark.parametrize("seed", range(5))
def test_nothing_acknowledged_is_lost(tmp_path: Path, seed: int) -> None:
    _kills(tmp_path, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 140))
def test_nothing_acknowledged_is_lost_for_long(tmp_path: Path, seed: int) -> None:
    _kills(tmp_path, seed)


def test_a_clock_goes_on_over_a_crash(own_server: ServerProcess) -> None:
    """From the turn's beginning, not from the restart: an hour has passed when it is back."""
    token = own_server.guest()
    table = own_server.table(token, seats=2, sit=["Anna", "Ben"], first="A", timer=3600, pace_ms=0)["id"]
    own_server.kill()
    with closing(sqlite3.connect(own_server.database)) as db, db:
        db.execute("UPDATE games SET started = started - 3600, wake = wake - 3600")
    own_server.start()

    async def wait() -> dict[str, Any]:
        async with client(own_server, table=table, token=token, since=0) as one:
            while one.state is None or not one.state["entries"]:
                await one.receive()
            return dict(one.state["entries"][0])

    assert asyncio.run(wait())["kind"] == "timeout"


def test_bots_go_on_after_a_crash_with_nobody_there(own_server: ServerProcess) -> None:
    """To the turn of the person who plays with them."""
    token = own_server.guest()
    bots = ["cautious"] * 3
    table = own_server.table(token, seats=4, sit=["Anna"], bots=bots, first="B", pace_ms=20, away=None)
    own_server.kill()
    own_server.start()

    def wake() -> float | None:
        with closing(sqlite3.connect(own_server.database)) as db:
            found: float | None = db.execute("SELECT wake FROM games").fetchone()[0]
            return found

    until(lambda: wake() is None, "the bots do not come to an end")

    async def look() -> str:
        async with client(own_server, table=table["id"], token=token) as one:
            assert one.state is not None
            return str(one.state["seat"])

    assert asyncio.run(look()) == "A"


def test_a_stop_says_goodbye_and_loses_nothing(own_server: ServerProcess) -> None:
    token = own_server.guest()
    table = own_server.table(token, seats=2, sit=["Anna", "Ben"], first="A")["id"]

    async def play() -> tuple[dict[str, Any], int]:
        async with client(own_server, table=table, token=token) as one:
            answer = await one.ask(one.move("roll"))
            stopping = asyncio.create_task(asyncio.to_thread(own_server.stop))
            bye = await one.wait_for("bye")
            with pytest.raises(ConnectionClosed):
                await one.receive()
            assert one.socket.close_code == 1012
            assert await stopping == 0
            return bye, int(answer["v"])

    bye, version = asyncio.run(play())
    assert bye["d"]["code"] == "restarting"
    own_server.start()

    async def look() -> int:
        async with client(own_server, table=table) as one:
            assert one.state is not None
            return int(one.state["v"])

    assert asyncio.run(look()) == version == 1
