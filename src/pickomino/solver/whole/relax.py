"""Values of positions whose turns are played in a fixed way: a system of linear equations, relaxed group by group."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pickomino.solver.kernels import Kernel
from pickomino.solver.whole.space import Floats, Group, Index

__all__ = ["relax_group", "relax_level", "turn_values"]

_SETTLED = 4e-16  # two units in the last place of a value near 1: as still as float64 gets
_GROUP_SWEEPS = 10_000
_LEVEL_SWEEPS = 1_000


def turn_values(probs: Floats, after: Floats) -> Floats:
    """What a turn is worth to every seat: (positions, seats), seen from the seat to act.

    probs: (positions, endings). after: (positions, endings, seats), seen from the next seat to act, so that the seat
    to act now is the last one there.
    """
    return np.roll(np.einsum("ne,nes->ns", probs, after), 1, axis=1)


def relax_group(
    group: slice, successors: Index, own: Floats, others: Floats, values: Floats, kernel: Kernel, sweeps: int
) -> float:
    """Sweep over the rows of a group until they are still; gives the largest change of all sweeps together.

    own, others: how likely each ending is when the seat to act counts for itself, and when it counts for another
    seat. Both are the same array except where policies are compared.
    """
    before = values[group].copy()
    if kernel == "numba":
        from pickomino.solver.whole.forward_numba import relax

        relax(successors, own, others, values, group.start, _SETTLED, sweeps)
    else:
        for _ in range(sweeps):
            after = values[successors]
            new = turn_values(own, after)
            if others is not own:
                new[:, 1:] = turn_values(others, after)[:, 1:]
            change = float(np.abs(new - values[group]).max())
            values[group] = new
            if change <= _SETTLED:
                break
    return float(np.abs(values[group] - before).max())


def relax_level(
    level: Sequence[Group], successors: Index, own: Floats, others: Floats, values: Floats, kernel: Kernel
) -> None:
    """Relax the groups of a level, most tiles in stacks first, until none of them moves the others any more."""
    begin = level[0].first
    for _ in range(_LEVEL_SWEEPS):
        change = 0.0
        for group in level:
            at = slice(group.first - begin, group.last - begin)
            part = own[at]
            part_others = part if others is own else others[at]
            moved = relax_group(group.rows, successors[at], part, part_others, values, kernel, _GROUP_SWEEPS)
            change = max(change, moved)
        if change <= 2 * _SETTLED:
            break
