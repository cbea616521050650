"""Tables in this process's memory, and the way to get at them. Rows are the truth, this is a cache."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, Protocol

import msgspec

from pickomino.play import Change, parse_entry
from pickomino.protocol.shapes import StatePush, TableAndYou, TableData, TablePush, You, YourSeat
from pickomino.rules import SEATS
from pickomino.server.advance import Advance
from pickomino.server.errors import Refused, available
from pickomino.server.live import LiveGame
from pickomino.server.live_table import LiveTable
from pickomino.server.metrics import Figures
from pickomino.server.storage.base import Conflict, EntryRow, Head, TableRow
from pickomino.server.storage.engine import Storage
from pickomino.server.tokens import Signer, is_id, new_id
from pickomino.server.wire import frame_of

DEAD_SECONDS: Final = 12.0
"""A process that has not been heard of for so long is dead, and who was there through it has gone."""

_ENCODER: Final = msgspec.json.Encoder()


def encode(message: msgspec.Struct) -> bytes:
    return _ENCODER.encode(message)


class Listener(Protocol):
    """Hears what happens to tables in memory."""

    def changed(self, live: LiveTable, *, here: bool) -> None:
        """Table or game are others than before: changed by this process, or found in the rows."""
        ...

    def visited(self, live: LiveTable) -> None:
        """A connection has come or gone."""
        ...


class Registry:
    """Finds tables, loads and saves them, informs their connections."""

    def __init__(self, storage: Storage, signer: Signer, figures: Figures) -> None:
        self.storage: Final = storage
        self.signer: Final = signer
        self.tables: Final[dict[str, LiveTable]] = {}
        self.process: Final = new_id(10)  # the name of this process among others
        self.figures: Final = figures
        self.listeners: Final[list[Listener]] = []
        self._loading: dict[str, asyncio.Future[LiveTable | None]] = {}

    # --- finding ---

    async def find(self, table: str) -> LiveTable:
        live = self.tables.get(table)
        if live is None and is_id(table):
            live = await self._load(table)
        if live is None:
            raise Refused("not_found", "no such table")
        live.touched = time.monotonic()
        return live

    async def _load(self, table: str) -> LiveTable | None:
        """One load at a time for a table, so that there is never a second object of it."""
        loading = self._loading.get(table)
        if loading is None:
            loading = self._loading[table] = asyncio.ensure_future(self._read(table))
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(loading)

    async def _read(self, table: str) -> LiveTable | None:
        row = await available(self.storage.table(table))
        if row is None:
            return None
        return self.tables.setdefault(table, LiveTable(row))

    async def game_of(self, live: LiveTable) -> LiveGame | None:
        """The table's game, read anew if it is not in memory. Under the table's lock."""
        if live.row.game is None:
            return None
        if live.game is None or live.game.row.id != live.row.game:
            row = await available(self.storage.game(live.row.game))
            if row is None or row.record is not None:  # archived: its entries are gone
                return None
            rows = await available(self.storage.entries(row.id))
            live.game = LiveGame(row, rows)
            told = live.told_of(row.id)
            if live.connections and told < live.game.version:  # stored, but nobody here could be told then
                self.tell_state(live, live.game, live.game.since(told, rows))
        return live.game

    async def running(self, live: LiveTable) -> LiveGame | None:
        """The game that goes on at the table. Under the table's lock."""
        game = None if live.row.phase == "closed" else await self.game_of(live)
        return None if game is None or game.match.over else game

    # --- what other processes have done ---

    @asynccontextmanager
    async def current(self, live: LiveTable) -> AsyncIterator[None]:
        """The table's lock, and the table as it is stored now."""
        async with live.lock:
            await self.fresh(live)
            yield

    def behind(self, live: LiveTable, head: Head) -> bool:
        game, seq = live.known
        return head.rev > live.row.rev or (head.game == game and head.seq > seq)

    async def fresh(self, live: LiveTable, head: Head | None = None) -> list[EntryRow]:
        """Read what others have stored since, send it to the connections, and return it. Under the table's lock.

        `head`: how far they have come, if that is known; else the rows are asked, and who is there too.
        """
        presence = self.storage.presence
        if presence is None:
            return []
        if head is None:
            since = time.time() - DEAD_SECONDS
            there = await available(presence.seats([live.id], self.process, since))
            self.note_elsewhere(live, there.get(live.id))
            heads = await available(self.storage.heads([live.id]))
            if not heads or not self.behind(live, heads[0]):
                return []
            head = heads[0]
        changed, before = head.rev > live.row.rev, live.row
        if changed and (row := await available(self.storage.table(live.id))) is not None:
            live.row = row
        try:
            rows = await self._follow(live)
        except BaseException:
            live.row = before  # nobody has been told: it is to be read again
            raise
        if changed or any(isinstance(parse_entry(row.entry), Change) for row in rows):
            self.tell_table(live)
        self.changed(live, here=False)
        return rows

    async def reread(self, live: LiveTable) -> None:
        """What is in memory is not to be trusted: read everything, and send what is new."""
        game, live.game = live.game, None
        row = await available(self.storage.table(live.id))
        if row is not None:
            live.row = row
        if game is not None and game.row.id == live.row.game:
            rows = await available(self.storage.entries(game.row.id))
            live.game = game.anew(rows)
        await self._follow(live)
        self.tell_table(live)
        self.changed(live, here=False)

    async def _follow(self, live: LiveTable) -> list[EntryRow]:
        """Bring the game up to its rows, and send what has not been sent."""
        if live.row.game is None:
            return []
        told = live.told_of(live.row.game)
        game = await self.game_of(live)
        if game is None:
            return []
        first = game.first_row(min(told, game.version))
        rows = await available(self.storage.entries(game.row.id, first))
        step = Advance(told) if live.connections and told == game.version else None
        if rows and rows[-1].seq > game.version:
            game.follow(rows, step)
            game.stored_wake = math.nan  # whoever stored them has set another
        if live.told != (game.row.id, game.version):
            if step is None and live.connections:
                if (needed := game.first_row(told)) < first:  # forgotten on the way
                    rows = await available(self.storage.entries(game.row.id, needed))
                step = game.since(told, rows)
            self.tell_state(live, game, step or Advance(told))
        return rows

    def note_elsewhere(self, live: LiveTable, seats: frozenset[int] | None) -> None:
        """Who is there through other processes. Wrong for a moment is harmless: see `Playing.tick`."""
        if seats == live.elsewhere:
            return
        gone, live.elsewhere = (live.elsewhere or frozenset()) - (seats or frozenset()), seats
        for seat in gone:
            live.left_at[seat] = time.monotonic()
        self.tell_table(live)
        self.changed(live, here=False)

    def forget(self, live: LiveTable) -> None:
        if not live.connections and not live.lock.locked():
            self.tables.pop(live.id, None)

    # --- changing ---

    async def save(self, live: LiveTable, row: TableRow, game: LiveGame | None = None) -> None:
        """Store a changed table, and a game that begins with it, then show it. Under the table's lock."""
        row = msgspec.structs.replace(row, rev=live.row.rev + 1, used=time.time())
        try:
            await available(self.storage.save_table(row, None if game is None else game.row))
        except Conflict:
            await self.reread(live)
            raise
        live.row = row
        if game is not None:
            live.game = game
        self.tell_table(live)
        self.changed(live)

    async def close(self, live: LiveTable) -> None:
        """Nobody plays here any more. Under the table's lock."""
        await available(self.storage.close_table(live.id))
        await self.reread(live)

    # --- telling ---

    def changed(self, live: LiveTable, *, here: bool = True) -> None:
        for listener in self.listeners:
            listener.changed(live, here=here)

    def visited(self, live: LiveTable) -> None:
        for listener in self.listeners:
            listener.visited(live)

    def tell_table(self, live: LiveTable) -> None:
        """Everybody gets the table, and the seats that are theirs now."""
        info = live.info()
        for connection in live.connections:
            connection.seats = live.seats_of(connection.guest, connection.secrets)
            push = TablePush(TableData(info, [SEATS[seat] for seat in sorted(connection.seats)]))
            connection.push(encode(push))

    def push_all(self, live: LiveTable, text: bytes) -> None:
        """What may be thrown away for a slow reader."""
        for connection in live.connections:
            connection.push(text, state=True)

    def tell_state(self, live: LiveTable, game: LiveGame, step: Advance) -> None:
        live.told = game.row.id, game.version
        if not live.connections:
            return
        state = game.state(step, time.time())
        text = encode(StatePush(state.v, state))
        frame = frame_of(text)
        for connection in live.connections:
            connection.push(text, state=True, frame=frame)
        self.figures.deliveries.inc(amount=len(live.connections))

    def table_and_you(self, live: LiveTable, guest: str | None) -> TableAndYou:
        you = None
        if guest is not None:
            seats = [
                YourSeat(SEATS[number], self.signer.seat_secret(live.id, number, seat.serial))
                for number, seat in enumerate(live.row.seats)
                if seat.guest == guest
            ]
            you = You(live.row.host == guest, seats)
        return TableAndYou(live.info(), you)
