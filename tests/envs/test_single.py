"""The Gymnasium environment: its own checker, seeds, rewards, and episodes against the rules."""

from __future__ import annotations

import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

from pickomino import Game, IllegalMoveError, PickominoError, Position, parse_position
from pickomino.bots import make_bot, register_bot
from pickomino.bots.simple import CautiousBot
from pickomino.compact.moves import move_table
from pickomino.envs import GYMNASIUM_ID, PickominoEnv
from pickomino.envs.layout import layout_of
from pickomino.envs.picture import pixels
from pickomino.rules import find_edition
from pickomino.rules.specialists import APPLE_WORMS
from pickomino.testing import check_game

EDITIONS = ("classic", "summary", "deluxe")


def play(env: PickominoEnv, seed: int) -> tuple[list[Any], float, dict[str, Any]]:
    """A game of legal moves chosen by a seed: all observations, the last reward and the last info."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    seen, reward, over, broken_off = [observation], 0.0, False, False
    while not (over or broken_off):
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, over, broken_off, info = env.step(action)
        seen.append(observation)
    return seen, float(reward), info


@pytest.mark.parametrize("form", ["flat", "counts", "dict"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_gymnasiums_checker(edition: str, form: str) -> None:
    env = gymnasium.make(
        "pickomino.envs:" + GYMNASIUM_ID,
        edition=edition,
        bots=["cautious", "random"],
        observation=form,
        render_mode="rgb_array",
    )
    check_env(env.unwrapped)


def test_two_environments_with_one_seed_agree() -> None:
    check_environments_match(PickominoEnv(), PickominoEnv(), num_steps=500, seed=3)
    for seed in range(3):
        one, other = play(PickominoEnv("deluxe"), seed), play(PickominoEnv("deluxe"), seed)
        assert len(one[0]) == len(other[0])
        assert all((a == b).all() for a, b in zip(one[0], other[0], strict=True))
        assert one[1] == other[1]


def test_a_seed_fixes_the_games_after_it_too() -> None:
    def lengths(env: PickominoEnv) -> list[int]:
        env.reset(seed=5)
        found = []
        for _ in range(3):
            _, info = env.reset()
            over = broken_off = False
            while not (over or broken_off):
                _, _, over, broken_off, info = env.step(int(info["action_mask"].argmax()))
            found.append(len(env.game()))
        return found

    one = lengths(PickominoEnv(max_decisions=2000))
    assert one == lengths(PickominoEnv(max_decisions=2000))
    assert len(set(one)) > 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_episode_replays_through_the_rules(edition: str) -> None:
    env = PickominoEnv(edition, bots=["cautious", "random"])
    for seed in range(2):
        _, reward, info = play(env, seed)
        game = env.game()
        check_game(game) if seed == 0 else Game(game.start, game.plies)
        outcome = game.outcome
        assert outcome is not None
        assert list(outcome.scores) == info["worms"].tolist()
        assert reward == (0 in outcome.winners) / len(outcome.winners)
        assert info["win_shares"].sum() == pytest.approx(1)


@pytest.mark.parametrize("edition", EDITIONS)
def test_cautious_plays_as_the_bot_of_that_name(edition: str) -> None:
    """The kernel's `cautious`, held against the bot in every position of whole games."""
    env, bot = PickominoEnv(edition, bots=["cautious", "cautious"]), make_bot("cautious")
    for seed in range(4):
        play(env, seed)
        compared = 0
        for position, ply, _ in env.game().steps():
            if position.moves() and position.seat != 0:
                assert ply == bot.choose(position, random.Random(0)), str(position)
                compared += 1
        assert compared > 50


def test_a_bot_that_is_not_in_the_kernel_plays_through_its_choose() -> None:
    register_bot("cautious-in-python", CautiousBot)
    slow, fast = PickominoEnv(bots=["cautious-in-python"]), PickominoEnv(bots=["cautious"])
    one, other = play(slow, 11), play(fast, 11)
    assert slow.game() == fast.game()
    assert all((a == b).all() for a, b in zip(one[0], other[0], strict=True))


def test_the_mask_is_the_rules_moves() -> None:
    env = PickominoEnv("deluxe", bots=["cautious"])
    _, info = env.reset(seed=2)
    rng = np.random.default_rng(2)
    for _ in range(300):
        assert (info["action_mask"] == move_table("deluxe").mask(env.position)).all()
        assert (env.action_masks() == info["action_mask"]).all()
        _, _, over, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        if over:
            _, info = env.reset()


