"""An AlphaZero-style learner in self-play of two, in NumPy: search, and a net that learns what the search found.

Policies learn what the search made of them. Values learn λ-returns of the searches' values rather than the result
alone (Silver et al. learn that), and the first games are those of `cautious`: games of a net that knows nothing go on
for two thousand decisions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.baselines.net import Adam, Floats, Mlp, minibatches
from pickomino.baselines.policy import NetBot, trained
from pickomino.baselines.ppo import advantages, log_policy
from pickomino.baselines.search import Searched, TreeSearch, shown
from pickomino.compact.bulk import cautious_moves
from pickomino.envs.layout import layout_of
from pickomino.rules import Edition, find_edition
from pickomino.tensor import Arrays, Decisions, Rules, RunningGames, packed_games


@dataclass(frozen=True)
class AlphaZeroSettings:
    """Everything that makes one policy."""

    edition: Edition | str = "classic"
    steps: int = 200_000  # decisions of all games with a search
    taught: int = 200_000  # decisions of `cautious` before that
    seed: int = 1
    games: int = 512  # side by side
    visits: int = 12  # per search
    falls: int = 3  # of the dice after each move
    prior: float = 1.5  # how much the policy weighs in the search
    noise: float = 0.25  # the part of the roots' priors that is drawn
    hidden: tuple[int, ...] = (128, 128)
    length: int = 32  # decisions per game between two updates
    epochs: int = 4
    minibatch: int = 1024
    rate: float = 1e-3  # falls to 0
    trace: float = 0.95  # λ


class AlphaZeroProgress(NamedTuple):
    """After every update."""

    steps: int
    games: int  # that ended since the last one
    policy_error: float  # mean cross-entropy of the policy and the search's
    value_error: float  # mean square of value − return


class AlphaZeroBot(NetBot):
    """The policy of `pickomino.baselines.alphazero` without search: `classic` with two seats, or that of a file."""

    def __init__(self, weights: str = "") -> None:
        super().__init__(trained("alphazero", weights))


class _Searches(NamedTuple):
    """Decisions: (length, games, …)."""

    seen: Floats
    legal: NDArray[np.bool_]
    policy: Floats
    value: Floats
    reward: Floats
    over: NDArray[np.bool_]
    turned: NDArray[np.bool_]


class AlphaZero:
    """A policy in the making."""

    def __init__(self, settings: AlphaZeroSettings) -> None:
        self.settings, edition = settings, settings.edition
        edition = find_edition(edition) if isinstance(edition, str) else edition
        self._rng = np.random.default_rng(settings.seed)
        self._decisions = Decisions(Rules(edition, 2, Arrays(settings.seed)))
        self._layout = layout_of(edition, 2)
        self.net = Mlp.fresh((self._layout.size, *settings.hidden, self._decisions.moves + 1), self._rng)
        self.net.parameters[-1][-1] = 0.5
        self._adam = Adam(self.net.parameters)
        self._games = self._decisions.start(settings.games)
        self.steps = 0

    def train(self) -> Iterator[AlphaZeroProgress]:
        """Searches and updates in turn, until the steps are made."""
        settings = self.settings
        for _ in range(0, settings.taught, settings.games * settings.length):
            self._learn(self._play(taught=True), 1.0)
        while self.steps < settings.steps:
            searches = self._play(taught=False)
            self.steps += settings.games * settings.length
            policy, value = self._learn(searches, max(0.02, 1 - self.steps / settings.steps))
            yield AlphaZeroProgress(self.steps, int(searches.over.sum()), policy, value)

    def _play(self, taught: bool) -> _Searches:
        settings, steps = self.settings, []
        search = TreeSearch(
            self.net, self._decisions, self._layout, settings.visits, settings.falls, settings.prior
        )
        for _ in range(settings.length):
            games = self._games
            found = self._taught(games) if taught else search.search(games, self._rng, settings.noise)
            lots = self._rng.random((settings.games, 1)) * 0.9999  # a sum of probabilities may end before 1
            move = (found.policy.cumsum(axis=1) > lots).argmax(axis=1)
            self._games, finished = self._decisions.decide(games, move, self._decisions.draw(len(move)))
            rows = np.arange(len(move))
            over = finished.over | finished.broken_off
            reward = finished.shares[rows, games.seat].astype(np.float32)
            turned = self._games.seat != games.seat
            steps.append((shown(self._layout, games), games.legal, *found, reward, over, turned))
        return _Searches(*map(np.stack, zip(*steps, strict=True)))

    def _taught(self, games: RunningGames) -> Searched:
        """What `cautious` would play, in the form of a search's answer."""
        legal = (games.legal << np.arange(games.legal.shape[1])).sum(axis=1)
        moves = cautious_moves(self._decisions.rules.edition, packed_games(games), legal)
        value = np.clip(self.net.forward(shown(self._layout, games))[:, -1], 0, 1)
        return Searched((moves[:, None] == np.arange(games.legal.shape[1])).astype(np.float32), value)

    def _learn(self, searches: _Searches, left: float) -> tuple[float, float]:
        settings = self.settings
        last = np.clip(self.net.forward(shown(self._layout, self._games))[:, -1], 0, 1)
        goal = (advantages(searches, last, settings.trace) + searches.value).reshape(-1)
        seen = searches.seen.reshape(len(goal), -1)
        legal = searches.legal.reshape(len(goal), -1)
        policy = searches.policy.reshape(len(goal), -1)
        errors = []
        for at in minibatches(self._rng, len(goal), settings.epochs, settings.minibatch):
            layers = self.net.layers(seen[at])
            log = log_policy(layers[-1][:, :-1], legal[at])
            miss = layers[-1][:, -1] - goal[at]
            slope = np.empty_like(layers[-1])
            slope[:, :-1] = np.exp(log) - policy[at]  # of the cross-entropy
            slope[:, -1] = 2 * miss
            slope /= np.float32(len(at))
            self._adam.step(self.net.gradient(layers, slope), settings.rate * left)
            errors.append((-(policy[at] * log).sum(axis=1).mean(), (miss * miss).mean()))
        policy_error, value_error = np.mean(errors, axis=0)
        return float(policy_error), float(value_error)
