"""What the server asks of a database: one small asynchronous interface, so that engines can be exchanged.

Nothing here owns a game. Rows are read, a change is written on condition that nobody else was first
(`rev` for a table, `(game, seq)` for a game's log), and `Conflict` says that somebody was.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, Protocol, TypeAlias

import msgspec

__all__ = [
    "Conflict",
    "EntryRow",
    "Finish",
    "GameRow",
    "GuestRow",
    "Head",
    "Phase",
    "PlayerRow",
    "SeatRow",
    "Settings",
    "Storage",
    "TableRow",
    "Unavailable",
    "Unsure",
]

Phase: TypeAlias = Literal["open", "playing", "over", "closed"]


class Conflict(Exception):
    """Somebody else was first; nothing was written."""


class Unavailable(Exception):
    """The database does not answer; nothing was written."""


class Unsure(Unavailable):
    """The database went away while it was writing: it may have been written. The rows will tell."""


class GuestRow(msgspec.Struct, frozen=True):
    id: str
    name: str
    created: float


class Settings(msgspec.Struct, frozen=True):
    """What was agreed when the table was made."""

    edition: str = "classic"
    public: bool = False
    hints: bool = True
    first: str = "random"  # or the letter of a seat
    timer: int | None = None  # seconds
    away: int | None = 90  # seconds
    pace_ms: int = 900


class SeatRow(msgspec.Struct, frozen=True):
    """`serial` grows whenever somebody else sits down: it makes older seat secrets worthless."""

    guest: str | None = None
    name: str = ""
    bot: str | None = None
    serial: int = 0

    @property
    def empty(self) -> bool:
        return self.guest is None and self.bot is None


class TableRow(msgspec.Struct, frozen=True):
    id: str
    code: str
    phase: Phase
    host: str  # a guest
    settings: Settings
    seats: tuple[SeatRow, ...]
    game: str | None
    games: int  # how many were started
    rev: int
    created: float
    used: float


class PlayerRow(msgspec.Struct, frozen=True):
    """Who sat there when the game started."""

    guest: str | None
    name: str
    bot: str | None


class GameRow(msgspec.Struct, frozen=True):
    id: str
    table: str
    edition: str
    first: int
    started: float
    secret: bytes  # of the dice chain; never leaves the server
    tip: str
    players: tuple[PlayerRow, ...]
    timer: int | None
    away: int | None
    pace_ms: int
    finished: float | None = None
    result: str | None = None  # JSON
    wake: float | None = None  # when a bot or a clock has something to do, if nobody acts before
    record: str | None = None  # once archived: the whole game as text, in place of its entries


class EntryRow(msgspec.Struct, frozen=True):
    """One entry of a game's log."""

    seq: int  # from 1
    at: float
    entry: str
    cid: str | None = None  # the client's message id, for answering a resend
    proof: str | None = None  # of dice: "k value nonce"


class Finish(msgspec.Struct, frozen=True):
    """What ends with a game's last entry, in the same transaction."""

    table: str
    at: float
    result: str


class Head(msgspec.Struct, frozen=True):
    """How far a table and its game have come."""

    table: str
    rev: int
    game: str | None
    seq: int


class Storage(Protocol):
    """Every method is one transaction, durable when it returns, or raises and has changed nothing."""

    @property
    def shared(self) -> bool:
        """Whether other processes may change the rows too."""
        ...

    @property
    def commits(self) -> int:
        """Transactions committed by this process, for its metrics."""
        ...

    @property
    def jobs(self) -> int:
        """Changes that these transactions held."""
        ...

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def ping(self) -> None:
        """Raises `Unavailable` unless the database can be written to."""
        ...

    async def secret(self) -> bytes:
        """The key that signs tokens; made when first asked for, the same for every process."""
        ...

    # guests
    async def add_guest(self, guest: GuestRow) -> None: ...

    async def guest(self, guest: str) -> GuestRow | None: ...

    async def rename_guest(self, guest: str, name: str) -> None: ...

    # tables
    async def add_table(self, table: TableRow) -> None:
        """`Conflict` if id or code exists."""
        ...

    async def table(self, table: str) -> TableRow | None: ...

    async def table_of_code(self, code: str) -> str | None: ...

    async def save_table(self, table: TableRow, game: GameRow | None = None) -> None:
        """`Conflict` unless the stored rev is the row's less one; with a game: it begins with this change."""
        ...

    async def lobby(self, limit: int) -> list[TableRow]: ...

    async def tables_of(self, guest: str, limit: int) -> list[TableRow]: ...

    # games
    async def game(self, game: str) -> GameRow | None: ...

    async def entries(self, game: str, after: int = 0) -> list[EntryRow]: ...

    async def append(
        self,
        game: str,
        rows: Sequence[EntryRow],
        wake: float | None,
        finish: Finish | None = None,
        *,
        same_wake: bool = False,
    ) -> None:
        """`Conflict` if one of the numbers is taken. The hot path; `same_wake`: the stored time still holds."""
        ...

    async def waking(self, before: float, limit: int) -> list[tuple[str, str, float]]:
        """(table, game, when) of running games in which a bot or a clock is due."""
        ...

    async def claim(self, before: float, until: float, limit: int) -> list[tuple[str, str]]:
        """(table, game) of running games in which something is overdue. Their times are set to `until`, so
        that nobody else is given them before then."""
        ...

    async def heads(self, tables: Sequence[str]) -> list[Head]: ...

    async def history(self, guest: str, before: float, limit: int) -> list[GameRow]: ...

    # upkeep
    async def expire(self, unused_since: float, limit: int) -> list[str]:
        """Close tables that nobody has used since; gives their ids."""
        ...

    async def archivable(self, limit: int) -> list[str]:
        """Games of closed tables that still have entries."""
        ...

    async def archive(self, game: str, record: str | None) -> None:
        """Put the record in the place of a game's entries."""
        ...

    # who is there; for engines that are shared
    async def heard(self, process: str, at: float) -> bool:
        """A process lives; False if it was not known, and so nothing of what it noted is there either."""
        ...

    async def note_presence(self, process: str, seats: Mapping[str, Collection[int] | None]) -> None:
        """Which seats are there at some tables through this process; None: it has no connection there."""
        ...

    async def presence(
        self, tables: Sequence[str], besides: str, heard_since: float
    ) -> dict[str, frozenset[int]]:
        """The seats that are there through other processes that live."""
        ...

    async def forget_processes(self, heard_before: float) -> int:
        """Drop what processes noted that have died since; gives how many."""
        ...
