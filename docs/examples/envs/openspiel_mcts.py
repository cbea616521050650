"""OpenSpiel's own MCTS plays the end of a game of Pickomino against the bot ``cautious``.

    pip install "pickomino[openspiel]"
    python openspiel_mcts.py --simulations 20

Three tiles are left on the grill: from the beginning it takes longer, since each rollout is a random game to its
end. `start` takes any position.
"""

from __future__ import annotations

import argparse
import random

import numpy as np
import pyspiel
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

from pickomino.bots import make_bot
from pickomino.envs.openspiel import SHORT_NAME

START = "pkp1 classic 21-23 24/25 A -:?"


def play(start: str, simulations: int, seed: int) -> list[float]:
    """One game, MCTS at seat A. Returns what each seat won."""
    game = pyspiel.load_game(SHORT_NAME, {"start": start})
    rng = np.random.RandomState(seed)
    evaluator = RandomRolloutEvaluator(1, rng)
    bot = MCTSBot(game, uct_c=1.0, max_simulations=simulations, evaluator=evaluator, random_state=rng)
    opponent = make_bot("cautious")
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            action = rng.choice(outcomes, p=weights)
        elif state.current_player() == 0:
            action = bot.step(state)
        else:
            action = game.moves.index(opponent.choose(state.position, random.Random(seed)))
        player = state.current_player()
        print(f"{'dice' if player < 0 else 'AB'[player]:>4} {state.action_to_string(player, action)}")
        state.apply_action(action)
    print(state)
    return list(state.returns())


def main(argv: list[str] | None = None) -> list[float]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start", default=START)
    parser.add_argument("--simulations", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(argv)
    returns = play(arguments.start, arguments.simulations, arguments.seed)
    print("won:", returns)
    return returns


if __name__ == "__main__":
    main()
