"""What to say where an optional dependency is missing."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from pickomino.rules import PickominoError

__all__ = ["MissingExtraError", "need"]


class MissingExtraError(PickominoError, ImportError):
    """An optional dependency is not installed."""


def need(module: str, extra: str) -> ModuleType:
    """An optional module, or an error that names the extra which brings it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"{module} is not installed; the extra {extra} brings it: pip install pickomino[{extra}]"
        ) from error
