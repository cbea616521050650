"""Hints between processes: "this table has come so far". Nobody decides anything by them: rows are the truth.

A hint that is lost, late, doubled or wrong costs a look at the rows, or the time until they are looked at anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from pickomino.server.shapes import ReactionData

__all__ = ["Bus", "Hint", "NoBus"]


class Hint(msgspec.Struct, frozen=True, array_like=True):
    """How far a table has come, and what is not in its rows at all."""

    sender: str  # a process
    rev: int
    game: str | None
    seq: int
    presence: bool = False  # somebody has come or gone
    reaction: ReactionData | None = None


class Bus(Protocol):
    """Carries texts from process to process, by table."""

    on_text: Callable[[str, bytes], None]
    """Called with a table that is followed, and what somebody sent about it."""
    on_joined: Callable[[str], None]
    """Called once texts about a table do arrive; what was sent before may have been missed."""

    @property
    def up(self) -> bool:
        """Whether texts arrive, as far as this process knows."""
        ...

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    def send(self, table: str, text: bytes) -> None: ...

    def follow(self, table: str) -> None: ...

    def unfollow(self, table: str) -> None: ...


class NoBus:
    """For one process, or for several that look at the rows every second."""

    def __init__(self) -> None:
        self.on_text: Callable[[str, bytes], None] = lambda table, text: None
        self.on_joined: Callable[[str], None] = lambda table: None

    @property
    def up(self) -> bool:
        return False

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    def send(self, table: str, text: bytes) -> None: ...

    def follow(self, table: str) -> None: ...

    def unfollow(self, table: str) -> None: ...
