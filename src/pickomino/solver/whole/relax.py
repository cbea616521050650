"""Values of positions whose turns are played in a fixed way: a system of linear equations, relaxed group by group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pickomino.solver.kernels import Kernel
from pickomino.solver.whole.space import Floats, Group, Index

__all__ = ["Played", "relax_group", "relax_level", "turn_values"]

_SETTLED = 4e-16  # two units in the last place of a value near 1: as still as float64 gets
_GROUP_SWEEPS = 10_000
_LEVEL_SWEEPS = 1_000


def turn_values(probs: Floats, after: Floats) -> Floats:
    """What a turn is worth to every seat: (positions, seats), seen from the seat to act.

    probs: (positions, endings). after: (positions, endings, seats), seen from the next seat to act, so that the seat
    to act now is the last one there.
    """
    return np.roll(np.einsum("ne,nes->ns", probs, after), 1, axis=1)


class Played(NamedTuple):
    """Turns that are played in a fixed way, one row a position: the coefficients of the equations."""

    successors: Index
    own: Floats  # how likely each ending is when the seat to act counts for itself …
    others: Floats  # … and when it counts for another seat; the same array unless policies are compared
    gain: Floats  # added for the seat to act: what the newest turn was worth beyond the coefficients; two seats only

    def part(self, rows: slice) -> Played:
        own = self.own[rows]
        others = own if self.others is self.own else self.others[rows]
        return Played(self.successors[rows], own, others, self.gain[rows])


def relax_group(group: slice, played: Played, values: Floats, kernel: Kernel, sweeps: int) -> float:
    """Sweep over the rows of a group until they are still; gives the largest change of all sweeps together."""
    before = values[group].copy()
    successors, own, others, gain = played
    if kernel == "numba":
        from pickomino.solver.whole.forward_numba import relax

        relax(successors, own, others, gain, values, group.start, _SETTLED, sweeps)
    else:
        two = values.shape[1] == 2
        for _ in range(sweeps):
            after = values[successors]
            new = turn_values(own, after)
            if others is not own:
                new[:, 1:] = turn_values(others, after)[:, 1:]
            new[:, 0] += gain
            if two:
                new[:, 1] -= gain
            change = float(np.abs(new - values[group]).max())
            values[group] = new
            if change <= _SETTLED:
                break
    return float(np.abs(values[group] - before).max())


def relax_level(level: Sequence[Group], played: Played, values: Floats, kernel: Kernel) -> None:
    """Relax the groups of a level, most tiles in stacks first, until none of them moves the others any more."""
    begin = level[0].first
    for _ in range(_LEVEL_SWEEPS):
        change = 0.0
        for group in level:
            part = played.part(slice(group.first - begin, group.last - begin))
            change = max(change, relax_group(group.rows, part, values, kernel, _GROUP_SWEEPS))
        if change <= 2 * _SETTLED:
            break
