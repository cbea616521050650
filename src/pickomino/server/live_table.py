"""A table in this process's memory: its row, the game at it, and who is connected."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import msgspec

from pickomino.protocol.shapes import SeatInfo, TableInfo
from pickomino.rules import SEATS
from pickomino.server.connection import Connection
from pickomino.server.editions import edition_info, edition_of
from pickomino.server.live import LiveGame
from pickomino.server.looks import looks_of
from pickomino.server.storage.base import TableRow


class LiveTable:
    """One table that somebody looks at or that a bot plays at. Change it only under its lock."""

    def __init__(self, row: TableRow, elsewhere: frozenset[int] | None = None) -> None:
        self.row = row
        self.game: LiveGame | None = None
        self.lock: Final = asyncio.Lock()
        self.connections: Final[set[Connection]] = set()
        # Seats that are there through other processes; None: nobody looks at it there.
        self.elsewhere = elsewhere
        self.told: tuple[str | None, int] = (None, 0)  # the game and version that everybody here was told
        # These times are monotonic.
        self.left_at: Final[dict[int, float]] = {}  # seat -> when its last connection was lost
        self.loaded_at: Final = time.monotonic()
        self.touched = self.loaded_at  # when it was last asked for

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def known(self) -> tuple[str | None, int]:
        """The table's game, and how far it has come as far as this process knows."""
        game = self.row.game
        if self.game is not None and self.game.row.id == game:
            return game, self.game.version
        return game, self.told_of(game)

    def told_of(self, game: str | None) -> int:
        """The version of a game that everybody here was told."""
        return self.told[1] if self.told[0] == game else 0

    def here(self, seat: int) -> bool:
        """Whether somebody is there for the seat through this process."""
        return any(seat in connection.seats for connection in self.connections)

    def seats_here(self) -> frozenset[int]:
        return frozenset[int]().union(*(connection.seats for connection in self.connections))

    def present(self, seat: int) -> bool:
        return seat in (self.elsewhere or ()) or self.here(seat)

    def guests_there(self, game: LiveGame) -> frozenset[int]:
        """The guests who are connected and may add to the dice of a game, by their first seats."""
        if not game.row.joint:
            return frozenset()
        return frozenset(game.row.guest_of(seat) for seat in range(len(self.row.seats)) if self.present(seat))

    def gone_for(self, guest: str) -> float:
        """Seconds since a guest was connected, as far as this process knows; a guest on no seat is known here only."""
        if any(there.guest == guest for there in self.connections):
            return 0.0
        seats = [number for number, seat in enumerate(self.row.seats) if seat.guest == guest]
        times = [self.absent_for(seat) or 0.0 for seat in seats]
        return min(times, default=time.monotonic() - self.loaded_at)

    @property
    def coached(self) -> bool:
        """Whether every person at the table agrees to a coach."""
        persons = [seat for seat in self.row.seats if seat.guest is not None]
        return bool(persons) and all(seat.coach for seat in persons)

    @property
    def watched(self) -> bool:
        """Whether anybody looks at it, with a seat or without, as far as this process knows."""
        return bool(self.connections) or self.elsewhere is not None

    def absent_for(self, seat: int) -> float | None:
        """Seconds; None while somebody is there for the seat."""
        return None if self.present(seat) else time.monotonic() - self.left_at.get(seat, self.loaded_at)

    def bot_at(self, game: LiveGame, seat: int, now: float) -> float | None:
        """When a bot plays for a person who is to act and is not there."""
        absent = self.absent_for(seat)
        if absent is None or game.row.away is None or seat != game.match.turn_of:
            return None
        if game.match.played_by(seat) is not None:
            return None
        return max(now - absent, game.last_at) + game.row.away

    def seats_of(self, guest: str | None, secrets: dict[tuple[str, int], int]) -> frozenset[int]:
        """What a guest and some secrets may play here."""
        return frozenset(
            number
            for number, seat in enumerate(self.row.seats)
            if seat.guest is not None
            and (seat.guest == guest or secrets.get((self.row.id, number)) == seat.serial)
        )

    def info(self) -> TableInfo:
        row = self.row
        edition = edition_of(row.settings.edition)
        match = self.game.match if self.game is not None and row.phase in ("playing", "over") else None
        host = next((SEATS[n] for n, seat in enumerate(row.seats) if seat.guest == row.host), None)
        seats = []
        now, shown = time.time(), looks_of(row.seats)
        for number, seat in enumerate(row.seats):
            is_bot = seat.bot is not None
            running = self.game if match is not None and not match.over else None
            bot_at = None if running is None else self.bot_at(running, number, now)
            seats.append(
                SeatInfo(
                    seat=SEATS[number],
                    kind="bot" if is_bot else "empty" if seat.empty else "person",
                    name=seat.name,
                    bot=seat.bot,
                    connected=is_bot or self.present(number),
                    stand_in=None if match is None or is_bot else match.stand_in(number),
                    resigned=match is not None and number in match.resigned,
                    bird=shown[number][0],
                    colour=shown[number][1],
                    bot_in_ms=None if bot_at is None else max(0, round((bot_at - now) * 1000)),
                    coach=seat.coach,
                )
            )
        return TableInfo(
            id=row.id,
            code=row.code,
            rev=row.rev,
            phase=row.phase,
            host=host,
            seats=seats,
            game=row.game,
            created=row.created,
            coach=self.coached,
            house=edition_info(edition) if edition.name else None,
            **msgspec.structs.asdict(row.settings) | {"edition": edition.key},
        )
