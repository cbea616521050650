"""Strength on the way: whole games between policies, thousands at once, one champion among equals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import torch
from torch import Tensor

from pickomino.rules.edition import SPECIALISTS
from pickomino.training.backup import TurnGraph
from pickomino.training.batch import Rules, Table, lanes
from pickomino.training.deluxe import APPLE, DeluxeTable, deluxe_endings
from pickomino.training.families import start
from pickomino.training.features import WinNet, encode
from pickomino.training.table import ClassicTable
from pickomino.training.turn import prepare

__all__ = ["Result", "Valuation", "Worms", "blind", "contest", "deeper", "estimate", "win", "worms"]

Valuation: TypeAlias = Callable[[Table, Table], Tensor]
"""(table, tables after each ending) -> (batch, endings, seats), seat 0 to act; only seat 0 counts in a contest."""

_MOST_TURNS = 3000


@dataclass
class Result:
    """Share of games won by the one, with its standard error."""

    games: int
    share: float
    error: float


def estimate(net: WinNet, rules: Rules, table: Table) -> Tensor:
    """Every seat's probability to win, exact where the game is over: (batch, seats)."""
    features = encode(table, rules)
    with torch.autocast("cuda", torch.float16, enabled=features.is_cuda, cache_enabled=False):
        logits = net(features)
    return torch.where(table.over[:, None], table.shares(rules), logits.float().softmax(-1))


def win(net: WinNet, rules: Rules) -> Valuation:
    """Play for the probability to win."""

    def value(table: Table, ends: Table) -> Tensor:
        shares = estimate(net, rules, ends.flatten()).view(len(table), -1, rules.seats)
        return shares.roll(1, dims=-1)  # at the end of the turn everybody moved up by one

    return value


def deeper(net: WinNet, rules: Rules, graph: TurnGraph) -> Valuation:
    """Play for the probability to win, looking one turn further."""
    near = win(net, rules)

    def value(table: Table, ends: Table) -> Tensor:
        flat = ends.flatten()
        after, _ = flat.endings(rules)
        known = prepare(graph, rules, flat, near(flat, after)[..., :-1]).start_value
        turn = torch.cat((known, 1 - known.sum(-1, keepdim=True)), -1)
        shares = torch.where(flat.over[:, None], flat.shares(rules), turn)
        return shares.view(len(table), -1, rules.seats).roll(1, dims=-1)

    return value


def blind(net: WinNet, rules: Rules) -> Valuation:
    """Play for the probability to win as if there were no switches."""
    sighted = win(net, rules)

    def value(table: Table, ends: Table) -> Tensor:
        assert isinstance(ends, ClassicTable)
        plain = replace(ends, switches=torch.zeros_like(ends.switches))
        return sighted(table, plain)

    return value


@dataclass(frozen=True)
class Worms:
    """What a turn is played for, as the objective `worms` of advice: see `pickomino.solver.objective`."""

    loss: float = 1.0
    steal: float = 0.0
    round: float = 1.0
    apple: float = 3.0
    can: float = 0.0
    gold: float = 0.0
    hen: float = 0.0
    weasel: float = 0.0


def worms(rules: Rules, settings: Worms) -> Valuation:
    """Play for the worms of this turn, as the bot `ev` does."""
    if rules.edition.specialists:
        return _deluxe_worms(rules, settings)

    def value(table: Table, ends: Table) -> Tensor:
        height, top = table.heights.max(-1)
        worth = rules.worms[top] * (height > 0)
        takes = rules.worms.expand(len(top), rules.tiles)
        steals, bust = worth[:, 1:] * (1 + settings.steal), -settings.loss * worth[:, :1]
        return torch.cat((takes, steals, bust), 1)[..., None]

    return value


def _deluxe_worms(rules: Rules, settings: Worms) -> Valuation:
    count, others = deluxe_endings(rules), rules.seats - 1
    value_of = [getattr(settings, name, 0.0) for name in SPECIALISTS]
    assert value_of[APPLE] == settings.apple

    def worth(table: DeluxeTable, seat: int) -> Tensor:
        """Of one seat: (batch,)."""
        held = table.place == rules.tiles + seat
        tiles = (table.heights[..., seat, :] > 0).float() @ rules.worms
        special = sum(value * held[..., who] for who, value in enumerate(value_of))
        return tiles + settings.round * table.round_worms[..., seat] + special

    def value(table: Table, ends: Table) -> Tensor:
        assert isinstance(table, DeluxeTable)
        assert isinstance(ends, DeluxeTable)
        after = worth(ends, rules.seats - 1)  # (batch, 2 * count)
        gain = after[:, :count] - worth(table, 0)[:, None]
        gain[:, -1] *= settings.loss
        gain[:, count - 1 - 2 * others : count - 1] *= 1 + settings.steal
        got = ends.round_worms[:, 2 * count - 1, -1] - table.round_worms[:, 0]  # by two 1s and a bust
        return torch.cat((gain, gain + settings.round * got[:, None]), 1)[..., None]

    return value


def contest(
    graph: TurnGraph,
    rules: Rules,
    one: Valuation,
    others: Valuation,
    games: int,
    seed: int,
    at_once: int = 25_000,
) -> Result:
    """One against copies of another, its seat rotated from game to game."""
    won = []
    for part in range(0, games, at_once):
        size = min(at_once, games - part)
        won.append(_contest(graph, rules, one, others, size, seed * 1000 + part // at_once))
    all_won = torch.cat(won)
    return Result(games, all_won.mean().item(), all_won.std().item() / games**0.5)


@torch.no_grad()
def _contest(
    graph: TurnGraph, rules: Rules, one: Valuation, others: Valuation, games: int, seed: int
) -> Tensor:
    generator = torch.Generator(rules.device).manual_seed(seed)
    table: Table = start(rules, games)
    game = lanes(table.grill)
    place = game % rules.seats  # turns until the one acts
    won = torch.zeros(games, device=rules.device)
    for _ in range(_MOST_TURNS):
        ends, _ = table.endings(rules)
        values = torch.where(
            (place == 0)[:, None, None], one(table, ends)[..., :1], others(table, ends)[..., :1]
        )
        table = ends.pick(prepare(graph, rules, table, values).play(generator))
        place = (place - 1) % rules.seats
        over = table.over
        if over.any():
            shares = table[over].shares(rules)
            won[game[over]] = shares.gather(1, place[over][:, None])[:, 0]
            table, place, game = table[~over], place[~over], game[~over]
        if not len(game):
            break
    return won
