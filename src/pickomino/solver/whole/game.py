"""A small game that is solved: what every position is worth and which move is best."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from pickomino.files import replacing
from pickomino.rules import Edition, InvalidPositionError, Move, Position, Steal, Stop, Take, edition_text
from pickomino.solver.ending import after
from pickomino.solver.kernels import Kernel
from pickomino.solver.point import in_turn
from pickomino.solver.position import TurnSolver
from pickomino.solver.whole.rounds import Solving
from pickomino.solver.whole.space import Floats, Space, turn_start
from pickomino.solver.whole.turns import SpaceTurns, tie_margin

FORMAT: Final = "pickomino small game 2"
RESULTS: Final = ("levels_solved", "iterations", "residual", "converged", "seconds")
_DELAY: Final = 1e-9  # far above rounding, far below what moves differ by


class TurnEnd(NamedTuple):
    """A way in which a turn can end. A bust is a `Stop`, also one that the dice bring about.

    With specialists there is one for each round worm earned on the way and each choice after the claim (D8.4,
    D10.4, D11.1): ``after`` distinguishes them.
    """

    move: Take | Steal | Stop
    after: Position
    values: tuple[float, ...]  # per seat, A first


class MoveShares(NamedTuple):
    """A legal move, what it is worth to the seat to act, and to every seat."""

    move: Move
    value: float
    values: tuple[float, ...]


@dataclass(eq=False, repr=False)
class WholeGame:
    """Probabilities to win under best play; a shared win counts one divided by the number of winners."""

    space: Space
    table: Floats  # (positions, seats), seats counted from the one to act
    levels_solved: int
    iterations: int  # rounds over all levels together
    residual: float  # how far one more turn, played anew from any position, would move a value
    converged: bool
    seconds: float

    def __repr__(self) -> str:
        tiles = ",".join(map(str, self.tiles))
        return f"<{type(self).__name__} of tiles {tiles} for {self.players}: {self.positions} positions>"

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
        """How far apart two values must be to differ (see `pickomino.solver.whole.turns.TIE`)."""
        return tie_margin(self.players)

    def value(self, position: Position) -> float:
        """What a position, also within a turn, is worth to the seat to act."""
        if position.over:
            raise InvalidPositionError(f"position {str(position)!r}: the game is over, no seat is to act")
        return self.values(position)[position.seat]

    def values(self, position: Position) -> tuple[float, ...]:
        """What a position, also within a turn, is worth to every seat, A first."""
        if position.over:
            return position.standings.shares
        if not in_turn(position):  # a choice after the claim
            return self._best((entry.values for entry in self.moves(position)), position.seat)
        if position == turn_start(position):
            return self._seated(self.table[self.space.number(position)], position.seat)
        self.space.number(position)  # a position of another game has no value here
        solver = TurnSolver(position)
        ends = np.array(
            [
                self._best(map(self.values, after(position, ending)), position.seat)
                for ending in solver.endings
            ]
        )
        return tuple(map(float, solver.solve(ends[:, position.seat]).probs @ ends))

    def moves(self, position: Position) -> tuple[MoveShares, ...]:
        """Every legal move with its value, in text order; none where dice are due or the game is over."""
        result = []
        for move in position.moves():
            values = self.values(position.apply(move).position)
            result.append(MoveShares(move, values[position.seat], values))
        return tuple(result)

    def policy(self, position: Position) -> Move:
        """The best move; the first in text order among equals (see `pickomino.solver.whole.turns.TIE`)."""
        entries = self.moves(position)
        if not entries:
            raise InvalidPositionError(f"position {str(position)!r}: no move is due")
        best = entries[0]
        for entry in entries[1:]:
            if entry.value > best.value + self.margin:
                best = entry
        return best.move

    def endings(self, position: Position) -> tuple[TurnEnd, ...]:
        """How the turn of this position can end: claims in text order, then the bust, each choice apart."""
        return tuple(
            TurnEnd(ending.claim or Stop(), end, self.values(end))
            for ending in self._solver(position).endings
            for end in after(position, ending)
        )

    def ending_columns(self, position: Position) -> list[int]:
        """For each of `endings`, its column in ``space.successors``."""
        solver, space = self._solver(position), self.space
        return [
            space.column(variant, place, choice)
            for (place, variant), ending in zip(space.endings_of(solver), solver.endings, strict=True)
            for choice in range(len(after(position, ending)))
        ]

    def _solver(self, position: Position) -> TurnSolver:
        return TurnSolver(turn_start(position), kernel="numpy")

    def solving(self, kernel: Kernel) -> Solving:
        """The work on the values, as far as it has come."""
        turns = SpaceTurns(self.space, kernel, self.margin)
        solving = Solving(self.space, turns, kernel, _DELAY if self.space.names else 0.0)
        solving.values[: self.positions] = self.table
        return solving

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table, all or nothing: a file of that name is replaced in one step."""
        start, specialists = self.start, self.start.specialists
        about: dict[str, Any] = {
            "format": FORMAT,
            "edition": edition_text(self.edition),
            "players": self.players,
        }
        about |= {"grill": start.grill, "stacks": start.stacks}
        if specialists is not None:
            about |= {name: getattr(specialists, name) for name in ("standing", "held", "round_worms")}
        about |= {name: getattr(self, name) for name in RESULTS}
        values = self.table[:, :1] if self.players == 2 else self.table  # the other seat has the rest
        with replacing(path) as file:
            np.savez(file, about=np.array(json.dumps(about)), values=values, codes=self.space.codes)

    def _best(self, options: Iterable[tuple[float, ...]], seat: int) -> tuple[float, ...]:
        """What the seat chooses, the first among equals."""
        best, *others = options
        for other in others:
            if other[seat] > best[seat] + self.margin:
                best = other
        return best

    def _seated(self, values: Floats, seat: int) -> tuple[float, ...]:
        """Values seen from that seat, by seat."""
        return tuple(float(values[(index - seat) % self.players]) for index in range(self.players))
