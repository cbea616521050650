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


def test_ppo_plays_what_it_remembers_and_learns_from_it() -> None:
    """Every move was legal, as likely and as good as the net says of it; a step changes the net."""
    import torch

    spec = importlib.util.spec_from_file_location("torch_ppo", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    learner = example.Learner(games=32, steps=16, width=32, device="cpu", seed=1)
    learner.play()
    observation, mask, move, log, value = (column.flatten(0, 1) for column in learner.played)
    odds, expected = learner.net(observation, mask)
    assert bool(mask.gather(1, move[:, None]).all())
    assert len(observation.unique(dim=0)) > 32  # the games went on
    torch.testing.assert_close(odds.gather(1, move[:, None])[:, 0], log)
    torch.testing.assert_close(expected, value)
    before = [weights.clone() for weights in learner.net.parameters()]
    learner.learn(share_left=1.0)
    assert all(bool((was != now).any()) for was, now in zip(before, learner.net.parameters(), strict=True))
    share, _ = example.contest(learner.best, games=4, device="cpu", seed=1, most=2000)
    assert share == 0  # nobody wins against `hard` after so little
