"""The vector environment: Gymnasium's API, seeds, masks, auto-reset, and games against the rules."""

from __future__ import annotations

import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.performance import benchmark_vector_step
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from numpy.typing import NDArray

from pickomino import IllegalMoveError, PickominoError
from pickomino.bots import make_bot
from pickomino.bots.protocol import Games
from pickomino.compact.moves import move_table
from pickomino.envs import GYMNASIUM_ID, PickominoVectorEnv
from pickomino.envs.layout import layout_of
from pickomino.envs.openspiel import observation_of
from pickomino.rules import find_edition
from pickomino.testing import check_game


def test_gymnasium_makes_it() -> None:
    envs = gymnasium.make_vec("pickomino.envs:" + GYMNASIUM_ID, num_envs=3, edition="deluxe", seats=4)
    assert isinstance(envs.unwrapped, PickominoVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = envs.reset(seed=1)
    assert observations in envs.observation_space
    observations, rewards, over, broken_off, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert observations in envs.observation_space
    assert rewards.shape == over.shape == broken_off.shape == (3,)
    envs.close()


def test_gymnasiums_wrappers_and_its_benchmark_take_it() -> None:
    inner = PickominoVectorEnv(4, bots=["random"])
    envs: VectorEnv[Any, Any, Any] = RecordEpisodeStatistics(inner)
    envs.reset(seed=1)
    ended = 0
    while not ended:
        _, _, over, _, infos = envs.step(inner.sample_legal())
        ended = int(over.sum())
    assert "episode" in infos
    benchmark_vector_step(PickominoVectorEnv(4, seats=2), target_duration=1, seed=1)  # it raises nothing


@pytest.mark.parametrize(("edition", "seats"), [("classic", 2), ("deluxe", 3)])
@pytest.mark.parametrize("form", ["flat", "counts", "dict"])
def test_observations_and_masks_are_those_of_the_rules(edition: str, seats: int, form: Any) -> None:
    envs = PickominoVectorEnv(6, edition, seats=seats, observation=form)
    layout, table = layout_of(find_edition(edition), seats), move_table(edition)
    observations, infos = envs.reset(seed=2)
    for step in range(400):
        if step % 7 == 0:
            for lane in range(6):
                position = envs.position(lane)
                assert infos["seat"][lane] == position.seat
                assert (infos["action_mask"][lane] == table.mask(position)).all()
                expected: Any = observation_of(position, position.seat, layout)
                if form == "dict":
                    for name, part in layout.split(expected).items():
                        assert (observations[name][lane] == part).all(), name
                elif form == "flat":
                    assert observations[lane] == pytest.approx(expected / layout.most)
                else:
                    assert (observations[lane] == expected).all()
        observations, _, _, _, infos = envs.step(envs.sample_legal())


@pytest.mark.parametrize(
    ("edition", "bots"), [("classic", [None]), ("deluxe", [None]), ("summary", ["cautious", "random"])]
)
def test_every_game_replays_through_the_rules(edition: str, bots: list[str | None]) -> None:
    envs = PickominoVectorEnv(3, edition, bots=bots, log=True)
    envs.reset(seed=3)
    ended = 0
    while ended < 4:
        _, rewards, over, _, infos = envs.step(envs.sample_legal())
        for lane in np.flatnonzero(over).tolist():
            game = envs.game(lane, ended=True)
            if ended == 0:  # of one game every position, of the others the end
                check_game(game)
            ended += 1
            outcome = game.outcome
            assert outcome is not None
            shares = [(seat in outcome.winners) / len(outcome.winners) for seat in range(envs.games.seats)]
            assert infos["final_info"]["rewards"][lane].tolist() == shares
            assert rewards[lane] == shares[0 if bots[0] else game.positions[-2].seat]
            assert infos["final_obs"][lane].shape == (envs.games.layout.size,)
            assert infos["final_info"]["decisions"][lane] == sum(str(ply)[0] != "=" for ply in game.plies)
    assert envs.game(0).position == envs.position(0)


@pytest.mark.parametrize("bot", ["ev", "champion", "easy"])
def test_any_bot_has_a_seat(bot: str) -> None:
    """Its moves in the games are what it chooses when it is asked for each position alone, if it does not draw."""
    envs = PickominoVectorEnv(16, bots=[bot, None], log=True)
    envs.reset(seed=6)
    for _ in range(60):
        infos = envs.step(envs.sample_legal())[4]
        assert (infos["seat"] != 1).all()
    game, alone, asked = envs.game(3), make_bot(bot), 0
    check_game(game)
    for position, ply, _ in game.steps():
        if position.moves() and position.seat == 1:
            asked += 1
            assert bot == "easy" or ply == alone.choose(position, random.Random(1)), str(position)
    assert asked > 5


def test_a_bot_that_plays_illegal_moves_is_an_error() -> None:
    class First:
        """Always the first move of the table, which is to keep ones, legal or not."""

        def choose_many(self, games: Games, rng: np.random.Generator) -> NDArray[np.int64]:
            return np.zeros(len(games), dtype=np.int64)

    with pytest.raises(IllegalMoveError, match="move 'k1' is not legal in"):
        PickominoVectorEnv(40, bots=[First()], first=1).reset(seed=1)


def test_one_seed_agrees_for_whole_games_and_a_pickle_goes_on() -> None:
    one, other = PickominoVectorEnv(5, seats=2), PickominoVectorEnv(5, seats=2, copy=False)
    one.reset(seed=4)
    other.reset(seed=4)
    for step in range(3000):
        a, b = one.step(one.sample_legal()), other.step(other.sample_legal())
        assert (a[0] == b[0]).all()
        assert (a[1] == b[1]).all()
        assert (a[2] == b[2]).all()
        if step == 1000:
            other = pickle.loads(pickle.dumps(other))
    assert one.reset(seed=5)[0].tolist() == other.reset(seed=5)[0].tolist()


def test_illegal_moves_end_their_own_game_only() -> None:
    envs = PickominoVectorEnv(3, seats=2)
    _, infos = envs.reset(seed=1)
    actions = infos["action_mask"].argmax(axis=1)
    actions[1] = 39
    _, rewards, over, broken_off, infos = envs.step(actions)
    assert rewards.tolist() == [0, -1, 0]
    assert over.tolist() == [False, True, False]
    assert not broken_off.any()
    assert infos["action_mask"].any(axis=1).all()


def test_games_broken_off_and_worms_as_reward() -> None:
    envs = PickominoVectorEnv(2, seats=2, max_decisions=5)
    envs.reset(seed=1)
    for _ in range(4):
        assert not envs.step(envs.sample_legal())[3].any()
    _, rewards, over, broken_off, _ = envs.step(envs.sample_legal())
    assert (rewards.tolist(), over.tolist(), broken_off.tolist()) == ([0, 0], [False] * 2, [True] * 2)
    envs = PickominoVectorEnv(8, reward="worms", bots=["cautious"])
    envs.reset(seed=1)
    worms = 0
    for _ in range(3000):
        _, rewards, over, _, infos = envs.step(envs.sample_legal())
        expected = infos["final_info"]["worms"][:, 0] if over.any() else np.zeros(8)
        assert rewards.tolist() == expected.tolist()
        worms += rewards.sum()
    assert worms >= 1  # even at random


def test_pictures() -> None:
    envs = PickominoVectorEnv(2, render_mode="rgb_array")
    envs.reset(seed=1)
    assert len(envs.render()) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "0 games"),
        ({"bots": ["nobody"]}, "nobody"),
        ({"seats": 8}, "8 seats"),
        ({"seats": 4, "bots": ["random"]}, "4 seats, 1 bots"),
    ],
)
def test_odd_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PickominoError, match=message):
        PickominoVectorEnv(**options)


def test_odd_calls_are_refused() -> None:
    envs = PickominoVectorEnv(2)
    with pytest.raises(PickominoError, match="call reset before"):
        envs.step([0, 0])
    with pytest.raises(PickominoError, match="3 seeds: expected 2"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(PickominoError, match="reset options colour: expected reset_mask"):
        envs.reset(options={"colour": 1})
    with pytest.raises(PickominoError, match="reset_mask of shape"):
        envs.reset(options={"reset_mask": np.array([False, False])})
    envs.reset(seed=1)
    with pytest.raises(PickominoError, match="shape"):
        envs.step([0])
    with pytest.raises(PickominoError, match="log=True"):
        envs.game(0)
    with pytest.raises(PickominoError, match="no game has ended"):
        PickominoVectorEnv(2, log=True).game(0, ended=True)
