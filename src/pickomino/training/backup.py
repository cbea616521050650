"""The exact turn solver on arrays: best play for the seat to act, and what it brings every seat.

Values have the shape (slots or states, seats, batch): the batch runs along the last axis, so that neighbouring threads
read neighbouring numbers. Seat 0 chooses; the other seats' values follow its choices. In editions with specialists a
turn may be of another kind: with the golden die within reach, or with the weasel, which adds a second layer to the
turn, in which it has not been used yet (D8.1, D8.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from pickomino.compact.turn import TurnTables, turn_tables
from pickomino.rules.edition import Edition
from pickomino.tensor import Array, Arrays

__all__ = ["BackedUp", "TurnGraph", "solve", "solve_plain"]


@dataclass(frozen=True)
class TurnGraph:
    """The turn tables of an edition on a device."""

    xp: Arrays
    slot: Array  # per state: where its value of stopping stands
    dead_slot: Array  # per state: where the value of a bust stands, before or after a round worm was earned
    golden: Array  # per state: 1 if only a turn with the golden die comes there
    pattern: Array
    edge_first: Array
    child: Array
    pattern_first: Array
    prob: Array
    depth: Array  # of each outcome: how many options it has
    edge: Array
    child_of: Array  # (states, faces, white dice + 1, golden dice + 1): after keeping so many of a face
    face_open: Array  # (states, faces): not kept yet
    dice_left: Array  # white ones
    gold_left: Array
    gold_faces: Array  # the golden die's sides
    tables: TurnTables
    levels: list[tuple[int, int]]  # states with 0, 1, 2 … dice left
    start: int
    gold_start: int  # with the golden die in the turn; the same where there is none

    @staticmethod
    def build(edition: Edition, xp: Arrays) -> TurnGraph:
        tables = turn_tables(edition)
        faces, totals = len(edition.faces), tables.max_total + 1

        def put(array: Any, dtype: Any = xp.int32) -> Array:
            return xp.asarray(array, dtype)

        signs = [face.sign for face in edition.faces]
        sides = [signs.index(face.sign) for face in edition.golden_die for _ in range(face.sides)]
        return TurnGraph(
            xp=xp,
            slot=put(tables.slot),
            dead_slot=put(tables.ones * 2 * totals),
            golden=put(~_reached(tables)),
            pattern=put(tables.pattern),
            edge_first=put(tables.edge_first),
            child=put(tables.edge_child),
            pattern_first=put(tables.pattern_first),
            prob=put(tables.outcome_prob, xp.float32),
            depth=put(tables.outcome_depth),
            edge=put(tables.outcome_edge),
            child_of=put(_children(tables), xp.int64),
            face_open=put(tables.mask[:, None] >> np.arange(faces) & 1 == 0, xp.bool),
            dice_left=put(tables.white, xp.int64),
            gold_left=put(tables.gold, xp.int64),
            gold_faces=put(sides or [0], xp.int64),
            tables=tables,
            levels=list(zip(tables.level_first[1:].tolist(), tables.level_first[:-1].tolist(), strict=True)),
            start=tables.start(),
            gold_start=tables.start(bool(edition.golden_die)),
        )


def _reached(tables: TurnTables) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """The states of a turn without the golden die; edges lead to higher numbers."""
    reached = np.zeros(tables.states, dtype=np.bool_)
    reached[tables.start()] = True
    for state in range(tables.states):
        if reached[state]:
            reached[tables.edge_child[tables.edge_first[state] : tables.edge_first[state + 1]]] = True
    return reached


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
        options = (keep[edges] for edges in xp.asarray(pattern.options, xp.int64))  # (outcomes, states, …) each
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
