"""The pass forward through many turns and the relaxation of values, compiled by numba (extra ``fast``).

Loaded for games of many positions only, see `pickomino.solver.whole.turns`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from pickomino.compact.turn import TurnTables
from pickomino.solver.whole.space import Floats, Index

__all__ = ["forward", "relax"]

Function = TypeVar("Function", bound=Callable[..., Any])


def _compiled(function: Function) -> Function:
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    try:
        return numba.njit(cache=True, **options)(function)  # type: ignore[no-any-return]
    except RuntimeError:  # nowhere to keep the cache, as in a read-only installation
        return numba.njit(**options)(function)  # type: ignore[no-any-return]


@_compiled
def _forward(
    pattern: Any, edge_first: Any, edge_child: Any, pattern_first: Any, depth: Any, edge: Any, prob: Any,
    class_of_state: Any, value: Any, roll: Any, margin: float, start: int, most_edges: int, most_depth: int, ends: Any,
) -> None:  # fmt: skip
    """One turn after the other; states that its choices never reach cost nothing, and those are most."""
    states = len(pattern)
    reach = np.empty(states)
    share, keep = np.empty(most_edges), np.empty(most_edges)
    best, chosen = np.empty(most_depth + 1), np.empty(most_depth + 1, np.int64)
    for turn in range(len(value)):
        reach[:] = 0.0
        reach[start] = 1.0
        for state in range(states):
            here = reach[state]
            if here == 0.0:
                continue
            rolls = pattern[state]
            if rolls < 0 or (state != start and value[turn, state] > roll[turn, state] + margin):
                ends[turn, class_of_state[state]] += here
                continue
            first = edge_first[state]
            edges = edge_first[state + 1] - first
            for index in range(edges):
                share[index] = 0.0
                keep[index] = value[turn, edge_child[first + index]]
            root = pattern_first[rolls]
            ends[turn, 0] += here * prob[root]
            best[0] = -np.inf
            for node in range(root + 1, pattern_first[rolls + 1]):
                level = depth[node]
                option = edge[node]
                if keep[option] > best[level - 1] + margin:
                    best[level] = keep[option]
                    chosen[level] = option
                else:
                    best[level] = best[level - 1]
                    chosen[level] = chosen[level - 1]
                share[chosen[level]] += prob[node]
            for index in range(edges):
                reach[edge_child[first + index]] += here * share[index]


def forward(
    tables: TurnTables, class_of_state: NDArray[np.intp], classes: int, value: Floats, roll: Floats, margin: float
) -> Floats:
    """How likely each turn stops in each class; value and roll are (states, turns)."""
    ends = np.zeros((value.shape[1], classes))
    _forward(
        tables.pattern,
        tables.edge_first,
        tables.edge_child,
        tables.pattern_first,
        tables.outcome_depth,
        tables.outcome_edge,
        tables.outcome_prob,
        class_of_state,
        np.ascontiguousarray(value.T),
        np.ascontiguousarray(roll.T),
        margin,
        tables.start(),
        int(np.diff(tables.edge_first).max()),
        int(tables.outcome_depth.max()),
        ends,
    )
    return ends


@_compiled
def _relax(successors: Any, own: Any, others: Any, values: Any, first: int, tolerance: float, sweeps: int) -> None:
    players = values.shape[1]
    new = np.empty(players)
    for _ in range(sweeps):
        change = 0.0
        for row in range(len(successors)):
            new[:] = 0.0
            for ending in range(successors.shape[1]):
                after = successors[row, ending]
                new[0] += own[row, ending] * values[after, players - 1]
                for seat in range(1, players):
                    new[seat] += others[row, ending] * values[after, seat - 1]
            for seat in range(players):
                change = max(change, abs(new[seat] - values[first + row, seat]))
                values[first + row, seat] = new[seat]
        if change <= tolerance:
            break


def relax(
    successors: Index, own: Floats, others: Floats, values: Floats, first: int, tolerance: float, sweeps: int
) -> None:
    """Sweep over the rows from ``first`` on, each from the newest values, see `pickomino.solver.whole.relax`."""
    _relax(successors, own, others, values, first, tolerance, sweeps)
