"""The adapter for Stable-Baselines3, on a stand-in for its base class: the tests do without it and its PyTorch."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from pickomino.envs import MissingExtraError, PickominoVectorEnv


class StandIn:
    """What `stable_baselines3.common.vec_env.VecEnv` does for those that inherit from it."""

    def __init__(self, num_envs: int, observation_space: Any, action_space: Any) -> None:
        self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
        self._reset_seeds()

    def _reset_seeds(self) -> None:
        self._seeds: list[int | None] = [None] * self.num_envs

    def seed(self, seed: int) -> None:
        self._seeds = [seed + lane for lane in range(self.num_envs)]

    def _get_indices(self, indices: Any) -> Any:
        return range(self.num_envs) if indices is None else [indices] if isinstance(indices, int) else indices


@pytest.fixture
def adapter(monkeypatch: pytest.MonkeyPatch) -> Any:
    for name in ("stable_baselines3", "stable_baselines3.common", "stable_baselines3.common.vec_env"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setattr(sys.modules["stable_baselines3.common.vec_env"], "VecEnv", StandIn, raising=False)
    monkeypatch.delitem(sys.modules, "pickomino.envs.sb3", raising=False)
    yield importlib.import_module("pickomino.envs.sb3")
    sys.modules.pop("pickomino.envs.sb3", None)


def test_it_plays_the_games_of_the_vector_env(adapter: Any) -> None:
    envs, twin = adapter.PickominoVecEnv(4, max_decisions=60), PickominoVectorEnv(4, max_decisions=60)
    assert (envs.observation_space, envs.action_space) == (
        twin.single_observation_space,
        twin.single_action_space,
    )
    envs.seed(3)
    assert (envs.reset() == twin.reset(seed=3)[0]).all()
    rng, ended = np.random.default_rng(1), 0
    while ended < 4:
        masks = np.stack(envs.env_method("action_masks"))
        assert (masks == twin.action_masks()).all()
        assert (envs.env_method("action_masks", indices=2)[0] == masks[2]).all()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        envs.step_async(actions)
        observations, rewards, done, infos = envs.step_wait()
        expected, their_rewards, over, broken_off, told = twin.step(actions)
        assert (observations == expected).all()
        assert (rewards == their_rewards).all()
        assert (done == (over | broken_off)).all()
        for lane in np.flatnonzero(done):
            ended += 1
            assert (infos[lane]["terminal_observation"] == told["final_obs"][lane]).all()
            assert infos[lane]["TimeLimit.truncated"] == broken_off[lane]
            assert (infos[lane]["worms"] == told["final_info"]["worms"][lane]).all()
        assert all(info == {} for info, end in zip(infos, done, strict=True) if not end)
    assert envs.get_attr("render_mode") == [None] * 4
    assert envs.env_is_wrapped(object) == [False] * 4
    envs.set_attr("render_mode", "ansi")
    assert envs.get_attr("render_mode", indices=[0]) == ["ansi"]
    with pytest.raises(AttributeError):
        envs.get_attr("nothing")
    envs.close()


def test_without_it_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.vec_env", None)
    monkeypatch.delitem(sys.modules, "pickomino.envs.sb3", raising=False)
    with pytest.raises(MissingExtraError, match="pip install stable-baselines3"):
        importlib.import_module("pickomino.envs.sb3")
