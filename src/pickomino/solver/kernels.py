"""Which kernel does the work.

NumPy solves one payoff in a third of a millisecond, ready at once. numba is seven times faster, but takes a
second to load and two more to compile for the first time on a machine. So nobody who waits for an answer
waits for numba: positions (advice, odds, bots at a table) are solved with NumPy unless numba is loaded
already. The array functions `solve_turn` and `solve_turns`, made for bulk work, load numba where it is
installed. Figures are in docs/solver.md.
"""

from __future__ import annotations

import sys
from functools import cache
from types import ModuleType
from typing import Final, Literal, TypeAlias

from pickomino.compact.turn import TurnTables
from pickomino.solver.numpy_kernel import Floats, Solved, solve_numpy

Kernel: TypeAlias = Literal["auto", "bulk", "numba", "numpy"]
"""``auto``: numba if it is loaded, else NumPy. ``bulk``: numba if it is installed, else NumPy."""

_MODULE: Final = "pickomino.solver.numba_kernel"


def load_numba(kernel: Kernel = "numba") -> ModuleType | None:
    """The compiled kernels, as far as the choice wants them and the machine has them."""
    if kernel == "numpy":
        return None
    if kernel == "auto" or _MODULE in sys.modules:
        return sys.modules.get(_MODULE)
    return _import(optional=kernel == "bulk")


@cache
def _import(optional: bool) -> ModuleType | None:
    try:
        from pickomino.solver import numba_kernel
    except ImportError:  # not installed, or not made for this NumPy
        if optional:
            return None
        raise
    return numba_kernel


def solve_tables(
    tables: TurnTables,
    stop: Floats,
    bust: Floats,
    floor: Floats | None = None,
    givers: int = 1,
    kernel: Kernel = "auto",
) -> Solved:
    """Solve a turn for many payoffs; shapes as in `solve_numpy`."""
    compiled = load_numba(kernel)
    if compiled is None:
        return solve_numpy(tables, stop, bust, floor, givers)
    if stop.shape[1] == 1 and stop.dtype == float:
        flat = compiled.solve_one(
            tables, stop[:, 0].copy(), bust[:, 0].copy(), None if floor is None else floor[:, 0].copy()
        )
        return Solved(flat.value[:, None], flat.roll[:, None])
    solved: Solved = compiled.solve_numba(tables, stop, bust, floor, givers)
    return solved
