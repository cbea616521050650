"""What the compiled kernels share (extra ``fast``): the way to compile, and the tree of outcomes as loops walk it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numba
import numpy as np
from numpy.typing import NDArray

from pickomino.compact.turn import TurnTables

Function: TypeAlias = Callable[..., Any]


def compiled(**more: Any) -> Callable[[Function], Function]:
    """A decorator: compiled on first use, and kept on disk where there is a place for it."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", **more}

    def compile_(function: Function) -> Function:
        made: Function
        try:
            made = numba.njit(cache=True, **options)(function)
        except RuntimeError:  # nowhere to keep the cache, as in a read-only installation
            made = numba.njit(**options)(function)
        return made

    return compile_


class OutcomeNodes(NamedTuple):
    """The outcomes of all rolls as a tree: inner nodes apart from childless ones, which stand behind their parent."""

    pattern: NDArray[np.intp]  # of every node
    parent: NDArray[np.intp]  # of every node; of a root itself
    leaves: NDArray[np.intp]  # how many childless children each has
    inner: NDArray[np.intp]
    inner_first: NDArray[np.intp]  # where the inner nodes of a pattern begin


def outcome_nodes(tables: TurnTables) -> OutcomeNodes:
    pattern = np.repeat(np.arange(len(tables.pattern_weight)), np.diff(tables.pattern_first))
    root = tables.outcome_parent < 0
    parent = np.where(root, 0, tables.outcome_parent) + tables.pattern_first[pattern]
    nodes = len(parent)
    childless = (np.bincount(parent[~root], minlength=nodes) == 0) & ~root
    inner = np.flatnonzero(~childless)
    leaves = np.bincount(parent[childless], minlength=nodes)
    return OutcomeNodes(pattern, parent, leaves, inner, np.searchsorted(inner, tables.pattern_first))
