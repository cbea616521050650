"""The environment on PyTorch: left out of `make test`, see CONTRIBUTING.md."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from pickomino.tensor.running import on_host

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "envs" / "torch_ppo.py"
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


def test_the_champion_is_the_same_on_pytorch() -> None:
    """Sums in another order: moves differ only where two are worth the same to single precision."""
    from pickomino.envs.batch import BatchEnv
    from pickomino.envs.champion import ChampionPlayer
    from pickomino.envs.torch import PickominoTorchEnv
    from pickomino.tensor import Arrays

    env = PickominoTorchEnv(64, seats=3, device="cpu", compiled=False)
    host = BatchEnv(Arrays(), 64, seats=3)
    one, other = ChampionPlayer(env.decisions, 64), ChampionPlayer(host.decisions, 64)
    env.reset(seed=1)
    agreed = []
    for _ in range(60):
        host.games = env.games.map(on_host)
        host.games.batch.rules = host.decisions.rules
        found = one.moves(env.games, env.games.seat >= 0)
        agreed.append(found.numpy() == other.moves(host.games, host.games.seat >= 0))
        env.step(found)
    assert np.mean(agreed) > 0.999


def test_ppo_learns_in_self_play() -> None:
    """On a CPU it runs as on a GPU, a few updates of it."""
    spec = importlib.util.spec_from_file_location("torch_ppo", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    small = ["--device", "cpu", "--games", "64", "--steps", "64", "--width", "64", "--contest", "16"]
    (look,) = example.main([*small, "--minutes", "0.1", "--looks", "1"])
    assert look["decisions"] > 10_000
    assert 0 <= look["share"] < 1
