"""TD(λ) in self-play: what a game between two turns is worth, learned from where games went.

Turns are played exactly for the values of their ends, as the champion plays them; but the goals are sampled λ-returns
(Sutton), not values that the solver backed up, and all of it is NumPy. The first games are those of `cautious`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.baselines.net import Adam, Floats, Mlp, minibatches
from pickomino.baselines.policy import trained
from pickomino.bots import Bot
from pickomino.bots.ends import Ends
from pickomino.bots.games import as_policy
from pickomino.bots.simple import CautiousBot
from pickomino.bots.turn_value import TurnValueBot
from pickomino.compact.packed import PHASE_KEEP, Packed
from pickomino.rules import Edition, Position
from pickomino.simulate import Simulator
from pickomino.solver import Worms
from pickomino.tensor import Batch, encode, packed_batch


@dataclass(frozen=True)
class TdSettings:
    """Everything that makes one estimate."""

    edition: Edition | str = "classic"
    seats: int = 2
    start: Position | None = None  # where games begin, if not at their start
    rounds: int = 60  # of games with one net, which is then learned from
    games: int = 256  # per round
    seed: int = 1
    hidden: tuple[int, ...] = (128, 64)
    epochs: int = 3
    minibatch: int = 1024
    rate: float = 1e-3  # falls to 0
    trace: float = 0.9  # λ
    longest: int = 2000  # decisions; longer games are broken off, and count as their last value says


class TdProgress(NamedTuple):
    """After every round."""

    games: int  # so far
    turns: int  # so far
    error: float  # mean |value − λ-return| of the seat to act, before it was learned


def _shares(net: Mlp, batch: Batch) -> Floats:
    """Every seat's part of the win, the seat to act first; exact where the game is over."""
    shares = _softmax(net.forward(encode(batch)))
    over = batch.over
    if over.any():
        shares[over] = batch[over].tally().shares
    return shares


def _softmax(logits: Floats) -> Floats:
    odds: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    return odds


class TdBot(TurnValueBot):
    """Plays turns exactly for what a net says that their ends are worth: that of `classic` for two, or of a file."""

    def __init__(self, weights: str = "", net: Mlp | None = None) -> None:
        super().__init__(Worms())  # never asked for: `end_values` is
        self.net = trained("td", weights) if net is None else net

    def end_values(self, edition: Edition, ends: Ends) -> NDArray[np.float64]:
        seats = int(ends.rows["seats"][0])
        batch = packed_batch(edition, ends.rows, (ends.seats + 1) % seats)
        return _shares(self.net, batch)[:, -1].astype(np.float64)


class _Seen(NamedTuple):
    """Turns that began together."""

    lanes: NDArray[np.intp]
    seat: NDArray[np.int8]
    features: Floats


class Td:
    """An estimate in the making."""

    def __init__(self, settings: TdSettings) -> None:
        self.settings = settings
        self._rng = np.random.default_rng(settings.seed)
        start = self._simulator(0)
        width = self._features(start, start.positions).shape[1]
        self.net = Mlp.fresh((width, *settings.hidden, settings.seats), self._rng)
        self._adam = Adam(self.net.parameters)
        self.games = self.turns = 0

    def train(self) -> Iterator[TdProgress]:
        """Rounds of games, each learned from."""
        for number in range(self.settings.rounds):
            bot = TdBot(net=self.net.copy()) if number else CautiousBot()
            features, goals = self._play(bot, number)
            error = float(np.abs(_softmax(self.net.forward(features))[:, 0] - goals[:, 0]).mean())
            self._learn(features, goals, 1 - number / self.settings.rounds)
            self.games += self.settings.games
            self.turns += len(goals)
            yield TdProgress(self.games, self.turns, error)

    def _simulator(self, number: int) -> Simulator:
        settings = self.settings
        first = range(settings.seats) if settings.start is None else 0
        return Simulator(
            settings.edition,
            settings.seats,
            settings.games,
            settings.seed * 1_000_003 + number,
            first=first,
            start=settings.start,
            most_decisions=settings.longest,
        )

    @staticmethod
    def _features(simulator: Simulator, rows: Packed) -> Floats:
        features: Floats = encode(packed_batch(simulator.edition, rows, rows["seat"]))
        return features

    def _play(self, bot: Bot, number: int) -> tuple[Floats, Floats]:
        """The turns of a round: what is seen as each begins, and its λ-return, the seat to act first."""
        simulator, choose, turns = self._simulator(number), as_policy(bot, number), list[_Seen]()
        while len(running := np.flatnonzero(simulator.legal_bits)):
            rows = simulator.positions[running]
            begins = (rows["phase"] == PHASE_KEEP) & (rows["kept"] == 0)
            if begins.any():
                seen = rows[begins]
                turns.append(_Seen(running[begins], seen["seat"].copy(), self._features(simulator, seen)))
            actions = np.zeros(len(simulator), dtype=np.int64)
            actions[running] = choose(simulator.view(running))
            simulator.step(actions)
        trace, seats = np.float32(self.settings.trace), np.arange(self.settings.seats)
        onward = simulator.final_shares.astype(np.float32)  # by seat: the λ-return of what comes next,
        value = onward.copy()  # and its value
        cut = simulator.truncated.copy()
        goals = []
        for lanes, seat, features in reversed(turns):
            own = _softmax(self.net.forward(features))
            here = np.take_along_axis(own, (seats - seat[:, None]) % len(seats), axis=1)  # by seat
            last = cut[lanes]  # the last turn of a game that was broken off
            onward[lanes[last]], value[lanes[last]], cut[lanes] = here[last], here[last], False
            goal = (1 - trace) * value[lanes] + trace * onward[lanes]
            onward[lanes], value[lanes] = goal, here
            goals.append(np.take_along_axis(goal, (seats + seat[:, None]) % len(seats), axis=1))
        return np.concatenate([turn.features for turn in turns]), np.concatenate(goals[::-1])

    def _learn(self, features: Floats, goals: Floats, left: float) -> None:
        settings = self.settings
        for at in minibatches(self._rng, len(goals), settings.epochs, settings.minibatch):
            layers = self.net.layers(features[at])
            slope = (_softmax(layers[-1]) - goals[at]) / np.float32(len(at))  # of the cross-entropy
            self._adam.step(self.net.gradient(layers, slope), settings.rate * left)
