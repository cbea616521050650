"""The exact turn solver on arrays: best play for the seat to act, and what it brings every seat.

Values have the shape (slots or states, seats, batch): the batch runs along the last axis, so that neighbouring threads
read neighbouring numbers. Seat 0 chooses; the other seats' values follow its choices. In editions with specialists a
turn may be of another kind: with the golden die within reach, or with the weasel, which adds a second layer to the
turn, in which it has not been used yet (D8.1, D8.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from pickomino.compact.turn import TurnTables, turn_tables
from pickomino.rules.edition import Edition
from pickomino.tensor import Array, Arrays


class TurnGraph:
    """The turn tables of an edition on a device."""

    def __init__(self, edition: Edition, xp: Arrays) -> None:
        self.xp = xp
        self.tables = tables = turn_tables(edition)
        self.start = tables.start()
        self.gold_start = tables.start(bool(edition.golden_die))  # the same where there is no golden die
        signs = [face.sign for face in edition.faces]
        sides = [signs.index(face.sign) for face in edition.golden_die for _ in range(face.sides)]
        dead_slot = tables.ones * 2 * (tables.max_total + 1)
        # Per state: where the value of stopping stands, and that of a bust before or after a round worm was earned.
        self.slot, self.dead_slot = xp.asarray(tables.slot, xp.int32), xp.asarray(dead_slot, xp.int32)
        # (states, faces, white dice + 1, golden dice + 1): the state after keeping so many of a face.
        self.child_of = xp.asarray(_children(tables), xp.int64)
        self.face_open = xp.asarray(tables.mask[:, None] >> np.arange(len(signs)) & 1 == 0, xp.bool)
        self.dice_left = xp.asarray(tables.white, xp.int64)
        self.gold_left = xp.asarray(tables.gold, xp.int64)
        self.gold_faces = xp.asarray(sides or [0], xp.int64)  # the golden die's sides


def _children(tables: TurnTables) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    parent = np.repeat(np.arange(tables.states), np.diff(tables.edge_first))
    white = tables.white[parent] - tables.white[tables.edge_child]
    gold = tables.gold[parent] - tables.gold[tables.edge_child]
    found = np.full((tables.states, len(tables.faces), tables.dice + 1, 2), -1)
    found[parent, tables.edge_face, white, gold] = tables.edge_child
    return found


@dataclass
class BackedUp:
    """What states are worth, (states, seats, batch) each."""

    value: Array  # after a keep: the better of stopping and rolling; for a turn with the weasel: it has been used
    roll: Array | None = None  # before the dice fall, where the weasel asks for it
    unused: Array | None = None  # as `value`, the weasel not used yet


def solve(graph: TurnGraph, stop: Array, kinds: Array | None = None) -> BackedUp:
    """Values of all states from the values of stopping, (slots, seats, batch). `kinds`: see `Batch.kinds`."""
    if graph.xp.on_gpu:
        from pickomino.training.backup_triton import solve_on_gpu

        return solve_on_gpu(graph, stop, kinds)
    return solve_plain(graph, stop, kinds)


def best(graph: TurnGraph, stop: Array) -> Array:
    """What turns are worth to the seat to act, (batch,), from the values of stopping, (slots, batch)."""
    if graph.xp.on_gpu:
        from pickomino.training.best_triton import best_on_gpu

        return best_on_gpu(graph, stop)
    return solve_plain(graph, stop[:, None]).value[graph.start, 0]


def solve_plain(graph: TurnGraph, stop: Array, kinds: Array | None = None) -> BackedUp:
    """Roll by roll with gathers; runs anywhere, and is what the GPU kernel is compared with."""
    value, roll = _layer(graph, stop, None)
    if kinds is None:
        return BackedUp(value)
    return BackedUp(value, roll, _layer(graph, stop, roll)[0])


def _layer(graph: TurnGraph, stop: Array, floor: Array | None) -> tuple[Array, Array]:
    """`floor`: what the player may have instead of a roll's options, (states, seats, batch)."""
    xp = graph.xp
    value, busts = stop[graph.slot], stop[graph.dead_slot]
    roll = xp.zeros_like(value)

    def better(one: Array, other: Array) -> Array:
        """Whichever seat 0 likes more."""
        return xp.where(other[..., :1, :] > one[..., :1, :], other, one)

    for pattern in reversed(graph.tables.patterns):
        here = pattern.states
        keep = value[xp.asarray(pattern.children, xp.int64)]  # (edges, states, seats, batch)
        # (outcomes, states, …) each.
        options = (keep[edges] for edges in xp.asarray(pattern.options, xp.int64))
        best, dead = reduce(better, options), busts[here]
        if floor is not None:
            best, dead = better(best, floor[here]), better(dead, floor[here])
        rolled = xp.tensordot(xp.asarray(pattern.prob, stop.dtype), best, 1) + pattern.dead_prob * dead
        onward = rolled[:, :1] > value[here, :1]
        for start in (graph.start, graph.gold_start):
            if here.start <= start < here.stop:
                onward[start - here.start] = True  # nothing kept yet: rolling is no choice
        roll[here] = rolled
        value[here] = xp.where(onward, rolled, value[here])
    return value, roll
