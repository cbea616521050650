"""The exact turn solver on tensors: best play for the seat to act, and what it brings every seat.

Values have the shape (slots or states, seats, batch): the batch runs along the last axis, so that neighbouring threads
read neighbouring numbers. Seat 0 chooses; the other seats' values follow its choices.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from pickomino.compact.turn import RollPattern, turn_tables
from pickomino.rules.edition import Edition

__all__ = ["TurnGraph", "solve", "solve_plain"]


@dataclass(frozen=True)
class TurnGraph:
    """The turn tables of an edition on a device."""

    slot: Tensor  # per state: where its value of stopping stands
    pattern: Tensor
    edge_first: Tensor
    child: Tensor
    pattern_first: Tensor
    prob: Tensor
    depth: Tensor  # of each outcome: how many options it has
    edge: Tensor
    child_of: Tensor  # (states, faces, dice + 1): the state after keeping so many dice of a face
    face_open: Tensor  # (states, faces): not kept yet
    dice_left: Tensor
    patterns: tuple[RollPattern, ...]
    max_total: int
    levels: list[tuple[int, int]]  # states with 0, 1, 2 … dice left
    start: int

    @property
    def states(self) -> int:
        return len(self.slot)

    @staticmethod
    def build(edition: Edition, device: torch.device) -> TurnGraph:
        tables = turn_tables(edition)
        faces = len(edition.faces)

        def put(array: object, dtype: torch.dtype = torch.int32) -> Tensor:
            return torch.as_tensor(array).to(device=device, dtype=dtype)

        state_of_edge = torch.repeat_interleave(
            torch.arange(tables.states), torch.as_tensor(tables.edge_first).diff()
        )
        child_of = torch.full((tables.states, faces, edition.dice + 1), -1)
        child_of[state_of_edge, torch.as_tensor(tables.edge_face), torch.as_tensor(tables.edge_count)] = (
            torch.as_tensor(tables.edge_child)
        )
        mask = torch.as_tensor(tables.mask)
        return TurnGraph(
            slot=put(tables.slot),
            pattern=put(tables.pattern),
            edge_first=put(tables.edge_first),
            child=put(tables.edge_child),
            pattern_first=put(tables.pattern_first),
            prob=put(tables.outcome_prob, torch.float32),
            depth=put(tables.outcome_depth),
            edge=put(tables.outcome_edge),
            child_of=put(child_of, torch.int64),
            face_open=put(mask[:, None] >> torch.arange(faces) & 1 == 0, torch.bool),
            dice_left=put(tables.white, torch.int64),
            patterns=tables.patterns,
            max_total=tables.max_total,
            levels=list(zip(tables.level_first[1:].tolist(), tables.level_first[:-1].tolist(), strict=True)),
            start=tables.start(),
        )


def solve(graph: TurnGraph, stop: Tensor) -> Tensor:
    """Values of every state, (states, seats, batch), from the values of stopping, (slots, seats, batch).

    Slot 0 is the bust: the value of stopping with nothing kept.
    """
    if stop.is_cuda:
        from pickomino.training.backup_triton import solve_on_gpu

        return solve_on_gpu(graph, stop)
    return solve_plain(graph, stop)


def solve_plain(graph: TurnGraph, stop: Tensor) -> Tensor:
    """Roll by roll with gathers; runs anywhere, and is what the GPU kernel is compared with."""
    value = stop[graph.slot.long()]  # (states, seats, batch)
    bust = stop[0]
    for pattern in reversed(graph.patterns):
        here = pattern.states
        keep = value[torch.as_tensor(pattern.children, device=stop.device)]  # (edges, states, seats, batch)
        options = keep[torch.as_tensor(pattern.options, device=stop.device)]  # (options, outcomes, states, …)
        choice = options[..., :1, :].argmax(0, keepdim=True).expand(1, *options.shape[1:])
        best = options.gather(0, choice)[0]
        prob = torch.as_tensor(pattern.prob, dtype=stop.dtype, device=stop.device)
        rolled = torch.einsum("o,o...->...", prob, best) + pattern.dead_prob * bust
        onward = rolled[:, :1] > value[here, :1]
        if here.start <= graph.start < here.stop:
            onward[graph.start - here.start] = True  # nothing kept yet: rolling is no choice
        value[here] = torch.where(onward, rolled, value[here])
    return value
