"""Hints between processes: "this table has come so far". Nobody decides anything by them: rows are the truth.

A hint that is lost, late, doubled or wrong costs a look at the rows, or the time until they are looked at anyway.
"""

from __future__ import annotations

from typing import Protocol

import msgspec

from pickomino.protocol.shapes import ReactionData


class Hint(msgspec.Struct, frozen=True, array_like=True):
    """How far a table has come, and what is not in its rows at all."""

    sender: str  # a process
    rev: int
    game: str | None
    seq: int
    presence: bool = False  # somebody has come or gone
    reaction: ReactionData | None = None


class BusListener(Protocol):
    """Hears what the bus carries."""

    def hinted(self, table: str, text: bytes) -> None:
        """Somebody sent this about a table that is followed."""
        ...

    def joined(self, table: str) -> None:
        """From now on texts about the table do arrive; what was sent before may have been missed."""
        ...


class Bus:
    """Carries texts from process to process, by table. This one carries none: it is for one process, or for several
    that look at the rows every second."""

    @property
    def up(self) -> bool:
        """Whether texts arrive, as far as this process knows."""
        return False

    async def start(self, listener: BusListener) -> None: ...

    async def stop(self) -> None: ...

    def send(self, table: str, text: bytes) -> None: ...

    def follow(self, table: str) -> None: ...

    def unfollow(self, table: str) -> None: ...
