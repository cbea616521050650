"""What to say where numba is missing: the base install does without it."""

from __future__ import annotations

from pickomino.rules import PickominoError

__all__ = ["MissingExtraError"]


class MissingExtraError(PickominoError, ImportError):
    """An optional dependency is not installed."""
