"""The pass forward through many turns and the relaxation of values, compiled by numba (extra ``fast``).

Loaded for games of many positions only, see `pickomino.solver.whole.turns`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.turn import TurnTables
from pickomino.solver.jit import compiled, outcome_nodes
from pickomino.solver.numpy_kernel import Solved
from pickomino.solver.whole.space import Floats, Index

Column: TypeAlias = NDArray[np.uint64]

_0, _1 = np.uint64(0), np.uint64(1)  # a plain 1 would make an index signed


@compiled()
def _forward(
    pattern: Any, edge_first: Any, edge_child: Any, inner_first: Any, inner: Any, parent: Any, leaves: Any,
    edge: Any, prob: Any, class_of_state: Any, ones: Any, rolling: Any, value: Any, roll: Any, floor: Any,
    bust: Any, margin: float, best: Any, adjoint: Any, share: Any, going: Any, reach: Any, ends: Any,
    dead: Any,
) -> None:  # fmt: skip
    """Arrays are flat, entry ``i`` of turn ``n`` at ``i * lanes + n``.

    ``rolling`` comes in with the probability that dice fall in a state without a keep before it. Where there
    is a ``floor``, the weasel's second roll (D8.2), what chooses it goes into ``floor`` in its place; ``bust``
    is what the weasel is compared with in a roll with nothing to keep.

    An outcome's probability goes to the best keep on the way from the root of the tree to its node. So, as in
    the reverse mode of automatic differentiation, each node hands its probability up: to its own keep where
    that is the better one, else to its parent. No turn needs an index of its own, and all of them go through
    the loops abreast.
    """
    lanes = np.uint64(len(going))
    weasel = len(floor) > 0
    reach[:] = 0.0
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
            stays = value[at + n] <= roll[at + n] + margin  # ``r`` comes first in text order
            kept = reach[at + n] if stays else 0.0
            ends[stop + n] += reach[at + n] - kept
            going[n] = kept + rolling[at + n]
            somebody += going[n]
        if somebody == 0.0:
            if weasel:
                floor[at : at + lanes] = 0.0
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
                end = ones[state] * lanes
                for n in range(lanes):  # nothing to keep (R2.3)
                    second = floor[at + n] if weasel else -np.inf
                    again = p if second > bust[end + n] + margin else 0.0
                    dead[end + n] += (p - again) * going[n]
                    best[n] = second - 2.0 * margin  # of equals, a keep comes before ``w`` in text order
                    adjoint[n] = again
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
        if weasel:
            for n in range(lanes):
                floor[at + n] = going[n] * adjoint[n]
        for index in range(edges):
            child = edge_child[first + index] * lanes
            option = index * lanes
            for n in range(lanes):
                reach[child + n] += going[n] * share[option + n]


class _Tree(NamedTuple):
    columns: tuple[Column, Column, Column, Column, Column, Column, Column]
    most_inner: int
    most_edges: int


@lru_cache(maxsize=16)  # as many as turn tables are kept
def _tree(tables: TurnTables) -> _Tree:
    """The outcomes, inner nodes apart from childless ones, which stand right behind their parent."""
    nodes = outcome_nodes(tables)
    place = np.searchsorted(nodes.inner, nodes.parent) - nodes.inner_first[nodes.pattern]
    columns = (
        tables.edge_first,
        tables.edge_child,
        nodes.inner_first,
        nodes.inner,
        place,  # of the parent, among the inner nodes of the pattern
        nodes.leaves,
        np.maximum(tables.outcome_edge, 0),  # of a root: never looked at
    )
    return _Tree(
        tuple(column.astype(np.uint64) for column in columns),  # type: ignore[arg-type]  # seven of them
        int(np.diff(nodes.inner_first).max()),
        int(np.diff(tables.edge_first).max()),
    )


def forward_layers(
    tables: TurnTables, rolling: Floats, layers: Sequence[Solved], busts: Floats, margin: float
) -> tuple[Floats, Floats]:
    """How likely turns stop in each slot (slots, turns) and roll nothing to keep (flags, turns).

    rolling: (states, turns), the probability that the first dice fall there. layers: the weasel unused (if
    there is one), then used. busts: (flags, turns), what a roll with nothing to keep is worth.
    """
    lanes = rolling.shape[1]
    ends, dead = np.zeros((tables.slots, lanes)), np.zeros((tables.flags, lanes))
    if len(layers) > 1:
        floor = layers[-1].roll.astype(np.float64)  # becomes the probability of a second roll
        _run(tables, tables.slot, rolling, layers[0], floor, busts, margin, ends, dead)
        rolling = floor
    _run(tables, tables.slot, rolling, layers[-1], _NO_FLOOR, busts, margin, ends, dead)
    return ends, dead


_NO_FLOOR = np.empty((0, 0))


def _run(
    tables: TurnTables, class_of_state: NDArray[np.intp], rolling: Floats, layer: Solved, floor: Floats,
    busts: Floats, margin: float, ends: Floats, dead: Floats,
) -> None:  # fmt: skip
    tree, lanes = _tree(tables), rolling.shape[1]
    _forward(
        tables.pattern,
        *tree.columns,
        tables.outcome_prob,
        class_of_state.astype(np.uint64),
        tables.ones.astype(np.uint64),
        rolling.reshape(-1),
        layer.value.reshape(-1),
        layer.roll.reshape(-1),
        floor.reshape(-1),
        busts.reshape(-1),
        margin,
        np.empty(tree.most_inner * lanes),
        np.empty(tree.most_inner * lanes),
        np.empty(tree.most_edges * lanes),
        np.empty(lanes),
        np.empty(tables.states * lanes),
        ends.reshape(-1),
        dead.reshape(-1),
    )


@compiled()
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
