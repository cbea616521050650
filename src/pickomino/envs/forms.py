"""Observations in three forms: ``flat``, ``counts`` and ``dict``; the spaces that describe them.

``flat``: one row of float32, each number divided by the largest it can be, so all lie in [0, 1].
``counts``: the same row as small integers, undivided; a quarter of the memory.
``dict``: the integers as named parts, and the legal moves as ``action_mask``.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pickomino.compact.moves import move_table
from pickomino.envs.layout import Layout
from pickomino.rules import PickominoError

Form: TypeAlias = Literal["flat", "counts", "dict"]
FORMS: Final = get_args(Form)


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
        self._see_masks()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._see_masks()

    @property
    def sight(self) -> tuple[NDArray[Any], ...]:
        """What the kernel writes by."""
        return self.layout.offsets, self.scale, self.rows, self.words

    def _see_masks(self) -> None:
        """A copy of a view is one no more: whoever copies this looks at its own words again."""
        moves = len(move_table(self.layout.edition))
        #: The legal moves, one byte each; the kernels write eight at a time through `words`.
        self.masks: NDArray[np.int8] = self.words.view(np.int8)[:, :moves]

    def one(self, lane: int = 0, *, masked: bool = True) -> Any:
        """What one row shows: a copy that stays. A dictionary has its mask beside the parts, or not."""
        row = self.rows[lane].copy()
        if self.form != "dict":
            return row
        parts = {  # `Layout.split` for one row, three times as fast
            name: row[cut] if len(shape) == 1 else row[cut].reshape(shape) for name, cut, shape in self._cuts
        }
        return parts | {"action_mask": self.masks[lane].copy()} if masked else parts

    def all(self, copy: bool) -> Any:
        """What all rows show."""
        rows = self.rows.copy() if copy else self.rows
        if self.form != "dict":
            return rows
        return self.layout.split(rows) | {"action_mask": self.masks.copy() if copy else self.masks}


def observation_space(layout: Layout, form: Form, *, masked: bool = True) -> spaces.Space[Any]:
    """The space of one seat's observation; that of dictionaries has a mask, or not."""
    if form == "flat":
        return spaces.Box(0.0, 1.0, (layout.size,), np.float32)
    if form == "counts":
        return spaces.Box(
            np.zeros(layout.size, dtype=layout.integers),
            layout.most.astype(layout.integers),
            dtype=layout.integers.type,
        )
    parts: dict[str, spaces.Space[Any]] = {
        part.name: spaces.Box(0, part.most, part.shape, layout.integers.type) for part in layout.parts
    }
    return spaces.Dict(parts | {"action_mask": mask_space(layout)} if masked else parts)


def mask_space(layout: Layout) -> spaces.Box:
    """1 for a legal move, 0 for any other, by index of the move table."""
    return spaces.Box(0, 1, (len(move_table(layout.edition)),), np.int8)
