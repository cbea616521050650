"""A solved small game of tiles alone: no specialists, and positions as codes (`Space`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pickomino.rules import Keep, Phase, Position, RollOn, Steal, Stop, Take
from pickomino.rules.dice import add
from pickomino.rules.settle import bust, steal, take
from pickomino.solver.kernels import Kernel
from pickomino.solver.whole.game import Ending, MoveValue, WholeGame
from pickomino.solver.whole.numbered import Floats
from pickomino.solver.whole.rounds import Solving, initial_values
from pickomino.solver.whole.space import BUST, Space
from pickomino.solver.whole.turns import SpaceTurns, choose_keeps, stop_here

__all__ = ["TileGame"]


@dataclass(eq=False)
class TileGame(WholeGame):
    """Endings are in text order: the bust, the takes, the steals, by tile."""

    space: Space

    def _begins(self, position: Position) -> bool:
        return position.phase is Phase.ROLL and not position.kept

    def _within(self, position: Position) -> tuple[float, ...]:
        turn = self._turn(position)
        if position.phase is Phase.ROLL:
            return turn.after_roll(position.kept)
        if position.phase is Phase.GO:
            return turn.after_keep(position.kept)
        best = self.policy(position)
        return next(entry.values for entry in self.moves(position) if entry.move == best)

    def solving(self, kernel: Kernel) -> Solving:
        solving = Solving(self.space, SpaceTurns(self.space, kernel, self.margin), kernel)
        solving.values[: self.positions] = self.table
        return solving

    def moves(self, position: Position) -> tuple[MoveValue, ...]:
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

    def endings(self, position: Position) -> tuple[Ending, ...]:
        number = self.space.number(position)
        successors = self.space.successors(slice(number, number + 1))[0]
        result = []
        for column in self.ending_columns(position):
            move = self._ending_move(position, column)
            values = self._seated(self._values[successors[column]], position.seat + 1)
            result.append(Ending(move, _after(position, move), values))
        return tuple(result)

    def ending_columns(self, position: Position) -> list[int]:
        n, grill, exact_only = len(self.tiles), set(position.grill), self.edition.exact_only
        columns = [BUST] + [1 + i for i, tile in enumerate(self.tiles) if tile in grill]
        steals = []
        for behind in range(1, self.players):
            stack = position.stacks[(position.seat + behind) % self.players]
            if stack and stack[-1] not in exact_only:
                steals.append((stack[-1], n + behind))
        return columns + [column for _, column in sorted(steals)]

    def _stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return {}, {"codes": self.space.codes, "groups": np.array(self.space.groups, dtype=np.int64)}

    @cached_property
    def _values(self) -> Floats:
        values = initial_values(self.space)
        values[: self.space.count] = self.table
        return values

    @cached_property
    def _plays(self) -> SpaceTurns:
        return SpaceTurns(self.space, "numpy", self.margin)

    def _turn(self, position: Position) -> _Turn:
        number = self.space.number(position)
        cached = self.__dict__.get("_last_turn")
        if cached is None or cached[0] != (number, position.seat):
            cached = (number, position.seat), _Turn(self, number, position.seat)
            self.__dict__["_last_turn"] = cached
        turn: _Turn = cached[1]
        return turn

    def _ending_move(self, position: Position, column: int) -> Take | Steal | Stop:
        if column == BUST:
            return Stop()
        if column <= len(self.tiles):
            return Take(self.tiles[column - 1])
        seat = (position.seat + column - len(self.tiles)) % self.players
        return Steal(position.stacks[seat][-1])


class _Turn:
    """One turn, solved for every seat: values after every keep and before every roll."""

    def __init__(self, game: TileGame, number: int, seat: int) -> None:
        self._game, self._seat = game, seat
        turns = self._turns = game._plays.turns
        after = game._values[game.space.successors(slice(number, number + 1))]
        ends = np.roll(after[0], 1, axis=1)  # seen from the seat to act
        stops = game._plays.stops(np.array([number]), ends[None, :, 0])
        value, roll = turns.values(stops.value)
        tables, margin = turns.tables, game.margin
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
