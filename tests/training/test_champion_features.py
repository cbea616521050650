"""The champion sees at the table exactly what its nets saw when they learned. Needs PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from pickomino.bots.champion.features import encode  # noqa: E402
from pickomino.bots.champion.net import WinNet  # noqa: E402
from pickomino.bots.champion.table import Table  # noqa: E402
from pickomino.compact.packed import pack  # noqa: E402
from pickomino.rules import find_edition  # noqa: E402
from pickomino.training import features  # noqa: E402
from pickomino.training.batch import Rules  # noqa: E402
from pickomino.training.deluxe import DeluxeTable  # noqa: E402
from pickomino.training.families import scattered  # noqa: E402
from tests.training.test_training import CPU, positions  # noqa: E402

FAMILY_OF = {
    "classic": "classic",
    "classic+any-lower+flip-empty": "switches",
    "summary": "switches",
    "course": "switches",
    "deluxe": "deluxe",
    "extrawurm": "deluxe",
}


@pytest.mark.parametrize("key", FAMILY_OF)
@pytest.mark.parametrize("seats", range(2, 8))
def test_both_encoders_say_the_same(key: str, seats: int) -> None:
    torch.manual_seed(seats)
    family = FAMILY_OF[key]
    rules = Rules(find_edition(key), seats, CPU, family)
    table = scattered(rules, 60)
    expected = features.encode(table, rules).numpy()
    found = Table.of(positions(table, rules))
    np.testing.assert_allclose(encode(found, switches=family == "switches"), expected, rtol=0, atol=0)
    np.testing.assert_allclose(found.final_shares(), table.shares(rules).numpy(), rtol=0, atol=0)


def test_classic_as_one_of_the_switches() -> None:
    rules = Rules(find_edition("classic"), 3, CPU, "switches")
    table = scattered(rules, 20)
    found = Table.of(positions(table, rules))
    np.testing.assert_allclose(
        encode(found, switches=True), features.encode(table, rules).numpy(), rtol=0, atol=0
    )


@pytest.mark.parametrize("seats", [2, 5])
def test_seats_are_turned_alike(seats: int) -> None:
    """Whoever is put first: the same features as for that table turned."""
    rules = Rules(find_edition("deluxe"), seats, CPU, "deluxe")
    table = DeluxeTable.scattered(rules, 20)
    rows = pack(positions(table, rules))
    for first in range(seats):
        turned = DeluxeTable(
            table.grill,
            table.heights.roll(-first, 1),
            torch.where(
                table.place < rules.tiles,
                table.place,
                rules.tiles + (table.place - rules.tiles - first) % seats,
            ),
            table.round_worms.roll(-first, 1),
        )
        found = Table.packed(rules.edition, rows, np.full(len(rows), first, dtype=np.int8))
        expected = features.encode(turned, rules).numpy()
        np.testing.assert_allclose(encode(found), expected, rtol=0, atol=0)


@pytest.mark.parametrize("key", ["classic", "course", "deluxe"])
def test_both_nets_say_the_same(key: str) -> None:
    torch.manual_seed(1)
    rules = Rules(find_edition(key), 3, CPU, FAMILY_OF[key])
    table = scattered(rules, 30)
    x = features.encode(table, rules)
    trained = features.WinNet(x.shape[1], 3, 32)
    arrays = trained.arrays()
    expected = features.WinNet.of(arrays)(x).softmax(1).detach().numpy()
    found = WinNet(FAMILY_OF[key], arrays).shares(Table.of(positions(table, rules)))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)
