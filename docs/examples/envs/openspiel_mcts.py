"""OpenSpiel's own MCTS plays the end of a game of Pickomino against the bot ``cautious``.

    pip install "pickomino[openspiel]"
    python openspiel_mcts.py --simulations 50

Random games are long, since every bust returns a tile, so a position is judged by letting ``cautious`` play both
sides to the end. Three tiles are left on the grill; `start` takes any position.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.mcts import Evaluator, MCTSBot

from pickomino.bots import make_bot
from pickomino.chance import SeededDice
from pickomino.envs.openspiel import SHORT_NAME
from pickomino.rules import Phase, Position

START = "pkp1 classic 21-23 24/25 A -:?"


class CautiousPlayouts(Evaluator):  # type: ignore[misc]  # OpenSpiel has no types
    """The result of one game by ``cautious`` in all seats from a position; all moves have the same prior."""

    def __init__(self, seed: int) -> None:
        self._bot, self._dice, self._rng = make_bot("cautious"), SeededDice(seed), random.Random(seed)

    def evaluate(self, state: Any) -> np.ndarray:
        position: Position = state.position
        while not position.over:
            due = position.phase is Phase.ROLL
            ply = self._dice.roll(position) if due else self._bot.choose(position, self._rng)
            position = position.apply(ply).position
        assert position.outcome is not None
        winners = position.outcome.winners
        return np.array([(seat in winners) / len(winners) for seat in range(len(position.stacks))])

    def prior(self, state: Any) -> list[tuple[int, float]]:
        if state.is_chance_node():
            return list(state.chance_outcomes())
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


def play(start: str, simulations: int, seed: int) -> list[float]:
    """One game, MCTS at seat A. Returns what each seat won."""
    game = pyspiel.load_game(SHORT_NAME, {"start": start})
    rng = np.random.RandomState(seed)
    evaluator = CautiousPlayouts(seed)
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
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(argv)
    returns = play(arguments.start, arguments.simulations, arguments.seed)
    print("won:", returns)
    return returns


if __name__ == "__main__":
    main()
