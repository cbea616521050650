"""A multilayer perceptron in NumPy with its gradient and Adam: all that the baselines need of a framework."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.rules import PickominoError

Floats: TypeAlias = NDArray[np.float32]


class Mlp:
    """Layers of rectified units and a linear last one; weights and biases in turn are its `parameters`."""

    def __init__(self, parameters: Sequence[Floats]) -> None:
        self.parameters = list(parameters)

    @classmethod
    def fresh(cls, sizes: Sequence[int], rng: np.random.Generator, last: float = 0.01) -> Self:
        """Weights by He's rule, those of the last layer `last` times as large: it begins undecided."""
        parameters: list[Floats] = []
        for index, (rows, columns) in enumerate(pairwise(sizes)):
            scale = (last if index == len(sizes) - 2 else 1.0) * np.sqrt(2 / rows)
            weight = rng.standard_normal((rows, columns)) * scale
            parameters += [weight.astype(np.float32), np.zeros(columns, dtype=np.float32)]
        return cls(parameters)

    @classmethod
    def load(cls, path: Path) -> Self:
        try:
            with np.load(path) as arrays:
                return cls([arrays[f"arr_{index}"].astype(np.float32) for index in range(len(arrays))])
        except (OSError, ValueError, KeyError) as error:
            raise PickominoError(f"weights {str(path)!r}: {error}") from None

    def save(self, path: Path) -> None:
        """In half precision: 80 kB for a policy of classic."""
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, *[part.astype(np.float16) for part in self.parameters])

    def copy(self) -> Self:
        return type(self)([part.copy() for part in self.parameters])

    def forward(self, x: Floats) -> Floats:
        return self.layers(x)[-1]

    def layers(self, x: Floats) -> list[Floats]:
        """What goes into every layer, and last what comes out: what `gradient` goes back through."""
        layers = [x]
        for index in range(0, len(self.parameters), 2):
            if index:
                np.maximum(x, 0, out=x)
            x = layers[-1] @ self.parameters[index]
            x += self.parameters[index + 1]
            layers.append(x)
        return layers

    def gradient(self, layers: list[Floats], slope: Floats) -> list[Floats]:
        """How a loss changes with the parameters, given how it changes with the output."""
        found: list[Floats] = []
        for index in range(len(self.parameters) - 2, -1, -2):
            x = layers[index // 2]
            found += [slope.sum(axis=0), x.T @ slope]
            if index:
                slope = slope @ self.parameters[index].T
                slope *= x > 0
        return found[::-1]


def minibatches(rng: np.random.Generator, count: int, epochs: int, size: int) -> Iterator[NDArray[np.int64]]:
    """Every index once in each epoch, in a new order, so many at a time."""
    for _ in range(epochs):
        order = rng.permutation(count)
        for first in range(0, count, size):
            yield order[first : first + size]


class Adam:
    """Adam (Kingma and Ba) with the gradient cut to a length; moves the parameters in place."""

    def __init__(self, parameters: Sequence[Floats], most: float = 0.5) -> None:
        self._parameters, self._most, self._steps = parameters, most, 0
        self._mean = [np.zeros_like(part) for part in parameters]
        self._square = [np.zeros_like(part) for part in parameters]

    def step(self, gradient: Sequence[Floats], rate: float) -> None:
        length = np.sqrt(sum(float(np.vdot(part, part)) for part in gradient))
        scale = np.float32(min(1.0, self._most / (length + 1e-8)))
        self._steps += 1
        rate *= np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        for part, slope, mean, square in zip(
            self._parameters, gradient, self._mean, self._square, strict=True
        ):
            slope *= scale
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope * slope - square)
            part -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-8))
