"""Rows to values of SQL and back; the same for every engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec
from msgspec.structs import astuple

from pickomino.server.storage.base import Addition, GameRow, PlayerRow, SeatRow, Settings, TableRow

_TABLE_COLUMNS: Final = 11
_GAME_COLUMNS: Final = 15
_PLAYERS: Final = GameRow.__struct_fields__.index("players")
"""Where a game's players are among its fields; the others are its columns, in order."""


def changed_values(table: TableRow) -> tuple[Any, ...]:
    """What of a table changes after it was made."""
    return table.phase, table.host, table.game, table.games, table.rev, table.used


def table_values(table: TableRow) -> tuple[Any, ...]:
    settings = msgspec.json.encode(table.settings).decode()
    fixed = (table.id, table.code, int(table.settings.public), settings, table.created)
    return (*fixed, *changed_values(table))


def seat_values(table: TableRow) -> list[tuple[Any, ...]]:
    return [(table.id, number, *astuple(seat)) for number, seat in enumerate(table.seats)]


def tables_of(rows: Iterable[Sequence[Any]]) -> list[TableRow]:
    """Tables out of one row per seat."""
    found = []
    for row, seats in groupby(rows, key=lambda row: tuple(row[:_TABLE_COLUMNS])):
        id_, code, _, settings, created, phase, host, *later = row
        agreed = msgspec.json.decode(settings, type=Settings)
        there = tuple(_seat(*seat[_TABLE_COLUMNS:]) for seat in seats)
        game, count, rev, used = later
        found.append(TableRow(id_, code, phase, host, agreed, there, game, count, rev, created, used))
    return found


def _seat(guest: str | None, name: str, bot: str | None, serial: int, look: str, coach: int) -> SeatRow:
    return SeatRow(guest, name, bot, serial, look, bool(coach))  # SQLite knows no truth values


def game_values(game: GameRow) -> tuple[Any, ...]:
    values = astuple(game)
    return values[:_PLAYERS] + values[_PLAYERS + 1 :]


def player_values(game: GameRow) -> list[tuple[Any, ...]]:
    return [(game.id, number, *astuple(player), game.started) for number, player in enumerate(game.players)]


def entry_values(new: Addition) -> list[tuple[Any, ...]]:
    return [(new.game, row.seq, row.at, row.entry, row.cid, row.proof) for row in new.rows]


def games_of(rows: Iterable[Sequence[Any]]) -> list[GameRow]:
    """Games out of one row per player."""
    found = []
    for row, players in groupby(rows, key=lambda row: tuple(row[:_GAME_COLUMNS])):
        there = tuple(PlayerRow(*player[_GAME_COLUMNS:]) for player in players)
        found.append(GameRow(*[*row[:_PLAYERS], there, *row[_PLAYERS:]]))
    return found


def seats_text(seats: Iterable[int]) -> str:
    return "".join(str(seat) for seat in sorted(seats))  # seven at most: a digit each


def seats_of(rows: Iterable[tuple[str, str]]) -> dict[str, frozenset[int]]:
    """Presence out of (table, seats), several to a table."""
    found: dict[str, frozenset[int]] = {}
    for table, seats in rows:
        found[table] = found.get(table, frozenset()) | frozenset(map(int, seats))
    return found
