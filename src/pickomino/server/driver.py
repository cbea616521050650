"""Bots and clocks: whatever happens at a table without a person doing it.

A heap of (when, table) in memory, filled by every change; the rows hold the same times (`wake`), so that a
restart, or another process, finds what is due. Of several processes the one that stored a game's last entry
drives it; the others take over what is overdue. Waking a table too early or twice is harmless: it looks again,
and `(game, seq)` lets only one of two moves in.
"""

from __future__ import annotations

import asyncio
import heapq
import random
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from pickomino.rules import Position
from pickomino.server.bots import bot_of
from pickomino.server.errors import Refused
from pickomino.server.live_table import LiveTable
from pickomino.server.logs import log
from pickomino.server.playing import BotTurn, Playing
from pickomino.server.registry import Registry
from pickomino.server.rolling import Rolling
from pickomino.server.tasks import reported, spawn, woken

POLL_SECONDS: Final = 5.0
"""How often the rows are asked for what is overdue: after the database was away, or another process died."""
SHARED_POLL_SECONDS: Final = 0.5
"""The same where other processes may die at any time."""
OVERDUE_SECONDS: Final = 1.0
CLAIM_SECONDS: Final = 5.0
"""Whoever takes over something overdue has so long before somebody else does."""
CLAIMED: Final = 200
"""How much is taken over at once: what one process gets done in that time."""
IDLE_SECONDS: Final = 30.0
"""A table that nobody looks at and that needs nothing for so long leaves memory."""
TOGETHER: Final = 64
SOON_SECONDS: Final = 60.0
"""After a start every table with something due is looked at within this time: the clock may have been set back."""
STALL_SECONDS: Final = 0.5
"""Whoever is woken so late has stood still."""


class Driver:
    """Wakes tables when something is due at them."""

    def __init__(self, registry: Registry, playing: Playing, rolling: Rolling) -> None:
        self._storage = registry.storage
        self._rolling = rolling
        self._registry = registry
        self._playing = playing
        self._heap: list[tuple[float, str]] = []
        self._next: dict[str, float] = {}
        self._busy: set[str] = set()
        self._rouse = asyncio.Event()
        self._room = asyncio.Semaphore(TOGETHER)
        self._tasks: set[asyncio.Task[None]] = set()
        self._loops: list[asyncio.Task[None]] = []
        # One thread: a bot that thinks for long must not stop the sockets, and two would only share the GIL.
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="bot")
        self._rng = random.SystemRandom()

    async def start(self) -> None:
        if not self._storage.shared:  # else whoever stored it last still lives, or it will be overdue
            soon = time.time() + SOON_SECONDS
            for table, _, when in await self._storage.waking(float("inf"), 1_000_000):
                self.schedule(table, min(when, soon))
        self._loops = [asyncio.create_task(self._run()), asyncio.create_task(self._poll())]

    async def stop(self) -> None:
        """Nothing new; what is being stored is waited for."""
        for task in self._loops:
            task.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=3.0)
            for task in late:  # still thinking: the move is made after the next start
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    @property
    def scheduled(self) -> int:
        return len(self._next)

    def changed(self, live: LiveTable, *, here: bool) -> None:
        """When does it need waking? Another process that has changed it will go on unless it dies."""
        when = self._playing.next_look(live)
        if when is None:
            self._next.pop(live.id, None)
        else:
            self.schedule(live.id, when if here else when + OVERDUE_SECONDS, sooner_only=False)

    def visited(self, live: LiveTable) -> None:
        self.changed(live, here=True)

    def schedule(self, table: str, at: float, *, sooner_only: bool = True) -> None:
        """`at` is a time of day; from here on monotonic times count, whoever sets the clock."""
        when = time.monotonic() + at - time.time()
        planned = self._next.get(table)
        if planned is not None and sooner_only and planned <= when:
            return
        self._next[table] = when
        heapq.heappush(self._heap, (when, table))
        if self._heap[0][1] == table:
            self._rouse.set()

    async def _run(self) -> None:
        while True:
            now = time.monotonic()
            if self._heap and self._heap[0][0] < now - STALL_SECONDS:
                self._playing.give_grace()
            while self._heap and self._heap[0][0] <= now:
                when, table = heapq.heappop(self._heap)
                if self._next.get(table) != when:
                    continue  # planned anew since
                del self._next[table]
                if table in self._busy:
                    continue  # its own end looks again
                await self._room.acquire()
                self._busy.add(table)
                spawn(self._tasks, self._wake(table))
            self._rouse.clear()
            delay = max(0.0, self._heap[0][0] - time.monotonic()) if self._heap else None
            await woken(self._rouse, delay)

    async def _wake(self, table: str) -> None:
        again: float | None = None
        try:
            live = await self._registry.find(table)
            await self._rolling.tick(live)
            due = await self._playing.tick(live)
            if isinstance(due, BotTurn):
                await self._playing.bot_move(live, due, await self._choose(due))
            again = self._playing.next_look(live)
        except Refused as refused:
            if refused.code != "not_found":
                again = time.time() + 1.0  # the database is away, or somebody was first: look again
        except Exception:
            # One broken game must not stop the others; a second later it is read anew from its rows.
            log.exception("a table could not be driven")
            again = time.time() + 5.0
        finally:
            self._busy.discard(table)
            self._room.release()
        if again is not None:
            self.schedule(table, again)

    async def _choose(self, turn: BotTurn) -> str:
        if turn.dice_due:
            return "roll"
        seed = self._rng.getrandbits(64)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _choose, turn.bot, turn.position, seed)

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(SHARED_POLL_SECONDS if self._storage.shared else POLL_SECONDS)
            now = time.time()
            with reported("poll", "what is overdue could not be asked for"):
                overdue = now - OVERDUE_SECONDS
                for table, _ in await self._storage.claim(overdue, now + CLAIM_SECONDS, CLAIMED):
                    self.schedule(table, now)
            self._forget_idle(time.monotonic())

    def _forget_idle(self, now: float) -> None:
        for live in list(self._registry.tables.values()):
            planned = self._next.get(live.id)
            quiet = live.touched < now - IDLE_SECONDS and (planned is None or planned > now + IDLE_SECONDS)
            if quiet and not live.connections and live.id not in self._busy:
                self._registry.forget(live)


def _choose(spec: str, position: Position, seed: int) -> str:
    return str(bot_of(spec).choose(position, random.Random(seed)))
