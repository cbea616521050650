"""What a net sees of a table: the trainer's features, from the trainer's source."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.champion.table import Table
from pickomino.compact.switches import switch_bits
from pickomino.tensor import features

__all__ = ["encode", "switch_bits"]


def encode(table: Table, *, switches: bool = False) -> NDArray[np.float32]:
    """(tables, features), see `pickomino.tensor.features`."""
    found: NDArray[np.float32] = features.encode(table.batch, switches=switches)
    return found
