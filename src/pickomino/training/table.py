"""Thousands of games between two turns, as tensors: which endings a turn has, and the table after each of them.

The seat to act is always seat 0; when a turn ends everybody moves up by one. A stack is kept as heights: 0 for a tile
that is elsewhere, 1 for the bottom of the stack, and so on. Endings are numbered: take each tile, steal from each
other seat, bust. No Python number is copied to the device on the way (hence masked_fill), so that a whole training step
can be recorded and replayed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from pickomino.rules.edition import Edition

__all__ = ["Rules", "Table"]


@dataclass(frozen=True)
class Rules:
    """What the tensors need to know of an edition without specialists."""

    edition: Edition
    seats: int
    device: torch.device

    @property
    def tiles(self) -> int:
        return len(self.edition.tiles)

    @property
    def endings(self) -> int:
        """Takes, steals, and the bust, in this order."""
        return self.tiles + self.seats - 1 + 1

    @cached_property
    def worms(self) -> Tensor:
        return torch.tensor([worms for _, worms in self.edition.tiles], device=self.device)

    @cached_property
    def values(self) -> Tensor:
        return torch.tensor(self.edition.values, device=self.device)


@dataclass
class Table:
    """A batch of positions at the start of a turn."""

    grill: Tensor  # (batch, tiles) bool: face up
    heights: Tensor  # (batch, seats, tiles) int8

    @property
    def over(self) -> Tensor:
        """R5.1."""
        return ~self.grill.any(-1)

    def tops(self) -> tuple[Tensor, Tensor]:
        """The tile on top of every stack, and whether there is one (R3.6)."""
        height, tile = self.heights.max(-1)
        return tile, height > 0

    def __getitem__(self, index: Tensor) -> Table:
        return Table(self.grill[index], self.heights[index])

    def flatten(self) -> Table:
        return Table(self.grill.flatten(0, -2), self.heights.flatten(0, -3))

    def shares(self, rules: Rules) -> Tensor:
        """Every seat's share of the win if the game ended now (R5.2, R5.3): (batch, seats)."""
        owned = self.heights > 0
        score = (owned * rules.worms).sum(-1)
        if rules.edition.tie_break == "shared":
            key = score
        else:
            number = torch.arange(1, rules.tiles + 1, device=rules.device)
            key = score * (rules.tiles + 1) + (owned * number).amax(-1)
        best = (key == key.amax(-1, keepdim=True)).float()
        return best / best.sum(-1, keepdim=True)

    def endings(self, rules: Rules) -> tuple[Table, Tensor]:
        """The table after every ending (batch, endings, …), seats moved up, and which endings there are."""
        batch, seats, tiles = len(self.grill), rules.seats, rules.tiles
        top, has_top = self.tops()
        grill = self.grill[:, None].expand(batch, rules.endings, tiles).clone()
        heights = self.heights[:, None].expand(batch, rules.endings, seats, tiles).clone()
        next_height = self.heights[:, 0].amax(-1) + 1
        # take: the tile goes from the grill to the own stack (R3.2, R3.6)
        taken = torch.eye(tiles, dtype=torch.bool, device=rules.device)
        grill[:, :tiles] &= ~taken
        heights[:, :tiles, 0] = torch.where(taken, next_height[:, None, None], heights[:, :tiles, 0])
        possible = [self.grill]
        # steal: the tile goes from stack to stack (R3.3)
        for seat in range(1, seats):
            ending = tiles + seat - 1
            tile, there = top[:, seat, None], has_top[:, seat, None]
            mine = heights[:, ending, 0].gather(1, tile)
            heights[:, ending, 0].scatter_(1, tile, torch.where(there, next_height[:, None], mine))
            heights[:, ending, seat].scatter_(1, tile, 0)
            possible.append(there)
        self._bust(rules, grill[:, -1], heights[:, -1], top[:, :1], has_top[:, :1])
        possible.append(torch.ones(batch, 1, dtype=torch.bool, device=rules.device))
        return Table(grill, heights.roll(-1, dims=2)), torch.cat(possible, 1)

    def _bust(self, rules: Rules, grill: Tensor, heights: Tensor, top: Tensor, has_top: Tensor) -> None:
        """Section 4, written into the views of the last ending."""
        edition = rules.edition
        heights[:, 0].scatter_(1, top, 0)
        grill.scatter_(1, top, has_top | grill.gather(1, top))  # R4.1
        number = torch.arange(rules.tiles, device=rules.device)
        highest = number.expand_as(grill).masked_fill(~grill, -1).amax(1, keepdim=True)
        flips = has_top & ((highest != top) | edition.fast)  # R4.2, R4.4
        if edition.flip_when_nothing_returned:
            flips = flips | ~has_top  # R4.3
        highest = highest.clamp(min=0)
        grill.scatter_(1, highest, grill.gather(1, highest) & ~flips)

    @staticmethod
    def start(rules: Rules, batch: int) -> Table:
        grill = torch.ones(batch, rules.tiles, dtype=torch.bool, device=rules.device)
        return Table(
            grill, torch.zeros(batch, rules.seats, rules.tiles, dtype=torch.int8, device=rules.device)
        )

    @staticmethod
    def scattered(rules: Rules, batch: int, generator: torch.Generator | None = None) -> Table:
        """Positions nobody chose: few or many tiles left, stacks of any height, so that endings are learned too."""
        device, tiles, seats = rules.device, rules.tiles, rules.seats

        def uniform(*shape: int) -> Tensor:
            return torch.rand(*shape, generator=generator, device=device)

        on_grill, flipped = uniform(batch, 1) ** 1.5, uniform(batch, 1) ** 2
        flipped = flipped.masked_fill(uniform(batch, 1) < 1 / 3, 1.0)  # small games at their start
        draw = uniform(batch, tiles)
        grill = (draw < on_grill) | (draw == draw.amin(1, keepdim=True))  # never empty
        owned = ~grill & (uniform(batch, tiles) >= flipped)
        owner = (uniform(batch, tiles) * seats).long().masked_fill(~owned, -1)
        mine = owner[:, None] == torch.arange(seats, device=device)[None, :, None]
        order = uniform(batch, seats, tiles).masked_fill(~mine, 2.0)
        height = order.argsort(dim=2).argsort(dim=2) + 1
        return Table(grill, height.masked_fill(~mine, 0).to(torch.int8))
