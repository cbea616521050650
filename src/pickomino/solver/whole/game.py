"""A small game that is solved: what every position is worth, which move is best, and the table as a file."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from pickomino.rules import (
    Edition,
    InvalidPositionError,
    Keep,
    Move,
    Phase,
    PickominoError,
    Position,
    RollOn,
    Steal,
    Stop,
    Take,
    find_edition,
)
from pickomino.rules.dice import add
from pickomino.rules.settle import bust, steal, take
from pickomino.solver.whole.rounds import Solving
from pickomino.solver.whole.space import BUST, Floats, Group, Space
from pickomino.solver.whole.turns import choose_keeps, stop_here

__all__ = ["Ending", "MoveValue", "WholeGame", "load_whole"]

_FORMAT = "pickomino small game 1"


class Ending(NamedTuple):
    """A way in which a turn can end. A bust is a `Stop`, also one that the dice bring about."""

    move: Take | Steal | Stop
    after: Position
    values: tuple[float, ...]  # per seat, A first


class MoveValue(NamedTuple):
    """A legal move, what it is worth to the seat to act, and to every seat."""

    move: Move
    value: float
    values: tuple[float, ...]


@dataclass(eq=False)
class WholeGame:
    """Probabilities to win under best play; a shared win counts one divided by the number of winners."""

    space: Space
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
        """All tiles on the grill, seat A to act."""
        return self.space.position(self.space.start)

    @property
    def start_value(self) -> float:
        """What the start is worth to the seat that begins."""
        return float(self.table[self.space.start, 0])

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
        if position.phase is Phase.ROLL and not position.kept:
            return self._seated(self.table[self.space.number(position)], position.seat)
        turn = self._turn(position)
        if position.phase is Phase.ROLL:
            return turn.after_roll(position.kept)
        if position.phase is Phase.GO:
            return turn.after_keep(position.kept)
        best = self.policy(position)
        return next(entry.values for entry in self.moves(position) if entry.move == best)

    def moves(self, position: Position) -> tuple[MoveValue, ...]:
        """Every legal move with its value, in text order; none where dice are due or the game is over."""
        if not position.moves():
            return ()
        turn = self._turn(position)
        claimed = {ending.move: ending.values for ending in self.endings(position)}
        result = []
        for move in position.moves():
            if isinstance(move, Keep):
                values = turn.after_keep(add(position.kept, position.rolled, move.face))
            elif isinstance(move, RollOn):
                values = turn.after_roll(position.kept)
            else:
                assert isinstance(move, Take | Steal | Stop)
                values = claimed[move]
            result.append(MoveValue(move, values[position.seat], values))
        return tuple(result)

    def policy(self, position: Position) -> Move:
        """The best move; the first in text order among equals (see `pickomino.solver.whole.stops.TIE`)."""
        entries = self.moves(position)
        if not entries:
            raise InvalidPositionError(f"position {str(position)!r}: no move is due")
        best = entries[0]
        for entry in entries[1:]:
            if entry.value > best.value + self._solving.margin:
                best = entry
        return best.move

    def endings(self, position: Position) -> tuple[Ending, ...]:
        """How the turn of this position can end, in text order: the bust, the takes, the steals, by tile."""
        number = self.space.number(position)
        successors = self.space.successors(slice(number, number + 1))[0]
        result = []
        for column in self.ending_columns(position):
            move = self._ending_move(position, column)
            values = self._seated(self._solving.values[successors[column]], position.seat + 1)
            result.append(Ending(move, _after(position, move), values))
        return tuple(result)

    def ending_columns(self, position: Position) -> list[int]:
        """For each of `endings`, its column in `Space.successors`."""
        n, grill, exact_only = len(self.tiles), set(position.grill), self.edition.exact_only
        columns = [BUST] + [1 + i for i, tile in enumerate(self.tiles) if tile in grill]
        steals = []
        for behind in range(1, self.players):
            stack = position.stacks[(position.seat + behind) % self.players]
            if stack and stack[-1] not in exact_only:
                steals.append((stack[-1], n + behind))
        return columns + [column for _, column in sorted(steals)]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table, all or nothing: a file of that name is replaced in one step."""
        data = {
            "format": _FORMAT,
            "edition": self.edition.key,
            "tiles": self.tiles,
            "players": self.players,
            "levels_solved": self.levels_solved,
            "iterations": self.iterations,
            "residual": self.residual,
            "converged": self.converged,
            "seconds": self.seconds,
        }
        stored = self.table[:, :1] if self.players == 2 else self.table  # the other seat has the rest
        part = Path(f"{os.fspath(path)}.part")
        try:
            with open(part, "wb") as file:
                groups = np.array(self.space.groups, dtype=np.int64)
                np.savez(
                    file,
                    about=np.array(json.dumps(data)),
                    codes=self.space.codes,
                    groups=groups,
                    values=stored,
                )
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)

    @cached_property
    def _solving(self) -> Solving:
        solving = Solving(self.space, "numpy")
        solving.values[: self.space.count] = self.table
        return solving

    def _turn(self, position: Position) -> _Turn:
        number = self.space.number(position)
        cached = self.__dict__.get("_last_turn")
        if cached is None or cached[0] != (number, position.seat):
            cached = (number, position.seat), _Turn(self, number, position.seat)
            self.__dict__["_last_turn"] = cached
        turn: _Turn = cached[1]
        return turn

    def _seated(self, values: Floats, seat: int) -> tuple[float, ...]:
        """Values seen from that seat, told by seat."""
        return tuple(float(values[(index - seat) % self.players]) for index in range(self.players))

    def _ending_move(self, position: Position, column: int) -> Take | Steal | Stop:
        if column == BUST:
            return Stop()
        if column <= len(self.tiles):
            return Take(self.tiles[column - 1])
        seat = (position.seat + column - len(self.tiles)) % self.players
        return Steal(position.stacks[seat][-1])


