"""The shapes of what teaches: reviews, drills, the coach. What they mean is in docs/review.md."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from pickomino.protocol.shapes import EditionInfo, Letter
from pickomino.views import View

# As `pickomino.analysis.judgement` has them, whose import would bring the champion into every server.
GradeName: TypeAlias = Literal["best", "fine", "inaccuracy", "mistake", "blunder"]
Theme: TypeAlias = Literal[
    "rolled on", "stopped early", "wrong face", "missed steal", "wrong steal", "wrong tile", "specialist"
]
MoveText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=16)]


class MoveShown(Struct, frozen=True):
    """A legal move: its value and cost as they are shown, and how the turn may end after it, in per cent."""

    move: str
    words: str
    value: float
    cost: float
    grade: GradeName
    ends: list[tuple[str, int]]


class TurningInfo(Struct, frozen=True):
    turn: int
    words: str
    why: str
    before: float
    after: float


class BalanceInfo(Struct, frozen=True):
    start: float
    luck: float
    errors: float
    clock: float
    gifts: float
    estimate: float
    result: float


class PlayerReview(Struct, frozen=True):
    seat: Letter
    name: str
    score: int
    rank: int
    headline: str
    verdict: str
    choices: int
    grades: dict[str, int]
    accuracy: int | None
    level: str
    balance: BalanceInfo
    spread: float
    adjusted: float
    turning: list[TurningInfo]
    slips: list[int]


class TurnShown(Struct, frozen=True):
    turn: int
    seat: Letter
    words: str
    before: list[float]
    after: list[float]
    luck: list[float]
    error: float
    bust: bool


class RollShown(Struct, frozen=True):
    ply: int
    turn: int
    dice: str
    luck: list[float]


class DecisionShown(Struct, frozen=True, omit_defaults=True):
    ply: int
    turn: int
    seat: Letter
    played: str
    best: str
    charged: bool
    grade: GradeName
    cost: float
    moves: list[MoveShown]
    view: View
    kind: Theme | None = None  # this and what follows: of slips
    title: str = ""
    decided: bool = False
    sentence: str = ""
    afterword: str = ""


class ReviewInfo(Struct, frozen=True):
    edition: str
    objective: Literal["win", "worms"]
    over: bool
    language: str
    limits: list[float]
    players: list[PlayerReview]
    turns: list[TurnShown]
    rolls: list[RollShown]
    decisions: list[DecisionShown]
    texts: dict[str, str]
    house: EditionInfo | None


# --- drills ---


class DrillInfo(Struct, frozen=True):
    drill: str
    theme: Theme
    edition: str


class ThemeInfo(Struct, frozen=True):
    theme: Theme
    name: str


class DrillList(Struct, frozen=True):
    version: int
    themes: list[ThemeInfo]
    drills: list[DrillInfo]
    texts: dict[str, str]


class DrillView(Struct, frozen=True):
    drill: str
    theme: Theme
    edition: str
    names: list[str]
    view: View


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """What FSRS knows of a drill; the client keeps it."""

    card_id: int
    state: Annotated[int, Meta(ge=1, le=3)]
    step: Annotated[int, Meta(ge=0, le=99)] | None
    stability: Annotated[float, Meta(gt=0, le=1e6)] | None
    difficulty: Annotated[float, Meta(ge=1, le=10)] | None
    due: Annotated[str, Meta(max_length=40)]
    last_review: Annotated[str, Meta(max_length=40)] | None


class DrillAnswer(Struct, frozen=True):
    move: MoveText
    card: Card | None = None
    language: Annotated[str, Meta(max_length=8)] = "en"


class Judged(Struct, frozen=True):
    """An answer with its grade, what it gave away, why, and when the drill comes back."""

    grade: GradeName
    cost: float
    good: bool
    objective: str
    played: str
    best: str
    sentence: str
    moves: list[MoveShown]
    card: dict[str, Any]
    days: int


class Ten(Struct, frozen=True):
    date: str
    drills: list[DrillView]


class TenAnswers(Struct, frozen=True):
    date: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}\Z")]
    moves: Annotated[list[MoveText], Meta(min_length=10, max_length=10)]
    language: Annotated[str, Meta(max_length=8)] = "en"


class TenAnswer(Struct, frozen=True):
    drill: str
    grade: GradeName
    cost: float
    words: str
    better: str
    sentence: str


class BotTen(Struct, frozen=True):
    bot: str
    cost: int


class TenResult(Struct, frozen=True):
    date: str
    good: int
    cost: int
    line: str
    answers: list[TenAnswer]
    bots: list[BotTen]


# --- the coach ---


class CoachWish(Struct, frozen=True):
    on: bool


class CoachWord(Struct, frozen=True):
    v: int
    ask: bool
    sentence: str
