"""Rows to SQL and back, for SQLite."""

from __future__ import annotations

import sqlite3
from typing import Any, Final

import msgspec

from pickomino.server.storage.base import GameRow, PlayerRow, SeatRow, Settings, TableRow

__all__ = ["changeable", "games", "put_game", "put_seats", "put_table", "tables"]

_TABLE: Final = "id, code, public, settings, created, phase, host, game, games, rev, used"
_BEGUN: Final = "id, tbl, edition, first, started, secret, tip, timer, away, pace_ms"
_LATER: Final = "finished, result, wake, record"
_NAMES: Final = f"{_BEGUN}, {_LATER}".replace("tbl", "table").split(", ")


def _insert(db: sqlite3.Connection, table: str, columns: str, values: tuple[Any, ...]) -> None:
    marks = ", ".join("?" * len(values))
    db.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", values)


def changeable(table: TableRow) -> tuple[Any, ...]:
    """What of a table changes after it was made."""
    return table.phase, table.host, table.game, table.games, table.rev, table.used


def put_table(db: sqlite3.Connection, table: TableRow) -> None:
    settings = msgspec.json.encode(table.settings).decode()
    fixed = (table.id, table.code, int(table.settings.public), settings, table.created)
    _insert(db, "tables", _TABLE, (*fixed, *changeable(table)))
    put_seats(db, table)


def put_seats(db: sqlite3.Connection, table: TableRow) -> None:
    db.executemany(
        "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?, ?)",
        [
            (table.id, number, seat.guest, seat.name, seat.bot, seat.serial)
            for number, seat in enumerate(table.seats)
        ],
    )


def tables(db: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> list[TableRow]:
    found = []
    for row in db.execute(f"SELECT {_TABLE} FROM tables WHERE {where}", values).fetchall():
        id_, code, _, settings, created, phase, host, game, count, rev, used = row
        seats = db.execute("SELECT guest, name, bot, serial FROM seats WHERE tbl = ? ORDER BY seat", (id_,))
        found.append(
            TableRow(
                id=id_,
                code=code,
                phase=phase,
                host=host,
                settings=msgspec.json.decode(settings, type=Settings),
                seats=tuple(SeatRow(*seat) for seat in seats),
                game=game,
                games=count,
                rev=rev,
                created=created,
                used=used,
            )
        )
    return found


def put_game(db: sqlite3.Connection, game: GameRow) -> None:
    begun = (game.id, game.table, game.edition, game.first, game.started, game.secret, game.tip)
    limits = (game.timer, game.away, game.pace_ms)
    later = (game.finished, game.result, game.wake, game.record)
    _insert(db, "games", f"{_BEGUN}, {_LATER}", (*begun, *limits, *later))
    db.executemany(
        "INSERT INTO players VALUES (?, ?, ?, ?, ?, ?)",
        [
            (game.id, number, player.guest, player.name, player.bot, game.started)
            for number, player in enumerate(game.players)
        ],
    )


def games(db: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> list[GameRow]:
    found = []
    for row in db.execute(f"SELECT {_BEGUN}, {_LATER} FROM games WHERE {where}", values).fetchall():
        players = db.execute("SELECT guest, name, bot FROM players WHERE game = ? ORDER BY seat", row[:1])
        columns: dict[str, Any] = dict(zip(_NAMES, row, strict=True))
        found.append(GameRow(**columns, players=tuple(PlayerRow(*player) for player in players)))
    return found
