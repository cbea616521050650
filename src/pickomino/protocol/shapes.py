"""The shapes of everything that goes over the wire; docs/protocol.md describes them for people."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required, TypeAlias, TypedDict

import msgspec
from msgspec import Meta, Struct

from pickomino.play.result import Reason
from pickomino.views import View

# ``$`` lets a line feed in behind it, so lengths are given too, or ``\Z``.
Letter: TypeAlias = Annotated[str, Meta(pattern="^[A-G]$", max_length=1)]

# --- tables and games ---


class SeatInfo(Struct, frozen=True):
    seat: Letter
    kind: Literal["person", "bot", "empty"]
    name: str
    bot: str | None
    connected: bool
    stand_in: str | None
    resigned: bool
    bird: Letter  # the seat that has it by default
    colour: Letter
    bot_in_ms: int | None  # until a bot plays for a person who is to act and is not there
    coach: bool  # who sits there agrees to one


class TableInfo(Struct, frozen=True):
    id: str
    code: str
    rev: int
    phase: Literal["open", "playing", "over", "closed"]
    public: bool
    hints: bool
    edition: str
    first: str
    timer: int | None
    away: int | None
    pace_ms: int
    host: Letter | None
    seats: list[SeatInfo]
    game: str | None
    created: float
    coach: bool  # everybody agrees
    house: EditionInfo | None  # of a house edition, which `about` does not know


class YourSeat(Struct, frozen=True):
    seat: Letter
    secret: str


class You(Struct, frozen=True):
    host: bool
    seats: list[YourSeat]


class TableAndYou(Struct, frozen=True):
    table: TableInfo
    you: You | None


class TableList(Struct, frozen=True):
    tables: list[TableInfo]


class TableId(Struct, frozen=True):
    table: str


class ResultInfo(Struct, frozen=True):
    winners: list[Letter]
    scores: list[int]
    ranks: list[int]
    reason: Reason
    steals: list[int] = []  # per seat; empty for games that ended before they were counted
    busts: list[int] = []


class PlayerInfo(Struct, frozen=True):
    seat: Letter
    name: str
    bot: str | None
    bird: Letter
    colour: Letter
    accuracy: int | None  # this and the next: once somebody has asked for the game's review
    luck: float | None  # points of winning chance


class Summary(Struct, frozen=True):
    game: str
    table: str
    edition: str
    started: float
    finished: float | None
    players: list[PlayerInfo]
    dice: str
    result: ResultInfo | None
    yours: list[Letter]  # seats of the guest who asks for their games


class GameList(Struct, frozen=True):
    games: list[Summary]
    more: bool


# --- what happens ---


EventName: TypeAlias = Literal[
    "turn_started",
    "rolled",
    "kept",
    "took",
    "stole",
    "busted",
    "returned",
    "flipped",
    "gold_used",
    "weasel_used",
    "got_round_worm",
    "got_specialist",
    "specialist_moved",
    "specialist_left",
    "game_over",
]


class EventInfo(TypedDict, total=False):
    """An event; docs/protocol.md says which fields come with which."""

    event: Required[EventName]
    seat: Letter
    dice: str
    face: str
    count: int
    total: int
    tile: int
    victim: Letter | None
    giver: Letter | None
    specialist: str
    winners: list[Letter]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    reason: str


class EventFrame(Struct, frozen=True):
    """An event with the view right after it; null: the view of the message that holds it."""

    event: EventInfo
    view: View | None


class EditionInfo(Struct, frozen=True):
    key: str
    tiles: list[int]
    worms: list[int]
    specialists: list[str]
    takes_switches: bool  # all of them
    switches: list[str]  # that its key may carry
    name: str  # of a house edition
    dice: int
    faces: dict[str, int]  # sign -> what it counts
    sides: str  # of a die, as in 12345W
    golden_die: str  # its sides, as in 111WWW; empty without one
    exact_only: list[int]  # tiles that only their exact total takes
    round_worms: int
    text: str  # what any process finds it by: the key of a printed one, the TOML of a house edition


# --- what is live ---

Maker: TypeAlias = Literal["person", "bot", "clock"]


class EntryInfo(Struct, frozen=True, omit_defaults=True):
    seq: int
    kind: Literal[
        "move", "dice", "timeout", "resign", "replaced", "back", "tip", "in", "ask", "void", "first"
    ]
    seat: Letter | None  # None for what comes before it is known who starts
    move: str | None = None
    by: Maker | None = None
    dice: str | None = None
    k: int | None = None
    value: str | None = None
    nonce: str | None = None
    bot: str | None = None
    tip: str | None = None
    seats: list[Letter] | None = None  # guests who are asked, or whose values are missing
    values: dict[str, str] | None = None  # by guest


class TipInfo(Struct, frozen=True):
    tip: str
    k: int  # the first roll that it holds for


class AskInfo(Struct, frozen=True):
    seq: int
    k: int
    seats: list[Letter]
    nonce: str | None


class ChainsInfo(Struct, frozen=True):
    """Dice from every seat. The letter of a guest's first seat stands for the guest."""

    guests: list[str]  # the seats of each, as AC
    tips: dict[str, TipInfo]
    out: dict[str, int]  # guests who are left out, and the turns until they may come in again
    next: int  # the number of the next roll
    ask: AskInfo | None  # the roll that waits for values


