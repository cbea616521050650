"""Thousands of games without specialists between two turns, as tensors: their endings, and the table after each.

The seat to act is always seat 0; when a turn ends everybody moves up by one. Endings are numbered: take each tile,
steal from each other seat, bust. Every game carries its own switches, so that one batch can play all of them. No
Python number is copied to the device on the way (hence masked_fill), so that a whole training step can be recorded
and replayed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from pickomino.rules.edition import SWITCHES, Edition, find_edition
from pickomino.training.batch import Columns, Rules, final_shares, tile_worms

__all__ = ["ClassicTable", "scattered_stacks", "switch_bits"]

_NAMED: Final = ("classic", "classic+fast", "classic+mandatory-steal", "summary", "course")


def switch_bits(edition: Edition) -> list[bool]:
    """The switches of an edition in the order of `SWITCHES`."""
    return [
        all(getattr(edition, name) == value for name, value in changes.items())
        for changes in SWITCHES.values()
    ]


@dataclass
class ClassicTable(Columns):
    """A batch of positions at the start of a turn."""

    grill: Tensor
    heights: Tensor
    switches: Tensor  # (batch, 5) bool, as in `SWITCHES`

    @property
    def over(self) -> Tensor:
        return ~self.grill.any(-1)

    @property
    def kinds(self) -> None:
        return None

    def scores(self, rules: Rules) -> Tensor:
        return tile_worms(rules, self.heights)

    def shares(self, rules: Rules) -> Tensor:
        shared_ties = self.switches[:, 4, None]
        return final_shares(rules, self.scores(rules), self.heights, shared_ties)

    def endings(self, rules: Rules) -> tuple[ClassicTable, Tensor]:
        batch, seats, tiles = len(self.grill), rules.seats, rules.tiles
        count = tiles + seats
        top, has_top = _tops(self.heights)
        grill = self.grill[:, None].expand(batch, count, tiles).clone()
        heights = self.heights[:, None].expand(batch, count, seats, tiles).clone()
        next_height = self.heights[:, 0].amax(-1) + 1
        # take: the tile goes from the grill to the own stack (R3.2, R3.6)
        taken = torch.eye(tiles, dtype=torch.bool, device=rules.device)
        grill[:, :tiles] &= ~taken
        heights[:, :tiles, 0] = torch.where(taken, next_height[:, None, None], heights[:, :tiles, 0])
        # steal: the tile goes from stack to stack (R3.3)
        for seat in range(1, seats):
            ending = tiles + seat - 1
            tile, there = top[:, seat, None], has_top[:, seat, None]
            mine = heights[:, ending, 0].gather(1, tile)
            heights[:, ending, 0].scatter_(1, tile, torch.where(there, next_height[:, None], mine))
            heights[:, ending, seat].scatter_(1, tile, 0)
        self._bust(rules, grill[:, -1], heights[:, -1], top[:, :1], has_top[:, :1])
        possible = torch.cat((self.grill, has_top[:, 1:], torch.ones_like(has_top[:, :1])), 1)
        switches = self.switches[:, None].expand(batch, count, -1)
        return ClassicTable(grill, heights.roll(-1, dims=2), switches), possible

    def _bust(self, rules: Rules, grill: Tensor, heights: Tensor, top: Tensor, has_top: Tensor) -> None:
        """Section 4, written into the views of the last ending."""
        fast, flip_empty = self.switches[:, 1, None], self.switches[:, 2, None]
        heights[:, 0].scatter_(1, top, 0)
        grill.scatter_(1, top, has_top | grill.gather(1, top))  # R4.1
        highest = (grill * rules.numbers).amax(1, keepdim=True).long() - 1
        flips = torch.where(has_top, (highest != top) | fast, flip_empty)  # R4.2, R4.3, R4.4
        highest = highest.clamp(min=0)
        grill.scatter_(1, highest, grill.gather(1, highest) & ~flips)

    def claims(self, rules: Rules, max_total: int, mine: Tensor) -> Tensor:
        """Section 3."""
        tiles, value = rules.tiles, rules.values
        bust = tiles + rules.seats - 1
        any_lower, mandatory = self.switches[:, 0, None, None], self.switches[:, 3, None]
        totals = torch.arange(max_total + 1, device=rules.device)
        lower = self.grill[:, None] & (value < totals[:, None])  # (batch, totals, tiles)
        liking = torch.where(any_lower, mine[:, None, :tiles], rules.numbers.float())
        best, claim = liking.masked_fill(~lower, -torch.inf).max(-1)
        has_lower = best > -torch.inf
        claim = claim.masked_fill(~has_lower, bust)  # R3.4, R3.5
        top, has_top = _tops(self.heights)
        for seat in range(1, rules.seats):  # R3.3
            ending = tiles + seat - 1
            there = (value[top[:, seat]][:, None] == totals) & has_top[:, seat, None]
            there &= mandatory | ~has_lower | (mine[:, ending, None] > mine.gather(1, claim))
            claim = claim.masked_fill(there, ending)
        exact = value == totals[:, None]  # (totals, tiles)
        on_grill = self.grill[:, None] & exact
        claim = torch.where(on_grill.any(-1), exact.float().argmax(-1), claim)  # R3.2
        return torch.cat((torch.full_like(claim, bust), claim), 1)  # R3.1

    @staticmethod
    def start(rules: Rules, batch: int) -> ClassicTable:
        device = rules.device
        grill = torch.ones(batch, rules.tiles, dtype=torch.bool, device=device)
        heights = torch.zeros(batch, rules.seats, rules.tiles, dtype=torch.int8, device=device)
        return ClassicTable(grill, heights, _switches(rules, batch))

    @staticmethod
    def scattered(rules: Rules, batch: int) -> ClassicTable:
        """Positions nobody chose, so that endings are learned too."""
        grill, heights = scattered_stacks(rules, batch)
        return ClassicTable(grill, heights, _switches(rules, batch))


def _tops(heights: Tensor) -> tuple[Tensor, Tensor]:
    """The tile on top of every stack, and whether there is one (R3.6)."""
    height, tile = heights.max(-1)
    return tile, height > 0


def _switches(rules: Rules, batch: int) -> Tensor:
    """Those of the edition; in a mixed batch half of the games follow a named edition, half any set of switches."""
    device = rules.device
    if not rules.mixed or rules.family == "classic":
        return _bits([rules.edition], device).expand(batch, -1).clone()
    named = _bits([find_edition(key) for key in _NAMED], device)
    drawn = named[torch.randint(len(_NAMED), (batch,), device=device)]
    free = torch.rand(batch, len(SWITCHES), device=device) < 0.5
    return torch.where(torch.rand(batch, 1, device=device) < 0.5, drawn, free)


_KNOWN: dict[tuple[tuple[str, ...], torch.device], Tensor] = {}


def _bits(editions: list[Edition], device: torch.device) -> Tensor:
    """Made once: a recorded step must not copy from the host."""
    key = (tuple(edition.key for edition in editions), device)
    if key not in _KNOWN:
        _KNOWN[key] = torch.tensor([switch_bits(edition) for edition in editions], device=device)
    return _KNOWN[key]


def scattered_stacks(rules: Rules, batch: int) -> tuple[Tensor, Tensor]:
    """Grill and heights: few or many tiles left, stacks of any height; in a third nothing is owned yet.

    In a third the grill lies within a window of neighbours, most of them there, so that small games are met as well.
    """
    device, tiles, seats = rules.device, rules.tiles, rules.seats

    def uniform(*shape: int) -> Tensor:
        return torch.rand(*shape, device=device)

    on_grill, flipped = uniform(batch, 1) ** 1.5, uniform(batch, 1) ** 2
    flipped = flipped.masked_fill(uniform(batch, 1) < 1 / 3, 1.0)
    width = (uniform(batch, 1) * 7).long() + 2
    first = (uniform(batch, 1) * (tiles - width + 1)).long()
    number = torch.arange(tiles, device=device)
    inside = (number >= first) & (number < first + width)
    everywhere = uniform(batch, 1) >= 1 / 3
    inside |= everywhere
    on_grill = torch.where(everywhere, on_grill, on_grill**0.3)
    draw = uniform(batch, tiles).masked_fill(~inside, 2.0)
    grill = (draw < on_grill) | (draw == draw.amin(1, keepdim=True))  # never empty
    owned = ~grill & (uniform(batch, tiles) >= flipped)
    owner = (uniform(batch, tiles) * seats).long().masked_fill(~owned, -1)
    mine = owner[:, None] == torch.arange(seats, device=device)[None, :, None]
    order = uniform(batch, seats, tiles).masked_fill(~mine, 2.0)
    height = order.argsort(dim=2).argsort(dim=2) + 1
    return grill, height.masked_fill(~mine, 0).to(torch.int8)
