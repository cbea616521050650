"""The champion sees at the table exactly what its nets saw when they learned."""

from __future__ import annotations

import numpy as np
import pytest

from pickomino.bots.champion.features import encode
from pickomino.bots.champion.table import Table
from pickomino.compact.packed import pack
from pickomino.rules import EDITIONS, find_edition
from pickomino.tensor import Arrays, Batch, Rules, scattered
from pickomino.tensor import encode as trained
from tests.tensor.games import positions


def same(found: Batch, expected: Batch) -> None:
    for one, other in zip(found.columns(), expected.columns(), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("key", [*EDITIONS, "classic+any-lower+flip-empty"])
@pytest.mark.parametrize("seats", range(2, 8))
def test_positions_make_the_trainers_batch(key: str, seats: int) -> None:
    batch = scattered(Rules(find_edition(key), seats, Arrays(seats)), 40)
    table = Table.of(positions(batch))
    same(table.batch, batch)
    np.testing.assert_array_equal(table.final_shares(), batch.tally().shares)
    np.testing.assert_array_equal(encode(table, switches=True), trained(batch, switches=True))


@pytest.mark.parametrize("seats", [2, 5])
def test_seats_are_turned_alike(seats: int) -> None:
    """Whoever is put first: the same as when the others have moved up."""
    batch = scattered(Rules(find_edition("deluxe"), seats, Arrays(1)), 20)
    rows, moved = pack(positions(batch)), batch
    for first in range(seats):
        same(Table.packed(batch.rules.edition, rows, np.full(len(rows), first, dtype=np.int8)).batch, moved)
        moved = moved.moved_up()
    same(moved, batch)
