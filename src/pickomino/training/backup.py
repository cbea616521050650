"""The exact turn solver on tensors: best play for the seat to act, and what it brings every seat.

Values have the shape (slots or states, seats, batch): the batch runs along the last axis, so that neighbouring threads
read neighbouring numbers. Seat 0 chooses; the other seats' values follow its choices. In editions with specialists a
turn may be of a special kind: with the golden die within reach, or with the weasel, which adds a second layer to the
turn, in which it has not been used yet (D8.1, D8.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor

from pickomino.compact.turn import RollPattern, TurnTables, turn_tables
from pickomino.rules.edition import Edition

__all__ = ["GOLD_TURN", "WEASEL_TURN", "Solved", "TurnGraph", "solve", "solve_plain"]

GOLD_TURN: Final = 1
WEASEL_TURN: Final = 2


@dataclass(frozen=True)
class TurnGraph:
    """The turn tables of an edition on a device."""

    slot: Tensor  # per state: where its value of stopping stands
    dead_slot: Tensor  # per state: where the value of a bust stands, before or after a round worm was earned
    golden: Tensor  # per state: 1 if only a turn with the golden die comes there
    pattern: Tensor
    edge_first: Tensor
    child: Tensor
    pattern_first: Tensor
    prob: Tensor
    depth: Tensor  # of each outcome: how many options it has
    edge: Tensor
    child_of: (
        Tensor  # (states, faces, white dice + 1, golden dice + 1): the state after keeping so many of a face
    )
    face_open: Tensor  # (states, faces): not kept yet
    dice_left: Tensor  # white ones
    gold_left: Tensor
    gold_faces: Tensor  # the golden die's sides
    tables: TurnTables
    levels: list[tuple[int, int]]  # states with 0, 1, 2 … dice left
    start: int
    gold_start: int  # with the golden die in the turn; the same where there is none

    @property
    def states(self) -> int:
        return len(self.slot)

    @property
    def max_total(self) -> int:
        return self.tables.max_total

    @property
    def patterns(self) -> tuple[RollPattern, ...]:
        return self.tables.patterns

    @staticmethod
    def build(edition: Edition, device: torch.device) -> TurnGraph:
        tables = turn_tables(edition)
        faces, totals = len(edition.faces), tables.max_total + 1

        def put(array: object, dtype: torch.dtype = torch.int32) -> Tensor:
            return torch.as_tensor(array).to(device=device, dtype=dtype)

        signs = [face.sign for face in edition.faces]
        sides = [signs.index(face.sign) for face in edition.golden_die for _ in range(face.sides)]
        return TurnGraph(
            slot=put(tables.slot),
            dead_slot=put(tables.ones * 2 * totals),
            golden=put(~_reached(tables)),
            pattern=put(tables.pattern),
            edge_first=put(tables.edge_first),
            child=put(tables.edge_child),
            pattern_first=put(tables.pattern_first),
            prob=put(tables.outcome_prob, torch.float32),
            depth=put(tables.outcome_depth),
            edge=put(tables.outcome_edge),
            child_of=put(_children(tables), torch.int64),
            face_open=put(tables.mask[:, None] >> np.arange(faces) & 1 == 0, torch.bool),
            dice_left=put(tables.white, torch.int64),
            gold_left=put(tables.gold, torch.int64),
            gold_faces=put(sides or [0], torch.int64),
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
class Solved:
    """What states are worth, (states, seats, batch) each."""

    value: Tensor  # after a keep: the better of stopping and rolling; for a turn with the weasel: it has been used
    roll: Tensor | None = None  # before the dice fall, where the weasel asks for it
    unused: Tensor | None = None  # as `value`, the weasel not used yet


def solve(graph: TurnGraph, stop: Tensor, kinds: Tensor | None = None) -> Solved:
    """Values of all states from the values of stopping, (slots, seats, batch). `kinds`: see `Table.kinds`."""
    if stop.is_cuda:
        from pickomino.training.backup_triton import solve_on_gpu

        return solve_on_gpu(graph, stop, kinds)
    return solve_plain(graph, stop, kinds)


def solve_plain(graph: TurnGraph, stop: Tensor, kinds: Tensor | None = None) -> Solved:
    """Roll by roll with gathers; runs anywhere, and is what the GPU kernel is compared with."""
    value, roll = _layer(graph, stop, None)
    if kinds is None:
        return Solved(value)
    return Solved(value, roll, _layer(graph, stop, roll)[0])


def _layer(graph: TurnGraph, stop: Tensor, floor: Tensor | None) -> tuple[Tensor, Tensor]:
    """`floor`: what the player may have instead of a roll's options, (states, seats, batch)."""
    value = stop[graph.slot.long()]
    roll = value.clone()
    busts = stop[graph.dead_slot.long()]
    for pattern in reversed(graph.patterns):
        here = pattern.states
        keep = value[torch.as_tensor(pattern.children, device=stop.device)]  # (edges, states, seats, batch)
        options = keep[torch.as_tensor(pattern.options, device=stop.device)]  # (options, outcomes, states, …)
        dead = busts[here]
        if floor is not None:
            options = torch.cat((options, floor[here].expand_as(options[:1])))
            dead = _best(torch.stack((dead, floor[here])))
        prob = torch.as_tensor(pattern.prob, dtype=stop.dtype, device=stop.device)
        rolled = torch.einsum("o,o...->...", prob, _best(options)) + pattern.dead_prob * dead
        onward = rolled[:, :1] > value[here, :1]
        for start in (graph.start, graph.gold_start):
            if here.start <= start < here.stop:
                onward[start - here.start] = True  # nothing kept yet: rolling is no choice
        roll[here] = rolled
        value[here] = torch.where(onward, rolled, value[here])
    return value, roll


def _best(options: Tensor) -> Tensor:
    """Of (options, …, seats, batch) the one that seat 0 likes best."""
    choice = options[..., :1, :].argmax(0, keepdim=True).expand(1, *options.shape[1:])
    return options.gather(0, choice)[0]
