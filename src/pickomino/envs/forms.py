"""Observations in three forms: ``flat``, ``counts`` and ``dict``; the spaces that describe them.

``flat``: one row of float32, each number divided by the largest it can be, so all lie in [0, 1].
``counts``: the same row as small integers, undivided; a quarter of the memory.
``dict``: the integers as named parts.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pickomino.compact.moves import move_table
from pickomino.envs.layout import Layout
from pickomino.rules import PickominoError

__all__ = ["Form", "Seen", "mask_space", "observation_space"]

Form: TypeAlias = Literal["flat", "counts", "dict"]
FORMS: tuple[str, ...] = ("flat", "counts", "dict")


class Seen:
    """Rows that kernels write observations and masks into, and how they are handed out."""

    def __init__(self, layout: Layout, form: Form, lanes: int) -> None:
        if form not in FORMS:
            raise PickominoError(f"observation {form!r}: expected one of {', '.join(FORMS)}")
        self.layout = layout
        self.form = form
        flat = form == "flat"
        self.rows: NDArray[Any] = np.zeros(
            (lanes, layout.size), dtype=np.float32 if flat else layout.integers
        )
        self.scale: NDArray[Any] = (
            (1 / layout.most).astype(np.float32) if flat else np.ones(layout.size, dtype=layout.integers)
        )
        self._cuts = [(part.name, layout.slices[part.name], part.shape) for part in layout.parts]
        moves = len(move_table(layout.edition))
        self.words: NDArray[np.uint64] = np.zeros((lanes, -(-moves // 8)), dtype=np.uint64)
        #: The legal moves, one byte each; the kernels write eight at a time through `words`.
        self.masks: NDArray[np.int8] = self.words.view(np.int8)[:, :moves]

    def one(self) -> Any:
        """What the only row shows: a copy that stays."""
        row = self.rows[0].copy()
        if self.form != "dict":
            return row
        return {  # `Layout.split` for one row, three times as fast
            name: row[cut] if len(shape) == 1 else row[cut].reshape(shape) for name, cut, shape in self._cuts
        }

    def all(self, copy: bool) -> Any:
        """What all rows show."""
        rows = self.rows.copy() if copy else self.rows
        return self.layout.split(rows) if self.form == "dict" else rows


def observation_space(layout: Layout, form: Form) -> spaces.Space[Any]:
    """The space of one seat's observation, without a mask."""
    if form == "flat":
        return spaces.Box(0.0, 1.0, (layout.size,), np.float32)
    if form == "counts":
        return spaces.Box(
            np.zeros(layout.size, dtype=layout.integers),
            layout.most.astype(layout.integers),
            dtype=layout.integers.type,
        )
    return spaces.Dict(
        {part.name: spaces.Box(0, part.most, part.shape, layout.integers.type) for part in layout.parts}
    )


def mask_space(layout: Layout) -> spaces.Box:
    """1 for a legal move, 0 for any other, by index of the move table."""
    return spaces.Box(0, 1, (len(move_table(layout.edition)),), np.int8)
