"""Masked PPO for the vector environment, in NumPy: against itself, past policies, or bots.

Begin against itself: who plays at random never wins against a bot, so there is nothing to learn from.

One net says how likely each move is and, in a last column, what the position is worth to the seat to act. In
self-play of two the next position may be the other seat's: what is worth v to it is worth 1 − v to me.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pickomino.baselines.net import Adam, Floats, Mlp, minibatches
from pickomino.envs.vector import PickominoVectorEnv
from pickomino.rules import PickominoError

# A spread of advantages below this is noise, as when nobody has won yet: not blown up.
_QUIET = np.float32(0.05)
_NEVER = np.float32(-1e9)  # the logit of a move that is not legal


@dataclass(frozen=True)
class PpoSettings:
    """Everything that makes one policy, beside the games it is learned in."""

    steps: int = 8_000_000  # decisions of the agent
    seed: int = 1
    hidden: tuple[int, ...] = (128, 128)
    length: int = 64  # decisions per game between two updates
    epochs: int = 3
    minibatch: int = 4096
    rate: float = 1e-3  # falls to 0
    clip: float = 0.2
    trace: float = 0.95  # λ of the advantages; nothing is discounted, as games end
    entropy: float = 0.05  # falls to 0
    value: float = 0.5  # how much the error of the value counts


class PpoProgress(NamedTuple):
    """After every update."""

    steps: int
    games: int  # that ended since the last one
    share: float  # of the wins in them, as the reward says it
    entropy: float
    value_error: float  # mean square of value − return


def log_policy(logits: Floats, legal: NDArray[np.bool_]) -> Floats:
    """The logarithm of how likely each move is; those that are not legal get next to nothing."""
    log = np.where(legal, logits, _NEVER)
    log -= log.max(axis=1, keepdims=True)
    log -= np.log(np.exp(log).sum(axis=1, keepdims=True))
    return log


class Experience(Protocol):
    """Decisions: (length, lanes)."""

    @property
    def value(self) -> Floats: ...
    @property
    def reward(self) -> Floats: ...
    @property
    def over(self) -> NDArray[np.bool_]: ...
    @property
    def turned(self) -> NDArray[np.bool_]:
        """The next position is another seat's."""
        ...


class _Rollout(NamedTuple):
    """Decisions: (length, lanes, …)."""

    seen: Floats
    legal: NDArray[np.bool_]
    action: NDArray[np.int64]
    log: Floats
    value: Floats
    reward: Floats
    over: NDArray[np.bool_]
    turned: NDArray[np.bool_]


