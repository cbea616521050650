"""The champion sees at the table exactly what its nets saw when they learned."""

from __future__ import annotations

import numpy as np
import pytest

from pickomino.compact.packed import pack
from pickomino.rules import EDITIONS, find_edition
from pickomino.tensor import Arrays, Batch, Rules, batch_of, packed_batch, scattered
from tests.tensor.games import positions


def same(found: Batch, expected: Batch) -> None:
    for one, other in zip(found.columns(), expected.columns(), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "key", [*EDITIONS, "classic+any-lower+flip-empty", "deluxe+any-lower+fast+flip-empty"]
)
@pytest.mark.parametrize("seats", range(2, 8))
def test_positions_make_the_trainers_batch(key: str, seats: int) -> None:
    batch = scattered(Rules(find_edition(key), seats, Arrays(seats)), 40)
    same(batch_of(positions(batch)), batch)


@pytest.mark.parametrize("seats", [2, 5])
def test_seats_are_turned_alike(seats: int) -> None:
    """Whoever is put first: the same as when the others have moved up."""
    batch = scattered(Rules(find_edition("deluxe"), seats, Arrays(1)), 20)
    rows, moved = pack(positions(batch)), batch
    for first in range(seats):
        same(packed_batch(batch.rules.edition, rows, np.full(len(rows), first, dtype=np.int8)), moved)
        moved = moved.moved_up()
    same(moved, batch)
