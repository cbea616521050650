"""Whole turns for arrays of values: known numbers, and the kernels against each other."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pickomino import Edition, Face, PickominoError
from pickomino.compact import turn_tables
from pickomino.solver import Kernel, load_numba, solve_tables, solve_turn, solve_turns
from pickomino.solver.exact import solve_exact

TINY = Edition("tiny", ((5, 1),), dice=3, faces=(Face("1", 1, 2), Face("3", 3), Face("W", 5, 3)))
KERNELS: list[Kernel] = ["numpy", "numba"] if load_numba("bulk") else ["numpy"]


def full_grill(bust: float) -> list[float]:
    """Worms of the nearest tile at or below a total (R1.2, R3.4)."""
    return [1 + (min(total, 36) - 21) // 4 if total >= 21 else bust for total in range(41)]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    ("lost", "expected"),
    [
        (0, 1.64472967404010),
        (1, 1.43542843099067),
        (2, 1.26322219759319),
        (3, 1.10311984634084),
        (4, 0.95312548197897),
    ],
)
def test_expected_worms_of_a_full_grill(lost: int, expected: float, kernel: Kernel) -> None:
    """The figures were worked out for the project before it was written; the first is also in notation.md."""
    assert solve_turn(full_grill(-lost), -lost, kernel=kernel) == pytest.approx(expected, abs=2e-14)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("edition", "gold"), [("classic", False), ("deluxe", False), ("deluxe", True)])
@pytest.mark.parametrize(("dtype", "close"), [(np.float64, 1e-12), (np.float32, 1e-5)])
def test_batches_are_single_turns(
    kernel: Kernel, edition: str, gold: bool, dtype: type[np.floating[Any]], close: float
) -> None:
    """Sizes around the number of payoffs that a kernel takes side by side."""
    size = turn_tables(edition).max_total + 1
    generator = np.random.default_rng(7)
    for count in (1, 2, 33, 257):
        values = generator.normal(size=(count, size)).astype(dtype)
        busts = generator.normal(size=count).astype(dtype)
        batch = solve_turns(values, busts, edition=edition, gold=gold, kernel=kernel)
        assert batch.shape == (count,)
        assert batch.dtype == dtype
        for row in {0, count // 2, count - 1}:
            one = solve_turn(
                values[row].astype(float), float(busts[row]), edition=edition, gold=gold, kernel="numpy"
            )
            assert batch[row] == pytest.approx(one, abs=close * 4)


@given(st.lists(st.integers(-50, 50), min_size=16, max_size=16), st.integers(-50, 50))
def test_exact_numbers_and_floats_agree(values: list[int], bust: int) -> None:
    tables = turn_tables(TINY)
    stop = [bust] * 16 + values
    exact = solve_exact(tables, stop, [bust]).roll_of(tables.start())
    for kernel in KERNELS:
        assert solve_turn(values, bust, edition=TINY, kernel=kernel) == pytest.approx(float(exact), abs=1e-12)


def test_exact_numbers_take_fractions() -> None:
    """Values scaled by a fraction scale the result."""
    tables = turn_tables("classic")
    stop = [0] * 41 + [0 if total < 21 else 1 for total in range(41)]
    seventh = solve_exact(tables, [Fraction(value, 7) for value in stop], [0]).roll_of(tables.start())
    assert seventh * 7 == Fraction(
        4113019191611091399863, 4605706660848611622912
    )  # notation.md, P(at least 21)


@pytest.mark.parametrize("edition", ["classic", "deluxe"])
@pytest.mark.parametrize("payoffs", [1, 5, 130])
def test_kernels_agree_in_every_state(edition: str, payoffs: int) -> None:
    """With and without a floor, as the weasel needs it; exact numbers are the judge for the first payoff."""
    if "numba" not in KERNELS:
        pytest.skip("numba is not installed")
    tables = turn_tables(edition)
    generator = np.random.default_rng(payoffs)
    stop = generator.integers(-9, 9, size=(tables.slots, payoffs)).astype(float)
    bust = generator.integers(-9, 9, size=(tables.flags, payoffs)).astype(float)
    used = solve_tables(tables, stop, bust, kernel="numpy")
    for floor in (None, used.roll):
        one = solve_tables(tables, stop, bust, floor, kernel="numpy")
        other = solve_tables(tables, stop, bust, floor, kernel="numba")
        np.testing.assert_allclose(one.value, other.value, atol=1e-12)
        np.testing.assert_allclose(one.roll, other.roll, atol=1e-12)
    stops, busts = stop[:, 0].astype(int).tolist(), bust[:, 0].astype(int).tolist()
    plain = solve_exact(tables, stops, busts)
    layered = solve_exact(tables, stops, busts, plain)
    rolls = np.flatnonzero(tables.pattern >= 0).tolist()
    np.testing.assert_allclose(
        [float(layered.roll_of(state)) for state in rolls], one.roll[rolls, 0], atol=1e-12
    )
    np.testing.assert_allclose(
        [float(layered.value_of(state)) for state in range(tables.states)], one.value[:, 0], atol=1e-12
    )


@pytest.mark.parametrize(("givers", "groups"), [(2, 1), (3, 50), (6, 22)])
def test_kernels_agree_on_the_best_giver(givers: int, groups: int) -> None:
    """Payoffs in groups, and a keep that earns a round worm chooses among them (D11.1)."""
    if "numba" not in KERNELS:
        pytest.skip("numba is not installed")
    tables, payoffs = turn_tables("deluxe", gold=givers == 3), givers * groups
    generator = np.random.default_rng(payoffs)
    stop, bust = (
        generator.normal(size=(tables.slots, payoffs)),
        generator.normal(size=(tables.flags, payoffs)),
    )
    one = solve_tables(tables, stop, bust, givers=givers, kernel="numpy")
    other = solve_tables(tables, stop, bust, givers=givers, kernel="numba")
    np.testing.assert_allclose(one.value, other.value, atol=1e-12)
    np.testing.assert_allclose(one.roll, other.roll, atol=1e-12)


def test_longer_arrays_are_welcome_and_shorter_ones_are_not() -> None:
    values = full_grill(0)
    assert solve_turn([*values, 99.0], 0) == solve_turn(values, 0)
    with pytest.raises(PickominoError, match="totals 0 to 39: expected 0 to 40"):
        solve_turn(values[:-1], 0)
    with pytest.raises(PickominoError, match="expected one dimension"):
        solve_turn([values], 0)
    with pytest.raises(PickominoError, match=r"expected \(payoffs, totals\)"):
        solve_turns(values, [0])
    with pytest.raises(PickominoError, match="one for each row"):
        solve_turns([values], [0, 1])


def test_without_numba_numpy_does_the_work() -> None:
    code = (
        "import sys; sys.modules['numba'] = None  # as if it were not installed\n"
        "from pickomino.solver import solve_turn, solve_turns\n"
        "assert abs(solve_turn([1] * 41, 1) - 1) + abs(solve_turns([[1] * 41], [1])[0] - 1) < 1e-12\n"
        "assert 'pickomino.solver.numba_kernel' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_kernel_name_works() -> None:
    for kernel in get_args(Kernel):
        if kernel in ("auto", "bulk", *KERNELS):
            assert solve_turn(full_grill(0), 0, kernel=kernel) == pytest.approx(1.64472967404010, abs=2e-14)
