"""A small game that is solved: what every position is worth and which move is best."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from pickomino.rules import Edition, InvalidPositionError, Move, Position, Steal, Stop, Take
from pickomino.solver.kernels import Kernel
from pickomino.solver.whole.numbered import Floats, Numbered
from pickomino.solver.whole.rounds import Solving
from pickomino.solver.whole.stops import tie_margin

__all__ = ["FORMAT", "RESULTS", "Ending", "MoveValue", "WholeGame"]

FORMAT: Final = "pickomino small game 1"
RESULTS: Final = ("levels_solved", "iterations", "residual", "converged", "seconds")


class Ending(NamedTuple):
    """A way in which a turn can end. A bust is a `Stop`, also one that the dice bring about.

    With specialists there is one for each round worm earned on the way and each choice after the claim (D8.4,
    D10.4, D11.1): ``after`` tells them apart.
    """

    move: Take | Steal | Stop
    after: Position
    values: tuple[float, ...]  # per seat, A first


class MoveValue(NamedTuple):
    """A legal move, what it is worth to the seat to act, and to every seat."""

    move: Move
    value: float
    values: tuple[float, ...]


@dataclass(eq=False)
class WholeGame(ABC):
    """Probabilities to win under best play; a shared win counts one divided by the number of winners."""

    space: Numbered
    table: Floats = field(repr=False)  # (positions, seats), seats counted from the one to act
    levels_solved: int
    iterations: int  # rounds over all levels together
    residual: float  # how far one more turn, played anew from any position, would move a value
    converged: bool
    seconds: float

    @property
    def edition(self) -> Edition:
        return self.space.edition

    @property
    def tiles(self) -> tuple[int, ...]:
        return self.space.tiles

    @property
    def players(self) -> int:
        return self.space.players

    @property
    def positions(self) -> int:
        """How many turn starts the game can reach, tables that differ by a turn of the seats counted once."""
        return self.space.count

    @property
    def complete(self) -> bool:
        """Whether every level is solved; a table that was interrupted is not."""
        return self.levels_solved == len(self.space.levels)

    @property
    def start(self) -> Position:
        """Where the game begins, seat A to act."""
        return self.space.position(self.space.start)

    @property
    def start_value(self) -> float:
        """What the start is worth to the seat that begins."""
        return float(self.table[self.space.start, 0])

    @property
    def margin(self) -> float:
        """How far apart two values must be to differ (see `pickomino.solver.whole.stops.TIE`)."""
        return tie_margin(self.players)

    def value(self, position: Position) -> float:
        """What a position, also within a turn, is worth to the seat to act."""
        if position.over:
            raise InvalidPositionError(f"position {str(position)!r}: the game is over, no seat is to act")
        return self.values(position)[position.seat]

    def values(self, position: Position) -> tuple[float, ...]:
        """What a position, also within a turn, is worth to every seat, A first."""
        if position.over:
            outcome = position.standings
            return tuple((seat in outcome.winners) / len(outcome.winners) for seat in range(self.players))
        if self._begins(position):
            return self._seated(self.table[self.space.number(position)], position.seat)
        return self._within(position)

    @abstractmethod
    def moves(self, position: Position) -> tuple[MoveValue, ...]:
        """Every legal move with its value, in text order; none where dice are due or the game is over."""

    def policy(self, position: Position) -> Move:
        """The best move; the first in text order among equals (see `pickomino.solver.whole.stops.TIE`)."""
        entries = self.moves(position)
        if not entries:
            raise InvalidPositionError(f"position {str(position)!r}: no move is due")
        best = entries[0]
        for entry in entries[1:]:
            if entry.value > best.value + self.margin:
                best = entry
        return best.move

    @abstractmethod
    def endings(self, position: Position) -> tuple[Ending, ...]:
        """How the turn of this position can end."""

    @abstractmethod
    def ending_columns(self, position: Position) -> list[int]:
        """For each of `endings`, its column in ``space.successors``."""

    @abstractmethod
    def solving(self, kernel: Kernel) -> Solving:
        """The work on the values, as far as it has come."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table, all or nothing: a file of that name is replaced in one step."""
        about, arrays = self._stored()
        about |= {"format": FORMAT, "edition": self.edition.key, "tiles": self.tiles, "players": self.players}
        about |= {name: getattr(self, name) for name in RESULTS}
        values = self.table[:, :1] if self.players == 2 else self.table  # the other seat has the rest
        part = Path(f"{os.fspath(path)}.part")
        try:
            with open(part, "wb") as file:
                np.savez(file, about=np.array(json.dumps(about)), values=values, **arrays)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)

    @abstractmethod
    def _stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What a file needs to know of the positions: in words, and as arrays."""

    @abstractmethod
    def _begins(self, position: Position) -> bool:
        """Whether a turn begins here."""

    @abstractmethod
    def _within(self, position: Position) -> tuple[float, ...]:
        """`values` where a turn is on its way."""

    def _seated(self, values: Floats, seat: int) -> tuple[float, ...]:
        """Values seen from that seat, told by seat."""
        return tuple(float(values[(index - seat) % self.players]) for index in range(self.players))
