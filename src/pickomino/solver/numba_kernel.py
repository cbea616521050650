"""The backward pass compiled by numba (extra ``fast``): one payoff, or many side by side.

Import this module only where a second of loading is welcome, see `pickomino.solver.kernels`. The loops walk
the tree of outcomes (`pickomino.compact.turn`): ``best`` holds the best option on the way from the root to
the node in hand, one entry per depth.

Loops run over *lanes*, so that one instruction serves several: the payoffs, if there are many; for a single
payoff the states of a pattern, which share their outcomes. Why they are written like this, measured on the
way: unsigned indices (no check for negative ones) and ``a if a > b else b`` (one instruction, where ``max``
minds NaN) halve the time; a node and its first childless children share one loop, so that sums and bests pass
through memory once.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.turn import TurnTables
from pickomino.solver.jit import compiled, outcome_nodes
from pickomino.solver.numpy_kernel import Floats, Solved

_MATHS = {"nsz", "nnan", "contract"}  # no NaN comes in; sums keep their order
_ROW_BYTES = 1024  # payoffs side by side: few loops, and the values of a state's children stay in the cache
_NO_PATTERN = np.uint64(2**64 - 1)
_WIDE = 8  # states of a pattern that are worth a loop of their own
_1, _2, _3 = np.uint64(1), np.uint64(2), np.uint64(3)  # a plain 1 would make an index signed


_compiled = compiled(fastmath=_MATHS)
_inlined = compiled(fastmath=_MATHS, forceinline=True)


@_inlined
def _max(left: float, right: float) -> float:
    return left if left > right else right


@_inlined
def _add_leaves(
    leaf: Any, last: Any, level: Any, lanes: Any, edge: Any, prob: Any, rows: Any, data: Any, best: Any,
    total: Any,
) -> None:  # fmt: skip
    """Add the childless outcomes ``leaf:last`` of a node to the totals, four to a loop."""
    while leaf + np.uint64(4) <= last:
        p1, p2, p3, p4 = prob[leaf], prob[leaf + _1], prob[leaf + _2], prob[leaf + _3]
        e1, e2 = rows[edge[leaf]], rows[edge[leaf + _1]]
        e3, e4 = rows[edge[leaf + _2]], rows[edge[leaf + _3]]
        for n in range(lanes):
            here = best[level + n]
            total[n] += (p1 * _max(here, data[e1 + n]) + p2 * _max(here, data[e2 + n])) + (
                p3 * _max(here, data[e3 + n]) + p4 * _max(here, data[e4 + n])
            )
        leaf += np.uint64(4)
    while leaf < last:
        p1 = prob[leaf]
        e1 = rows[edge[leaf]]
        for n in range(lanes):
            total[n] += p1 * _max(best[level + n], data[e1 + n])
        leaf += _1


@_inlined
def _add_rolls(
    place: Any, last: Any, inner: Any, leaves: Any, depth: Any, edge: Any, prob: Any,
    lanes: Any, rows: Any, data: Any, best: Any, total: Any,
) -> None:  # fmt: skip
    """Add all outcomes with options to the totals of some lanes: states of a pattern, or payoffs of a state.

    Edge ``e`` is worth ``data[rows[e] + n]`` in lane ``n``. ``best`` begins with what the root offers.
    """
    root = inner[place]
    _add_leaves(root + _1, root + _1 + leaves[root], np.uint64(0), lanes, edge, prob, rows, data, best, total)
    for at in range(place + _1, last):
        node = inner[at]
        level = depth[node] * lanes
        above = level - lanes
        first = node + _1
        p, p1 = prob[node], prob[first]
        e, e1 = rows[edge[node]], rows[edge[first]]
        if leaves[node] == 1:
            for n in range(lanes):
                here = _max(best[above + n], data[e + n])
                best[level + n] = here
                total[n] += p * here + p1 * _max(here, data[e1 + n])
            continue
        p2, e2 = prob[first + _1], rows[edge[first + _1]]
        if leaves[node] == 2:
            for n in range(lanes):
                here = _max(best[above + n], data[e + n])
                best[level + n] = here
                total[n] += p * here + p1 * _max(here, data[e1 + n]) + p2 * _max(here, data[e2 + n])
            continue
        p3, e3 = prob[first + _2], rows[edge[first + _2]]
        for n in range(lanes):
            here = _max(best[above + n], data[e + n])
            best[level + n] = here
            total[n] += (p * here + p1 * _max(here, data[e1 + n])) + (
                p2 * _max(here, data[e2 + n]) + p3 * _max(here, data[e3 + n])
            )
        _add_leaves(first + _3, first + leaves[node], level, lanes, edge, prob, rows, data, best, total)


@_compiled
def _one(
    state_first: Any, state_last: Any, ones: Any, edge_first: Any, edge_child: Any, inner_first: Any,
    inner: Any, leaves: Any, depth: Any, edge: Any, prob: Any, bust: Any, floor: Any, value: Any, roll: Any,
    rows: Any, keep: Any, best: Any, total: Any,
) -> None:  # fmt: skip
    """One payoff. ``value`` comes in with the values of stopping."""
    for pattern in range(len(state_first) - 1, -1, -1):
        begin, end = state_first[pattern], state_last[pattern]
        place, last = inner_first[pattern], inner_first[pattern + 1]
        lanes = end - begin
        edges = edge_first[begin]
        count = edge_first[begin + _1] - edges
        root = inner[place]
        if lanes >= _WIDE:  # the states of the pattern side by side
            for n in range(lanes):
                for index in range(count):
                    keep[index * lanes + n] = value[edge_child[edges + n * count + index]]
                best[n] = floor[begin + n] if len(floor) else -np.inf
                total[n] = prob[root] * _max(bust[ones[begin + n]], best[n])
            for index in range(count):
                rows[index] = index * lanes
            _add_rolls(place, last, inner, leaves, depth, edge, prob, lanes, rows, keep, best, total)
            for n in range(lanes):
                roll[begin + n] = total[n]
                value[begin + n] = _max(value[begin + n], total[n])
            continue
        for state in range(begin, end):
            for index in range(count):
                keep[index] = value[edge_child[edges + index]]
            edges += count
            here = floor[state] if len(floor) else -np.inf
            best[0] = here
            expected = prob[root] * _max(bust[ones[state]], here)
            for leaf in range(root + _1, root + _1 + leaves[root]):
                expected += prob[leaf] * _max(here, keep[edge[leaf]])
            for at in range(place + _1, last):
                node = inner[at]
                level = depth[node]
                here = _max(best[level - _1], keep[edge[node]])
                best[level] = here
                expected += prob[node] * here
                for leaf in range(node + _1, node + _1 + leaves[node]):
                    expected += prob[leaf] * _max(here, keep[edge[leaf]])
            roll[state] = expected
            value[state] = _max(value[state], expected)


@_inlined
def _best_of_groups(value: Any, at: Any, half: Any, lanes: Any, givers: int) -> None:
    """Every payoff of a group gets the best giver's value, in the second half of the array (D11.1)."""
    for first in range(np.uint64(0), lanes, np.uint64(givers)):
        best = value[at + first]
        for n in range(first, first + np.uint64(givers)):
            best = _max(best, value[at + n])
        for n in range(first, first + np.uint64(givers)):
            value[half + at + n] = best


