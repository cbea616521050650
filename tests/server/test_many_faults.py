"""Several processes, and everything that can go away does: nothing is lost or doubled, and play goes on."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
import pytest

from pickomino.chance import check_dice
from pickomino.notation import parse_record
from tests.server.balancer import Balancer
from tests.server.engines import Postgres, Redis
from tests.server.parts import ServerProcess, client
from tests.server.player import Player, Roamer

KILLS = 13  # in one test; two tests make the 25 of `make test`, sixteen the 200 of `make soak`
RACES, TABLES = 1000, 10
EXAMPLE = Path(__file__).parents[2] / "docs" / "example_client.py"


class Cluster:
    """Some processes that share a database, and players who roam among them."""

    def __init__(self, folder: Path, postgres: Postgres, redis: Redis, count: int = 2) -> None:
        self.database = postgres.new_database()
        self.processes = [
            ServerProcess(folder / str(number), postgres=self.database, redis=redis.url).start()
            for number in range(count)
        ]
        self.players = self._players()
        self.tasks: list[asyncio.Task[None]] = []

    def _players(self) -> list[Roamer]:
        first, last = self.processes[0], self.processes[-1]
        anna, ben, host = first.guest("Anna"), last.guest("Ben"), first.guest("Host")
        for_two = first.table(anna, start=False, seats=2, sit=["Anna"])["id"]
        last.ok("POST", f"/api/tables/{for_two}/seats", {}, ben)
        last.ok("POST", f"/api/tables/{for_two}/start", None, anna)
        mixed = last.table(host, seats=4, sit=["X", "Y"], bots=["cautious", "random"], pace_ms=0)["id"]
        bots = first.table(host, seats=2, bots=["random", "random"], pace_ms=20)["id"]
        tables = ((for_two, anna), (for_two, ben), (mixed, host), (bots, host))
        return [Roamer(self.processes, table, token) for table, token in tables]

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Players play meanwhile; whoever finds something wrong ends the test."""
        self.tasks = [asyncio.create_task(player.roam()) for player in self.players]
        try:
            yield
        finally:
            pending = {task for task in self.tasks if not task.done()}
            while pending:  # a cancellation that meets a message is lost (in Python 3.11's wait_for)
                for task in pending:
                    task.cancel()
                _, pending = await asyncio.wait(pending, timeout=0.5)
            self._demand_players()

    def _demand_players(self) -> None:
        for task in self.tasks:
            if task.done() and not task.cancelled():
                task.result()

    async def progress(self, entries: int = 5) -> None:
        """Until every table has gone on."""
        shown = [(player.game, len(player.entries)) for player in self.players]
        for player, (game, before) in zip(self.players, shown, strict=True):
            async with asyncio.timeout(120):  # a limit to give up at, not one to hold
                while player.game == game and len(player.entries) < before + entries:
                    self._demand_players()
                    await asyncio.sleep(0.02)

    def check(self) -> None:
        """Every player finds what it was shown and told; the rows have no gap and nothing twice."""
        for player in self.players:
            player.server = self.processes[0]
            asyncio.run(player.look())
            assert player.contributor.complaints == [], "an acknowledged value is not in its roll"
        for process in self.processes:
            process.stop()
            process.no_mistakes()
        with psycopg.connect(self.database) as db:
            doubled = db.execute(
                "SELECT game, cid FROM entries WHERE cid IS NOT NULL GROUP BY game, cid HAVING count(*) > 1"
            ).fetchall()
            gaps = db.execute("SELECT game FROM entries GROUP BY game HAVING max(seq) <> count(*)").fetchall()
        assert (doubled, gaps) == ([], [])

    def records_verify(self) -> None:
        with psycopg.connect(self.database) as db:
            over = db.execute("SELECT id FROM games WHERE finished IS NOT NULL").fetchall()
        for (game,) in over:
            record = self.processes[0].ok("GET", f"/api/games/{game}/record")
            assert check_dice(parse_record(record)).good


@pytest.fixture
def cluster(tmp_path: Path, postgres: Postgres, redis: Redis) -> Iterator[Cluster]:
    made = Cluster(tmp_path, postgres, redis)
    yield made
    for process in made.processes:
        process.stop()


def _kills(cluster: Cluster, seed: int) -> None:
    rng = random.Random(seed)

    async def play() -> None:
        async with cluster.playing():
            await cluster.progress()
            for number in range(KILLS):
                await asyncio.sleep(rng.uniform(0.02, 0.4))
                victim = rng.choice(cluster.processes)
                victim.kill()
                if number == 0:
                    await cluster.progress()  # without it
                await asyncio.to_thread(victim.start)
            await cluster.progress()

    asyncio.run(play())
    assert sum(player.acks for player in cluster.players) > KILLS
    cluster.records_verify()
    cluster.check()


@pytest.mark.parametrize("seed", range(2))
def test_processes_killed_at_random_lose_nothing(cluster: Cluster, seed: int) -> None:
    _kills(cluster, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 116))
def test_processes_killed_at_random_lose_nothing_for_long(cluster: Cluster, seed: int) -> None:
    _kills(cluster, seed)


def test_the_database_goes_and_comes_back(cluster: Cluster, postgres: Postgres) -> None:
    async def play() -> None:
        async with cluster.playing():
            await cluster.progress()
            await asyncio.to_thread(postgres.stop, signal.SIGKILL)
            async with asyncio.timeout(120):  # it looks once in a while only
                while not any(player.unavailable for player in cluster.players):
                    await asyncio.sleep(0.05)
                while (ready := await asyncio.to_thread(cluster.processes[0].call, "GET", "/readyz"))[
                    0
                ] == 200:
                    await asyncio.sleep(0.05)
            assert (ready[0], ready[1]["code"]) == (503, "unavailable")
            await asyncio.to_thread(postgres.start)
            await cluster.progress()

    asyncio.run(play())
    cluster.check()


