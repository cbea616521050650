"""As the tests of `pickomino.tensor`: NumPy always, PyTorch where asked for."""

from __future__ import annotations

from tests.tensor.conftest import xp

__all__ = ["xp"]
