"""Rows as the server knows them, and what can go wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

DELETED: Final = "gone"
"""What stands for the name of a person who has been deleted."""
TablePhase: TypeAlias = Literal["open", "playing", "over", "closed"]


class Conflict(Exception):
    """Somebody else was first; nothing was written."""


class Unavailable(Exception):
    """The database does not answer; nothing was written."""


class Unsure(Unavailable):
    """The database went away while it was writing: it may have been written. The rows will show."""


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
    look: str = ""  # bird and colour, each the letter of the seat that has it by default; empty: as they come
    coach: bool = False  # who sits there agrees to one

    @property
    def empty(self) -> bool:
        return self.guest is None and self.bot is None


class TableRow(msgspec.Struct, frozen=True):
    id: str
    code: str
    phase: TablePhase
    host: str  # a guest
    settings: Settings
    seats: tuple[SeatRow, ...]
    game: str | None
    games: int  # how many were started
    rev: int
    created: float
    used: float


class Reviewed(NamedTuple):
    """What a seat's review amounts to."""

    accuracy: int | None  # of 100; None without a choice
    luck: float | None  # points of winning chance; None where worms are counted


class PlayerRow(msgspec.Struct, frozen=True):
    """Who sat there when the game started; neither a guest nor a bot: a person who has been deleted since."""

    guest: str | None
    name: str  # the dice of a game are bound to it, so it goes when the game becomes a record
    bot: str | None
    look: str = ""  # bird and colour, as at the table; empty: a game from before they were kept
    accuracy: int | None = None  # this and the next: once the game is reviewed
    luck: float | None = None  # points of winning chance

    @property
    def deleted(self) -> bool:
        return self.guest is None and self.bot is None

    @property
    def shown(self) -> str:
        return DELETED if self.deleted else self.name


class GameRow(msgspec.Struct, frozen=True):
    id: str
    table: str
    edition: str
    first: int  # the seat that starts; -1: it falls with roll 0
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
    dice: str = "sha256-chain"  # or sha256-chains: every seat adds to the dice

    @property
    def joint(self) -> bool:
        return self.dice == "sha256-chains"

    @property
    def undecided(self) -> bool:
        """Whether chance says who starts: the log has it then."""
        return self.first < 0

    def guest_of(self, seat: int) -> int:
        """The seat that stands for the guest of a seat: their first one."""
        guest = self.players[seat].guest
        return seat if guest is None else next(n for n, one in enumerate(self.players) if one.guest == guest)

    def seats_of(self, guest: int) -> tuple[int, ...]:
        """All seats of the guest that a seat stands for."""
        return tuple(seat for seat in range(len(self.players)) if self.guest_of(seat) == guest)

    @property
    def guests(self) -> list[int]:
        """The persons, by the seats that stand for them."""
        return sorted({self.guest_of(n) for n, one in enumerate(self.players) if one.guest is not None})

    @property
    def dice_text(self) -> str:
        """The scheme and its tip, as clients are shown it before the game."""
        return f"{self.dice} {self.tip}"


class EntryRow(msgspec.Struct, frozen=True):
    """One entry of a game's log."""

    seq: int  # from 1
    at: float
    entry: str
    cid: str | None = None  # the client's message id, for answering a resend
    # Of dice: "k value nonce", the nonce being what `mix` made where every seat adds.
    proof: str | None = None


class Finish(msgspec.Struct, frozen=True):
    """What ends with a game's last entry, in the same transaction."""

    table: str
    at: float
    result: str


class Addition(msgspec.Struct, frozen=True):
    """What one step adds to a game's log, all or nothing."""

    game: str
    rows: Sequence[EntryRow]
    wake: float | None
    finish: Finish | None = None
    same_wake: bool = False  # the stored time still holds


class Head(msgspec.Struct, frozen=True):
    """How far a table and its game have come."""

    table: str
    rev: int
    game: str | None
    seq: int
