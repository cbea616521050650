"""The objective `win`: a turn is played for the probability to win the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.champion.net import load_net
from pickomino.bots.champion.table import Table
from pickomino.rules import InvalidPositionError, Position
from pickomino.solver import Ending, TurnSolver, after

__all__ = ["Win", "estimate", "win_shares"]


def estimate(positions: Sequence[Position]) -> NDArray[np.float64]:
    """Every seat's probability to win, seat A first, for positions between two turns or over: (positions, seats)."""
    seats = len(positions[0].stacks)
    net = load_net(positions[0].edition, seats)
    acting = np.array([0 if position.over else position.seat for position in positions])
    shares = np.empty((len(positions), seats))
    for first in set(acting.tolist()):
        rows = np.flatnonzero(acting == first)
        table = Table.of([positions[row] for row in rows.tolist()], first)
        shares[rows] = np.roll(net.shares(table), first, axis=1)
    return shares


@dataclass(frozen=True, slots=True)
class Win:
    """Values the ends of a turn by the probability to win of the seat whose turn it is."""

    def __str__(self) -> str:
        return "win"

    def payoff(self, position: Position, endings: Sequence[Ending]) -> list[float]:
        shares = estimate([after(position, ending)[0] for ending in endings])
        return [float(share) for share in shares[:, position.seat]]

    def choice(self, position: Position, end: Position) -> float:
        return float(estimate([end])[0, position.seat])


def win_shares(position: Position) -> tuple[float, ...]:
    """Every seat's probability to win, if the seat to act plays the rest of its turn best and the game goes on so."""
    if position.over:
        raise InvalidPositionError(f"{str(position)!r}: the game is over")
    solver = TurnSolver(position)
    ends = estimate([after(position, ending)[0] for ending in solver.endings])
    solution = solver.solve(ends[:, position.seat])
    return tuple(float(share) for share in solution.probs @ ends)
