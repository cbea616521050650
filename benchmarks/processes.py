"""How many tables two processes carry beside one: ``python -m benchmarks.processes``.

Two cores are not three machines, so each server process gets the same share of the first core (a CPU quota of
its cgroup, ``--share``), and everything else, PostgreSQL, Redis and the load generator, has the second core.
Tables of four at human pace are added until the 99th percentile from a client's send to the last of the four
readers passes the limit; every move is committed in PostgreSQL before it is told. Its files lie on a RAM disk where
there is one: the disk is the same for one process and for two, and is not what is measured.

``together``: the four of a table are at one process, as with a balancer that goes by the table. ``scattered``: each
is at any process, as with one that does not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import uvloop

from benchmarks.server import NO_LIMITS, Process, post
from benchmarks.server_load import Meter, Table, connect
from tests.server.engines import Postgres, Redis, make_postgres, make_redis

PACE = 2.0  # seconds between two moves at a table
WINDOWS = 5  # of which the middle one counts: what else runs on the machine comes and goes
CPU = Path("/sys/fs/cgroup/cpu") if Path("/sys/fs/cgroup/cpu").is_dir() else Path("/sys/fs/cgroup")
PERIOD_US = 10_000  # short, so that a process that has used up its share waits milliseconds


class Seated(Table):
    """A table that can rest, and whose players may be at different processes."""

    resting = True
    waits = False

    async def sit(self, ports: list[int]) -> None:
        for secret, port in zip(self._secrets, ports, strict=True):
            socket = await connect(port, self._text)
            socket.send(f'{{"t":"hello","id":"h","d":{{"seats":["{secret}"]}}}}'.encode())
            self._sockets.append(socket)

    def wake(self, after: float) -> None:
        self.resting = False
        if self.waits or self._number == 0:
            self.waits = False
            asyncio.get_running_loop().call_later(after, self.begin)

    def begin(self) -> None:
        if self.resting:
            self.waits = True
        else:
            super().begin()


@contextmanager
def limited(pid: int, share: float) -> Iterator[None]:
    """A process with a share of a core."""
    group = CPU / f"pickomino-{pid}"
    group.mkdir()
    try:
        quota = int(PERIOD_US * share)
        if (group / "cpu.max").exists():
            (group / "cpu.max").write_text(f"{quota} {PERIOD_US}")
        else:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        (group / "cgroup.procs").write_text(str(pid))
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                (group / "tasks").write_text(task.name)
        yield
    finally:
        for _ in range(100):
            with suppress(OSError):
                group.rmdir()
                break
            time.sleep(0.05)


class Run:
    """Some processes, and tables that play at them."""

    def __init__(self, servers: list[Process], scattered: bool) -> None:
        self._servers, self._scattered = servers, scattered
        self._meter = Meter()
        self._tables: list[Seated] = []
        self._token = post(servers[0].port, "/api/guests", {"name": "Load"})["token"]
        self._threads = ThreadPoolExecutor(4)

    def _new(self, number: int) -> tuple[list[str], Callable[[], None]]:
        port = self._servers[number % len(self._servers)].port
        settings = {"seats": 4, "sit": ["A", "B", "C", "D"], "away": None}
        made = post(port, "/api/tables", settings, self._token)
        path = f"/api/tables/{made['table']['id']}"
        post(port, f"{path}/start", None, self._token)

        def again() -> None:
            def ask() -> None:
                post(port, f"{path}/rematch", None, self._token)
                post(port, f"{path}/start", None, self._token)

            with suppress(RuntimeError):
                self._threads.submit(ask)

        return [seat["secret"] for seat in made["you"]["seats"]], again

    async def play(self, count: int) -> None:
        """So many tables play, the others rest."""
        loop = asyncio.get_running_loop()
        while len(self._tables) < count:
            number = len(self._tables)
            secrets, again = await loop.run_in_executor(self._threads, self._new, number)
            table = Seated(self._meter, PACE, secrets, again)
            own = self._servers[number % len(self._servers)].port
            ports = [random.choice(self._servers).port if self._scattered else own for _ in range(4)]
            await table.sit(ports)
            self._tables.append(table)
        await asyncio.sleep(0.5)
        for number, table in enumerate(self._tables):
            if number >= count:
                table.resting = True
            elif table.resting:
                table.wake(PACE * random.random())

    async def measure(self, count: int, seconds: float) -> dict[str, float]:
        await self.play(count)
        await asyncio.sleep(PACE)
        windows = [await self._window(seconds) for _ in range(WINDOWS)]
        middle = {key: statistics.median(window[key] for window in windows) for key in windows[0]}
        return {"tables": count, **middle, "refused": len(self._meter.refused)}

    async def _window(self, seconds: float) -> dict[str, float]:
        meter = self._meter
        meter.times.clear()
        meter.on = True
        began, cpu = time.perf_counter(), [server.cpu_seconds() for server in self._servers]
        await asyncio.sleep(seconds)
        meter.on = False
        took = time.perf_counter() - began
        used = [server.cpu_seconds() - before for server, before in zip(self._servers, cpu, strict=True)]
        moves = max(1, len(meter.times))
        return {
            "p50_ms": round(meter.percentile(0.5), 1),
            "p99_ms": round(meter.percentile(0.99), 1),
            "moves_per_second": round(moves / took, 1),
            "server_us_per_move": round(sum(used) / moves * 1e6),
        }

    async def most(self, start: int, limit_ms: float, seconds: float, say: Callable[[Any], None]) -> int:
        """The largest number of tables within the limit, to about five per cent."""
        good, bad, count = 0, 0, start
        while True:
            found = await self.measure(count, seconds)
            say(found)
            # All due moves must have been made, too: a queue that only grows has few late answers at first.
            kept_up = found["moves_per_second"] > 0.9 * count / PACE
            if found["p99_ms"] <= limit_ms and kept_up:
                good = count
            else:
                bad = count
            count = round(good * 1.25) if not bad else (good + bad) // 2
            if bad and (bad - good) <= max(2, bad // 20):
                return good


def carried(number: int, scattered: bool, args: argparse.Namespace, postgres: Postgres, redis: Redis) -> int:
    name = f"{number} process{'es' if number > 1 else ''}{', scattered' if scattered else ''}"

    def say(row: Any) -> None:
        if not args.json:
            print({"what": name, **row}, flush=True)

    database = postgres.new_database()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        servers = []
        for index in range(number):
            own = Path(folder) / str(index)
            own.mkdir()
            (own / "server.toml").write_text(NO_LIMITS)
            command = ["-m", "pickomino", "serve", "--port", "0", "--config", str(own / "server.toml")]
            command += ["--database", database, "--redis", redis.url]
            servers.append(stack.enter_context(Process(command, own, r'"addresses": \["127\.0\.0\.1:(\d+)"')))
        for server in servers:
            stack.enter_context(limited(server.pid, args.share))
        run = Run(servers, scattered)
        start = args.start * number // (2 if scattered else 1)
        found = uvloop.run(run.most(start, args.limit, args.seconds, say))
    if not args.json:
        print(f"{name}: {found} tables", flush=True)
        print(sizes(database), flush=True)
    return found


def sizes(database: str) -> dict[str, float]:
    """What a game takes in the database."""
    with psycopg.connect(database) as db:
        rows = db.execute(
            "SELECT count(*), (SELECT count(*) FROM games), pg_total_relation_size('entries') FROM entries"
        ).fetchone()
        whole = db.execute(
            "SELECT count(*), avg(n) FROM (SELECT count(*) AS n FROM entries JOIN games ON id = game "
            "WHERE finished IS NOT NULL GROUP BY game) AS counted"
        ).fetchone()
    if rows is None or whole is None:
        return {}
    return {
        "entries": rows[0],
        "bytes_per_entry": round(rows[2] / max(1, rows[0])),
        "games_finished": whole[0],
        "entries_per_game": round(float(whole[1] or 0)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--share", type=float, default=0.2, help="of a core, for each server process")
    parser.add_argument("--limit", type=float, default=100.0, help="milliseconds that p99 may take")
    parser.add_argument("--seconds", type=float, default=4.0, help="of each window")
    parser.add_argument("--start", type=int, default=100, help="tables of the first measurement, a process")
    args = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[1]})  # PostgreSQL and Redis inherit it; servers go to the first
    postgres, redis = make_postgres(fsync=True), make_redis()
    try:
        found = {
            "one": carried(1, False, args, postgres, redis),
            "two": carried(2, False, args, postgres, redis),
            "two_scattered": carried(2, True, args, postgres, redis),
        }
    finally:
        postgres.remove()
        redis.remove()
    if args.json:
        print(json.dumps({"processes": found}))
        return
    print(f"two processes carry {found['two'] / found['one']:.2f} times the tables of one")
    print(f"with the players of a table at any process {found['two_scattered'] / found['one']:.2f} times")


if __name__ == "__main__":
    main()