class _Turn:
    """One turn, solved for every seat: values after every keep and before every roll."""

    def __init__(self, game: WholeGame, number: int, seat: int) -> None:
        self._game, self._seat = game, seat
        solving = game._solving
        turns = self._turns = solving.turns
        after = solving.values[game.space.successors(slice(number, number + 1))]
        ends = np.roll(after[0], 1, axis=1)  # seen from the seat to act
        stops = solving.stops(np.array([number]), ends[None, :, 0])
        value, roll = turns.values(stops.value)
        tables, margin = turns.tables, solving.margin
        by_stop = ends[stops.ending[0]][turns.class_of_state]  # (states, seats)
        stopping = stop_here(tables, value, roll, value, margin)[:, 0]
        self._values, self._rolls = by_stop.copy(), np.zeros_like(by_stop)
        for pattern in reversed(tables.patterns):
            here = pattern.states
            chosen = choose_keeps(pattern.options, value[pattern.children], margin)[:, :, 0]
            child = np.take_along_axis(pattern.children, chosen, axis=0)
            rolls = np.einsum("o,osp->sp", pattern.prob, self._values[child]) + pattern.dead_prob * ends[BUST]
            self._rolls[here] = rolls
            self._values[here] = np.where(stopping[here, None], by_stop[here], rolls)

    def after_keep(self, kept: str) -> tuple[float, ...]:
        return self._game._seated(self._values[self._turns.tables.find(kept)], self._seat)

    def after_roll(self, kept: str) -> tuple[float, ...]:
        return self._game._seated(self._rolls[self._turns.tables.find(kept)], self._seat)


def _after(position: Position, move: Take | Steal | Stop) -> Position:
    """Where an ending leads, by the rules themselves."""
    if isinstance(move, Take):
        return take(position, move.tile)[0]
    if isinstance(move, Steal):
        return steal(position, move.tile, position.tops.index(move.tile))[0]
    return bust(position)[0]


def load_whole(path: str | os.PathLike[str], edition: Edition | None = None) -> WholeGame:
    """A table that `WholeGame.save` wrote; an edition of your own making has no text form: name it."""
    try:
        with open(path, "rb") as file:
            about, codes, groups, values = _read(file)
    except (KeyError, ValueError, zipfile.BadZipFile, EOFError, TypeError) as error:
        raise PickominoError(f"{os.fspath(path)!r} is not a table of a small game: {error}") from None
    known = edition if edition is not None else find_edition(about["edition"])
    if known.key != about["edition"]:
        raise PickominoError(f"{os.fspath(path)!r} is for edition {about['edition']!r}, not {known.key!r}")
    space = Space(known, about["tiles"], about["players"], (codes, groups))
    if space.players == 2:
        values = np.concatenate([values, 1 - values], axis=1)
    if len(values) != space.count or values.shape[1] != space.players:
        raise PickominoError(f"{os.fspath(path)!r} is not a table of a small game: values are missing")
    names = ("levels_solved", "iterations", "residual", "converged", "seconds")
    return WholeGame(space, values, *(about[name] for name in names))


def _read(file: IO[bytes]) -> tuple[dict[str, Any], Any, tuple[Group, ...], Floats]:
    with np.load(file, allow_pickle=False) as stored:
        about = json.loads(str(stored["about"]))
        if not isinstance(about, dict) or about.get("format") != _FORMAT:
            raise ValueError(f"expected the format {_FORMAT!r}")
        groups: Sequence[Sequence[int]] = stored["groups"].tolist()
        return about, stored["codes"], tuple(Group(*row) for row in groups), stored["values"]
