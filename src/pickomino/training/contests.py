"""Strength on the way: whole games between policies, thousands at once, one champion among equals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from pickomino.rules.edition import SPECIALISTS
from pickomino.tensor import Array, Batch, Rules, endings
from pickomino.training.backup import TurnGraph
from pickomino.training.turn import prepare

Estimate: TypeAlias = Callable[[Batch], Array]
"""Games between two turns -> every seat's probability to win: (batch, seats)."""

Valuation: TypeAlias = Callable[[Batch, Batch], Array]
"""(games, games after each ending) -> (batch, endings, seats), seat 0 to act; only seat 0 counts in a contest."""

_MOST_TURNS = 3000


@dataclass
class ContestResult:
    """Share of games won by the one, with its standard error."""

    games: int
    share: float
    error: float


def win(estimate: Estimate) -> Valuation:
    """Play for the probability to win."""

    def value(batch: Batch, ends: Batch) -> Array:
        shares = estimate(ends.flatten()).reshape(*ends.grill.shape[:2], -1)
        return batch.rules.xp.roll(shares, 1, -1)  # at the end of the turn everybody moved up by one

    return value


def deeper(estimate: Estimate, graph: TurnGraph) -> Valuation:
    """Play for the probability to win, looking one turn further."""
    near = win(estimate)

    def further(batch: Batch) -> Array:
        turn = prepare(graph, batch, near(batch, endings(batch)[0])[..., :-1])
        return graph.xp.where(batch.over[:, None], batch.tally().shares, turn.shares)

    return win(further)


def blind(estimate: Estimate) -> Valuation:
    """Play for the probability to win as if there were no switches."""
    return win(lambda batch: estimate(replace(batch, switches=batch.rules.xp.zeros_like(batch.switches))))


@dataclass(frozen=True)
class WormsValue:
    """Play for the worms of this turn, as the bot `ev` does: the objective of `pickomino.solver.objective`."""

    loss: float = 1.0
    steal: float = 0.0
    round: float = 1.0
    apple: float = 3.0
    can: float = 0.0
    gold: float = 0.0
    hen: float = 0.0
    weasel: float = 0.0

    def __call__(self, batch: Batch, ends: Batch) -> Array:
        rules, xp = batch.rules, batch.rules.xp
        shape = (len(batch), rules.variants, rules.endings)
        number = xp.arange(rules.endings)
        factor = xp.where(number < rules.steal_at, 1.0, 1.0 + self.steal)
        factor = xp.fill(factor, number == rules.bust, self.loss)
        gain = self._worth(ends, rules.seats - 1).reshape(shape) - self._worth(batch, 0)[:, None, None]
        # Whatever becomes of the turn (D8.4).
        had = ends.round_worms[..., -1].reshape(shape)[..., rules.bust :]
        earned = self.round * (had - batch.round_worms[:, :1, None])
        return (earned + factor * (gain - earned)).reshape(len(batch), -1, 1)

    def _worth(self, batch: Batch, seat: int) -> Array:
        """What one seat has: (batch,) or (batch, endings)."""
        rules, xp = batch.rules, batch.rules.xp
        worth = xp.astype(batch.heights[..., seat, :] > 0, xp.float32) @ rules.worms
        worth = worth + self.round * batch.round_worms[..., seat]
        for who in range(rules.specialists):
            value = getattr(self, SPECIALISTS[who], 0.0)  # nobody owns the crow
            worth = worth + value * (batch.place[..., who] == rules.tiles + seat)
        return worth


def contest(
    graph: TurnGraph,
    rules: Rules,
    one: Valuation,
    others: Valuation,
    games: int,
    seed: int,
    at_once: int = 25_000,
) -> ContestResult:
    """One against copies of another, its seat rotated from game to game."""
    parts = [
        _contest(graph, rules, one, others, min(at_once, games - first), seed * 1000 + first // at_once)
        for first in range(0, games, at_once)
    ]
    won = rules.xp.concatenate(parts)
    return ContestResult(games, float(won.mean()), float(won.std()) / games**0.5)


def _contest(
    graph: TurnGraph, rules: Rules, one: Valuation, others: Valuation, games: int, seed: int
) -> Array:
    xp, dice = rules.xp, rules.xp.seeded(seed)
    batch, game = Batch.start(rules, games), rules.xp.arange(games)
    place = game % rules.seats  # turns until the one acts
    won = xp.full((games,), 0, xp.float32)
    for _ in range(_MOST_TURNS):
        ends, _ = endings(batch)
        mine, theirs = one(batch, ends)[..., :1], others(batch, ends)[..., :1]
        values = xp.where((place == 0)[:, None, None], mine, theirs)
        batch = ends.pick(prepare(graph, batch, values).play(dice))
        place = (place - 1) % rules.seats
        over = batch.over
        if over.any():
            won[game[over]] = xp.take(batch[over].tally().shares, place[over][:, None])[:, 0]
            batch, place, game = batch[~over], place[~over], game[~over]
        if not len(game):
            break
    return won
