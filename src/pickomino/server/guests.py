"""What the server knows of a guest: handed out, or deleted."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec

from pickomino.notation import parse_record
from pickomino.protocol import bodies, shapes
from pickomino.rules import SEATS
from pickomino.server.editions import edition_of
from pickomino.server.errors import available
from pickomino.server.live_table import LiveTable
from pickomino.server.recording import record_of, without_names
from pickomino.server.registry import DEAD_SECONDS, Registry
from pickomino.server.seating import Seating
from pickomino.server.storage.base import GameRow, GuestRow, PlayerRow, TableRow

AT_ONCE = 20
"""Games that are read together; a game with its log takes some ten milliseconds to write as a record."""


class Guests:
    """Guests as a whole, across tables and games."""

    def __init__(self, registry: Registry, seating: Seating, aside: Callable[..., Awaitable[str]]) -> None:
        """`aside`: has something done that takes long, while the event loop goes on."""
        self._registry = registry
        self._storage = registry.storage
        self._seating = seating
        self._aside = aside

    async def tables(self, rows: list[TableRow]) -> list[shapes.TableInfo]:
        """Tables as memory has them, else as stored; none is brought to life for being listed."""
        presence = self._storage.presence
        if presence is None:
            tables = self._registry.tables
            return [(tables.get(row.id) or LiveTable(row)).info() for row in rows]
        ids = [row.id for row in rows]
        there = await available(presence.seats(ids, "", time.time() - DEAD_SECONDS))
        return [LiveTable(row, there.get(row.id)).info() for row in rows]

    async def export(self, guest: GuestRow) -> AsyncIterator[bytes]:
        """An `Export` as JSON, in pieces as it is read; records of finished games included."""
        tables = await self.tables(await available(self._storage.tables_of(guest.id, 10_000)))
        head = bodies.Export(guest.id, guest.name, guest.created, tables, [])
        yield msgspec.json.encode(head).removesuffix(b"]}")
        before, comma = 1e12, b""
        while games := await available(self._storage.history(guest.id, before, AT_ONCE)):
            for row in games:
                record = None if row.finished is None and row.record is None else await self.record(row)
                told = msgspec.structs.asdict(summary(row, guest.id)) | {"record": record}
                yield comma + msgspec.json.encode(bodies.ExportedGame(**told))
                comma = b","
            before = games[-1].started
        yield b"]}"

    async def record(self, row: GameRow) -> str:
        """A game as its record, out of its log unless it has become one."""
        if row.record is not None:
            return row.record
        return await self._aside(record_of, row, await available(self._storage.entries(row.id)))

    async def erase(self, guest: str) -> bodies.Erased:
        """Delete a guest: seats are left or handed to bots, games that nobody else played are deleted with their
        dice secrets, others' games lose the name. Doing it again after a crash finishes it."""
        tables = await self.leave_all(guest)
        alone = await available(self._storage.games_alone(guest))
        records: list[tuple[str, str]] = []  # (record, game) of those that are records already
        kept, before = 0, 1e12
        while games := await available(self._storage.history(guest, before, AT_ONCE)):
            for game in games:
                kept += game.id not in alone
                if game.record is not None and game.id not in alone:
                    records.append((await self._aside(_nameless, game, guest), game.id))
            before = games[-1].started
        await available(self._storage.erase_guest(guest, alone, records))
        return bodies.Erased(guest, tables, len(alone), kept)

    async def leave_all(self, guest: str) -> int:
        """Whoever is shut out or deleted leaves every table; gives how many."""
        tables = await available(self._storage.tables_of(guest, 10_000))
        for row in tables:
            await self._seating.erase(await self._registry.find(row.id), guest)
        return len(tables)


def _nameless(row: GameRow, guest: str) -> str:
    gone = [seat for seat, player in enumerate(row.players) if player.guest == guest]
    return str(without_names(parse_record(row.record or ""), gone))


def summary(row: GameRow, guest: str | None = None) -> shapes.Summary:
    return shapes.Summary(
        game=row.id,
        table=row.table,
        edition=edition_of(row.edition).key,
        started=row.started,
        finished=row.finished,
        players=[_player(letter, player) for letter, player in zip(SEATS, row.players, strict=False)],
        dice=row.dice_text,
        result=None if row.result is None else msgspec.json.decode(row.result, type=shapes.ResultInfo),
        yours=[SEATS[n] for n, player in enumerate(row.players) if guest and player.guest == guest],
    )


def _player(letter: str, player: PlayerRow) -> shapes.PlayerInfo:
    look = player.look or letter * 2
    return shapes.PlayerInfo(
        letter, player.shown, player.bot, look[0], look[1], accuracy=player.accuracy, luck=player.luck
    )
