"""Double DQN with n-step returns for the vector environment, in NumPy and in self-play of two.

A net says what each move is worth to the seat that makes it: its part of the win. Some decisions later it may be the
other seat's turn: what is worth v to it is worth 1 − v to me. Games explored at random alone would go on for two
thousand decisions, so most of the moves tried in place of the net's are those of `cautious`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.baselines.net import Adam, Floats, Mlp
from pickomino.baselines.policy import NetBot, trained
from pickomino.compact.bulk import cautious_moves
from pickomino.envs.vector import PickominoVectorEnv
from pickomino.rules import PickominoError


@dataclass(frozen=True)
class DqnSettings:
    """Everything that makes one policy, beside the games it is learned in."""

    steps: int = 1_500_000  # decisions of all games
    seed: int = 1
    hidden: tuple[int, ...] = (128, 128)
    remembered: int = 512  # steps of every game; older ones are forgotten
    ahead: int = 10  # decisions whose results count before the net's own word does
    minibatch: int = 1024  # learned from after every step of the games
    rate: float = 1e-3  # falls to 0
    target: int = 250  # updates for which the goals come from one net
    explore: float = 0.02  # how often another move than the net's is tried in the end, from 1 at first
    explore_until: float = 0.4  # the part of all steps in which it falls to that
    cautious: float = 0.8  # how many of these are `cautious`'s, the others are drawn at random
    report: int = 64  # steps of the games between two lines of progress


class DqnProgress(NamedTuple):
    """After some steps of the games."""

    steps: int
    games: int  # that ended since the last one
    explored: float
    error: float  # mean square of value − goal


class DqnBot(NetBot):
    """The policy of `pickomino.baselines.dqn` for `classic` with two seats, or the one in a file."""

    def __init__(self, weights: str = "") -> None:
        super().__init__(trained("dqn", weights))


class _Memory:
    """The last steps of all games, in a ring: (steps, games, …)."""

    def __init__(self, steps: int, games: int, numbers: int, moves: int) -> None:
        self.seen = np.zeros((steps, games, numbers), dtype=np.float16)  # counts of up to 64: exact enough
        self.legal = np.zeros((steps, games, moves), dtype=np.bool_)
        self.action = np.zeros((steps, games), dtype=np.int64)
        self.reward = np.zeros((steps, games), dtype=np.float32)
        self.over = np.zeros((steps, games), dtype=np.bool_)
        self.turned = np.zeros((steps, games), dtype=np.bool_)  # the next position is another seat's


class Dqn:
    """A policy in the making."""

    def __init__(self, env: PickominoVectorEnv, settings: DqnSettings) -> None:
        if env.games.seats != 2:
            raise PickominoError("DQN here plays itself with two seats")
        self.env, self.settings = env, settings
        self._rng = np.random.default_rng(settings.seed)
        moves, numbers = len(env.moves), env.games.layout.size
        self.net = Mlp.fresh((numbers, *settings.hidden, moves), self._rng)
        self.net.parameters[-1] += np.float32(0.5)  # every move wins as often as not
        self._target = self.net.copy()
        self._adam = Adam(self.net.parameters)
        self._memory = _Memory(settings.remembered, env.num_envs, numbers, moves)
        seen, infos = env.reset(seed=settings.seed)
        self._now = seen, infos["action_mask"].astype(np.bool_), infos["seat"]
        self._made = 0  # steps of every game

    @property
    def steps(self) -> int:
        return self._made * self.env.num_envs

    def train(self) -> Iterator[DqnProgress]:
        """Steps and updates in turn."""
        settings, games, errors = self.settings, 0, list[float]()
        while self.steps < settings.steps:
            done = self.steps / settings.steps
            explored = max(settings.explore, 1 - (1 - settings.explore) * done / settings.explore_until)
            games += self._step(explored)
            if self._made > settings.ahead:
                errors.append(self._learn(settings.rate * max(1 - done, 0.02)))
            if self._made % settings.target == 0:
                self._target = self.net.copy()
            if self._made % settings.report == 0 or self.steps >= settings.steps:
                yield DqnProgress(self.steps, games, explored, float(np.mean(errors)))
                games, errors = 0, []

    def _step(self, explored: float) -> int:
        """One decision in every game, remembered; how many games ended."""
        games, (seen, legal, seat) = self.env.games, self._now
        action = np.where(legal, self.net.forward(seen), -np.inf).argmax(axis=1)
        tried = self._rng.random(len(action))
        other = tried < explored * (1 - self.settings.cautious)
        action = np.where(
            tried < explored, cautious_moves(games.edition, games.positions, games.legal_bits), action
        )
        action = np.where(other, self.env.sample_legal(), action)
        after, reward, over, broken_off, infos = self.env.step(action)
        self._now = after, infos["action_mask"].astype(np.bool_), infos["seat"]
        memory, at = self._memory, self._made % self.settings.remembered
        memory.seen[at], memory.legal[at], memory.action[at], memory.reward[at] = seen, legal, action, reward
        memory.over[at], memory.turned[at] = over | broken_off, self._now[2] != seat
        self._made += 1
        return int(memory.over[at].sum())

    def _learn(self, rate: float) -> float:
        """One update from steps drawn at random; the mean square error."""
        settings, memory, rng = self.settings, self._memory, self._rng
        oldest = max(0, self._made - settings.remembered)
        step = rng.integers(oldest, self._made - settings.ahead, settings.minibatch)
        game = rng.integers(self.env.num_envs, size=settings.minibatch)
        at = step % settings.remembered, game
        plus, times = np.zeros(len(step), dtype=np.float32), np.ones(len(step), dtype=np.float32)
        for ahead in range(settings.ahead):  # what is seen from the first seat: plus + times · value
            here = (step + ahead) % settings.remembered, game
            over, turned = memory.over[here], memory.turned[here]
            plus += times * np.where(over, memory.reward[here], turned)
            times *= np.where(over, 0, np.where(turned, -1, 1)).astype(np.float32)
        later = (step + settings.ahead) % settings.remembered, game
        seen: Floats = memory.seen[later].astype(np.float32)
        best = np.where(memory.legal[later], self.net.forward(seen), -np.inf).argmax(axis=1)
        rows: NDArray[np.intp] = np.arange(len(step))
        goal = np.clip(plus + times * self._target.forward(seen)[rows, best], 0, 1)
        layers = self.net.layers(memory.seen[at].astype(np.float32))
        miss = layers[-1][rows, memory.action[at]] - goal
        slope = np.zeros_like(layers[-1])
        slope[rows, memory.action[at]] = 2 * miss / np.float32(len(step))
        self._adam.step(self.net.gradient(layers, slope), rate)
        return float((miss * miss).mean())
