"""What HTTP requests carry, and what their answers hold beside the tables and games of `shapes`."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from pickomino.protocol.shapes import EditionInfo, EventFrame, EventInfo, Letter, Summary, TableInfo
from pickomino.views import View

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=24)]
BotName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=80)]
Look: TypeAlias = Annotated[str, Meta(pattern=r"^[A-G]{2}\Z")]  # bird and colour, by the seats they belong to
EditionText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=8192)]  # a key, or TOML


class NewGuest(Struct, frozen=True):
    name: Name


class Guest(Struct, frozen=True):
    guest: str
    name: str
    token: str


class Me(Struct, frozen=True):
    guest: str
    name: str


class ExportedGame(Summary, frozen=True):
    record: str | None  # once it is over


class Export(Struct, frozen=True):
    guest: str
    name: str
    created: float
    tables: list[TableInfo]
    games: list[ExportedGame]


class Erased(Struct, frozen=True):
    guest: str
    tables: int  # left, or closed
    games_deleted: int  # nobody else had played them
    games_kept: int  # for the others, without the name


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A misspelt setting is refused, not ignored."""

    edition: EditionText = "classic"
    seats: Annotated[int, Meta(ge=2, le=7)] = 2
    public: bool = False
    hints: bool = True
    first: Literal["random", "A", "B", "C", "D", "E", "F", "G"] = "random"
    timer: Annotated[int, Meta(ge=5, le=3600)] | None = None
    away: Annotated[int, Meta(ge=5, le=86400)] | None = 90
    pace_ms: Annotated[int, Meta(ge=0, le=10000)] = 900
    sit: Annotated[list[Name], Meta(max_length=7)] = []
    bots: Annotated[list[BotName], Meta(max_length=7)] = []
    look: Look | None = None  # of the first to sit


class SitDown(Struct, frozen=True):
    seat: Letter | None = None
    name: Name | None = None
    look: Look | None = None


class ChangeSeat(Struct, frozen=True, forbid_unknown_fields=True):
    to: Letter | None = None
    look: Look | None = None


class NewHost(Struct, frozen=True):
    seat: Letter


class Invite(Struct, frozen=True):
    game: Annotated[str, Meta(max_length=64)]


class PutBot(Struct, frozen=True):
    bot: BotName
    name: Name | None = None


class HintValue(Struct, frozen=True):
    move: str
    value: float


class Advice(Struct, frozen=True):
    v: int
    objective: str
    position: str
    moves: list[HintValue]
    sentences: list[str]  # what the best move does, then what the tempting other one overlooks


class ReplayStep(Struct, frozen=True):
    ply: str | None
    turn: int
    seat: Letter | None
    position: str
    view: View
    events: list[EventInfo]
    frames: list[EventFrame]
    comments: list[str]


class ReplayPage(Struct, frozen=True):
    edition: str
    names: list[str]
    headers: dict[str, str]
    result: str
    house: EditionInfo | None
    frames: list[ReplayStep]


class About(Struct, frozen=True):
    version: str
    editions: list[EditionInfo]
    switches: list[str]
    bots: list[str]
    reactions: list[str]
    limits: dict[str, Any]


class Health(Struct, frozen=True):
    status: Literal["ok"]


class Error(Struct, frozen=True):
    code: str
    message: str
