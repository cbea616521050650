"""Rows to values of SQL and back; the same for every engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import msgspec

from pickomino.server.storage.base import GameRow, PlayerRow, SeatRow, Settings, TableRow

__all__ = [
    "changed_values",
    "game_values",
    "games_of",
    "player_values",
    "seat_values",
    "seats_of",
    "seats_text",
    "table_values",
    "tables_of",
]

_TABLE_COLUMNS = 11
_GAME_COLUMNS = 14


def changed_values(table: TableRow) -> tuple[Any, ...]:
    """What of a table changes after it was made."""
    return table.phase, table.host, table.game, table.games, table.rev, table.used


def table_values(table: TableRow) -> tuple[Any, ...]:
    settings = msgspec.json.encode(table.settings).decode()
    fixed = (table.id, table.code, int(table.settings.public), settings, table.created)
    return (*fixed, *changed_values(table))


def seat_values(table: TableRow) -> list[tuple[Any, ...]]:
    return [
        (table.id, number, seat.guest, seat.name, seat.bot, seat.serial)
        for number, seat in enumerate(table.seats)
    ]


def tables_of(rows: Iterable[Sequence[Any]]) -> list[TableRow]:
    """Tables out of a row a seat."""
    found = []
    for row, seats in groupby(rows, key=lambda row: tuple(row[:_TABLE_COLUMNS])):
        id_, code, _, settings, created, phase, host, game, count, rev, used = row
        found.append(
            TableRow(
                id=id_,
                code=code,
                phase=phase,
                host=host,
                settings=msgspec.json.decode(settings, type=Settings),
                seats=tuple(SeatRow(*seat[_TABLE_COLUMNS:]) for seat in seats),
                game=game,
                games=count,
                rev=rev,
                created=created,
                used=used,
            )
        )
    return found


def game_values(game: GameRow) -> tuple[Any, ...]:
    begun = (game.id, game.table, game.edition, game.first, game.started, game.secret, game.tip)
    limits = (game.timer, game.away, game.pace_ms)
    return (*begun, *limits, game.finished, game.result, game.wake, game.record)


def player_values(game: GameRow) -> list[tuple[Any, ...]]:
    return [
        (game.id, number, player.guest, player.name, player.bot, game.started)
        for number, player in enumerate(game.players)
    ]


def games_of(rows: Iterable[Sequence[Any]]) -> list[GameRow]:
    """Games out of a row a player."""
    found = []
    for row, players in groupby(rows, key=lambda row: tuple(row[:_GAME_COLUMNS])):
        id_, table, edition, first, started, secret, tip, timer, away, pace_ms, *later = row
        finished, result, wake, record = later
        found.append(
            GameRow(
                id=id_,
                table=table,
                edition=edition,
                first=first,
                started=started,
                secret=secret,
                tip=tip,
                players=tuple(PlayerRow(*player[_GAME_COLUMNS:]) for player in players),
                timer=timer,
                away=away,
                pace_ms=pace_ms,
                finished=finished,
                result=result,
                wake=wake,
                record=record,
            )
        )
    return found


def seats_text(seats: Iterable[int]) -> str:
    return "".join(str(seat) for seat in sorted(seats))  # seven at most: a digit each


def seats_of(rows: Iterable[tuple[str, str]]) -> dict[str, frozenset[int]]:
    """Presence out of (table, seats), several to a table."""
    found: dict[str, frozenset[int]] = {}
    for table, seats in rows:
        found[table] = found.get(table, frozenset()) | frozenset(map(int, seats))
    return found
