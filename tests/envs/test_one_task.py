"""One id, one task: `make` and `make_vec` play the same games; copies of any environment go on by themselves."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers import vector as wrappers

from pickomino import PickominoError
from pickomino.bots.simple import CautiousBot
from pickomino.envs import GYMNASIUM_ID, PickominoEnv, PickominoVectorEnv, pickomino_v0

LANES = 5
MODES = list(AutoresetMode)
COPIES: list[Callable[[Any], Any]] = [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]


def same(one: Any, other: Any) -> None:
    """Observations or infos, whatever they are made of; of infos what counts according to their masks."""
    if isinstance(one, dict):
        assert set(one) == set(other)
        for key in one:
            if f"_{key}" in one:
                for lane in np.flatnonzero(one[f"_{key}"]):
                    if not isinstance(one[key], dict):
                        same(one[key][lane], other[key][lane])
            else:
                same(one[key], other[key])
    else:
        assert np.array_equal(one, other)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"edition": "deluxe", "bots": ["random", "cautious"], "observation": "dict", "reward": "worms"},
        {"seats": 3, "observation": "counts", "max_decisions": 40},
        {"bots": [None, CautiousBot()], "first": 2},
    ],
    ids=["default", "deluxe", "self-play", "mixed"],
)
def test_the_vector_env_is_gymnasiums_own_of_single_ones(
    options: dict[str, Any], mode: AutoresetMode
) -> None:
    ours: Any = gymnasium.make_vec(GYMNASIUM_ID, LANES, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: PickominoEnv(**options)] * LANES, autoreset_mode=mode)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.metadata["autoreset_mode"] is mode
    rng, ended = np.random.default_rng(1), 0
    (seen, infos), (expected, their_infos) = ours.reset(seed=7), theirs.reset(seed=7)
    for step in range(600):
        same(seen, expected)
        same(infos, their_infos)
        masks = infos["action_mask"]
        actions = np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])
        if step % 97 == 96:
            actions[step % LANES] = 39  # illegal now and then
        seen, rewards, over, broken_off, infos = ours.step(actions)
        expected, *theirs_too, their_infos = theirs.step(actions)
        same((rewards, over, broken_off), tuple(theirs_too))
        ended += int((over | broken_off).sum())
        if mode is AutoresetMode.DISABLED and (over | broken_off).any():
            mask = over | broken_off
            same(infos, their_infos)
            seeds: Any = [step if lane % 2 else None for lane in range(LANES)]
            seen, infos = ours.reset(seed=seeds, options={"reset_mask": mask})
            expected, their_infos = theirs.reset(seed=seeds, options={"reset_mask": mask})
            infos = {key: value for key, value in infos.items() if not key.startswith("_")}
            their_infos = {
                key: np.where(_columns(mask, infos[key]), their_infos[key], infos[key]) for key in infos
            }
    assert ended > 5


def _columns(mask: np.ndarray, like: np.ndarray) -> np.ndarray:
    return mask.reshape(-1, *[1] * (like.ndim - 1))


def test_a_seed_for_each_lane_and_games_that_go_on() -> None:
    envs = PickominoVectorEnv(3)
    one, _ = envs.reset(seed=[5, 6, 5])
    assert (one[0] == one[2]).all()
    assert (one[0] == PickominoEnv().reset(seed=5)[0]).all()
    other, _ = envs.reset(seed=[None, 6, 5])
    assert (one[1:] == other[1:]).all()
    assert (one[0] != other[0]).any()
    single = PickominoEnv()
    single.reset(seed=5)
    assert (single.reset()[0] == other[0]).all()


@pytest.mark.parametrize(
    "wrap",
    [
        wrappers.RecordEpisodeStatistics,
        wrappers.NormalizeObservation,
        wrappers.NormalizeReward,
        wrappers.FlattenObservation,
        wrappers.DictInfoToList,
        lambda envs: wrappers.ClipReward(envs, 0.0, 1.0),
    ],
)
def test_gymnasiums_vector_wrappers_run(
    wrap: Callable[[VectorEnv[Any, Any, Any]], VectorEnv[Any, Any, Any]],
) -> None:
    inner = PickominoVectorEnv(4, bots=["random"], autoreset_mode="NextStep")
    envs, plain = wrap(inner), PickominoVectorEnv(4, bots=["random"], autoreset_mode="NextStep")
    envs.reset(seed=1)
    plain.reset(seed=1)
    over = np.zeros(4, dtype=bool)
    while not over.any():
        actions = inner.sample_legal()
        seen, rewards, over, _, _ = envs.step(actions)
        _, expected, expected_over, _, _ = plain.step(actions)
        assert envs.observation_space.contains(seen)
        assert over.tolist() == expected_over.tolist(), "the game under the wrapper is the game without it"
        assert rewards.shape == expected.shape


@pytest.mark.parametrize("copied", COPIES)
def test_copies_of_every_environment_have_masks_of_their_own(copied: Callable[[Any], Any]) -> None:
    single, vector = (
        PickominoEnv("deluxe", observation="dict"),
        PickominoVectorEnv(3, observation="dict", copy=False),
    )
    _, info = single.reset(seed=2)
    vector.reset(seed=2)
    twin, twins = copied(single), copied(vector)
    for _ in range(30):
        observation, _, _, _, info = twin.step(int(info["action_mask"].argmax()))
        assert (twin.action_masks() == info["action_mask"]).all()
        assert (twin.action_masks() == twin.games.table.mask(twin.position)).all()
        assert (observation["action_mask"] == info["action_mask"]).all()
        seen, _, _, _, infos = twins.step(twins.sample_legal())
        for lane in range(3):
            mask = twins.moves.mask(twins.position(lane))
            assert (seen["action_mask"][lane] == mask).all()
            assert (infos["action_mask"][lane] == twins.action_masks()[lane]).all()
            assert (twins.action_masks()[lane] == mask).all()
    assert (
        single.action_masks() == single.games.table.mask(single.position)
    ).all()  # and the first stayed behind
    zoo = pickomino_v0.raw_env()
    zoo.reset(seed=2)
    double = copied(zoo)
    for _ in range(30):
        double.step(int(double.observe(double.agent_selection)["action_mask"].argmax()))
        mask = double.infos[double.agent_selection]["action_mask"]
        assert (mask == double.games.table.mask(double.position)).all()


def test_unknown_options_of_a_reset_are_refused() -> None:
    for env in (PickominoEnv(), PickominoVectorEnv(2)):
        with pytest.raises(PickominoError, match="reset options speed: expected"):
            env.reset(options={"speed": 3})


def test_games_that_ended_wait_for_their_reset() -> None:
    envs = PickominoVectorEnv(2, autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=1)
    envs.step([39, 39])
    with pytest.raises(PickominoError, match="2 games have ended"):
        envs.step([0, 0])
