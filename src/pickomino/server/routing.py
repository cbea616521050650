"""What an address names: a table, a seat, a game."""

from __future__ import annotations

from pickomino.rules import SEATS
from pickomino.server.errors import Refused, available
from pickomino.server.http import Call
from pickomino.server.live_table import LiveTable
from pickomino.server.storage.base import GameRow
from pickomino.server.tokens import is_id


async def table_of(call: Call) -> LiveTable:
    return await call.server.registry.find(call.path["table"])


def seat_of(call: Call) -> int:
    letter = call.path["seat"]
    if len(letter) != 1 or letter not in SEATS:
        raise Refused("not_found", "no such seat")
    return SEATS.index(letter)


async def game_of(call: Call) -> GameRow:
    game = call.path["game"]
    row = await available(call.server.storage.game(game)) if is_id(game) else None
    if row is None:
        raise Refused("not_found", "no such game")
    return row


async def finished_game(call: Call) -> GameRow:
    """One that is over, or was broken off."""
    row = await game_of(call)
    if row.finished is None and row.record is None:
        raise Refused("not_over", "only available after the end of the game")
    return row
