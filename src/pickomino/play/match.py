"""`Match`: seats and a log of entries around one game. Pure: a command in, an entry or a refusal out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from pickomino.game import Game
from pickomino.rules import SEATS, IllegalMoveError, InvalidPositionError, Move, Phase, Roll
from pickomino.rules.events import Event

__all__ = ["DiceFell", "Entry", "Match", "MoveMade", "Refusal", "Seat"]


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there: a person, or a bot named as the bot registry names it."""

    name: str
    bot: str | None = None


@dataclass(frozen=True, slots=True)
class MoveMade:
    """An entry: a seat chose a move."""

    seat: int
    move: Move


@dataclass(frozen=True, slots=True)
class DiceFell:
    """An entry: chance spoke."""

    roll: Roll


Entry: TypeAlias = MoveMade | DiceFell
Code: TypeAlias = Literal["game_over", "not_your_turn", "stale_version", "illegal_move"]


class Refusal(IllegalMoveError):
    """A command that the match does not take, with a code for programs."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code: Code = code


class Match:
    """One game with its seats. Entries are inputs and are what gets stored; events are derived from them."""

    def __init__(self, game: Game, seats: tuple[Seat, ...]) -> None:
        if len(seats) != len(game.start.stacks):
            raise InvalidPositionError(f"{len(seats)} seats for a game of {len(game.start.stacks)}")
        self.game = game
        self.seats = seats

    @property
    def version(self) -> int:
        """How many entries there are."""
        return len(self.game)

    @property
    def to_act(self) -> int | None:
        """The seat whose decision is due; None when dice are due or the game is over."""
        position = self.game.position
        return None if position.over or self.dice_due else position.seat

    @property
    def dice_due(self) -> bool:
        return self.game.position.phase is Phase.ROLL

    def submit(self, entry: Entry, version: int | None = None) -> tuple[Event, ...]:
        """Take an entry and say what it brought about, or raise a `Refusal` and change nothing."""
        position = self.game.position
        if position.over:
            raise Refusal("game_over", f"the game is over in {str(position)!r}")
        if version is not None and version != self.version:
            raise Refusal("stale_version", f"version {version}: the match is at {self.version}")
        if isinstance(entry, DiceFell):
            return self._step(entry.roll)
        if entry.seat != self.to_act:
            due = "dice are due" if self.dice_due else f"seat {SEATS[position.seat]} is to act"
            raise Refusal("not_your_turn", f"{str(entry.move)!r} from seat {SEATS[entry.seat]}: {due}")
        return self._step(entry.move)

    def _step(self, ply: Move | Roll) -> tuple[Event, ...]:
        try:
            return self.game.step(ply)
        except IllegalMoveError as error:
            raise Refusal("illegal_move", str(error)) from None

    def entries(self) -> tuple[Entry, ...]:
        """The log so far."""
        return tuple(
            DiceFell(ply) if isinstance(ply, Roll) else MoveMade(position.seat, ply)
            for position, ply, _ in self.game.steps()
        )
