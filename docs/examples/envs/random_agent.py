"""A random agent in each kind of environment: Gymnasium, PettingZoo, and the vector env.

python random_agent.py
"""

from __future__ import annotations

import gymnasium

from pickomino.envs import pickomino_v0


def against_bots(seed: int = 1) -> float:
    """Gymnasium: one agent against two bots. Returns the reward of the game."""
    env = gymnasium.make(
        "pickomino.envs:pickomino/Pickomino-v0", bots=["cautious", "random"], render_mode="ansi"
    )
    _, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    over = broken_off = False
    reward = 0.0
    while not (over or broken_off):
        action = env.action_space.sample(info["action_mask"])
        _, reward, over, broken_off, info = env.step(action)
    print(env.render())
    print(f"worms {info['worms']}, reward {reward}")
    return float(reward)


def among_agents(seed: int = 1) -> dict[str, float]:
    """PettingZoo: four agents around a table. Returns what each of them got."""
    env = pickomino_v0.env(num_seats=4, edition="deluxe")
    env.reset(seed=seed)
    got = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, broken_off, _ = env.last()
        got[agent] += reward
        if over or broken_off:
            env.step(None)
            continue
        space = env.action_space(agent)
        space.seed(seed)
        seed += 1
        env.step(space.sample(observation["action_mask"]))
    print(got)
    return got


def many_at_once(steps: int = 1000, seed: int = 1) -> int:
    """The vector env: a thousand games in self-play. Returns how many ended."""
    envs = gymnasium.make_vec("pickomino.envs:pickomino/Pickomino-v0", num_envs=1000, seats=2)
    _, infos = envs.reset(seed=seed)
    games = 0
    for _ in range(steps):
        _, _, over, broken_off, infos = envs.step(envs.unwrapped.sample_legal())
        games += int((over | broken_off).sum())
    print(f"{steps * len(infos['seat']):,} moves, {games} games ended")
    return games


def main() -> None:
    against_bots()
    among_agents()
    many_at_once()


if __name__ == "__main__":
    main()
