"""Optional dependencies: asked for here, so that the message names the extra which brings them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from pickomino.rules.errors import MissingExtraError

__all__ = ["MissingExtraError", "need"]


def need(module: str, extra: str) -> ModuleType:
    """An optional module, or an error that says what to install."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"{module} is not installed; install the extra {extra}: pip install pickomino[{extra}]"
        ) from error
