"""A layer of the net for many games under numba: most of what comes in is zero, and is left out.

Of the units of a layer about a fifth are not zero, and the games that one turn can lead to share most of them. So four
games are done at a time, by the units that are not zero in any of them: a row of weights that was loaded serves all
four. On one core that takes about half the time of BLAS, which multiplies by all the zeros.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

_MATHS = {"nsz", "nnan", "contract", "reassoc"}  # no NaN comes in; sums in any order, as BLAS has them
_ZERO = np.float32(0)


@numba.njit(cache=True, forceinline=True)
def _four(row: Any) -> Any:
    return row[0], row[1], row[2], row[3]


@numba.njit(cache=True, nogil=True, fastmath=_MATHS, error_model="numpy")
def rectified(x: Any, weight: Any, bias: Any, adds: bool, out: Any) -> None:
    """``out = max(0, x @ weight + bias)``, in a residual layer (`adds`) with x added; all in C order."""
    rows, units, width = len(x), x.shape[1], np.uint64(weight.shape[1])
    weights = weight.reshape(-1)
    at = np.zeros(units + 4, dtype=np.uint64)  # where the rows of weights begin that count
    value = np.zeros((units + 4, 4), dtype=np.float32)
    sum0, sum1, sum2, sum3 = bias.copy(), bias.copy(), bias.copy(), bias.copy()
    for first in range(0, rows, 4):
        # The last games may be done twice: that is simpler than a loop for the rest.
        first = max(0, min(first, rows - 4))
        count = 0
        for unit in range(units):
            some = False
            for game in range(min(4, rows)):
                value[count, game] = x[first + game, unit]
                some |= x[first + game, unit] != _ZERO
            at[count] = np.uint64(unit) * width
            count += some
        value[count : count + 4] = _ZERO
        for n in range(width):
            sum0[n] = sum1[n] = sum2[n] = sum3[n] = bias[n]
        for unit in range(0, count, 4):
            a, b, c, d = at[unit], at[unit + 1], at[unit + 2], at[unit + 3]
            a0, a1, a2, a3 = _four(value[unit])
            b0, b1, b2, b3 = _four(value[unit + 1])
            c0, c1, c2, c3 = _four(value[unit + 2])
            d0, d1, d2, d3 = _four(value[unit + 3])
            for n in range(width):
                wa, wb, wc, wd = weights[a + n], weights[b + n], weights[c + n], weights[d + n]
                sum0[n] += (a0 * wa + b0 * wb) + (c0 * wc + d0 * wd)
                sum1[n] += (a1 * wa + b1 * wb) + (c1 * wc + d1 * wd)
                sum2[n] += (a2 * wa + b2 * wb) + (c2 * wc + d2 * wd)
                sum3[n] += (a3 * wa + b3 * wb) + (c3 * wc + d3 * wd)
        for game, total in enumerate((sum0, sum1, sum2, sum3)):
            if game < rows:
                for n in range(width):
                    step = total[n] if total[n] > _ZERO else _ZERO
                    out[first + game, n] = x[first + game, n] + step if adds else step
