"""Every test of arrays runs with NumPy, and where asked for (`-m torch`) with PyTorch too."""

from __future__ import annotations

import pytest

from pickomino.tensor import Arrays


@pytest.fixture(params=["numpy", pytest.param("torch", marks=pytest.mark.torch)])
def xp(request: pytest.FixtureRequest) -> Arrays:
    if request.param == "numpy":
        return Arrays(1)
    import torch

    from pickomino.tensor.torch_arrays import TorchArrays

    return TorchArrays(torch.device("cpu"), 1)