@_compiled
def _many(
    pattern: Any, slot: Any, ones: Any, edge_first: Any, edge_child: Any, inner_first: Any, inner: Any,
    leaves: Any, depth: Any, edge: Any, prob: Any, stop: Any, bust: Any, floor: Any, value: Any, roll: Any,
    rows: Any, best: Any, total: Any, only: int, givers: int,
) -> None:  # fmt: skip
    """Many payoffs; arrays are flat, entry ``i`` of payoff ``n`` at ``i * lanes + n``.

    ``roll`` gets the roll values of all states, or of the state ``only`` unless that is negative. With several
    ``givers`` the second half of ``value`` has, for states with a round worm, the best of each group of payoffs;
    edges that earn it lead there.
    """
    lanes = np.uint64(len(total))
    states = len(pattern)
    for state in range(len(pattern) - 1, -1, -1):
        at, at_stop, at_bust = np.uint64(state) * lanes, slot[state] * lanes, ones[state] * lanes
        if pattern[state] == _NO_PATTERN:
            for n in range(lanes):
                value[at + n] = stop[at_stop + n]
            if givers > 1 and ones[state]:
                _best_of_groups(value, at, np.uint64(states) * lanes, lanes, givers)
            continue
        place, last = inner_first[pattern[state]], inner_first[pattern[state] + _1]
        edges = edge_first[state]
        for index in range(edge_first[state + 1] - edges):
            rows[index] = edge_child[edges + index] * lanes
        p = prob[inner[place]]
        for n in range(lanes):
            best[n] = floor[at + n] if len(floor) else -np.inf
            total[n] = p * _max(bust[at_bust + n], best[n])
        _add_rolls(place, last, inner, leaves, depth, edge, prob, lanes, rows, value, best, total)
        if only < 0 or only == state:
            at_roll = at if only < 0 else np.uint64(0)
            for n in range(lanes):
                roll[at_roll + n] = total[n]
        for n in range(lanes):
            value[at + n] = _max(stop[at_stop + n], total[n])
        if givers > 1 and ones[state]:
            _best_of_groups(value, at, np.uint64(states) * lanes, lanes, givers)


