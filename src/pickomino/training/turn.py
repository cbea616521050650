"""One turn of every game: from the value of its endings to the best play, and to the ending that the dice bring."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from pickomino.training.backup import TurnGraph, solve
from pickomino.training.table import Rules, Table

__all__ = ["Turn", "prepare"]


@dataclass
class Turn:
    """A solved turn: what it is worth, and how to play it."""

    graph: TurnGraph
    stop: Tensor  # (slots, seats - 1, batch): the value of stopping
    claim: Tensor  # (batch, totals): the ending that stopping with a total and a worm brings
    bust: int  # the number of the bust among the endings
    value: Tensor  # (states, seats - 1, batch)

    @property
    def start_value(self) -> Tensor:
        """(batch, seats), seat 0 first: it is the one that plays the turn."""
        known = self.value[self.graph.start].T
        return torch.cat((known, 1 - known.sum(1, keepdim=True)), 1)

    def play(self, generator: torch.Generator | None = None) -> Tensor:
        """Roll the dice and follow the best play to its ending: (batch,)."""
        graph, device = self.graph, self.stop.device
        batch = self.stop.shape[-1]
        faces = graph.face_open.shape[1]
        dice = graph.child_of.shape[2] - 1
        lane = torch.arange(batch, device=device)
        mine, stopped = self.value[:, 0], self.stop[:, 0]
        state = torch.full((batch,), graph.start, device=device)
        ending = torch.full((batch,), -1, device=device)
        number = torch.arange(dice, device=device)
        for _ in range(faces):
            sides = torch.randint(faces, (batch, dice), generator=generator, device=device)
            sides = sides.masked_fill(number >= graph.dice_left[state][:, None], faces)
            count = torch.stack([(sides == face).sum(1) for face in range(faces)], 1)
            open_ = graph.face_open[state] & (count > 0)
            child = graph.child_of[state].gather(2, count[..., None])[..., 0].clamp(min=0)
            worth = mine[child, lane[:, None]].masked_fill(~open_, -torch.inf)
            best, face = worth.max(1)
            dead = best == -torch.inf  # R2.3
            state = child.gather(1, face[:, None])[:, 0]
            slot = graph.slot[state].long()
            stops = mine[state, lane] <= stopped[slot, lane]
            totals = graph.max_total + 1
            claimed = self.claim.gather(1, (slot % totals)[:, None])[:, 0]
            brings = claimed.masked_fill(slot < totals, self.bust)  # R3.1
            open_turn = ending < 0
            ending = torch.where(open_turn & stops, brings, ending)
            ending = ending.masked_fill(open_turn & dead, self.bust)
        return ending


def prepare(graph: TurnGraph, rules: Rules, table: Table, possible: Tensor, values: Tensor) -> Turn:
    """Solve the turn of every game for the value that each ending has for each seat: (batch, endings, seats)."""
    claim = _claims(graph, rules, table, possible, values[..., 0])
    values = values[..., :-1]  # shares of a win sum to one: the last seat's follows from the others'
    seats = values.shape[-1]
    claimed = values.gather(1, claim[..., None].expand(*claim.shape, seats)).permute(1, 2, 0)
    bust = values[:, -1].T.expand(graph.max_total + 1, seats, len(values))
    stop = torch.cat((bust, claimed)).contiguous()
    return Turn(graph, stop, claim, rules.endings - 1, solve(graph, stop))


def _claims(graph: TurnGraph, rules: Rules, table: Table, possible: Tensor, mine: Tensor) -> Tensor:
    """Which ending stopping with each total brings, a worm among the dice (section 3): (batch, totals)."""
    edition, device, tiles = rules.edition, rules.device, rules.tiles
    totals = torch.arange(graph.max_total + 1, device=device)
    value = rules.values
    lower = table.grill[:, None] & (value < totals[:, None])  # (batch, totals, tiles)
    if edition.lower == "any":
        liking = mine[:, None, :tiles].expand_as(lower)
    else:
        liking = torch.arange(tiles, device=device).float().expand_as(lower)
    best, claim = liking.masked_fill(~lower, -torch.inf).max(-1)
    has_lower = best > -torch.inf
    claim = claim.masked_fill(~has_lower, rules.endings - 1)  # R3.4, R3.5
    top, has_top = table.tops()
    for seat in range(1, rules.seats):  # R3.3
        ending = tiles + seat - 1
        there = (value[top[:, seat]][:, None] == totals) & has_top[:, seat, None]
        if edition.steal == "optional":
            there &= ~has_lower | (mine[:, ending, None] > mine.gather(1, claim))
        claim = claim.masked_fill(there, ending)
    exact = value == totals[:, None]  # (totals, tiles)
    on_grill = table.grill[:, None] & exact
    return torch.where(on_grill.any(-1), exact.float().argmax(-1), claim)  # R3.2
