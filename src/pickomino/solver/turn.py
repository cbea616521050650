"""A whole turn for payoffs "total -> value", as plain arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pickomino.compact.turn import TurnTables, turn_tables
from pickomino.rules import Edition, PickominoError
from pickomino.solver.kernels import Kernel, load_numba
from pickomino.solver.numpy_kernel import Floats, solve_numpy


def solve_turn(
    values_by_total: ArrayLike,
    bust: float,
    *,
    edition: Edition | str = "classic",
    gold: bool = False,
    kernel: Kernel = "bulk",
) -> float:
    """The best expected value of a turn that is about to begin.

    ``values_by_total[t]`` is the value of stopping with total ``t`` and a worm among the kept dice (index 0
    to the highest total of the edition's dice, 40 for eight dice; put the value of a bust where nothing can
    be claimed). ``bust`` is the value of a bust, which is also what stopping without a worm gives (R3.1).
    With ``gold`` the golden die is in the turn.

    >>> worms = [-1] * 21 + [1 + (min(total, 36) - 21) // 4 for total in range(21, 41)]
    >>> round(solve_turn(worms, bust=-1), 9)
    1.435428431
    """
    tables = turn_tables(edition)
    values = np.asarray(values_by_total, dtype=np.float64)
    if values.ndim != 1:
        raise PickominoError(f"values_by_total of shape {values.shape}: expected one dimension")
    size = _check_length(tables, values)
    stop = np.full(tables.slots, float(bust))
    stop.reshape(tables.flags, 2, size)[:, 1] = values[:size]
    busts = np.full(tables.flags, float(bust))
    start = tables.start(gold)
    compiled = load_numba(kernel)
    if compiled is not None:
        return float(compiled.solve_one(tables, stop, busts).roll[start])
    return float(solve_numpy(tables, stop[:, None], busts[:, None]).roll[start, 0])


def solve_turns(
    values: ArrayLike,
    bust: ArrayLike,
    *,
    edition: Edition | str = "classic",
    gold: bool = False,
    kernel: Kernel = "bulk",
) -> Floats:
    """`solve_turn` for many payoffs: values (B, totals) and bust (B,) give (B,).

    Values in float32 give float32, right to 1e-5 of the largest value; all else float64, right to 1e-12.
    """
    tables = turn_tables(edition)
    array = np.asarray(values)
    dtype = np.float32 if array.dtype == np.float32 else np.float64
    array = array.astype(dtype, copy=False)
    busts = np.asarray(bust, dtype=dtype)
    if array.ndim != 2:
        raise PickominoError(f"values of shape {array.shape}: expected (payoffs, totals)")
    if busts.ndim > 1 or busts.shape not in ((), (len(array),)):
        raise PickominoError(
            f"bust of shape {busts.shape}: expected ({len(array)},), one for each row of values"
        )
    size = _check_length(tables, array)
    busts = np.broadcast_to(busts, (tables.flags, len(array)))
    stop = np.empty((tables.flags, 2, size, len(array)), dtype)
    stop[:, 0] = busts[:, None]
    stop[:, 1] = array[:, :size].T
    stops: Floats = stop.reshape(tables.slots, -1)
    busts_of: Floats = np.ascontiguousarray(busts)
    start = tables.start(gold)
    compiled = load_numba(kernel)
    rolls: Floats
    if compiled is not None:
        rolls = compiled.solve_start(tables, stops, busts_of, start)
    else:
        rolls = solve_numpy(tables, stops, busts_of).roll[start].copy()
    return rolls


def _check_length(tables: TurnTables, values: Floats) -> int:
    """Longer arrays are welcome, such totals do not occur; shorter ones leave totals without a value."""
    size = tables.max_total + 1
    if values.shape[-1] < size:
        raise PickominoError(
            f"values for totals 0 to {values.shape[-1] - 1}: expected 0 to {tables.max_total}"
        )
    return size
