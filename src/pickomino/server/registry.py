"""Tables in this process's memory, and the way to get at them. Rows are the truth, this is a cache."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import msgspec

from pickomino.rules import SEATS
from pickomino.server.connection import Connection, frame_of
from pickomino.server.errors import Refused
from pickomino.server.live import LiveGame, Step
from pickomino.server.shapes import (
    SeatInfo,
    StatePush,
    TableAndYou,
    TableData,
    TableInfo,
    TablePush,
    You,
    YourSeat,
)
from pickomino.server.storage import Conflict, Storage, TableRow, Unavailable
from pickomino.server.tokens import Signer

__all__ = ["LiveTable", "Registry", "available", "encode"]

T = TypeVar("T")

_ENCODER: Final = msgspec.json.Encoder()


def encode(message: msgspec.Struct) -> bytes:
    return _ENCODER.encode(message)


class LiveTable:
    """One table that somebody looks at or that a bot plays at. Change it only under its lock."""

    def __init__(self, row: TableRow) -> None:
        self.row = row
        self.game: LiveGame | None = None
        self.lock: Final = asyncio.Lock()
        self.connections: Final[set[Connection]] = set()
        self.left_at: Final[dict[int, float]] = {}  # seat -> when its last connection was lost
        self.loaded_at: Final = time.time()
        self.touched = self.loaded_at  # when it was last asked for

    @property
    def id(self) -> str:
        return self.row.id

    def present(self, seat: int) -> bool:
        return any(seat in connection.seats for connection in self.connections)

    def absent_since(self, seat: int) -> float | None:
        """None while somebody is there for the seat."""
        return None if self.present(seat) else self.left_at.get(seat, self.loaded_at)

    def seats_of(self, guest: str | None, secrets: dict[tuple[str, int], int]) -> frozenset[int]:
        """What a guest and some secrets may play here."""
        return frozenset(
            number
            for number, seat in enumerate(self.row.seats)
            if seat.guest is not None
            and (seat.guest == guest or secrets.get((self.row.id, number)) == seat.serial)
        )

    def info(self) -> TableInfo:
        row, settings = self.row, self.row.settings
        match = self.game.match if self.game is not None and row.phase in ("playing", "over") else None
        host = next((SEATS[n] for n, seat in enumerate(row.seats) if seat.guest == row.host), None)
        seats = []
        for number, seat in enumerate(row.seats):
            is_bot = seat.bot is not None
            seats.append(
                SeatInfo(
                    seat=SEATS[number],
                    kind="bot" if is_bot else "empty" if seat.empty else "person",
                    name=seat.name,
                    bot=seat.bot,
                    connected=is_bot or self.present(number),
                    stand_in=None if match is None or is_bot else match.stand_in(number),
                    resigned=match is not None and number in match.resigned,
                )
            )
        return TableInfo(
            id=row.id,
            code=row.code,
            rev=row.rev,
            phase=row.phase,
            public=settings.public,
            hints=settings.hints,
            edition=settings.edition,
            first=settings.first,
            timer=settings.timer,
            away=settings.away,
            pace_ms=settings.pace_ms,
            host=host,
            seats=seats,
            game=row.game,
            created=row.created,
        )


class Registry:
    """Finds tables, loads and saves them, tells their connections."""

    def __init__(self, storage: Storage, signer: Signer) -> None:
        self.storage: Final = storage
        self.signer: Final = signer
        self.tables: Final[dict[str, LiveTable]] = {}
        self.on_change: Callable[[LiveTable], None] = lambda live: None  # the driver listens
        self.on_delivered: Callable[[int], None] = lambda count: None  # so do the metrics
        self._loading: dict[str, asyncio.Future[LiveTable | None]] = {}

    # --- finding ---

    async def find(self, table: str) -> LiveTable:
        live = self.tables.get(table)
        if live is None:
            live = await self._load(table)
        if live is None:
            raise Refused("not_found", "no such table")
        live.touched = time.time()
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
            if row is None:
                return None
            if row.record is not None:  # archived: its entries are gone
                return None
            rows = await available(self.storage.entries(row.id))
            live.game = LiveGame(row, rows)
        return live.game

    async def refresh(self, live: LiveTable) -> None:
        """Somebody else has changed the rows: forget, read again. Under the table's lock."""
        live.game = None
        row = await available(self.storage.table(live.id))
        if row is not None:
            live.row = row

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
            await self.refresh(live)
            raise Refused("unavailable", "somebody else changed the table; try again") from None
        live.row = row
        if game is not None:
            live.game = game
        self.tell_table(live)
        self.on_change(live)

    # --- telling ---

    def tell_table(self, live: LiveTable) -> None:
        """Everybody gets the table, and the seats that are theirs now."""
        info = live.info()
        for connection in live.connections:
            connection.seats = live.seats_of(connection.guest, connection.secrets)
            push = TablePush(TableData(info, [SEATS[seat] for seat in sorted(connection.seats)]))
            connection.push(encode(push))

    def tell_state(self, live: LiveTable, game: LiveGame, step: Step) -> None:
        if not live.connections:
            return
        state = game.state(step, time.time())
        text = encode(StatePush(state.v, state))
        frame = frame_of(text)
        for connection in live.connections:
            connection.push(text, state=True, frame=frame)
        self.on_delivered(len(live.connections))

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


async def available(work: Awaitable[T]) -> T:
    """Storage's result, or the refusal that clients know."""
    try:
        return await work
    except Unavailable as error:
        raise Refused("unavailable", "the database does not answer; nothing has happened") from error
