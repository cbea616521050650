"""Where tables, guests and the logs of games are kept."""

from pickomino.server.storage.base import (
    Conflict,
    EntryRow,
    Finish,
    GameRow,
    GuestRow,
    PlayerRow,
    SeatRow,
    Settings,
    Storage,
    TableRow,
    Unavailable,
)

__all__ = [
    "Conflict",
    "EntryRow",
    "Finish",
    "GameRow",
    "GuestRow",
    "PlayerRow",
    "SeatRow",
    "Settings",
    "Storage",
    "TableRow",
    "Unavailable",
]
