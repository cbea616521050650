"""The environment on PyTorch: left out of `make test`, see CONTRIBUTING.md."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore")]  # the compiler warns of itself


def test_the_same_on_pytorch() -> None:
    """Compiled or not, a seed plays the same games, and they are those that NumPy would play with these dice."""
    from pickomino.envs.torch import PickominoTorchEnv

    plain, compiled = (
        PickominoTorchEnv(64, "deluxe", 3, device="cpu", compiled=flag) for flag in (False, True)
    )
    for env in (plain, compiled):
        env.reset(seed=1)
    for _ in range(40):
        move = plain.sample_legal()
        assert bool((move == compiled.sample_legal()).all())
        mine, its = plain.step(move), compiled.step(move)
        assert all(bool((one == other).all()) for one, other in zip(mine, its, strict=True))
