"""The backward pass in NumPy: pattern by pattern, all its states and some payoffs at once."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.turn import TurnTables

Floats: TypeAlias = NDArray[np.floating[Any]]

_LANES = 32  # payoffs side by side: more would push a pattern's outcomes out of the cache


class Solved(NamedTuple):
    """What every state of the turn is worth, in arrays (states, payoffs)."""

    value: Floats  # after a keep: the better of stopping and rolling
    roll: Floats  # before the dice fall; -inf where no roll is possible (R2.4)


def solve_numpy(
    tables: TurnTables, stop: Floats, bust: Floats, floor: Floats | None = None, givers: int = 1
) -> Solved:
    """Solve a turn for many payoffs.

    stop: (slots, payoffs), the value of stopping, see `TurnTables.slot`.
    bust: (flags, payoffs), the value of a roll with nothing to keep, before and after a round worm was
        earned.
    floor: (states, payoffs), what the player may have instead of a roll's options: the weasel's second roll
        (D8.2).
    givers: payoffs come in groups of this size, one for each seat that could give the round worm; the keep
        that earns it also chooses the best of them (D11.1).
    """
    payoffs = stop.shape[1]
    value = stop[tables.slot]
    roll = np.full_like(value, -np.inf)
    lanes = max(_LANES // givers, 1) * givers
    for first in range(0, payoffs, lanes):
        part = slice(first, first + lanes)
        part_floor = None if floor is None else floor[:, part]
        _solve_part(tables, value[:, part], roll[:, part], bust[:, part], part_floor, givers)
    return Solved(value, roll)


def _solve_part(
    tables: TurnTables, value: Floats, roll: Floats, bust: Floats, floor: Floats | None, givers: int
) -> None:
    bust_of = bust[tables.ones]
    for pattern in reversed(tables.patterns):
        here = pattern.states
        keep = value[pattern.children]  # (edges, states, payoffs)
        if givers > 1:
            choose_giver(tables, keep, pattern.children, here, givers)
        edges, states, payoffs = keep.shape
        keep = keep.reshape(edges, states * payoffs)
        dead = bust_of[here] if floor is None else np.maximum(bust_of[here], floor[here])
        total = (value.dtype.type(pattern.dead_prob) * dead).reshape(-1)
        best = None if floor is None else floor[here].reshape(1, -1)
        for edge, parent, prob in pattern.tree:
            option = keep.take(edge, axis=0)
            best = option if best is None else np.maximum(option, best.take(parent, axis=0), out=option)
            total += prob.astype(value.dtype, copy=False) @ best
        roll[here] = total.reshape(states, payoffs)
        np.maximum(value[here], roll[here], out=value[here])


def choose_giver(
    tables: TurnTables, keep: Floats, children: NDArray[np.intp], here: slice, givers: int
) -> None:
    """Where a keep earns a round worm, every payoff of a group gets the best giver's value (D11.1)."""
    earns = tables.ones[children] > tables.ones[None, here]
    if earns.any():
        groups = keep[earns].reshape(-1, keep.shape[2] // givers, givers)
        keep[earns] = np.repeat(groups.max(axis=2), givers, axis=1)
