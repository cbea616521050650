"""What a net sees of a table, and the net itself: every seat's probability to win."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from pickomino.training.batch import Rules, Table, highest_tiles
from pickomino.training.deluxe import DeluxeTable
from pickomino.training.table import ClassicTable

__all__ = ["WinNet", "encode"]


def encode(table: Table, rules: Rules) -> Tensor:
    """(batch, features) in float32; seats in turn order from the one to act.

    First what is or is not: the grill, what else belongs to nobody, then for every seat its tiles, those on top, second
    and third. Then numbers in the same order. Zeros fill the row to a multiple of 16, which GPUs like.
    """
    heights = table.heights
    owned = heights > 0
    depth = heights.amax(-1, keepdim=True) + 1 - heights  # 1 on top
    scores = table.scores(rules)
    marks, numbers = [table.grill], [(table.grill.float() @ rules.worms)[:, None] / 10]
    per_seat = [owned, *(owned & (depth == place) for place in (1, 2, 3))]
    seat_numbers = [
        (1 / depth.float()).masked_fill(~owned, 0),
        torch.stack(
            (
                scores / 10,
                _lead(scores) / 10,
                table.shares(rules),
                highest_tiles(rules, heights) / rules.tiles,
                owned.sum(-1, dtype=torch.int8) / 8,
            ),
            -1,
        ),
    ]
    if isinstance(table, DeluxeTable):
        _add_specialists(table, rules, marks, numbers, per_seat, seat_numbers)
    elif isinstance(table, ClassicTable) and rules.family == "switches":
        marks.append(table.switches)
    marks.append(torch.cat(per_seat, -1).flatten(1))
    numbers.append(torch.cat(seat_numbers, -1).flatten(1))
    features = torch.cat((torch.cat(marks, 1).float(), *numbers), 1)
    return pad(features, (0, -features.shape[1] % 16))


def _lead(scores: Tensor) -> Tensor:
    """Each seat's score less the best of the others'."""
    best, first = scores.max(-1, keepdim=True)
    leads = torch.arange(scores.shape[1], device=scores.device) == first
    second = scores.masked_fill(leads, -1).amax(-1, keepdim=True)
    return scores - torch.where(leads, second, best)


def _add_specialists(
    table: DeluxeTable,
    rules: Rules,
    marks: list[Tensor],
    numbers: list[Tensor],
    per_seat: list[Tensor],
    seat_numbers: list[Tensor],
) -> None:
    tiles, place = rules.tiles, table.place
    number = torch.arange(tiles, dtype=torch.int8, device=place.device)
    supply = rules.edition.round_worms - table.round_worms.sum(-1, keepdim=True, dtype=torch.int8)
    marks += [(place[..., None] == number).flatten(1), place < 0, supply == 0]
    numbers.append(supply / 7)
    seat = tiles + torch.arange(rules.seats, dtype=torch.int8, device=place.device)
    per_seat.append(place[:, None, :] == seat[:, None])
    seat_numbers.append(table.round_worms[..., None] / 7)


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

    @property
    def layers(self) -> list[nn.Linear]:
        return [self.first, *self.middle, self.last]

    def arrays(self) -> dict[str, Any]:
        """The weights as NumPy arrays in half precision, inputs along the first axis."""
        found = {}
        for index, layer in enumerate(self.layers):
            found[f"weight{index}"] = layer.weight.detach().T.half().cpu().numpy()
            found[f"bias{index}"] = layer.bias.detach().half().cpu().numpy()
        return found

    @staticmethod
    def of(arrays: Mapping[str, Any]) -> WinNet:
        """The net of such arrays."""
        count = len(arrays) // 2
        features, width = arrays["weight0"].shape
        net = WinNet(features, len(arrays[f"bias{count - 1}"]), width, count - 1)
        with torch.no_grad():
            for index, layer in enumerate(net.layers):
                layer.weight.copy_(torch.as_tensor(arrays[f"weight{index}"]).T.float())
                layer.bias.copy_(torch.as_tensor(arrays[f"bias{index}"]).float())
        return net
