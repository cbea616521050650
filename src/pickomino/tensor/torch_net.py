"""The net itself: every seat's probability to win."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from pickomino.tensor import Batch, encode


class TorchNet(nn.Module):
    """A plain multilayer perceptron with residual middle layers; the output is one logit per seat.

    `family`: what it learns, and so what it sees.
    """

    def __init__(self, family: str, features: int, seats: int, width: int = 256, depth: int = 3) -> None:
        super().__init__()
        self.family = family
        self.first = nn.Linear(features, width)
        self.middle = nn.ModuleList(nn.Linear(width, width) for _ in range(depth - 1))
        self.last = nn.Linear(width, seats)

    def forward(self, x: Tensor) -> Tensor:
        x = torch.relu(self.first(x))
        for layer in self.middle:
            x = x + torch.relu(layer(x))
        logits: Tensor = self.last(x)
        return logits

    def logits(self, batch: Batch) -> Tensor:
        logits: Tensor = self(sight(self.family, batch))
        return logits

    @torch.no_grad()
    def estimate(self, batch: Batch) -> Tensor:
        """Every seat's probability to win, exact where the game is over: (batch, seats). On a GPU in half precision."""
        features = sight(self.family, batch)
        with torch.autocast("cuda", torch.float16, enabled=features.is_cuda, cache_enabled=False):
            logits = self(features)
        return torch.where(batch.over[:, None], batch.tally().shares, logits.float().softmax(-1))

    @torch.no_grad()
    def shares(self, batch: Batch) -> Tensor:
        """The same in single precision, as at the table."""
        logits = self.logits(batch)
        return torch.where(batch.over[:, None], batch.tally().shares, logits.softmax(-1))

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

    @torch.no_grad()
    def take_over(self, other: TorchNet) -> None:
        """Say what another net says that is no wider: units of our own are heard by nobody yet."""
        for index, (mine, its) in enumerate(zip(self.layers, other.layers, strict=True)):
            rows, columns = its.weight.shape
            if index:
                mine.weight[:rows, columns:] = 0
            mine.weight[:rows, :columns] = its.weight
            mine.bias[:rows] = its.bias

    @staticmethod
    def load(family: str, path: Path) -> TorchNet:
        with np.load(path) as arrays:
            return TorchNet.of(family, dict(arrays))

    @staticmethod
    def of(family: str, arrays: Mapping[str, Any]) -> TorchNet:
        """The net of such arrays."""
        count = len(arrays) // 2
        features, width = arrays["weight0"].shape
        net = TorchNet(family, features, len(arrays[f"bias{count - 1}"]), width, count - 1)
        with torch.no_grad():
            for index, layer in enumerate(net.layers):
                layer.weight.copy_(torch.as_tensor(arrays[f"weight{index}"]).T.float())
                layer.bias.copy_(torch.as_tensor(arrays[f"bias{index}"]).float())
        return net


def sight(family: str, batch: Batch) -> Tensor:
    """What a net of a family sees: (batch, features)."""
    features: Tensor = encode(batch, switches=family == "switches")
    return features
