"""The pass forward through many turns and the relaxation of values, compiled by numba (extra ``fast``).

Loaded for games of many positions only, see `pickomino.solver.whole.turns`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from pickomino.compact.turn import TurnTables
from pickomino.solver.whole.space import Floats, Index

__all__ = ["forward", "relax"]

Column: TypeAlias = NDArray[np.uint64]
Function = TypeVar("Function", bound=Callable[..., Any])

_0, _1 = np.uint64(0), np.uint64(1)  # a plain 1 would make an index signed


def _compiled(function: Function) -> Function:
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    try:
        return numba.njit(cache=True, **options)(function)  # type: ignore[no-any-return]
    except RuntimeError:  # nowhere to keep the cache, as in a read-only installation
        return numba.njit(**options)(function)  # type: ignore[no-any-return]


@_compiled
def _forward(
    pattern: Any, edge_first: Any, edge_child: Any, inner_first: Any, inner: Any, parent: Any, leaves: Any,
    edge: Any, prob: Any, class_of_state: Any, start: int, value: Any, roll: Any, margin: float, best: Any,
    adjoint: Any, share: Any, going: Any, reach: Any, ends: Any,
) -> None:  # fmt: skip
    """Arrays are flat, entry ``i`` of turn ``n`` at ``i * lanes + n``.

    An outcome's probability goes to the best keep on the way from the root of the tree to its node. So, as in
    the reverse mode of automatic differentiation, each node hands its probability up: to its own keep where
    that is the better one, else to its parent. No turn needs an index of its own, and all of them go through
    the loops abreast.
    """
    lanes = np.uint64(len(going))
    reach[:] = 0.0
    for n in range(lanes):
        reach[np.uint64(start) * lanes + n] = 1.0
    for state in range(len(pattern)):
        at = np.uint64(state) * lanes
        stop = class_of_state[state] * lanes
        if pattern[state] < 0:  # R2.4
            for n in range(lanes):
                ends[stop + n] += reach[at + n]
            continue
        rolls = np.uint64(pattern[state])
        somebody = 0.0
        for n in range(lanes):
            stays = (
                state == start or value[at + n] <= roll[at + n] + margin
            )  # ``r`` comes first in text order
            going[n] = reach[at + n] if stays else 0.0
            ends[stop + n] += reach[at + n] - going[n]
            somebody += going[n]
        if somebody == 0.0:
            continue
        first = edge_first[state]
        edges = edge_first[state + 1] - first
        share[: edges * lanes] = 0.0
        nodes = inner_first[rolls + _1] - inner_first[rolls]
        for place in range(nodes):
            node = inner[inner_first[rolls] + place]
            here = place * lanes
            p = prob[node]
            if place == _0:
                for n in range(lanes):
                    ends[n] += p * going[n]  # nothing to keep (R2.3)
                    best[n] = -np.inf
                    adjoint[n] = 0.0
            else:
                above = parent[node] * lanes
                child = edge_child[first + edge[node]] * lanes
                for n in range(lanes):
                    old, new = best[above + n], value[child + n]
                    best[here + n] = new if new > old + margin else old
                    adjoint[here + n] = p
            for leaf in range(node + _1, node + _1 + leaves[node]):
                p = prob[leaf]
                child = edge_child[first + edge[leaf]] * lanes
                option = edge[leaf] * lanes
                for n in range(lanes):
                    own = p if value[child + n] > best[here + n] + margin else 0.0
                    share[option + n] += own
                    adjoint[here + n] += p - own
        for place in range(nodes - _1, _0, -1):
            node = inner[inner_first[rolls] + np.uint64(place)]
            here = np.uint64(place) * lanes
            above = parent[node] * lanes
            child = edge_child[first + edge[node]] * lanes
            option = edge[node] * lanes
            for n in range(lanes):
                a = adjoint[here + n]
                own = a if value[child + n] > best[above + n] + margin else 0.0
                share[option + n] += own
                adjoint[above + n] += a - own
        for index in range(edges):
            child = edge_child[first + index] * lanes
            option = index * lanes
            for n in range(lanes):
                reach[child + n] += going[n] * share[option + n]


class _Tree(NamedTuple):
    columns: tuple[Column, Column, Column, Column, Column, Column, Column]
    most_inner: int
    most_edges: int


@cache
def _tree(tables: TurnTables) -> _Tree:
    """The outcomes, inner nodes apart from childless ones, which stand right behind their parent."""
    pattern_of = np.repeat(np.arange(len(tables.pattern_weight)), np.diff(tables.pattern_first))
    root = tables.outcome_parent < 0
    parent = np.where(root, 0, tables.outcome_parent) + tables.pattern_first[pattern_of]
    nodes = len(parent)
    childless = (np.bincount(parent[~root], minlength=nodes) == 0) & ~root
    inner = np.flatnonzero(~childless)
    inner_first = np.searchsorted(inner, tables.pattern_first)
    columns = (
        tables.edge_first,
        tables.edge_child,
        inner_first,
        inner,
        np.searchsorted(inner, parent)
        - inner_first[pattern_of],  # counted among the inner nodes of the pattern
        np.bincount(parent[childless], minlength=nodes),
        np.maximum(tables.outcome_edge, 0),  # of a root: never looked at
    )
    return _Tree(
        tuple(column.astype(np.uint64) for column in columns),  # type: ignore[arg-type]  # seven of them
        int(np.diff(inner_first).max()),
        int(np.diff(tables.edge_first).max()),
    )


def forward(
    tables: TurnTables,
    class_of_state: NDArray[np.intp],
    classes: int,
    value: Floats,
    roll: Floats,
    margin: float,
) -> Floats:
    """How likely each turn stops in each class; value and roll are (states, turns)."""
    tree, lanes = _tree(tables), value.shape[1]
    ends = np.zeros(classes * lanes)
    _forward(
        tables.pattern,
        *tree.columns,
        tables.outcome_prob,
        class_of_state.astype(np.uint64),
        tables.start(),
        value.reshape(-1),
        roll.reshape(-1),
        margin,
        np.empty(tree.most_inner * lanes),
        np.empty(tree.most_inner * lanes),
        np.empty(tree.most_edges * lanes),
        np.empty(lanes),
        np.empty(tables.states * lanes),
        ends,
    )
    return ends.reshape(classes, lanes).T


@_compiled
def _relax(
    successors: Any, own: Any, others: Any, gain: Any, values: Any, first: int, tolerance: float, sweeps: int,
    paired: bool,
) -> None:  # fmt: skip
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
            new[0] += gain[row]
            if paired:
                new[1] = 1.0 - new[0]
            for seat in range(players):
                change = max(change, abs(new[seat] - values[first + row, seat]))
                values[first + row, seat] = new[seat]
        if change <= tolerance:
            break


def relax(
    successors: Index,
    own: Floats,
    others: Floats,
    gain: Floats,
    values: Floats,
    first: int,
    tolerance: float,
    sweeps: int,
    paired: bool,
) -> None:
    """Sweep over the rows from ``first`` on, each from the newest values: see `relax_group`."""
    _relax(successors, own, others, gain, values, first, tolerance, sweeps, paired)
