"""The backward pass compiled by numba (extra ``fast``): one payoff, or many side by side.

Import this module only where a second of loading is welcome, see `pickomino.solver.kernels`. The loops walk
the tree of outcomes (`pickomino.compact.turn`): ``best`` holds the best option on the way from the root to
the node in hand, one entry per depth.

Why it is written like this, measured on the way: unsigned indices (no check for negative ones) and ``a if a >
b else b`` (one instruction, where ``max`` minds NaN) halve the time; a node and its first childless children
share one loop over the payoffs, so that sums and bests pass through memory once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pickomino.compact.turn import TurnTables
from pickomino.solver.numpy_kernel import Floats, Solved

__all__ = ["solve_numba", "solve_one", "solve_start"]

_MATHS = {"nsz", "nnan", "contract"}  # no NaN comes in; sums keep their order
_ROW_BYTES = 1024  # payoffs side by side: few loops, and the values of a state's children stay in the cache
_NO_PATTERN = np.uint64(2**64 - 1)
_1, _2, _3 = np.uint64(1), np.uint64(2), np.uint64(3)  # a plain 1 would make an index signed


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    compiled: Callable[..., Any]
    options: dict[str, Any] = {"nogil": True, "fastmath": _MATHS, "error_model": "numpy"}
    try:
        compiled = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # nowhere to keep the cache, as in a read-only installation
        compiled = numba.njit(**options)(function)
    return compiled


@_compiled
def _max(left: float, right: float) -> float:
    return left if left > right else right


@_compiled
def _one(
    pattern: Any, slot: Any, ones: Any, edge_first: Any, edge_child: Any, inner_first: Any, inner: Any,
    leaves: Any, depth: Any, edge: Any, prob: Any, stop: Any, bust: Any, floor: Any, value: Any, roll: Any,
    best: Any, keep: Any,
) -> None:  # fmt: skip
    for state in range(len(value) - 1, -1, -1):
        rolls = pattern[state]
        if rolls == _NO_PATTERN:
            value[state] = stop[slot[state]]
            continue
        edges = edge_first[state]
        for index in range(edge_first[state + 1] - edges):
            keep[index] = value[edge_child[edges + index]]
        total = 0.0
        for place in range(inner_first[rolls], inner_first[rolls + _1]):
            node = inner[place]
            level = depth[node]
            if level == 0:
                here = floor[state] if len(floor) else -np.inf
                total += prob[node] * _max(bust[ones[state]], here)
            else:
                here = _max(best[level - _1], keep[edge[node]])
                total += prob[node] * here
            best[level] = here
            for leaf in range(node + _1, node + _1 + leaves[node]):
                total += prob[leaf] * _max(here, keep[edge[leaf]])
        roll[state] = total
        value[state] = _max(stop[slot[state]], total)


@_compiled
def _add_leaves(
    leaf: Any,
    last: Any,
    level: Any,
    edges: Any,
    edge_child: Any,
    edge: Any,
    prob: Any,
    value: Any,
    best: Any,
    total: Any,
) -> None:
    """Add the childless outcomes ``leaf:last`` of a node to the totals, four to a loop."""
    lanes = np.uint64(len(total))
    while leaf + np.uint64(4) <= last:
        p1, p2, p3, p4 = prob[leaf], prob[leaf + _1], prob[leaf + _2], prob[leaf + _3]
        e1 = edge_child[edges + edge[leaf]] * lanes
        e2 = edge_child[edges + edge[leaf + _1]] * lanes
        e3 = edge_child[edges + edge[leaf + _2]] * lanes
        e4 = edge_child[edges + edge[leaf + _3]] * lanes
        for n in range(lanes):
            here = best[level + n]
            total[n] += (p1 * _max(here, value[e1 + n]) + p2 * _max(here, value[e2 + n])) + (
                p3 * _max(here, value[e3 + n]) + p4 * _max(here, value[e4 + n])
            )
        leaf += np.uint64(4)
    while leaf < last:
        p1 = prob[leaf]
        e1 = edge_child[edges + edge[leaf]] * lanes
        for n in range(lanes):
            total[n] += p1 * _max(best[level + n], value[e1 + n])
        leaf += _1


@_compiled
def _many(
    pattern: Any, slot: Any, ones: Any, edge_first: Any, edge_child: Any, inner_first: Any, inner: Any,
    leaves: Any, depth: Any, edge: Any, prob: Any, stop: Any, bust: Any, floor: Any, value: Any, roll: Any,
    best: Any, total: Any, only: int,
) -> None:  # fmt: skip
    """Like `_one`; arrays are flat, entry ``i`` of payoff ``n`` at ``i * lanes + n``.

    ``roll`` gets the roll values of all states, or of the state ``only`` unless that is negative.
    """
    lanes = np.uint64(len(total))
    for state in range(len(pattern) - 1, -1, -1):
        rolls = pattern[state]
        at = np.uint64(state) * lanes
        at_stop = slot[state] * lanes
        if rolls == _NO_PATTERN:
            for n in range(lanes):
                value[at + n] = stop[at_stop + n]
            continue
        edges = edge_first[state]
        root = inner[inner_first[rolls]]
        at_bust = ones[state] * lanes
        p = prob[root]
        for n in range(lanes):
            best[n] = floor[at + n] if len(floor) else -np.inf
            total[n] = p * _max(bust[at_bust + n], best[n])
        first = root + _1
        _add_leaves(
            first, first + leaves[root], np.uint64(0), edges, edge_child, edge, prob, value, best, total
        )
        for place in range(inner_first[rolls] + _1, inner_first[rolls + _1]):
            node = inner[place]
            level = depth[node] * lanes
            above = level - lanes
            first = node + _1
            p, p1 = prob[node], prob[first]
            e = edge_child[edges + edge[node]] * lanes
            e1 = edge_child[edges + edge[first]] * lanes
            if leaves[node] == 1:
                for n in range(lanes):
                    here = _max(best[above + n], value[e + n])
                    best[level + n] = here
                    total[n] += p * here + p1 * _max(here, value[e1 + n])
                continue
            p2 = prob[first + _1]
            e2 = edge_child[edges + edge[first + _1]] * lanes
            if leaves[node] == 2:
                for n in range(lanes):
                    here = _max(best[above + n], value[e + n])
                    best[level + n] = here
                    total[n] += p * here + p1 * _max(here, value[e1 + n]) + p2 * _max(here, value[e2 + n])
                continue
            p3 = prob[first + _2]
            e3 = edge_child[edges + edge[first + _2]] * lanes
            for n in range(lanes):
                here = _max(best[above + n], value[e + n])
                best[level + n] = here
                total[n] += (p * here + p1 * _max(here, value[e1 + n])) + (
                    p2 * _max(here, value[e2 + n]) + p3 * _max(here, value[e3 + n])
                )
            _add_leaves(
                first + _3, first + leaves[node], level, edges, edge_child, edge, prob, value, best, total
            )
        if only < 0 or only == state:
            at_roll = at if only < 0 else np.uint64(0)
            for n in range(lanes):
                roll[at_roll + n] = total[n]
        for n in range(lanes):
            value[at + n] = _max(stop[at_stop + n], total[n])


class _Packed(NamedTuple):
    """The tables as the loops want them: unsigned, and with the nodes that have children listed apart."""

    graph: tuple[NDArray[np.uint64], ...]
    most_edges: int
    most_options: int


@cache
def _pack(tables: TurnTables) -> _Packed:
    pattern_of = np.repeat(np.arange(len(tables.pattern_weight)), np.diff(tables.pattern_first))
    root = tables.outcome_parent < 0
    parent = tables.outcome_parent + tables.pattern_first[pattern_of]
    nodes = len(parent)
    childless = (np.bincount(parent[~root], minlength=nodes) == 0) & ~root
    leaves = np.bincount(parent[childless], minlength=nodes)
    inner = np.flatnonzero(~childless)
    graph = (
        tables.pattern,
        tables.slot,
        tables.ones,
        tables.edge_first,
        tables.edge_child,
        np.searchsorted(inner, tables.pattern_first),
        inner,
        leaves,
        tables.outcome_depth,
        tables.outcome_edge,
    )
    return _Packed(
        tuple(column.astype(np.uint64) for column in graph),
        int(np.diff(tables.edge_first).max()),
        int(tables.outcome_depth.max()),
    )


def solve_one(tables: TurnTables, stop: Floats, bust: Floats, floor: Floats | None = None) -> Solved:
    """One payoff in float64: stop (slots,), bust (flags,), floor (states,)."""
    packed = _pack(tables)
    value, roll = np.empty(tables.states), np.full(tables.states, -np.inf)
    best, keep = np.empty(packed.most_options + 1), np.empty(packed.most_edges)
    floors = np.empty(0) if floor is None else floor
    _one(*packed.graph, tables.outcome_prob, stop, bust, floors, value, roll, best, keep)
    return Solved(value, roll)


def solve_numba(tables: TurnTables, stop: Floats, bust: Floats, floor: Floats | None = None) -> Solved:
    """Many payoffs, shapes as in `pickomino.solver.numpy_kernel.solve_numpy`."""
    dtype, shape = stop.dtype, (tables.states, stop.shape[1])
    value, roll = np.empty(shape, dtype), np.empty(shape, dtype)
    for part, lanes in _parts(stop):
        part_value = np.empty(tables.states * lanes, dtype)
        part_roll = np.full(tables.states * lanes, -np.inf, dtype)
        part_floor = None if floor is None else floor[:, part]
        _run(tables, stop[:, part], bust[:, part], part_floor, part_value, part_roll, only=-1)
        value[:, part] = part_value.reshape(-1, lanes)
        roll[:, part] = part_roll.reshape(-1, lanes)
    return Solved(value, roll)


def solve_start(tables: TurnTables, stop: Floats, bust: Floats, start: int) -> Floats:
    """Many payoffs, but of all the states only the one before the first roll."""
    roll = np.empty(stop.shape[1], stop.dtype)
    for part, lanes in _parts(stop):
        value = _scratch(tables.states * lanes, stop.dtype)
        _run(tables, stop[:, part], bust[:, part], None, value, roll[part], only=start)
    return roll


_local = threading.local()


def _scratch(size: int, dtype: np.dtype[Any]) -> Floats:
    """Working memory kept from call to call, per thread: fresh pages would cost half the solving."""
    kept: NDArray[np.uint8] | None = getattr(_local, "kept", None)
    if kept is None or kept.nbytes < size * dtype.itemsize:
        kept = _local.kept = np.empty(size * dtype.itemsize, np.uint8)
    return kept[: size * dtype.itemsize].view(dtype)


def _parts(stop: Floats) -> list[tuple[slice, int]]:
    payoffs, most = stop.shape[1], _ROW_BYTES // stop.dtype.itemsize
    return [(slice(first, first + most), min(most, payoffs - first)) for first in range(0, payoffs, most)]


def _run(
    tables: TurnTables,
    stop: Floats,
    bust: Floats,
    floor: Floats | None,
    value: Floats,
    roll: Floats,
    only: int,
) -> None:
    packed, dtype, lanes = _pack(tables), stop.dtype, stop.shape[1]
    _many(
        *packed.graph,
        tables.outcome_prob.astype(dtype),
        stop.reshape(-1),
        bust.reshape(-1),
        np.empty(0, dtype) if floor is None else floor.reshape(-1),
        value,
        roll,
        np.empty((packed.most_options + 1) * lanes, dtype),
        np.empty(lanes, dtype),
        only,
    )
