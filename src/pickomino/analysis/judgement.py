"""Judgement on reviewed choices: grades, kinds, accuracy, turning points. The reasons are in docs/review.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from pickomino.analysis.model import Balance, Decision, Review, TurnReview
from pickomino.analysis.values import Goal
from pickomino.analysis.words import Words, add_up
from pickomino.rules import (
    Keep,
    LeaveGold,
    PutBack,
    Reroll,
    RollOn,
    Steal,
    Stop,
    TakeRoundWorm,
    UseGold,
)

Grade: TypeAlias = Literal["best", "fine", "inaccuracy", "mistake", "blunder"]
GRADES: Final[tuple[Grade, ...]] = get_args(Grade)

LIMITS: Final[dict[Goal, tuple[float, float, float, float]]] = {
    # Shares of the win. Where one turn of classic meets the next the estimate itself moves by 0.04 to 0.10 points
    # (median), and by less than 1 in nineteen cases of twenty: less than that cannot be told from the best, or only
    # just. A choice of 2 points is a quarter of what the `hard` bot gives away in a whole game, one of 5 over half.
    "win": (0.002, 0.01, 0.02, 0.05),
    # Worms. Half a worm is an eighth of the highest tile; a worm is worth about 10 points of winning chance in play.
    "worms": (0.02, 0.1, 0.2, 0.5),
}
"""Where fine, inaccuracy, mistake and blunder begin."""

DECIDED: Final = 0.05
"""With a chance this close to 0 or 1 a game counts as decided: nineteen in twenty end as expected."""

Kind: TypeAlias = Literal[
    "rolled on", "stopped early", "wrong face", "missed steal", "wrong steal", "wrong tile", "specialist"
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

_SPECIAL: Final = (UseGold, LeaveGold, Reroll, PutBack, TakeRoundWorm)


def grade(error: float, goal: Goal = "win") -> Grade:
    """The grade of a choice that gave away so much."""
    return GRADES[sum(error >= limit for limit in LIMITS[goal])]


def grade_of(decision: Decision, goal: Goal) -> Grade:
    """The same; in a game that was decided anyway no choice is worse than inaccurate."""
    found = grade(decision.error, goal)
    return "inaccuracy" if found in ("mistake", "blunder") and is_decided(decision, goal) else found


def is_decided(decision: Decision, goal: Goal) -> bool:
    """Whether the seat was almost sure to win or to lose, even with its best move and after the one it made."""
    if goal != "win":
        return False
    best, played = decision.values[decision.best], decision.values[decision.played]
    return best <= DECIDED or played >= 1 - DECIDED


def kind_of(decision: Decision) -> Kind:
    """What kind of mistake it is to play this instead of the best."""
    played, best = decision.played, decision.best
    if isinstance(played, _SPECIAL) or isinstance(best, _SPECIAL):
        return "specialist"
    if isinstance(played, Keep):
        return "wrong face"
    if isinstance(best, Steal):
        return "missed steal"
    if isinstance(played, RollOn):
        return "rolled on"
    if isinstance(best, RollOn | Stop):
        return "stopped early"
    return "wrong steal" if isinstance(played, Steal) else "wrong tile"


def slips(review: Review, seat: int) -> list[Decision]:
    """A seat's choices that were worse than fine: the dearest as shown first, those of a decided game last."""
    words = Words((), goal=review.goal)
    found = [one for one in review.choices(seat) if one.error >= LIMITS[review.goal][1]]

    def order(one: Decision) -> tuple[bool, float, float, int]:
        shown = words.cost(one.values[one.best], one.values[one.played])
        return is_decided(one, review.goal), -shown, -one.error, one.ply

    return sorted(found, key=order)


def accuracy(choices: Sequence[Decision]) -> float | None:
    """100 % for the best choices, 0 % for what blind ones would give away on average in the same decisions.

    So a choice weighs what hangs on it: nothing when all moves are alike or the game is decided. None where nothing
    hung on any.
    """
    stake = sum(one.stake for one in choices)
    return 1 - sum(one.error for one in choices) / stake if stake > 1e-9 else None


def shown_balance(balance: Balance, goal: Goal) -> dict[str, float]:
    """The balance in points, or in worms with one decimal, rounded so that what is shown adds up to the result."""
    names = ("start", "luck", "errors", "clock", "gifts", "estimate")
    parts = (balance.start, balance.luck, -balance.errors, -balance.clock, balance.gifts, balance.estimate)
    scale = 1.0 if goal == "win" else 0.1  # `add_up` has two decimals
    shown = add_up([part * scale for part in parts], balance.result * scale)
    found = {name: round(value * scale, 1) for name, value in zip(names, shown, strict=True)}
    return found | {"result": round(sum(shown) * scale, 1)}


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turn that moved a seat's value much: by dice, by the seat's own choices, by others' choices."""

    turn: TurnReview
    before: float
    after: float
    luck: float
    error: float  # of the seat itself
    gift: float


def turning_points(review: Review, seat: int, most: int = 4) -> list[TurningPoint]:
    """The turns that moved a seat's value most, in the order of the game.

    Only what stands out: at least twice the mean of all turns, and more than the limit of a blunder.
    """
    found = []
    for turn in review.turns:
        own = [one for one in review.decisions if turn.first <= one.ply <= turn.last]
        found.append(
            TurningPoint(
                turn,
                turn.before[seat],
                turn.after[seat],
                turn.luck[seat],
                sum(one.error for one in own if one.seat == seat),
                sum(one.gifts[seat] for one in own),
            )
        )
    moved = [abs(one.after - one.before) for one in found]
    enough = max(2 * sum(moved) / max(len(moved), 1), LIMITS[review.goal][3])
    chosen = sorted(zip(moved, found, strict=True), key=lambda pair: -pair[0])[:most]
    return sorted((one for size, one in chosen if size >= enough), key=lambda one: one.turn.number)
