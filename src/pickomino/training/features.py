"""What a net sees of a table, and the net itself: every seat's probability to win."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from pickomino.training.table import Rules, Table

__all__ = ["WinNet", "encode", "feature_count"]

_SCALARS = 3  # per seat: worms, highest tile, number of tiles


def feature_count(tiles: int, seats: int) -> int:
    """The grill, then for every seat: its tiles, its top, the tile below, and scalars."""
    return tiles + seats * (3 * tiles + _SCALARS)


def encode(table: Table, rules: Rules) -> Tensor:
    """(batch, features) in float32; seats in turn order from the one to act."""
    heights = table.heights
    owned = heights > 0
    height = heights.amax(-1, keepdim=True)
    top = owned & (heights == height)
    second = owned & (heights == height - 1)
    number = torch.arange(1, rules.tiles + 1, device=heights.device)
    scalars = torch.stack(
        (
            (owned * rules.worms).sum(-1) / 10,
            (owned * number).amax(-1) / rules.tiles,
            owned.sum(-1) / 8,
        ),
        -1,
    )
    per_seat = torch.cat((owned.float(), top.float(), second.float(), scalars), -1)
    return torch.cat((table.grill.float(), per_seat.flatten(1)), 1)


class WinNet(nn.Module):
    """A plain multilayer perceptron with residual middle layers; the output is one logit per seat."""

    def __init__(self, features: int, seats: int, width: int = 256, depth: int = 3) -> None:
        super().__init__()
        self.first = nn.Linear(features, width)
        self.middle = nn.ModuleList(nn.Linear(width, width) for _ in range(depth - 1))
        self.last = nn.Linear(width, seats)

    def forward(self, x: Tensor) -> Tensor:
        x = torch.relu(self.first(x))
        for layer in self.middle:
            x = x + torch.relu(layer(x))
        logits: Tensor = self.last(x)
        return logits
