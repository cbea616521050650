"""The few operations that NumPy and PyTorch call differently. All others are asked of the library itself."""

from __future__ import annotations

from typing import Any, Self, TypeAlias

import numpy as np

Array: TypeAlias = Any
"""Of NumPy or of PyTorch."""


class Arrays:
    """NumPy's. See `pickomino.tensor.torch_arrays` for PyTorch's, with the same methods."""

    library: Any = np
    on_gpu = False

    def __init__(self, seed: int | None = None) -> None:
        self._generator: Any = np.random.default_rng(seed)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.library, name)

    def seeded(self, seed: int) -> Self:
        """The same with random numbers of its own."""
        return type(self)(seed)

    def asarray(self, values: Any, dtype: Any) -> Array:
        return np.asarray(values, dtype)

    def arange(self, count: int, dtype: Any = np.int64) -> Array:
        return np.arange(count, dtype=dtype)

    def empty(self, shape: tuple[int, ...], dtype: Any) -> Array:
        return np.empty(shape, dtype)

    def full(self, shape: tuple[int, ...], value: float, dtype: Any) -> Array:
        return np.full(shape, value, dtype)

    def astype(self, array: Array, dtype: Any) -> Array:
        return array.astype(dtype)

    def contiguous(self, array: Array) -> Array:
        return np.ascontiguousarray(array)

    def fill(self, array: Array, mask: Array, value: float) -> Array:
        """The array, with the value where the mask says so."""
        return np.where(mask, array.dtype.type(value), array)

    def take(self, array: Array, index: Array, axis: int = -1) -> Array:
        """Along an axis, the other axes side by side."""
        return np.take_along_axis(array, index, axis)

    def random(self, *shape: int) -> Array:
        """Uniform between 0 and 1, single precision."""
        return self._generator.random(shape, dtype=np.float32)

    def randint(self, high: int, *shape: int) -> Array:
        return self._generator.integers(high, size=shape)