def test_redis_goes_and_comes_back(cluster: Cluster, redis: Redis) -> None:
    def up() -> list[str]:
        texts = [process.ok("GET", "/metrics") for process in cluster.processes]
        return [line for text in texts for line in text.splitlines() if line.startswith("pickomino_bus_up")]

    async def wait_for(figure: str) -> None:
        async with asyncio.timeout(60):
            while set(await asyncio.to_thread(up)) != {f"pickomino_bus_up {figure}"}:
                await asyncio.sleep(0.05)

    async def play() -> None:
        async with cluster.playing():
            await wait_for("1.0")
            await cluster.progress()
            await asyncio.to_thread(redis.stop)
            await wait_for("0.0")
            await cluster.progress(2)
            await asyncio.to_thread(redis.start)
            await wait_for("1.0")
            await cluster.progress()
        assert not any(player.unavailable for player in cluster.players)

    asyncio.run(play())
    cluster.check()


def test_a_process_told_to_stop_hands_its_players_over(cluster: Cluster) -> None:
    async def play() -> None:
        async with cluster.playing():
            for process in cluster.processes:
                await cluster.progress()
                assert await asyncio.to_thread(process.stop) == 0
                await cluster.progress()  # without it
                await asyncio.to_thread(process.start)

    asyncio.run(play())
    byes = [bye for player in cluster.players for bye in player.byes]
    assert byes
    assert all(bye["code"] == "restarting" and bye["retry_ms"] <= 400 for bye in byes)
    cluster.check()


def test_the_example_client_plays_on_while_processes_are_replaced(cluster: Cluster) -> None:
    balancer = Balancer(cluster.processes)
    playing = subprocess.Popen(
        [sys.executable, str(EXAMPLE), balancer.url],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while playing.poll() is None:
            for process in cluster.processes:
                time.sleep(0.3)
                assert process.stop() == 0
                process.start()
        out, errors = playing.communicate(timeout=10)
    finally:
        playing.kill()
        balancer.close()
    assert (out.startswith("winners:"), errors) == (True, "")
    cluster.check()


async def _race(first: ServerProcess, second: ServerProcess, token: str, count: int) -> list[int]:
    """Both are sent a move for the same version, again and again; gives how often each one won."""
    table = (await asyncio.to_thread(first.table, token, seats=2, sit=["Anna", "Ben"]))["id"]
    wins = [0, 0]
    async with (
        client(first, table=table, token=token) as one,
        client(second, table=table, token=token) as two,
    ):
        for _ in range(count):
            assert one.state is not None
            seat, version = one.state["seat"], one.state["v"]
            answers = await asyncio.gather(*(player.ask(player.move(seat=seat)) for player in (one, two)))
            won = [answer["t"] == "ok" for answer in answers]
            assert sum(won) == 1, answers
            wins[won.index(True)] += 1
            lost = answers[won.index(False)]
            assert lost["code"] in ("stale_version", "not_your_turn"), lost
            version = answers[won.index(True)]["v"]
            for player in (one, two):
                while player.state is None or player.state["v"] < version:
                    await player.receive()
                assert player.state["v"] == version
    return wins


def test_of_two_processes_that_race_for_a_move_one_wins(cluster: Cluster) -> None:
    first, second = cluster.processes
    anna = first.guest("Anna")

    async def race() -> list[list[int]]:
        return await asyncio.gather(*(_race(first, second, anna, RACES // TABLES) for _ in range(TABLES)))

    wins = asyncio.run(race())
    assert sum(map(sum, wins)) == RACES
    assert all(sum(table[side] for table in wins) > 0 for side in (0, 1)), "both had a chance"
    cluster.check()


def test_a_message_that_reaches_two_processes_gets_one_answer_from_both(cluster: Cluster) -> None:
    """As when a connection drops while the database is slow, and the client sends it again elsewhere."""
    first, second = cluster.processes
    token = first.guest("Anna")
    table = first.table(token, seats=2, sit=["Anna", "Ben"])["id"]

    async def play() -> None:
        async with (
            client(first, table=table, token=token) as one,
            client(second, table=table, token=token) as two,
        ):
            for _ in range(RACES // TABLES):
                assert one.state is not None
                message = one.move(seat=one.state["seat"])
                answers = await asyncio.gather(*(player.ask(message) for player in (one, two)))
                assert answers[0] == answers[1]
                assert answers[0]["t"] == "ok"
                for player in (one, two):
                    while player.state is None or player.state["v"] < answers[0]["v"]:
                        await player.receive()

    asyncio.run(play())
    cluster.check()


def test_bots_and_clocks_of_a_dead_process_are_taken_over(cluster: Cluster) -> None:
    first, second = cluster.processes
    token = first.guest()
    bots = first.table(token, seats=3, bots=["cautious"] * 3, pace_ms=20)["id"]
    timed = first.table(token, seats=2, sit=["Anna", "Ben"], first="A", timer=5, pace_ms=0)

    async def wait() -> None:
        async with client(second, table=bots) as looking:
            await looking.wait_for("state")
            first.kill()
            while looking.state is None or not looking.state["over"]:
                await looking.receive()
        watcher = Player(second, timed["id"], token)
        async with asyncio.timeout(60):
            while not any(entry["kind"] == "timeout" for entry in watcher.entries):
                await watcher.look()
                await asyncio.sleep(0.2)

    asyncio.run(wait())
    first.start()
    cluster.check()