class Ppo:
    """A policy in the making; `envs` play side by side, each with opponents of its own."""

    def __init__(
        self, envs: Sequence[PickominoVectorEnv], settings: PpoSettings, net: Mlp | None = None
    ) -> None:
        self.envs, self.settings = envs, settings
        if any(env.games.seats > 2 and len(set(env.reset(seed=0)[1]["seat"].tolist())) > 1 for env in envs):
            raise PickominoError(
                "PPO plays against itself with two seats; with more, give the other seats bots"
            )
        self._rng = np.random.default_rng(settings.seed)
        sizes = (envs[0].games.layout.size, *settings.hidden, len(envs[0].moves) + 1)
        self.net = Mlp.fresh(sizes, self._rng) if net is None else net
        self._adam = Adam(self.net.parameters)
        started = [env.reset(seed=settings.seed + 1_000_003 * index) for index, env in enumerate(envs)]
        self._now = _joined(started)
        self.steps = self._games = 0
        self._won = 0.0

    def train(self) -> Iterator[PpoProgress]:
        """Updates until the steps are made."""
        while self.steps < self.settings.steps:
            rollout = self._play()
            left = max(0.0, 1 - self.steps / self.settings.steps)
            entropy, error = self._learn(rollout, left)
            games, share = self._games, self._won / max(1, self._games)
            self._games, self._won = 0, 0.0
            yield PpoProgress(self.steps, games, share, entropy, error)

    def _play(self) -> _Rollout:
        steps = []
        for _ in range(self.settings.length):
            seen, legal, seat = self._now
            out = self.net.forward(seen)
            log = log_policy(out[:, :-1], legal)
            lots = -np.log(-np.log(self._rng.random(log.shape, dtype=np.float32) + 1e-20) + 1e-20)
            action = (log + lots).argmax(axis=1)  # Gumbel's way to draw by the probabilities
            first, answers = 0, []
            for env in self.envs:
                answers.append(env.step(action[first : first + env.num_envs]))
                first += env.num_envs
            self._now = _joined([(answer[0], answer[4]) for answer in answers])
            reward, over = (np.concatenate([answer[part] for answer in answers]) for part in (1, 2))
            over |= np.concatenate([answer[3] for answer in answers])
            self._games += int(over.sum())
            self._won += float(reward[over].sum())
            chosen = log[np.arange(len(action)), action]
            turned = self._now[2] != seat
            steps.append(
                (seen, legal, action, chosen, out[:, -1].copy(), reward.astype(np.float32), over, turned)
            )
        self.steps += self.settings.length * len(action)
        return _Rollout(*map(np.stack, zip(*steps, strict=True)))

    def _learn(self, rollout: _Rollout, left: float) -> tuple[float, float]:
        settings = self.settings
        advantage = advantages(rollout, self.net.forward(self._now[0])[:, -1], settings.trace)
        goal = (advantage + rollout.value).reshape(-1)
        advantage = advantage.reshape(-1)
        seen = rollout.seen.reshape(-1, rollout.seen.shape[2])
        legal = rollout.legal.reshape(-1, rollout.legal.shape[2])
        action, old = rollout.action.reshape(-1), rollout.log.reshape(-1)
        entropies, errors = [], []
        for at in minibatches(self._rng, len(action), settings.epochs, settings.minibatch):
            part = advantage[at]
            part = (part - part.mean()) / np.maximum(part.std(), _QUIET)
            layers = self.net.layers(seen[at])
            slope, entropy, error = self._slope(
                layers[-1], legal[at], action[at], old[at], part, goal[at], settings.entropy * left
            )
            self._adam.step(self.net.gradient(layers, slope), settings.rate * max(left, 0.02))
            entropies.append(entropy)
            errors.append(error)
        return float(np.mean(entropies)), float(np.mean(errors))

    def _slope(
        self,
        out: Floats,
        legal: NDArray[np.bool_],
        action: NDArray[np.int64],
        old: Floats,
        advantage: Floats,
        goal: Floats,
        entropy_weight: float,
    ) -> tuple[Floats, float, float]:
        """How the loss changes with the net's output; mean entropy, and mean square error of the value."""
        rows, clip = np.arange(len(action)), self.settings.clip
        log = log_policy(out[:, :-1], legal)
        prob = np.exp(log)
        ratio = np.exp(log[rows, action] - old)
        moves = np.where(advantage > 0, ratio < 1 + clip, ratio > 1 - clip)  # else it is cut off: no slope
        pull = np.where(moves, ratio * advantage, 0).astype(np.float32)
        entropy = -(prob * np.where(legal, log, 0)).sum(axis=1)
        slope = np.empty_like(out)
        # d log p_a / d logits is 1 at a, less all probabilities; d entropy / d logit is −p (log p + entropy)
        slope[:, :-1] = prob * pull[:, None]
        slope[rows, action] -= pull
        slope[:, :-1] += np.float32(entropy_weight) * prob * (np.where(legal, log, 0) + entropy[:, None])
        miss = out[:, -1] - goal
        slope[:, -1] = 2 * self.settings.value * miss
        slope /= np.float32(len(action))
        return slope, float(entropy.mean()), float((miss * miss).mean())


def _joined(
    shown: Sequence[tuple[Floats, dict[str, NDArray[np.int8]]]],
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.int8]]:
    """Observations, legal moves and seats to act of several environments side by side."""
    seen = np.concatenate([rows for rows, _ in shown])
    legal, seat = (np.concatenate([infos[name] for _, infos in shown]) for name in ("action_mask", "seat"))
    return seen, legal.astype(np.bool_), seat


def advantages(rollout: Experience, last: Floats, trace: float) -> Floats:
    """Generalised advantages (Schulman et al.) for the seat that made each decision."""
    found = np.empty_like(rollout.value)
    onward, value = np.zeros_like(last), last
    for step in range(len(found) - 1, -1, -1):
        over, turned = rollout.over[step], rollout.turned[step]
        value = np.where(over, rollout.reward[step], np.where(turned, 1 - value, value))
        onward = np.where(over, 0, np.where(turned, -onward, onward))
        found[step] = value - rollout.value[step] + np.float32(trace) * onward
        onward, value = found[step], rollout.value[step]
    return found
