"""Strength on the way: whole games between policies, thousands at once, one champion among equals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor

from pickomino.training.backup import TurnGraph
from pickomino.training.features import WinNet, encode
from pickomino.training.table import Rules, Table
from pickomino.training.turn import prepare

__all__ = ["Result", "contest", "deeper", "estimate", "win", "worms"]

Valuation: TypeAlias = Callable[[Table, Table, Tensor], Tensor]
"""(table, tables after each ending, which endings there are) -> (batch, endings, seats), seat 0 to act."""

_MOST_TURNS = 3000


@dataclass
class Result:
    """Share of games won by the one, with its standard error."""

    games: int
    share: float
    error: float


def estimate(net: WinNet, rules: Rules, table: Table) -> Tensor:
    """Every seat's probability to win, exact where the game is over: (batch, seats)."""
    guess = net(encode(table, rules)).softmax(-1)
    return torch.where(table.over[:, None], table.shares(rules), guess)


def win(net: WinNet, rules: Rules) -> Valuation:
    """Play for the probability to win."""

    def value(table: Table, ends: Table, possible: Tensor) -> Tensor:
        batch, endings = possible.shape
        shares = estimate(net, rules, ends.flatten()).view(batch, endings, rules.seats)
        return shares.roll(1, dims=-1)  # at the end of the turn everybody moved up by one

    return value


def deeper(net: WinNet, rules: Rules, graph: TurnGraph) -> Valuation:
    """Play for the probability to win, looking one turn further."""
    near = win(net, rules)

    def value(table: Table, ends: Table, possible: Tensor) -> Tensor:
        batch, endings = possible.shape
        flat = ends.flatten()
        after, possible_after = flat.endings(rules)
        turn = prepare(graph, rules, flat, possible_after, near(flat, after, possible_after))
        shares = torch.where(flat.over[:, None], flat.shares(rules), turn.start_value)
        return shares.view(batch, endings, rules.seats).roll(1, dims=-1)

    return value


def worms(rules: Rules, loss: float, steal: float) -> Valuation:
    """Play for the worms of this turn, as the bot `ev` does."""

    def value(table: Table, ends: Table, possible: Tensor) -> Tensor:
        top, has_top = table.tops()
        worth = torch.where(has_top, rules.worms[top], 0).float()
        takes = rules.worms.float().expand(len(top), rules.tiles)
        mine = torch.cat((takes, worth[:, 1:] * (1 + steal), -loss * worth[:, :1]), 1)
        return mine[..., None].expand(*mine.shape, rules.seats)

    return value


@torch.no_grad()
def contest(
    graph: TurnGraph, rules: Rules, one: Valuation, others: Valuation, games: int, seed: int
) -> Result:
    """One against copies of another, its seat rotated from game to game."""
    generator = torch.Generator(rules.device).manual_seed(seed)
    table = Table.start(rules, games)
    place = torch.arange(games, device=rules.device) % rules.seats  # turns until the one acts
    won = torch.zeros(games, device=rules.device)
    game = torch.arange(games, device=rules.device)
    for _ in range(_MOST_TURNS):
        ends, possible = table.endings(rules)
        values = torch.where(
            (place == 0)[:, None, None], one(table, ends, possible), others(table, ends, possible)
        )
        ending = prepare(graph, rules, table, possible, values).play(generator)
        table = Table(*(part[torch.arange(len(ending)), ending] for part in (ends.grill, ends.heights)))
        place = (place - 1) % rules.seats
        over = table.over
        if over.any():
            shares = table[over].shares(rules)
            won[game[over]] = shares.gather(1, place[over][:, None])[:, 0]
            table, place, game = table[~over], place[~over], game[~over]
        if not len(game):
            break
    share = won.mean().item()
    return Result(games, share, won.std().item() / games**0.5)
