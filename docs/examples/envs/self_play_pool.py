"""Self-play against a pool of past policies, because a policy that beats only its latest self goes in circles.

    python self_play_pool.py --steps 2000000

One vector environment plays the policy against itself; each of the others plays it against one member of the pool, an
earlier copy. Every few updates the current policy replaces the oldest member. `NetBot` turns a net into a bot for any
seat, so the pool can contain any bot.
"""

from __future__ import annotations

import argparse

import numpy as np

from pickomino.baselines import NetBot
from pickomino.baselines.measure import duel
from pickomino.baselines.net import Mlp
from pickomino.baselines.ppo import Ppo, PpoSettings
from pickomino.bots import make_bot
from pickomino.envs import PickominoVectorEnv


def main(argv: list[str] | None = None) -> float:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2_000_000, help="decisions of the learner")
    parser.add_argument("--lanes", type=int, default=128, help="games against each member of the pool")
    parser.add_argument("--members", type=int, default=4)
    parser.add_argument("--every", type=int, default=8, help="updates between two new members")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(argv)
    mirror = PickominoVectorEnv(arguments.lanes, seats=2)  # itself as it is now, from both seats
    sizes = (mirror.games.layout.size, 128, 128, len(mirror.moves) + 1)
    net = Mlp.fresh(sizes, np.random.default_rng(arguments.seed))
    pool = [NetBot(net.copy(), draw=True) for _ in range(arguments.members)]
    envs = [mirror, *(PickominoVectorEnv(arguments.lanes, bots=[member]) for member in pool)]
    learner = Ppo(envs, PpoSettings(steps=arguments.steps, seed=arguments.seed), net)
    share = 0.0
    for update, progress in enumerate(learner.train(), 1):
        if update % arguments.every == 0:
            pool[update // arguments.every % len(pool)].net = net.copy()  # its games go on with the new one
        if update % (4 * arguments.every) == 0 or progress.steps >= arguments.steps:
            share = duel(NetBot(net), make_bot("cautious"), games=400)
            print(f"{progress.steps:>10,} steps  {100 * share:5.1f} % against cautious", flush=True)
    return share


if __name__ == "__main__":
    main()
