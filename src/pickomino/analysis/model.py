"""What a review says: frozen, typed, ready for JSON.

Values are shares of the win (objective ``win``) or worms (``worms``); one entry for every seat, seat A first.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from pickomino.analysis.values import Goal
from pickomino.rules import SEATS, Move, Position
from pickomino.solver.point import Claim

Shares = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RollReview:
    """Dice that fell."""

    ply: int
    turn: int  # counted from 1, as in the record
    seat: int
    dice: str
    before: Shares  # the exact expectation
    after: Shares
    variance: Shares  # of this roll's luck, before it fell

    @property
    def luck(self) -> Shares:
        return tuple(after - before for before, after in zip(self.before, self.after, strict=True))


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice among legal moves, forced ones included."""

    ply: int
    turn: int
    seat: int
    position: Position
    played: Move
    best: Move
    charged: bool  # False: a clock or a stand-in moved for the seat
    values: dict[Move, float]  # to the seat to act, in text order
    odds: dict[
        Move, dict[Claim | None, float]
    ]  # how the turn ends after each move and best play; None is a bust
    before: Shares  # with the best move
    after: Shares  # with the move played

    def __repr__(self) -> str:
        return f"<Decision {self.played} in turn {self.turn}, best {self.best}, error {self.error:.5g}>"

    @property
    def forced(self) -> bool:
        return len(self.values) == 1

    @property
    def error(self) -> float:
        """What the move gave away: the best value minus the played one, to the seat that moved."""
        return max(self.values[self.best] - self.values[self.played], 0.0)

    @property
    def stake(self) -> float:
        """What a random choice would have given away on average."""
        return max(self.values[self.best] - sum(self.values.values()) / len(self.values), 0.0)

    @property
    def gifts(self) -> Shares:
        """What the move did to the other seats; 0 for the seat itself."""
        return tuple(
            0.0 if seat == self.seat else after - before
            for seat, (before, after) in enumerate(zip(self.before, self.after, strict=True))
        )


@dataclass(frozen=True, slots=True)
class TurnReview:
    """A turn: every seat's value at its start and at its end, and what came between."""

    number: int
    seat: int
    first: int  # its plies: first to last
    last: int
    estimate: (
        Shares  # value as the turn begins, backed up from its ends, less the value as the turn before ended
    )
    before: Shares
    after: Shares
    luck: Shares
    error: float  # of the seat's own choices
    claim: Claim | None  # None: a bust, or a turn broken off
    lost: int | None  # the tile returned
    victim: int | None  # who was robbed
    complete: bool


@dataclass(frozen=True, slots=True)
class Balance:
    """How a seat came from its first value to its result: start + luck − errors − clock + gifts + estimate."""

    start: float
    luck: float
    errors: float  # its own choices
    clock: float  # choices that a clock or a stand-in made for it
    gifts: float  # others' choices, good or bad for it
    estimate: float
    result: float
    spread: float  # the standard deviation that luck has in such a game

    @property
    def adjusted(self) -> float:
        """The result without its luck."""
        return self.result - self.luck


@dataclass(frozen=True, slots=True)
class Review:
    """A game reviewed."""

    edition: str
    names: tuple[str, ...]
    goal: Goal
    over: bool
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    positions: tuple[Position, ...]
    turns: tuple[TurnReview, ...]
    rolls: tuple[RollReview, ...]
    decisions: tuple[Decision, ...]
    balances: tuple[Balance, ...]

    def __repr__(self) -> str:
        errors = ", ".join(
            f"{name} {one.errors:.5g}" for name, one in zip(self.names, self.balances, strict=True)
        )
        return f"<Review of {self.edition}, {len(self.turns)} turns, errors: {errors}>"

    @property
    def seats(self) -> int:
        return len(self.names)

    def choices(self, seat: int) -> list[Decision]:
        """The unforced choices of a seat that were its own."""
        return [one for one in self.decisions if one.seat == seat and one.charged and not one.forced]

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json`: seats as letters, moves and positions as text."""
        return {
            "edition": self.edition,
            "seats": list(self.names),
            "objective": self.goal,
            "over": self.over,
            "scores": list(self.scores),
            "ranks": list(self.ranks),
            "turns": [_turn_json(turn) for turn in self.turns],
            "rolls": [
                {
                    "ply": roll.ply,
                    "turn": roll.turn,
                    "seat": SEATS[roll.seat],
                    "dice": roll.dice,
                    "before": roll.before,
                    "after": roll.after,
                    "luck": roll.luck,
                }
                for roll in self.rolls
            ],
            "decisions": [_decision_json(decision) for decision in self.decisions],
            "balances": [asdict(balance) | {"adjusted": balance.adjusted} for balance in self.balances],
        }


def _turn_json(turn: TurnReview) -> dict[str, Any]:
    return {
        "turn": turn.number,
        "seat": SEATS[turn.seat],
        "plies": [turn.first, turn.last],
        "estimate": turn.estimate,
        "before": turn.before,
        "after": turn.after,
        "luck": turn.luck,
        "error": turn.error,
        "claim": None if turn.claim is None else str(turn.claim),
        "lost": turn.lost,
        "from": None if turn.victim is None else SEATS[turn.victim],
        "complete": turn.complete,
    }


def _decision_json(decision: Decision) -> dict[str, Any]:
    return {
        "ply": decision.ply,
        "turn": decision.turn,
        "seat": SEATS[decision.seat],
        "position": str(decision.position),
        "played": str(decision.played),
        "best": str(decision.best),
        "charged": decision.charged,
        "error": decision.error,
        "before": decision.before,
        "after": decision.after,
        "moves": [
            {
                "move": str(move),
                "value": value,
                "ends": {
                    "bust" if claim is None else str(claim): chance
                    for claim, chance in decision.odds[move].items()
                },
            }
            for move, value in decision.values.items()
        ],
    }
