"""The turn solver as a GPU kernel, one launch per number of dice left. Triton comes with PyTorch's CUDA builds.

A program owns one state, a block of games and one seat's values. The outcomes of a roll form a tree, written depth
first, so the parent of a node with d options is the last node before it with d - 1 options: a handful of registers
holds the best option on the way, and one comparison settles each outcome.

Where turns are of several kinds, blocks of games skip the states that none of their turns can come to: sort the
games by kind and most blocks skip most states.
"""

# mypy: ignore-errors
# Triton functions are a language of their own and are not type-checked.

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor

from pickomino.compact.turn import TurnTables
from pickomino.tensor.batch import GOLD_TURN, WEASEL_TURN
from pickomino.training.backup import BackedUp, TurnGraph

BLOCK = 128


@triton.jit
def _better(m, t, best_m, best_t):
    return tl.maximum(m, best_m), tl.where(m > best_m, t, best_t)


@triton.jit
def _level(
    stop_at,
    value_at,
    roll_at,
    kinds_at,
    slot_at,
    dead_slot_at,
    golden_at,
    pattern_at,
    edge_first_at,
    child_at,
    pattern_first_at,
    prob_at,
    depth_at,
    edge_at,
    batch,
    first_state,
    start,
    gold_start,
    SEATS: tl.constexpr,
    KINDS: tl.constexpr,  # turns are of several kinds
    UNUSED: tl.constexpr,  # the layer in which the weasel has not been used
    GOLD: tl.constexpr,
    WEASEL: tl.constexpr,
    BLOCK: tl.constexpr,
):
    state = first_state + tl.program_id(1)
    seat = tl.program_id(2)
    lane = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    there = lane < batch
    line = tl.cast(SEATS, tl.int64) * batch
    other = seat.to(tl.int64) * batch
    here = state.to(tl.int64) * line
    wanted = True
    weasels = False
    if KINDS:
        kinds = tl.load(kinds_at + lane, mask=there, other=0)
        weasels = tl.max((kinds == WEASEL).to(tl.int32)) > 0
        golden = tl.load(golden_at + state) > 0
        if UNUSED:
            wanted = weasels & (golden == 0)
        else:
            wanted = (golden == 0) | (tl.max((kinds == GOLD).to(tl.int32)) > 0)
    if wanted:
        slot = tl.load(slot_at + state).to(tl.int64)
        mine = tl.load(stop_at + slot * line + lane, mask=there, other=0.0)  # of seat 0, which chooses
        theirs = mine  # of this program's seat; where there is one seat only it is that of seat 0
        if SEATS > 1:
            theirs = tl.load(stop_at + slot * line + other + lane, mask=there, other=0.0)
        pattern = tl.load(pattern_at + state)
        if pattern >= 0:
            first = tl.load(pattern_first_at + pattern)
            count = tl.load(pattern_first_at + pattern + 1) - first
            edges = tl.load(edge_first_at + state)
            dead = tl.load(prob_at + first)
            dead_slot = tl.load(dead_slot_at + state).to(tl.int64) * line
            m0 = tl.load(stop_at + dead_slot + lane, mask=there, other=0.0)
            t0 = m0
            if SEATS > 1:
                t0 = tl.load(stop_at + dead_slot + other + lane, mask=there, other=0.0)
            floor = m0
            floor_theirs = t0
            if UNUSED:
                floor = tl.load(roll_at + here + lane, mask=there, other=0.0)
                floor_theirs = floor
                if SEATS > 1:
                    floor_theirs = tl.load(roll_at + here + other + lane, mask=there, other=0.0)
                m0, t0 = _better(m0, t0, floor, floor_theirs)
            roll = m0 * dead
            roll_theirs = t0 * dead
            m1 = mine
            m2 = mine
            m3 = mine
            m4 = mine
            m5 = mine
            t1 = mine
            t2 = mine
            t3 = mine
            t4 = mine
            t5 = mine
            for outcome in range(1, count):
                depth = tl.load(depth_at + first + outcome)
                prob = tl.load(prob_at + first + outcome)
                child = tl.load(child_at + edges + tl.load(edge_at + first + outcome)).to(tl.int64)
                m = tl.load(value_at + child * line + lane, mask=there, other=0.0)
                t = m
                if SEATS > 1:
                    t = tl.load(value_at + child * line + other + lane, mask=there, other=0.0)
                if depth == 1:
                    if UNUSED:
                        m, t = _better(m, t, floor, floor_theirs)
                    m1 = m
                    t1 = t
                elif depth == 2:
                    m, t = _better(m, t, m1, t1)
                    m2 = m
                    t2 = t
                elif depth == 3:
                    m, t = _better(m, t, m2, t2)
                    m3 = m
                    t3 = t
                elif depth == 4:
                    m, t = _better(m, t, m3, t3)
                    m4 = m
                    t4 = t
                elif depth == 5:
                    m, t = _better(m, t, m4, t4)
                    m5 = m
                    t5 = t
                else:
                    m, t = _better(m, t, m5, t5)
                roll += m * prob
                roll_theirs += t * prob
            onward = (roll > mine) | (state == start) | (state == gold_start)
            theirs = tl.where(onward, roll_theirs, theirs)
            if KINDS and not UNUSED:  # noqa: SIM102  # known when the kernel is built; the next when it runs
                if weasels:
                    tl.store(roll_at + here + other + lane, roll_theirs, mask=there)
        tl.store(value_at + here + other + lane, theirs, mask=there)


