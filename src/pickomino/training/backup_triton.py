"""The turn solver as a GPU kernel, one launch per number of dice left. Triton comes with PyTorch's CUDA builds.

A program owns one state, a block of games and one seat's values. The outcomes of a roll form a tree, written depth
first, so the parent of a node with d options is the last node before it with d - 1 options: a handful of registers
holds the best option on the way, and one comparison settles each outcome.
"""

# mypy: ignore-errors
# Triton functions are a language of their own and are not type-checked.

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from pickomino.training.backup import TurnGraph

__all__ = ["solve_on_gpu"]

BLOCK = 128


@triton.jit
def _level(
    stop_at,
    value_at,
    slot_at,
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
    SEATS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    state = first_state + tl.program_id(1)
    seat = tl.program_id(2)
    lane = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    there = lane < batch
    line = tl.cast(SEATS, tl.int64) * batch
    other = seat.to(tl.int64) * batch
    slot = tl.load(slot_at + state).to(tl.int64)
    mine = tl.load(stop_at + slot * line + lane, mask=there, other=0.0)  # of seat 0, which chooses
    theirs = tl.load(stop_at + slot * line + other + lane, mask=there, other=0.0)  # of this program's seat
    pattern = tl.load(pattern_at + state)
    if pattern >= 0:
        first = tl.load(pattern_first_at + pattern)
        count = tl.load(pattern_first_at + pattern + 1) - first
        edges = tl.load(edge_first_at + state)
        dead = tl.load(prob_at + first)
        roll = tl.load(stop_at + lane, mask=there, other=0.0) * dead
        roll_theirs = tl.load(stop_at + other + lane, mask=there, other=0.0) * dead
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
            t = tl.load(value_at + child * line + other + lane, mask=there, other=0.0)
            if depth == 1:
                m1 = m
                t1 = t
            elif depth == 2:
                t = tl.where(m > m1, t, t1)
                m = tl.maximum(m, m1)
                m2 = m
                t2 = t
            elif depth == 3:
                t = tl.where(m > m2, t, t2)
                m = tl.maximum(m, m2)
                m3 = m
                t3 = t
            elif depth == 4:
                t = tl.where(m > m3, t, t3)
                m = tl.maximum(m, m3)
                m4 = m
                t4 = t
            elif depth == 5:
                t = tl.where(m > m4, t, t4)
                m = tl.maximum(m, m4)
                m5 = m
                t5 = t
            else:
                t = tl.where(m > m5, t, t5)
                m = tl.maximum(m, m5)
            roll += m * prob
            roll_theirs += t * prob
        theirs = tl.where((roll > mine) | (state == start), roll_theirs, theirs)
    tl.store(value_at + state.to(tl.int64) * line + other + lane, theirs, mask=there)


def solve_on_gpu(graph: TurnGraph, stop: Tensor) -> Tensor:
    """As `pickomino.training.backup.solve_plain`, much faster."""
    _, seats, batch = stop.shape
    stop = stop.contiguous()
    value = torch.empty(graph.states, seats, batch, device=stop.device)
    for first, end in graph.levels:
        _level[(triton.cdiv(batch, BLOCK), end - first, seats)](
            stop,
            value,
            graph.slot,
            graph.pattern,
            graph.edge_first,
            graph.child,
            graph.pattern_first,
            graph.prob,
            graph.depth,
            graph.edge,
            batch,
            first,
            graph.start,
            SEATS=seats,
            BLOCK=BLOCK,
            num_warps=BLOCK // 32,
        )
    return value
