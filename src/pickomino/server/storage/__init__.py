"""Where tables, guests and the logs of games are kept."""

from pickomino.server.storage.base import (
    Conflict,
    EntryRow,
    Finish,
    GameRow,
    GuestRow,
    Head,
    PlayerRow,
    SeatRow,
    Settings,
    Storage,
    TableRow,
    Unavailable,
    Unsure,
)

__all__ = [
    "Conflict",
    "EntryRow",
    "Finish",
    "GameRow",
    "GuestRow",
    "Head",
    "PlayerRow",
    "SeatRow",
    "Settings",
    "Storage",
    "TableRow",
    "Unavailable",
    "Unsure",
]
