"""Values where turns are played in a fixed way: a system of linear equations, relaxed group by group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pickomino.solver.kernels import Kernel
from pickomino.solver.whole.space import Floats, Group, Index

_SETTLED = 4e-16  # two units in the last place of a value near 1: as still as float64 gets
_GROUP_SWEEPS = 10_000
_LEVEL_SWEEPS = 1_000
_DENSE = 400  # unknowns: below, elimination is faster than sweeps
_DENSE_SLOW = 1600  # where sweeps are slow
_BRIEF_SWEEPS = 40  # of either kind: enough for a round, as the next one plays turns anew


def turn_values(probs: Floats, after: Floats) -> Floats:
    """What a turn is worth to every seat: (positions, seats), seen from the seat to act.

    probs: (positions, endings). after: (positions, endings, seats), seen from the next seat to act, so that
    the seat to act now is the last one there.
    """
    return np.roll(np.einsum("ne,nes->ns", probs, after), 1, axis=1)


class Played(NamedTuple):
    """Turns that are played in a fixed way, one row per position: the coefficients of the equations."""

    successors: Index
    own: Floats  # how likely each ending is when the seat to act counts for itself …
    others: Floats  # … and when it counts for another seat; the same array unless policies are compared
    gain: Floats  # for the seat to act, beyond what the coefficients say; two seats only

    def part(self, rows: slice) -> Played:
        own = self.own[rows]
        others = own if self.others is self.own else self.others[rows]
        return Played(self.successors[rows], own, others, self.gain[rows])


def relax_group(group: slice, played: Played, values: Floats, kernel: Kernel, sweeps: int) -> float:
    """Sweep over the rows of a group until they are still; gives the largest change in all."""
    before = values[group].copy()
    successors, own, others, gain = played
    paired = others is own and values.shape[1] == 2
    if kernel == "numba":
        from pickomino.solver.whole.forward_numba import relax

        relax(successors, own, others, gain, values, group.start, _SETTLED, sweeps, paired)
    else:
        for _ in range(sweeps):
            after = values[successors]
            new = turn_values(own, after)
            if others is not own:
                new[:, 1:] = turn_values(others, after)[:, 1:]
            new[:, 0] += gain
            if paired:
                new[:, 1] = 1 - new[:, 0]
            change = float(np.abs(new - values[group]).max())
            values[group] = new
            if change <= _SETTLED:
                break
    return float(np.abs(values[group] - before).max())


def relax_level(
    level: Sequence[Group],
    played: Played,
    values: Floats,
    kernel: Kernel,
    *,
    slow: bool = False,
    brief: bool = False,
) -> None:
    """Relax the groups, most tiles in stacks first, until none of them moves the others any more.

    slow: turns may be played so that hardly anything ever ends, and sweeps would hardly get on. brief: sweeps
    may break off early.
    """
    begin = level[0].first
    rows, players = played.own.shape[0], values.shape[1]
    paired = played.others is played.own and players == 2
    unknowns = rows if paired else rows * players
    if unknowns <= (_DENSE_SLOW if slow else _DENSE):
        solve = _solve_pairs if paired else _solve_dense
        if solve(begin, played, values):
            return
    for _ in range(_BRIEF_SWEEPS if brief else _LEVEL_SWEEPS):
        change = 0.0
        for group in level:
            part = played.part(slice(group.first - begin, group.last - begin))
            sweeps = _BRIEF_SWEEPS if brief else _GROUP_SWEEPS
            change = max(change, relax_group(group.rows, part, values, kernel, sweeps))
        if change <= 2 * _SETTLED:
            break


def _solve_pairs(begin: int, played: Played, values: Floats) -> bool:
    """The equations of a small level at once, where what one seat wins the other one loses."""
    rows = played.own.shape[0]
    inside = (played.successors >= begin) & (played.successors < begin + rows)
    matrix = np.eye(rows)
    at, ending = np.nonzero(inside)
    np.add.at(matrix, (at, played.successors[at, ending] - begin), played.own[at, ending])
    after = np.where(inside, 1.0, values[played.successors, 1])
    try:
        found = np.linalg.solve(matrix, (played.own * after).sum(axis=1) + played.gain)
    except np.linalg.LinAlgError:
        return False
    values[begin : begin + rows] = np.stack([found, 1 - found], axis=1)
    return True


def _solve_dense(begin: int, played: Played, values: Floats) -> bool:
    """The equations of a small level at once; False where they have no single solution."""
    rows, players = played.own.shape[0], values.shape[1]
    size = rows * players
    matrix = np.eye(size)
    flat = matrix.reshape(-1)
    right = np.zeros((rows, players))
    right[:, 0] = played.gain
    inside = (played.successors >= begin) & (played.successors < begin + rows)
    for seat in range(players):
        probs = played.others if seat else played.own
        outside = np.where(inside, 0.0, values[played.successors, seat - 1])
        right[:, seat] += (probs * outside).sum(axis=1)
        at, ending = np.nonzero(inside)
        column = (played.successors[at, ending] - begin) * players + (seat - 1) % players
        np.subtract.at(flat, at * players * size + seat * size + column, probs[at, ending])
    try:
        found = np.linalg.solve(matrix, right.reshape(-1)).reshape(rows, players)
    except np.linalg.LinAlgError:
        return False
    values[begin : begin + rows] = found
    return True
