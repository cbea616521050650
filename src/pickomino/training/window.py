"""Turns of all games in the order they were played, and what each of them was worth in the end."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from pickomino.tensor import Batch


@dataclass
class Window:
    """So many turns of every game, written row by row."""

    batch: Batch  # (turns * batch, …): before the turn
    backed: Tensor  # (turns, batch, seats): what the turn was worth by the estimates of its endings
    worth: Tensor  # (turns, batch, seats): the estimate of the ending that the dice brought
    cut: Tensor  # (turns, batch): the game ended, or the turn was not played for the best
    order: Tensor  # (turns, batch): how the games were put in order for the next turn

    @staticmethod
    def room(turns: int, batch: Batch) -> Window:
        many = batch.map(lambda column: column.repeat(turns, *[1] * (column.ndim - 1)))
        shares = torch.zeros(turns, len(batch), batch.rules.seats, device=batch.grill.device)
        marks = torch.zeros(turns, len(batch), dtype=torch.bool, device=shares.device)
        return Window(many, shares, shares.clone(), marks, marks.long())

    def write(self, at: Tensor, batch: Batch, *parts: Tensor) -> None:
        """The turn number `at`; the parts in the order of the fields."""
        turns = len(self.backed)
        for column, new in zip(self.batch.columns(), batch.columns(), strict=True):
            column.view(turns, len(column) // turns, *column.shape[1:]).index_copy_(0, at, new[None])
        for mine, new in zip((self.backed, self.worth, self.cut, self.order), parts, strict=True):
            mine.index_copy_(0, at, new[None])

    def take_over(self, other: Window) -> None:
        self.batch.write(other.batch)
        for name in ("backed", "worth", "cut", "order"):
            getattr(self, name).copy_(getattr(other, name))

    def goals(self, trace: float) -> Tensor:
        """What every turn was worth, from the last one back: (turns, batch, seats).

        Backed up + trace * (what the next turn was worth - what its start was estimated at): with a trace of 1, what
        came of the game with the luck of the dice taken out. Where a game ended, or a turn was not played for the best,
        nothing comes back.
        """
        goals = self.backed.clone()
        for at in range(len(goals) - 2, -1, -1):
            later = torch.empty_like(goals[at]).index_copy_(0, self.order[at], goals[at + 1])
            correction = later.roll(1, -1) - self.worth[at]  # the next seat's view, seen from this one
            goals[at] += trace * correction.masked_fill(self.cut[at][:, None], 0.0)
        return goals