@cache
def _kernel_tables(graph: TurnGraph, dtype: torch.dtype) -> tuple[Tensor, ...]:
    """What `_level` reads, from the slots on; probabilities as exact as the values."""
    tables, xp = graph.tables, graph.xp
    arrays = (tables.pattern, tables.edge_first, tables.edge_child, tables.pattern_first)
    golden, *found = (xp.asarray(array, xp.int32) for array in (~_reached(tables), *arrays))
    prob = xp.asarray(tables.outcome_prob, dtype)
    depth, edge = (xp.asarray(array, xp.int32) for array in (tables.outcome_depth, tables.outcome_edge))
    return graph.slot, graph.dead_slot, golden, *found, prob, depth, edge


def _reached(tables: TurnTables) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """The states of a turn without the golden die; edges lead to higher numbers."""
    reached = np.zeros(tables.states, dtype=np.bool_)
    reached[tables.start()] = True
    for state in range(tables.states):
        if reached[state]:
            reached[tables.edge_child[tables.edge_first[state] : tables.edge_first[state + 1]]] = True
    return reached


def solve_on_gpu(graph: TurnGraph, stop: Tensor, kinds: Tensor | None = None) -> BackedUp:
    """As `pickomino.training.backup.solve_plain`, much faster; what no turn of a block asks for is left as it is."""
    _, seats, batch = stop.shape
    shape = (graph.tables.states, seats, batch)
    value = torch.empty(shape, dtype=stop.dtype, device=stop.device)
    if kinds is None:
        _launch(graph, stop, value, value, None, unused=False)
        return BackedUp(value)
    roll, unused = torch.empty_like(value), torch.empty_like(value)
    _launch(graph, stop, value, roll, kinds, unused=False)
    _launch(graph, stop, unused, roll, kinds, unused=True)
    return BackedUp(value, roll, unused)


def _launch(
    graph: TurnGraph, stop: Tensor, value: Tensor, roll: Tensor, kinds: Tensor | None, *, unused: bool
) -> None:
    _, seats, batch = stop.shape
    for end, first in pairwise(graph.tables.level_first.tolist()):  # states with 0, 1, 2 … dice left
        if end == first:
            continue
        _level[(triton.cdiv(batch, BLOCK), end - first, seats)](
            stop,
            value,
            roll,
            stop if kinds is None else kinds,
            *_kernel_tables(graph, stop.dtype),
            batch,
            first,
            graph.start,
            graph.gold_start,
            SEATS=seats,
            KINDS=kinds is not None,
            UNUSED=unused,
            GOLD=GOLD_TURN,
            WEASEL=WEASEL_TURN,
            BLOCK=BLOCK,
            num_warps=BLOCK // 32,
        )
