"""Reading a solved turn at any of its points: what each legal move is worth.

The tables know a turn from its first roll to its last keep. `Turn` adds what the position says about the
rest: who holds the weasel, and who could give a round worm. `read` finds the moves of a position in the
solved tables; it works for floats, for arrays of them and for exact numbers alike, through a `Look`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Final, Protocol, TypeVar

from pickomino.compact.turn import TurnTables, turn_tables
from pickomino.rules import (
    InvalidPositionError,
    Keep,
    LeaveGold,
    Move,
    Phase,
    Position,
    Reroll,
    RollOn,
    Steal,
    Stop,
    Take,
    TakeRoundWorm,
    UseGold,
)
from pickomino.rules.dice import add

SUPPLY: Final = -1
"""The giver of a round worm that comes from the supply (D11.1)."""

_TABLE: Final = attrgetter("edition", "grill", "stacks", "seat")  # what holds during a turn
Claim = Take | Steal
Value = TypeVar("Value")


def in_turn(position: Position) -> bool:
    """Whether the turn still has its claim or bust ahead.

    Not so at the choices after a claim, nor when all is over.
    """
    if position.phase is Phase.GIVER:
        return bool(position.kept)
    return position.phase not in (Phase.PUT_BACK, Phase.OVER)


def at_start(position: Position) -> Position:
    """The same table before the first roll of its turn; round worms earned on the way stay."""
    specialists, phase = position.specialists, Phase.ROLL
    if specialists is not None:
        phase = Phase.GOLD if specialists.holds(position.seat, "gold") else Phase.ROLL  # D8.1
        specialists = specialists.turn_over()
    return replace(position, phase=phase, kept="", rolled="", specialists=specialists)


class Turn:
    """The turn that a position is in, as the tables see it.

    ``givers`` are the lanes of the solved arrays: one for each source of the round worm that two 1s would
    earn from here on (D8.4, D11.1), `SUPPLY` or a seat; a single None where none is to be had, or where the
    source is no matter.
    """

    def __init__(self, position: Position, *, with_givers: bool = True) -> None:
        if not in_turn(position):
            raise InvalidPositionError(f"{str(position)!r}: no turn is being played")
        self.position: Final = position
        specialists = position.specialists
        gold = specialists is not None and specialists.holds(position.seat, "gold")
        self.tables: Final[TurnTables] = turn_tables(position.edition, gold=gold)
        self.weasel: Final = (
            specialists is not None
            and not specialists.weasel_used
            and specialists.holds(position.seat, "weasel")
        )
        self.givers: Final = _givers(position) if with_givers else (None,)
        self.state: Final = self.state_of(position)

    def state_of(self, position: Position, kept: str | None = None) -> int:
        """The state of a position's kept dice.

        Of the beginning of the turn without the golden die at ``-:+?``.
        """
        kept = position.kept if kept is None else kept
        return self.tables.find(kept, position.gold_joined and "+" not in kept)

    def used(self, position: Position) -> bool:
        """Whether the weasel can no longer help (D8.2)."""
        return not self.weasel or (position.specialists is not None and position.specialists.weasel_used)

    def lane(self, position: Position) -> int:
        """The lane of a point of this turn: who gave the round worm on the way to it."""
        before, after = self.position.specialists, position.specialists
        if (
            len(self.givers) == 1
            or before is None
            or after is None
            or before.round_worms == after.round_worms
        ):
            return 0
        for seat, (had, has) in enumerate(zip(before.round_worms, after.round_worms, strict=True)):
            if has < had:
                return self.givers.index(seat)
        return self.givers.index(SUPPLY)

    def check(self, position: Position) -> None:
        """A point of another turn cannot be read from this one."""
        mine, other = self.position, position
        same = bool(_TABLE(mine) == _TABLE(other))
        if mine.specialists is not None and other.specialists is not None:
            same = same and mine.specialists.held == other.specialists.held
        if not same or not in_turn(position):
            raise InvalidPositionError(f"{str(position)!r} is not in the turn of {str(self.position)!r}")


def _givers(position: Position) -> tuple[int | None, ...]:
    specialists, edition = position.specialists, position.edition
    earned = position.kept.count("1") >= 2 and position.phase is not Phase.GIVER
    if specialists is None or earned:
        return (None,)
    if specialists.supply(edition):
        return (SUPPLY,)
    return specialists.givers(edition, position.seat) or (None,)


class Look(Protocol[Value]):
    """A solved turn. ``used``: the layer in which the weasel has been used; ``lane``: see `Turn.givers`."""

    def best(self, values: Sequence[Value]) -> Value: ...

    def stop(self, claim: Claim | None, state: int, lane: int) -> Value:
        """Stopping after a keep, with a claim or with nothing to claim."""

    def bust(self, state: int, lane: int) -> Value:
        """A roll with nothing to keep."""

    def value(self, used: bool, state: int, lane: int) -> Value:
        """After a keep."""

    def roll(self, used: bool, state: int, lane: int) -> Value:
        """Before the dice fall."""


def read(turn: Turn, position: Position, look: Look[Value]) -> tuple[Value, dict[Move, Value]]:
    """The value of a point of the turn, and of each of its legal moves in text order."""
    state, lane, used = turn.state_of(position), turn.lane(position), turn.used(position)
    if position.phase is Phase.ROLL:
        return look.roll(used, state, lane), {}
    values = {move: _value(turn, position, look, move, state, lane, used) for move in position.moves()}
    return look.best(list(values.values())), values


def _value(
    turn: Turn, position: Position, look: Look[Value], move: Move, state: int, lane: int, used: bool
) -> Value:
    match move:
        case Keep():
            child = turn.state_of(position, add(position.kept, position.rolled, move.face))
            if turn.tables.ones[child] > turn.tables.ones[state]:  # D8.4, D11.1: the best giver
                return look.best([look.value(used, child, giver) for giver in range(len(turn.givers))])
            return look.value(used, child, lane)
        case RollOn():
            return look.roll(used, state, lane)
        case Take() | Steal():
            return look.stop(move, state, lane)
        case Stop() if position.phase is Phase.KEEP:  # the weasel is declined (D8.2)
            return look.bust(state, lane)
        case Stop():
            return look.stop(None, state, lane)
        case Reroll():
            return look.roll(True, state, lane)
        case UseGold() | LeaveGold():
            return look.roll(used, turn.tables.start(isinstance(move, UseGold)), lane)
        case TakeRoundWorm():
            return look.value(used, state, turn.givers.index(move.giver) if len(turn.givers) > 1 else 0)
        case _:
            raise AssertionError(f"{move} is no move of a turn")  # `Turn` is only made where one is played
