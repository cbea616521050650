"""What an agent learns against what is true: Q-learning on a small game that is solved exactly.

    python learned_value.py --steps 4000

Three dice of three faces and three tiles make a game of under two thousand decisions. One table of values learns
it by self-play on the vector env, from the point of view of whoever is to act. `solve_whole` has the exact
probability of winning for every position, so each learned value can be compared with it.
"""

from __future__ import annotations

import argparse

import numpy as np

from pickomino.envs import PickominoVectorEnv
from pickomino.rules import WORM, Edition, Face, Position
from pickomino.solver.whole import WholeGame, solve_whole

TILES = (4, 5, 6)
FACES = (Face("1", 1, 2), Face("2", 2, 2), Face(WORM, 3, 2))
TINY = Edition("tiny", tuple((tile, tile - 3) for tile in TILES), dice=3, faces=FACES)


class Learner:
    """Q-learning for a game of two whose values sum to 1: what is worth q to the next seat is worth 1 - q to me."""

    def __init__(self, lanes: int, seed: int) -> None:
        self.envs = PickominoVectorEnv(lanes, TINY, seats=2, observation="counts")
        self.index: dict[bytes, int] = {}
        self.positions: list[Position] = []
        self.values = np.full((1 << 16, len(self.envs.moves)), 0.5)
        self.legal = np.zeros_like(self.values, dtype=np.bool_)
        self.visits = np.zeros(self.values.shape)
        self.rng = np.random.default_rng(seed)
        observations, self.infos = self.envs.reset(seed=seed)
        self.states = self._numbers(observations)

    def _numbers(self, observations: np.ndarray) -> np.ndarray:
        """Every position that a seat can be in has a number, given when it is seen first."""
        numbers = np.empty(len(observations), dtype=np.int64)
        for lane, row in enumerate(observations):
            key = row.tobytes()
            if key not in self.index:
                self.index[key] = len(self.index)
                self.positions.append(self.envs.position(lane))
                self.legal[self.index[key]] = self.infos["action_mask"][lane]
            numbers[lane] = self.index[key]
        return numbers

    def best(self, states: np.ndarray) -> np.ndarray:
        return np.where(self.legal[states], self.values[states], -1.0)

    def learn(self, steps: int, explore: float = 0.15) -> None:
        for _ in range(steps):
            states, seats = self.states, self.infos["seat"]
            explores = self.rng.random(len(states)) < explore
            actions = np.where(explores, self.envs.sample_legal(), self.best(states).argmax(axis=1))
            observations, rewards, over, broken_off, self.infos = self.envs.step(actions)
            self.states = self._numbers(observations)
            onward = self.best(self.states).max(axis=1)
            target = np.where(self.infos["seat"] == seats, onward, 1 - onward)
            target = np.where(over, rewards, target)
            self.visits[states, actions] += 1
            rate = self.visits[states, actions] ** -0.6
            self.values[states, actions] += ~broken_off * rate * (target - self.values[states, actions])

    def compare(self, exact: WholeGame, sample: int = 400) -> tuple[float, float, float]:
        """The learned and the exact value of the start, and the mean error of positions as often as they come."""
        learned = self.best(np.arange(len(self.positions))).max(axis=1)
        often = self.visits[: len(self.positions)].sum(axis=1)
        drawn = self.rng.choice(len(often), sample, p=often / often.sum())
        error = np.mean([abs(learned[at] - exact.value(self.positions[at])) for at in drawn])
        starts = [Position.start(TINY, 2, first=seat) for seat in range(2)]
        rolls = starts[0].rolls().items()
        first = {start.apply(roll).position: weight for start in starts for roll, weight in rolls}
        seen = [
            (learned[at], first[position]) for at, position in enumerate(self.positions) if position in first
        ]
        start = np.average([value for value, _ in seen], weights=[weight for _, weight in seen])
        return float(start), exact.start_value, float(error)


def main(argv: list[str] | None = None) -> tuple[float, float, float]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=4000, help="steps of 256 games each")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(argv)
    exact = solve_whole(TILES, TINY)
    learner = Learner(256, arguments.seed)
    found = (0.0, 0.0, 0.0)
    for part in range(1, 5):
        learner.learn(arguments.steps // 4)
        start, true, error = found = learner.compare(exact)
        print(
            f"{part * arguments.steps // 4 * 256:>9,} moves  {len(learner.positions):>6,} positions  "
            f"start {start:.4f} learned, {true:.4f} exact  mean error {error:.4f}",
            flush=True,
        )
    return found


if __name__ == "__main__":
    main()
