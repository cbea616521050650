"""Bots that value the ends of a turn: payoffs, then the exact turn solver, then every decision by lookup."""

from __future__ import annotations

import random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.ends import Ends, objective_values
from pickomino.bots.payoffs import Payoffs, objective_payoffs
from pickomino.bots.protocol import Games
from pickomino.bots.solved import SolvedTurns
from pickomino.bots.special_values import SpecialValues
from pickomino.compact.moves import move_table
from pickomino.compact.packed import COUNT_BITS, FACES_AT, PHASES, SIZE_AT, Packed
from pickomino.rules import Edition, InvalidPositionError, Move, Phase, Position
from pickomino.solver import MoveValues, Objective, move_values
from pickomino.solver.position import TIE

__all__ = ["ManyValues", "TurnValueBot"]

_KEEP: Final = PHASES.index(Phase.KEEP)


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

    The single form asks `pickomino.solver.move_values`, as advice does, in every edition. The batch form asks
    `payoffs` once a turn (`end_values` in editions with specialists) and solves the turns of a whole batch side
    by side. A subclass gives the objective, and these two for whole arrays where it can; both must say the same.
    Another way to choose among valued moves goes into `pick` and `pick_many`.
    """

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        self._solved: dict[Edition, SolvedTurns] = {}
        self._special: dict[Edition, SpecialValues] = {}

    def payoffs(self, edition: Edition, starts: Packed) -> Payoffs:
        """The ends of many turns about to begin, in an edition without specialists."""
        return objective_payoffs(edition, starts, self.objective)

    def end_values(self, edition: Edition, ends: Ends) -> NDArray[np.float64]:
        """Ends of turns in an edition with specialists: what each is worth to the seat whose turn it was."""
        return objective_values(edition, ends, self.objective)

    def relevant(self, starts: Packed) -> Packed:
        """The same turns without what their payoffs do not depend on (may be changed in place).

        Turns that are then alike share one solution; `payoffs` gets them like this.
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
        if edition.specialists:
            if edition not in self._special:
                self._special[edition] = SpecialValues(edition, self.end_values)
            worth, scale = self._special[edition].of(games)
            return ManyValues(worth, TIE * scale)
        if edition not in self._solved:
            self._solved[edition] = SolvedTurns(edition, self.payoffs, self.relevant)
        solved = self._solved[edition]
        rows, legal = games.positions, games.legal_bits
        slots = solved.of(rows)
        values = np.full((len(rows), len(move_table(edition))), -np.inf)
        keeps = rows["phase"] == _KEEP
        at = np.flatnonzero(keeps)
        _value_keeps(solved, rows[at], slots[at], legal[at], at, values)
        at = np.flatnonzero(~keeps)
        _value_stops(solved, rows[at], slots[at], legal[at], at, values)
        return ManyValues(values, TIE * solved.scale[slots])


def _value_keeps(
    solved: SolvedTurns,
    rows: Packed,
    slots: NDArray[np.intp],
    legal: NDArray[np.int64],
    at: NDArray[np.intp],
    values: NDArray[np.float64],
) -> None:
    edition = solved.edition
    first = move_table(edition).index(f"k{edition.faces[0].sign}")
    faces = np.arange(len(edition.faces))
    game, face = np.nonzero(legal[:, None] >> first + faces & 1)
    kept = rows["kept"][game]
    count = rows["rolled"][game] >> COUNT_BITS * face & 15
    pips = np.array([face.pips for face in edition.faces])
    mask = kept >> FACES_AT | 1 << face
    white = edition.dice - (kept >> SIZE_AT & 15) - count
    total = rows["total"][game] + count * pips[face]
    values[at[game], first + face] = solved.value(slots[game], mask, white, total)


def _value_stops(
    solved: SolvedTurns,
    rows: Packed,
    slots: NDArray[np.intp],
    legal: NDArray[np.int64],
    at: NDArray[np.intp],
    values: NDArray[np.float64],
) -> None:
    edition = solved.edition
    table, tiles = move_table(edition), len(edition.tiles)

    def put(first: str, worth: NDArray[np.float64]) -> None:
        start, width = table.index(first), worth.shape[1]
        may = (legal[:, None] >> start + np.arange(width) & 1).astype(np.bool_)
        values[at, start : start + width] = np.where(may, worth, -np.inf)

    kept = rows["kept"]
    state = solved.state(kept >> FACES_AT, edition.dice - (kept >> SIZE_AT & 15), rows["total"])
    put("r", solved.roll[slots, state][:, None])
    put("s", solved.bust[slots][:, None])
    put(f"t{edition.values[0]:02}", solved.take[slots].reshape(-1, tiles))
    put(f"x{edition.values[0]:02}", solved.steal[slots].reshape(-1, tiles))
