"""PyTorch as `pickomino.tensor` calls it, on one device."""

from __future__ import annotations

from typing import Any

import torch

from pickomino.tensor.arrays import Array, Arrays


class TorchArrays(Arrays):
    """Without a seed the random numbers are those of PyTorch's own generator, which a recorded step goes on with."""

    library = torch

    def __init__(self, device: torch.device, seed: int | None = None) -> None:
        self.device = device
        self.on_gpu = device.type == "cuda"
        self._generator = None if seed is None else torch.Generator(device).manual_seed(seed)

    def seeded(self, seed: int) -> TorchArrays:
        return TorchArrays(self.device, seed)

    def asarray(self, values: Any, dtype: Any) -> Array:
        return torch.as_tensor(values, dtype=dtype, device=self.device)

    def arange(self, count: int, dtype: Any = torch.int64) -> Array:
        return torch.arange(count, dtype=dtype, device=self.device)

    def empty(self, shape: tuple[int, ...], dtype: Any) -> Array:
        return torch.empty(shape, dtype=dtype, device=self.device)

    def full(self, shape: tuple[int, ...], value: float, dtype: Any) -> Array:
        return torch.full(shape, value, dtype=dtype, device=self.device)

    def astype(self, array: Array, dtype: Any) -> Array:
        return array.to(dtype)

    def contiguous(self, array: Array) -> Array:
        return array.contiguous()

    def fill(self, array: Array, mask: Array, value: float) -> Array:
        return array.masked_fill(mask, value)

    def take(self, array: Array, index: Array, axis: int = -1) -> Array:
        return torch.take_along_dim(array, index, axis)

    def random(self, *shape: int) -> Array:
        return torch.rand(shape, generator=self._generator, device=self.device)

    def randint(self, high: int, *shape: int) -> Array:
        return torch.randint(high, shape, generator=self._generator, device=self.device)