def test_an_illegal_move_loses_or_raises() -> None:
    env = PickominoEnv()
    _, info = env.reset(seed=1)
    illegal = int(info["action_mask"].argmin())
    _, reward, over, broken_off, info = env.step(illegal)
    assert (reward, over, broken_off, info["illegal"]) == (-1.0, True, False, True)
    with pytest.raises(PickominoError, match="reset"):
        env.step(0)
    env = PickominoEnv(illegal="raise")
    env.reset(seed=1)
    for action in (illegal, -1, 40):
        with pytest.raises(IllegalMoveError, match="expected k"):
            env.step(action)
    env.step(int(env.action_masks().argmax()))


def test_worms_as_reward_and_games_broken_off() -> None:
    _, reward, info = play(PickominoEnv(reward="worms"), 4)
    assert reward == info["worms"][0]
    env = PickominoEnv(max_decisions=10)
    _, info = env.reset(seed=1)
    broken_off = False
    while not broken_off:
        _, reward, over, broken_off, info = env.step(int(info["action_mask"].argmax()))
        assert (reward, over) == (0.0, False)
    assert env.games.decisions[0] >= 10  # the bot's turn comes to its end


def test_a_position_to_start_from() -> None:
    start = parse_position("pkp1 classic 21-23 24/25 A -:?")
    env = PickominoEnv(start=start)
    env.reset(seed=1)
    assert env.game().start == start
    ending: Position = parse_position("pkp1 classic 21 24/25 B -:?")  # the bot may end it before we act
    env = PickominoEnv(start=ending)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        assert info["action_mask"].any()


def test_pickled_it_goes_on_the_same_way() -> None:
    env = PickominoEnv(bots=["cautious", "random"])
    _, info = env.reset(seed=9)
    for _ in range(20):
        _, _, _, _, info = env.step(int(info["action_mask"].argmax()))
    twin = pickle.loads(pickle.dumps(env))
    for _ in range(50):
        action = int(info["action_mask"].argmax())
        observation, _, over, _, info = env.step(action)
        same = twin.step(action)
        assert (observation == same[0]).all()
        if over:
            break
    assert env.game() == twin.game()


def test_pictures() -> None:
    env = PickominoEnv("deluxe", render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    assert before.dtype == np.uint8
    assert before.ndim == 3
    env.step(int(env.action_masks().argmax()))
    assert (env.render() != before).any()
    env = PickominoEnv(render_mode="ansi")
    env.reset(seed=1)
    assert "Rolled" in env.render()
    assert PickominoEnv().render_mode is None


def test_pictures_tell_specialists_apart() -> None:
    """Which one stands on a tile, and which one a seat holds: every change of them changes the picture."""
    text = "pkp1 deluxe 11,22-36 13,21/-/- A -:? {} 1/0/0"
    shown = [
        pixels(parse_position(text.format(placed))).tobytes()
        for placed in (
            "apple@29,can@11,crow@23,gold@27,hen@22,weasel@25",
            "apple@27,can@11,crow@23,gold@29,hen@22,weasel@25",  # two have changed places
            "apple@29,can@11,crow@23,gold@27,hen@A,weasel@25",
            "apple@29,can@11,crow@23,gold@27,hen@B,weasel@25",
            "apple@29,can@11,crow@23,gold@27,hen@22,weasel@B",
        )
    ]
    assert len(set(shown)) == len(shown)


def test_the_largest_numbers_of_the_layout() -> None:
    """Classic has 40 worms (R1.2), four tiles each of 1 to 4; deluxe 2 more, 7 round ones and the apple's (D7)."""
    most = {
        key: next(part.most for part in layout_of(find_edition(key), 2).parts if part.name == "worms")
        for key in ("classic", "deluxe", "extrawurm")
    }
    assert most == {"classic": 40, "deluxe": 40 + 2 + 7 + APPLE_WORMS, "extrawurm": 40 + 2 + 7}


def test_gymnasiums_own_vector_envs_take_it() -> None:
    make = [lambda: gymnasium.make(GYMNASIUM_ID)] * 2
    one, other = SyncVectorEnv(make), AsyncVectorEnv(make)
    try:
        a, infos = one.reset(seed=3)
        b, _ = other.reset(seed=3)
        for _ in range(50):
            assert (a == b).all()
            actions = infos["action_mask"].argmax(axis=1)
            a, _, _, _, infos = one.step(actions)
            b, _, _, _, _ = other.step(actions)
    finally:
        one.close()
        other.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bots": []}, "0 bots"),
        ({"bots": ["cautious"] * 7}, "7 bots"),
        ({"bots": ["nobody"]}, "nobody"),
        ({"observation": "round"}, "flat, counts, dict"),
        ({"reward": "money"}, "win, worms"),
        ({"illegal": "ignore"}, "raise or lose"),
        ({"render_mode": "film"}, "human, ansi, rgb_array"),
        ({"max_decisions": 0}, "at least one"),
        ({"first": 5}, "first seat 5"),
        ({"edition": "nonsense"}, "nonsense"),
    ],
)
def test_odd_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PickominoError, match=message):
        PickominoEnv(**options)
