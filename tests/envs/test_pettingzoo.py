"""The PettingZoo environment: its kit, unmodified, and games against the rules."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

from pickomino import IllegalMoveError, PickominoError
from pickomino.envs import PETTINGZOO_ID, pickomino_v0
from pickomino.testing import check_game

# The kit keeps a list of its own environments whose observations may be dictionaries with a mask, as those of all
# its turn-based games are; any other gets these two warnings.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
]


@pytest.mark.parametrize("form", ["flat", "counts", "dict"])
@pytest.mark.parametrize(("seats", "edition"), [(2, "classic"), (3, "summary"), (7, "deluxe")])
def test_pettingzoos_kit(seats: int, edition: str, form: Any) -> None:
    def make() -> Any:
        return pickomino_v0.env(num_seats=seats, edition=edition, observation=form)

    api_test(make(), num_cycles=300)
    api_test(pickomino_v0.raw_env(num_seats=seats, edition=edition, observation=form), num_cycles=300)
    seed_test(make, num_cycles=100)


def test_pettingzoos_performance_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(pickomino_v0.env())
    assert "turns per second" in capsys.readouterr().out


def test_it_is_in_pettingzoos_registry_under_the_documented_id() -> None:
    env = pettingzoo.make("aec", PETTINGZOO_ID, num_seats=4)
    env.reset(seed=1)
    assert env.agents == ["seat_0", "seat_1", "seat_2", "seat_3"]
    assert PETTINGZOO_ID == "pickomino/pickomino_v0"
    assert env.metadata["name"] == "pickomino_v0"


def test_pettingzoos_render_test(capsys: pytest.CaptureFixture[str]) -> None:
    """All modes, ``human`` among them, which prints what ``ansi`` gives."""
    for edition in ("classic", "deluxe"):
        render_test(
            lambda render_mode, edition=edition: pickomino_v0.env(edition=edition, render_mode=render_mode)
        )
    capsys.readouterr()
    for_people = pickomino_v0.raw_env(render_mode="human")
    for_people.reset(seed=1)
    as_text = pickomino_v0.raw_env(render_mode="ansi")
    as_text.reset(seed=1)
    assert capsys.readouterr().out == as_text.render() + "\n"


def play(env: Any, seed: int) -> dict[str, float]:
    """A game of legal moves chosen by a seed; what each agent got."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    got = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, broken_off, info = env.last()
        got[agent] += reward
        if over or broken_off:
            env.step(None)
            continue
        assert (observation["action_mask"] == info["action_mask"]).all()
        env.step(rng.choice(np.flatnonzero(info["action_mask"])))
    return got


@pytest.mark.parametrize(("seats", "edition"), [(2, "classic"), (4, "course"), (5, "deluxe")])
def test_every_game_replays_through_the_rules(seats: int, edition: str) -> None:
    env, twin = (pickomino_v0.env(num_seats=seats, edition=edition) for _ in range(2))
    got = play(env, 1)
    game = env.unwrapped.game()
    check_game(game)
    outcome = game.outcome
    assert outcome is not None
    assert list(got.values()) == [(seat in outcome.winners) / len(outcome.winners) for seat in range(seats)]
    assert play(twin, 1) == got
    assert twin.unwrapped.game() == game


def test_worms_as_reward() -> None:
    env = pickomino_v0.env(reward="worms")
    assert list(play(env, 2).values()) == list(env.unwrapped.position.scores)


def test_each_agent_sees_the_table_from_its_own_seat() -> None:
    env = pickomino_v0.raw_env(num_seats=3, observation="dict")
    play(env, 3)
    env.reset(seed=3, options=None)
    rng = np.random.default_rng(3)
    while not any(env.position.stacks):
        env.step(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])))
    position = env.position
    for seat, agent in enumerate(env.possible_agents):
        shown = env.observe(agent)["observation"]
        assert shown["turn"].argmax() == (position.seat - seat) % 3
        assert [shown["worms"][(other - seat) % 3] for other in range(3)] == list(position.scores)
        assert env.observe(agent)["action_mask"].any() == (seat == position.seat)


def test_illegal_moves() -> None:
    env = pickomino_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="expected k"):
        env.step(39)
    wrapped = pickomino_v0.env()
    wrapped.reset(seed=1)
    agent = wrapped.agent_selection
    wrapped.step(39)
    assert wrapped.rewards[agent] == -1
    assert all(wrapped.terminations.values())


def test_max_cycles_break_the_game_off() -> None:
    """PettingZoo's own `max_cycles_test` asks for a parallel environment, and this one is played in turn."""
    env = pickomino_v0.env(max_cycles=25)
    assert set(play(env, 1).values()) == {0.0}
    assert env.unwrapped.games.decisions[0] == 25
    assert not env.unwrapped.position.over


def test_pickled_it_goes_on_the_same_way() -> None:
    env = pickomino_v0.raw_env(num_seats=3)
    env.reset(seed=4)
    twin = pickle.loads(pickle.dumps(env))
    for _ in range(100):
        action = int(env.infos[env.agent_selection]["action_mask"].argmax())
        env.step(action)
        twin.step(action)
    assert env.game() == twin.game()


def test_pictures_and_odd_options() -> None:
    env = pickomino_v0.env(num_seats=7, edition="deluxe", render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().shape[2] == 3
    with pytest.raises(PickominoError, match="8 seats"):
        pickomino_v0.raw_env(num_seats=8)
