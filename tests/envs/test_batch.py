"""The environment of arrays, with NumPy: what is seen is what the vector environment shows, and players play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pickomino.bots.champion import ChampionBot
from pickomino.envs import PickominoVectorEnv
from pickomino.envs.batch import BatchEnv, BatchPlayer
from pickomino.envs.champion import ChampionPlayer
from pickomino.rules import Edition, Keep, PickominoError
from pickomino.tensor import Array, Arrays


@pytest.mark.parametrize(("key", "seats"), [("classic", 2), ("classic+fast", 5), ("deluxe", 3)])
def test_seats_see_what_the_vector_environment_shows(key: str, seats: int) -> None:
    env = BatchEnv(Arrays(), 24, key, seats)
    env.reset(seed=5)
    for _ in range(80):
        seen = env.step(env.sample_legal())
    for lane, position in enumerate(env.positions(range(24))):
        other = PickominoVectorEnv(1, key, seats=seats, observation="counts", start=position)
        observation, info = other.reset(seed=1)
        np.testing.assert_array_equal(seen.observation[lane], observation[0])
        np.testing.assert_array_equal(seen.action_mask[lane], info["action_mask"][0])
        assert seen.seat[lane] == info["seat"][0]


def test_a_seed_fixes_what_follows() -> None:
    def played() -> Any:
        env = BatchEnv(Arrays(), 8, "deluxe", 4, players=["random"] * 4)
        env.reset(seed=3)
        return [env.step(np.zeros(8, dtype=np.int64)).observation.tolist() for _ in range(50)][-1]

    assert played() == played()


def first_move(observation: Array, mask: Array) -> Array:
    return mask.argmax(-1)


def last_move(observation: Array, mask: Array) -> Array:
    """As logits: the last legal move of the table by far the likeliest."""
    return np.broadcast_to(np.arange(mask.shape[1], dtype=np.float32) * 100, mask.shape)


@pytest.mark.parametrize(("player", "wanted"), [(first_move, 0), (last_move, -1)])
def test_players_have_their_seats(player: BatchPlayer, wanted: int) -> None:
    """The agent's actions count in its own seat only: keeps and claims of the other one are those of the player."""
    env = BatchEnv(Arrays(), 16, players=[None, player])
    seen, checked = env.reset(seed=2), 0
    for _ in range(60):
        legal, before = seen.action_mask, env.positions(range(16))
        seen = env.step(env.sample_legal())
        after = env.positions(range(16))
        for lane, position in enumerate(before):
            move = env.moves[int(np.flatnonzero(legal[lane])[wanted])]
            if position.seat == 1 and isinstance(move, Keep) and after[lane].seat == 1:
                checked += 1
                assert after[lane] == position.apply(move).position
    assert checked > 100


@pytest.mark.parametrize(("key", "seats"), [("classic", 2), ("summary", 3), ("course", 4)])
def test_the_champion_plays_as_the_bot_does(key: str, seats: int) -> None:
    """In all seats but the first, and worth as much as the bot's own choice at each of its decisions."""
    bot, lanes, judged = ChampionBot(), 6, 0
    seated = BatchEnv(Arrays(), lanes, key, seats, players=[None, *["champion"] * (seats - 1)])
    env = BatchEnv(Arrays(), lanes, key, seats)
    player = ChampionPlayer(env.decisions, lanes)
    assert seated.reset(seed=6).seat.tolist() == env.reset(seed=6).seat.tolist()
    for _ in range(90):
        before, wanted = env.positions(range(lanes)), env.games.seat > 0
        chosen = np.where(wanted, player.moves(env.games, wanted), env.games.legal.argmax(-1))
        for lane in np.flatnonzero(wanted):
            values = bot.explain(before[lane]).moves
            assert values[env.moves[int(chosen[lane])]] > max(values.values()) - 1e-6
            judged += 1
        env.step(chosen)
        seated.step(np.where(wanted, 0, chosen))
    assert judged > 150
    assert seated.positions(range(lanes)) == env.positions(range(lanes))


def test_the_champion_plays_editions_without_specialists() -> None:
    with pytest.raises(PickominoError, match="deluxe has specialists"):
        BatchEnv(Arrays(), 1, "deluxe", players=[None, "champion"])


def test_games_end_with_shares_and_begin_again() -> None:
    tiny = Edition("tiny", ((4, 1), (5, 2)), dice=3)
    env = BatchEnv(Arrays(), 64, tiny, 3, players=["random"] * 3, max_decisions=60)
    env.reset(seed=4)
    ends = [env.step(np.zeros(64, dtype=np.int64)) for _ in range(60)]
    over, broken_off = (np.stack([getattr(end, name) for end in ends]) for name in ("over", "broken_off"))
    rewards, worms = (np.stack([getattr(end, name) for end in ends]) for name in ("rewards", "worms"))
    assert over.any()
    assert broken_off[-1].any()
    assert not (over & broken_off).any()
    np.testing.assert_allclose(rewards.sum(-1), over, atol=1e-6)
    assert (worms[rewards == 1] >= worms.max(-1)[(rewards == 1).any(-1)]).all()


def test_what_is_not_a_table_is_refused() -> None:
    with pytest.raises(PickominoError, match="8 seats, 8 players: expected 2 to 7"):
        BatchEnv(Arrays(), 1, seats=8)
    with pytest.raises(
        PickominoError, match="player 'cautious': expected None, 'random', 'champion' or a callable"
    ):
        BatchEnv(Arrays(), 1, players=[None, "cautious"])
    with pytest.raises(PickominoError, match="0 games"):
        BatchEnv(Arrays(), 0)
