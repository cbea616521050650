"""The turn solver for one seat's values as a GPU kernel: what best play brings the seat to act, and nothing else.

As `backup_triton`, with several turns per thread: what an outcome is and where its child stands is read once for all of
them, and that reading is most of the work. Small games are solved with it (`sweeping`).
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

from pickomino.training.backup import TurnGraph

WARPS = 4
BLOCK = {torch.float32: 1024, torch.float64: 512}
"""Turns per program; of 256, 512 and 1,024 the fastest on an H200: 22.5 and 14.9 million turns per second."""


@triton.jit(do_not_specialize=["first_state"])
def _best_level(
    stop_at,
    value_at,
    slot_at,
    dead_slot_at,
    first_at,
    node_at,
    prob_at,
    batch,
    first_state,
    start,
    BLOCK: tl.constexpr,
):
    state = first_state + tl.program_id(1)
    lane = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    line = tl.cast(batch, tl.int64)
    value = tl.load(stop_at + tl.load(slot_at + state) * line + lane)
    first = tl.load(first_at + state)
    last = tl.load(first_at + state + 1)
    if last > first:
        bust = tl.load(stop_at + tl.load(dead_slot_at + state) * line + lane)
        roll = bust * tl.load(prob_at + first)
        m1 = bust
        m2 = bust
        m3 = bust
        m4 = bust
        m5 = bust
        for outcome in range(first + 1, last):
            node = tl.load(node_at + outcome)
            depth = node & 7  # see `_flat`
            m = tl.load(value_at + (node >> 3) * line + lane)
            if depth == 1:
                m1 = m
            elif depth == 2:
                m = tl.maximum(m, m1)
                m2 = m
            elif depth == 3:
                m = tl.maximum(m, m2)
                m3 = m
            elif depth == 4:
                m = tl.maximum(m, m3)
                m4 = m
            elif depth == 5:
                m = tl.maximum(m, m4)
                m5 = m
            else:
                m = tl.maximum(m, m5)
            roll += m * tl.load(prob_at + outcome)
        value = tl.where((roll > value) | (state == start), roll, value)
    tl.store(value_at + state.to(tl.int64) * line + lane, value)


@cache
def _flat(graph: TurnGraph, dtype: torch.dtype) -> tuple[Tensor, ...]:
    """First node per state; per node the child's number and the depth, which is at most 6, in one; its probability."""
    tables, xp = graph.tables, graph.xp
    rolls = np.flatnonzero(tables.pattern >= 0)
    begins = tables.pattern_first[tables.pattern[rolls]]
    counts = np.zeros(tables.states, dtype=np.int64)
    counts[rolls] = tables.pattern_first[tables.pattern[rolls] + 1] - begins
    first = np.concatenate([[0], np.cumsum(counts)])
    outcome = np.arange(first[-1]) + np.repeat(begins - first[rolls], counts[rolls])
    edge = np.repeat(tables.edge_first[rolls], counts[rolls]) + np.maximum(tables.outcome_edge[outcome], 0)
    node = tables.edge_child[edge] << 3 | tables.outcome_depth[outcome]
    return (
        *(xp.asarray(array, xp.int32) for array in (graph.slot, graph.dead_slot, first, node)),
        xp.asarray(tables.outcome_prob[outcome], dtype),
    )


def best_on_gpu(graph: TurnGraph, stop: Tensor) -> Tensor:
    """As `pickomino.training.backup.best`."""
    block = BLOCK[stop.dtype]
    turns = stop.shape[-1]
    batch = triton.cdiv(turns, block) * block
    # Whole blocks are read four values at a time.
    stop = torch.nn.functional.pad(stop, (0, batch - turns)).contiguous()
    value = torch.empty((graph.tables.states, batch), dtype=stop.dtype, device=stop.device)
    for end, first in pairwise(graph.tables.level_first.tolist()):  # states with 0, 1, 2 … dice left
        if end > first:
            _best_level[(batch // block, end - first)](
                stop,
                value,
                *_flat(graph, stop.dtype),
                batch,
                first,
                graph.start,
                BLOCK=block,
                num_warps=WARPS,
            )
    return value[graph.start, :turns]
