"""What other processes do at the tables that somebody here looks at, and who is there through them.

Hints say when to look; without them the rows are looked at every second. Presence is rows too: each process
notes the seats that are there through it, and says every few seconds that it lives. What it noted counts for
nothing once it is not heard of, so a process that dies takes its presence with it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from pickomino.play import Replaced, parse_entry
from pickomino.protocol.shapes import ReactionData, ReactionPush
from pickomino.server.bus import Bus, Hint
from pickomino.server.errors import Refused
from pickomino.server.live_table import LiveTable
from pickomino.server.logs import facts, log
from pickomino.server.playing import Playing
from pickomino.server.registry import DEAD_SECONDS, Registry, encode
from pickomino.server.storage.base import EntryRow, Head, Unavailable
from pickomino.server.storage.presence import Presence
from pickomino.server.tasks import reported, spawn, woken

HEARD_SECONDS: Final = 3.0
"""How often a process says that it lives; four in a row may be lost (`DEAD_SECONDS`)."""
LOOK_SECONDS: Final = 10.0
"""How often the rows are looked at although hints arrive: for those that were lost."""
BLIND_SECONDS: Final = 1.0
"""How often without hints."""
GATHER_SECONDS: Final = 0.01
SURE_SECONDS: Final = 2.0
"""What was noted so long ago everybody knows, clocks that differ a little included."""
CHUNK: Final = 500

_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(Hint)


class Following:
    """Of one process. Without a shared database it does nothing."""

    def __init__(self, registry: Registry, playing: Playing, bus: Bus) -> None:
        self._registry = registry
        self._playing = playing
        self._storage = registry.storage
        self._presence = registry.storage.presence
        self._bus = bus
        self._tasks: set[asyncio.Task[Any]] = set()
        self._noted: dict[str, tuple[frozenset[int], float]] = {}  # table -> seats in the rows, since when
        self._heard_at = 0.0
        self._unnoted: set[str] = set()
        self._followed: set[str] = set()
        self._asked: set[str] = set()
        self._catching: dict[str, Head] = {}
        self._rouse_note = asyncio.Event()
        self._rouse_look = asyncio.Event()

    @property
    def followed(self) -> int:
        return len(self._followed)

    async def start(self) -> None:
        if self._presence is None:
            return
        self._heard_at = time.time()
        await self._presence.heard(self._registry.process, self._heard_at)
        await self._bus.start(self)
        for work in (self._say_alive(self._presence), self._note(self._presence), self._look(self._presence)):
            spawn(self._tasks, work)

    async def stop(self) -> None:
        """The others learn that nobody is here any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._presence is None:
            return
        try:
            self._unnoted |= self._noted.keys()
            await self._note_once(self._presence)
        except Unavailable:
            pass  # then they learn it from its silence
        await self._bus.stop()

    # --- telling the others ---

    def tell(self, live: LiveTable, *, presence: bool = False, reaction: ReactionData | None = None) -> None:
        if not self._bus.up:
            return
        game, seq = live.known
        hint = Hint(self._registry.process, live.row.rev, game, seq, presence, reaction)
        self._bus.send(live.id, _ENCODER.encode(hint))
        self._registry.figures.hints.inc("sent")

    def changed(self, live: LiveTable, *, here: bool) -> None:
        if here:
            self.tell(live)

    def visited(self, live: LiveTable) -> None:
        if self._presence is None:
            return
        if live.connections and live.id not in self._followed:
            self._followed.add(live.id)
            self._bus.follow(live.id)
        elif not live.connections and live.id in self._followed:
            self._followed.remove(live.id)
            self._bus.unfollow(live.id)
        self._unnoted.add(live.id)
        self._rouse_note.set()

    async def _note(self, presence: Presence) -> None:
        while True:
            await self._rouse_note.wait()
            await asyncio.sleep(GATHER_SECONDS)
            self._rouse_note.clear()
            try:
                await self._note_once(presence)
            except Exception as error:
                if not isinstance(error, Unavailable):
                    log.exception("who is here could not be noted")
                await asyncio.sleep(BLIND_SECONDS)
                self._rouse_note.set()

    async def _note_once(self, presence: Presence) -> None:
        tables = self._registry.tables
        noting = list(self._unnoted)[:CHUNK]
        changes: dict[str, frozenset[int] | None] = {}
        for table in noting:
            live = tables.get(table)
            seats = None if live is None or not live.connections else live.seats_here()
            if seats != self._noted.get(table, (None, 0.0))[0]:
                changes[table] = seats
        if changes:
            await presence.note(self._registry.process, changes)
        self._unnoted.difference_update(noting)
        for table, seats in changes.items():
            if seats is None:
                self._noted.pop(table, None)
            else:
                self._noted[table] = seats, time.time()
            if (live := tables.get(table)) is not None:
                self.tell(live, presence=True)
        if self._unnoted:
            self._rouse_note.set()

    async def _say_alive(self, presence: Presence) -> None:
        while True:
            await asyncio.sleep(HEARD_SECONDS)
            with reported("presence", "it could not be noted that this process lives"):
                now = time.time()
                known = await presence.heard(self._registry.process, now)
                self._heard_at = now
                if not known:
                    # The database crashed, or somebody took this process for dead: what it noted is gone.
                    self._unnoted |= self._noted.keys()
                    self._noted.clear()
                    self._rouse_note.set()

    # --- hearing the others ---

    def hinted(self, table: str, text: bytes) -> None:
        live = self._registry.tables.get(table)
        try:
            hint = _DECODER.decode(text)
        except msgspec.MsgspecError:
            return
        if live is None or not live.connections or hint.sender == self._registry.process:
            return
        self._registry.figures.hints.inc("received")
        if hint.reaction is not None:
            self._registry.push_all(live, encode(ReactionPush(hint.reaction)))
        if hint.presence:
            self.joined(table)
        head = Head(table, hint.rev, hint.game, hint.seq)
        if self._registry.behind(live, head):
            self._catch_up(live, head)

    def joined(self, table: str) -> None:
        self._asked.add(table)
        self._rouse_look.set()

    async def _look(self, presence: Presence) -> None:
        looked_at = time.monotonic()
        while True:
            if await woken(self._rouse_look, BLIND_SECONDS):
                await asyncio.sleep(GATHER_SECONDS)
            self._rouse_look.clear()
            now = time.monotonic()
            asked, self._asked = self._asked, set()
            if now - looked_at >= (LOOK_SECONDS if self._bus.up else BLIND_SECONDS):
                asked |= {live.id for live in self._registry.tables.values() if live.connections}
                looked_at = now
            try:
                await self._compare(asked, presence)
            except Exception as error:
                self._asked |= asked
                if isinstance(error, Unavailable):
                    log.warning("the database does not answer", extra=facts(what="look"))
                else:
                    log.exception("the rows could not be looked at")
                await asyncio.sleep(BLIND_SECONDS)

    async def _compare(self, asked: Iterable[str], presence: Presence) -> None:
        registry, tables = self._registry, list(asked)
        for start in range(0, len(tables), CHUNK):
            part = tables[start : start + CHUNK]
            heads = await self._storage.heads(part)
            there = await presence.seats(part, registry.process, time.time() - DEAD_SECONDS)
            for head in heads:
                live = registry.tables.get(head.table)
                if live is None or not live.connections:
                    continue
                registry.note_elsewhere(live, there.get(live.id))
                if registry.behind(live, head):
                    self._catch_up(live, head)

    def _catch_up(self, live: LiveTable, head: Head) -> None:
        """One at a time for a table: whoever waits for its lock already reads this too."""
        waiting = self._catching.get(live.id)
        if waiting is None:
            self._catching[live.id] = head
            spawn(self._tasks, self._catch_up_once(live))
        elif (head.rev, head.seq) > (waiting.rev, waiting.seq):
            self._catching[live.id] = head

    async def _catch_up_once(self, live: LiveTable) -> None:
        try:
            async with live.lock:
                head = self._catching.pop(live.id)
                if self._registry.behind(live, head):
                    await self._reclaim(live, await self._registry.fresh(live, head))
                    self._registry.figures.catch_ups.inc()
        except Refused:
            pass  # the database is away; the next look finds it
        except Exception:
            log.exception("a table could not be followed")

    async def _reclaim(self, live: LiveTable, rows: Iterable[EntryRow]) -> None:
        """Another process gave a seat to a bot although its person is here: because it could not know it yet,
        or because the person asked it to. Only the first is put right."""
        seats, noted_at = self._noted.get(live.id, (frozenset(), 0.0))
        for row in rows:
            entry = parse_entry(row.entry)
            if isinstance(entry, Replaced) and live.here(entry.seat):
                known = entry.seat in seats and noted_at < row.at - SURE_SECONDS
                if not known or self._heard_at < row.at - DEAD_SECONDS + SURE_SECONDS:
                    await self._playing.welcome(live, frozenset({entry.seat}))