class State(Struct, frozen=True, rename={"from_": "from"}):
    game: str
    v: int
    from_: int
    position: str
    view: View
    seat: Letter | None
    moves: list[str]
    entries: list[EntryInfo]
    events: list[EventInfo]
    frames: list[EventFrame]
    left_ms: int | None
    dice: str
    chains: ChainsInfo | None  # None: the server and the roller's nonce make the dice
    over: bool
    result: ResultInfo | None


class StatePush(Struct, frozen=True, tag_field="t", tag="state"):
    v: int
    d: State


class TableData(Struct, frozen=True):
    table: TableInfo
    seats: list[Letter]


class TablePush(Struct, frozen=True, tag_field="t", tag="table"):
    d: TableData


class ReactionData(Struct, frozen=True):
    seat: Letter
    reaction: str


class ReactionPush(Struct, frozen=True, tag_field="t", tag="reaction"):
    d: ReactionData


class ByeData(Struct, frozen=True):
    code: str
    retry_ms: int


class Bye(Struct, frozen=True, tag_field="t", tag="bye"):
    d: ByeData


class Ok(Struct, frozen=True, tag_field="t", tag="ok", omit_defaults=True):
    id: str
    v: int | None = None
    d: Any = None


class Failed(Struct, frozen=True, tag_field="t", tag="error"):
    id: str | None
    code: str
    message: str
    v: int | msgspec.UnsetType = msgspec.UNSET
    retry_ms: int | msgspec.UnsetType = msgspec.UNSET


# --- client messages ---

MessageId: TypeAlias = Annotated[str, Meta(pattern=r"^[^\x00-\x1f\x7f]{1,64}\Z")]
Secret: TypeAlias = Annotated[str, Meta(max_length=200)]
Version: TypeAlias = Annotated[int, Meta(ge=0, le=10**9)]


class HelloData(Struct, frozen=True):
    table: Annotated[str, Meta(max_length=64)] | None = None
    token: Secret | None = None
    seats: Annotated[list[Secret], Meta(max_length=7)] = []
    since: Version | None = None
    chains: bool = False  # this client adds to the dice


class Hello(Struct, frozen=True, tag_field="t", tag="hello"):
    id: MessageId
    d: HelloData


class MoveData(Struct, frozen=True):
    move: Annotated[str, Meta(min_length=1, max_length=16)]
    nonce: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{16,64}\Z")] | None = None


class MoveMessage(Struct, frozen=True, tag_field="t", tag="move"):
    id: MessageId
    v: Version
    d: MoveData
    seat: Letter | None = None


class Resign(Struct, frozen=True, tag_field="t", tag="resign"):
    id: MessageId
    seat: Letter | None = None


Hex: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]


class TipData(Struct, frozen=True):
    tip: Hex


class GiveTip(Struct, frozen=True, tag_field="t", tag="tip"):
    id: MessageId
    d: TipData
    seat: Letter | None = None


class ValueData(Struct, frozen=True):
    k: Annotated[int, Meta(ge=0, le=10**6)]
    value: Hex


class GiveValue(Struct, frozen=True, tag_field="t", tag="value"):
    id: MessageId
    d: ValueData
    seat: Letter | None = None


class ComeIn(Struct, frozen=True, tag_field="t", tag="in"):
    id: MessageId
    seat: Letter | None = None


class SinceData(Struct, frozen=True):
    since: Version | None = None


class AskState(Struct, frozen=True, tag_field="t", tag="state"):
    id: MessageId
    d: SinceData = SinceData()


Reaction: TypeAlias = Literal["worm", "clap", "laugh", "wow", "cry", "fire", "thanks", "hurry"]


class ReactData(Struct, frozen=True):
    reaction: Reaction


class React(Struct, frozen=True, tag_field="t", tag="react"):
    id: MessageId
    d: ReactData
    seat: Letter | None = None


class Ping(Struct, frozen=True, tag_field="t", tag="ping"):
    id: MessageId


ClientMessage: TypeAlias = (
    Hello | MoveMessage | Resign | GiveTip | GiveValue | ComeIn | AskState | React | Ping
)
