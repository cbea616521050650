"""What a command adds to a game, on its way to the rows and to the clients."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from pickomino.play import DiceFell, Entry, MoveMade
from pickomino.protocol.shapes import EntryInfo
from pickomino.rules import Ply, Position, Step
from pickomino.rules.events import Event, TurnStarted
from pickomino.server.storage.base import EntryRow

PLIES: Final = (MoveMade, DiceFell)
"""The entries that change the position."""


@dataclass(slots=True)
class Advance:
    """What a command added: rows to store, and what clients are sent once they are stored."""

    start: int  # the version before
    rows: list[EntryRow] = field(default_factory=list)
    entries: list[EntryInfo] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    # Of one turn at most: to be shown in motion.
    plies: list[tuple[Position, Ply, Step]] = field(default_factory=list)

    def tell(self, before: Position, entry: Entry, after: Position, events: tuple[Event, ...]) -> None:
        """A ply and what came of it; one that follows the end of a turn begins the plies afresh."""
        if not isinstance(entry, PLIES):
            return
        if self.events and isinstance(self.events[-1], TurnStarted):
            self.plies.clear()
        self.events += events
        ply = entry.move if isinstance(entry, MoveMade) else entry.roll
        self.plies.append((before, ply, Step(after, events)))
