"""Bots that value the ends of a turn: values, then the exact turn solver, then every decision by lookup."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.ends import Ends, objective_values
from pickomino.bots.lookup import Lookup
from pickomino.bots.protocol import Games
from pickomino.compact.packed import Packed
from pickomino.rules import Edition, InvalidPositionError, Move, Position
from pickomino.solver import MoveValues, Objective, move_values
from pickomino.solver.position import TIE


class ManyValues(NamedTuple):
    """The values of all moves in many games."""

    values: NDArray[np.float64]  # (games, moves of the table); -inf for a move that is not legal
    tie: NDArray[np.float64]  # (games,): values this close are equal

    def best(self) -> NDArray[np.int64]:
        """The best move of every game, the first in text order among equals."""
        enough = self.values.max(axis=1) - self.tie
        best: NDArray[np.int64] = (self.values >= enough[:, None]).argmax(axis=1)
        return best


class TurnValueBot:
    """Plays the turn perfectly for an objective: what the ends of the turn are worth to it.

    The single form asks `pickomino.solver.move_values`, as advice does. The batch form asks `end_values` once a
    turn and solves the turns of a whole batch side by side. A subclass gives the objective, and `end_values` for
    whole arrays where it can; both must say the same. Another way to choose among valued moves goes into `pick`
    and `pick_many`.
    """

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        self._lookups: dict[Edition, Lookup] = {}

    def end_values(self, edition: Edition, ends: Ends) -> NDArray[np.float64]:
        """Ends of turns: what each is worth to the seat whose turn it was."""
        return objective_values(edition, ends, self.objective)

    def relevant(self, edition: Edition, starts: Packed) -> Packed:
        """The same turns without what the values of their ends do not depend on (may be changed in place).

        Turns that are then alike share one solution; `end_values` gets them like this.
        """
        return starts

    # --- one game ---

    def explain(self, position: Position) -> MoveValues:
        """What every move is worth to the seat to act."""
        return move_values(position, self.objective)

    def choose(self, position: Position, rng: random.Random) -> Move:
        return self.pick(self.explain(position), rng)

    def pick(self, found: MoveValues, rng: random.Random) -> Move:
        """A move, given what the moves are worth."""
        if found.best is None:
            raise InvalidPositionError("a bot was asked for a move where dice are due")
        return found.best

    # --- many games ---

    def choose_many(self, games: Games, rng: np.random.Generator) -> NDArray[np.int64]:
        return self.pick_many(self.explain_many(games), rng)

    def pick_many(self, found: ManyValues, rng: np.random.Generator) -> NDArray[np.int64]:
        """`pick` for a batch."""
        return found.best()

    def explain_many(self, games: Games) -> ManyValues:
        """What every move of every game is worth to the seat to act."""
        edition = games.edition
        if edition not in self._lookups:
            self._lookups[edition] = Lookup(edition, self.end_values, self.relevant)
        values, scale = self._lookups[edition].values(games)
        return ManyValues(values, TIE * scale)