class _Packed(NamedTuple):
    """The tables as the loops want them: unsigned, and with the nodes that have children listed apart."""

    states: tuple[NDArray[np.uint64], ...]  # pattern and slot of every state
    ranges: tuple[NDArray[np.uint64], ...]  # first and last state of every pattern
    graph: tuple[NDArray[np.uint64], ...]
    # As the graph's children; where a round worm is earned, in the second half.
    giver_child: NDArray[np.uint64]
    most_edges: int
    most_states: int  # of a pattern
    most_kept: int  # edges times states of a pattern
    most_options: int


@lru_cache(maxsize=16)  # as many as turn tables are kept
def _pack(tables: TurnTables) -> _Packed:
    patterns, nodes = tables.patterns, outcome_nodes(tables)
    states = (tables.pattern, tables.slot)
    ranges = ([pattern.states.start for pattern in patterns], [pattern.states.stop for pattern in patterns])
    graph = (
        tables.ones,
        tables.edge_first,
        tables.edge_child,
        nodes.inner_first,
        nodes.inner,
        nodes.leaves,
        tables.outcome_depth,
        tables.outcome_edge,
    )
    giver_child = tables.edge_child.copy()
    giver_child[tables.edge_earns] += tables.states
    return _Packed(
        tuple(column.astype(np.uint64) for column in states),
        tuple(np.array(column, np.uint64) for column in ranges),
        tuple(column.astype(np.uint64) for column in graph),
        giver_child.astype(np.uint64),
        max(len(pattern.children) for pattern in patterns),
        max(pattern.children.shape[1] for pattern in patterns),
        max(pattern.children.size for pattern in patterns),
        int(tables.outcome_depth.max()),
    )


def solve_one(tables: TurnTables, stop: Floats, bust: Floats, floor: Floats | None = None) -> Solved:
    """One payoff in float64: stop (slots,), bust (flags,), floor (states,)."""
    packed = _pack(tables)
    value, roll = stop[tables.slot], np.full(tables.states, -np.inf)
    _one(
        *packed.ranges,
        *packed.graph,
        tables.outcome_prob,
        bust,
        np.empty(0) if floor is None else floor,
        value,
        roll,
        np.empty(packed.most_edges, np.uint64),
        np.empty(packed.most_kept),
        np.empty((packed.most_options + 1) * packed.most_states),
        np.empty(packed.most_states),
    )
    return Solved(value, roll)


def solve_numba(
    tables: TurnTables, stop: Floats, bust: Floats, floor: Floats | None = None, givers: int = 1
) -> Solved:
    """Many payoffs, shapes as in `pickomino.solver.numpy_kernel.solve_numpy`."""
    dtype, values, rolls = stop.dtype, list[Floats](), list[Floats]()
    for part, lanes in _parts(stop, givers):
        value = np.empty(tables.states * lanes * (1 if givers == 1 else 2), dtype)
        roll = np.full(tables.states * lanes, -np.inf, dtype)
        part_floor = None if floor is None else floor[:, part]
        _run(tables, stop[:, part], bust[:, part], part_floor, value, roll, only=-1, givers=givers)
        values.append(value[: tables.states * lanes].reshape(-1, lanes))
        rolls.append(roll.reshape(-1, lanes))
    if len(values) == 1:
        return Solved(values[0], rolls[0])
    return Solved(np.concatenate(values, axis=1), np.concatenate(rolls, axis=1))


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


def _parts(stop: Floats, givers: int = 1) -> list[tuple[slice, int]]:
    payoffs, most = stop.shape[1], _ROW_BYTES // stop.dtype.itemsize // givers * givers
    return [(slice(first, first + most), min(most, payoffs - first)) for first in range(0, payoffs, most)]


def _run(
    tables: TurnTables,
    stop: Floats,
    bust: Floats,
    floor: Floats | None,
    value: Floats,
    roll: Floats,
    only: int,
    givers: int = 1,
) -> None:
    packed, dtype, lanes = _pack(tables), value.dtype, bust.shape[1]
    ones, edge_first, edge_child, *tree = packed.graph
    _many(
        *packed.states,
        ones,
        edge_first,
        edge_child if givers == 1 else packed.giver_child,
        *tree,
        tables.outcome_prob.astype(dtype),
        stop.reshape(-1),
        bust.reshape(-1),
        np.empty(0, dtype) if floor is None else floor.reshape(-1),
        value,
        roll,
        np.empty(packed.most_edges, np.uint64),
        np.empty((packed.most_options + 1) * lanes, dtype),
        np.empty(lanes, dtype),
        only,
        givers,
    )
