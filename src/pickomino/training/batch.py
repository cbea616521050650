"""Tables of every kind as columns of tensors: what can be done with them whatever they hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Protocol, Self

import torch
from torch import Tensor

from pickomino.rules.edition import Edition

__all__ = ["Columns", "Rules", "Table", "final_shares", "highest_tiles", "lanes", "tile_worms"]


@dataclass(frozen=True)
class Rules:
    """What the tensors need to know of a game."""

    edition: Edition
    seats: int
    device: torch.device
    family: str = "classic"  # see `pickomino.training.families`
    mixed: bool = False  # games start in any edition of the family

    @property
    def tiles(self) -> int:
        return len(self.edition.tiles)

    @cached_property
    def worms(self) -> Tensor:
        return torch.tensor([float(worms) for _, worms in self.edition.tiles], device=self.device)

    @cached_property
    def values(self) -> Tensor:
        return torch.tensor(self.edition.values, device=self.device)

    @cached_property
    def numbers(self) -> Tensor:
        """The tiles counted from 1, so that 0 is no tile."""
        return torch.arange(1, self.tiles + 1, dtype=torch.int8, device=self.device)


def lanes(like: Tensor) -> Tensor:
    """The numbers of the games of a batch."""
    return torch.arange(len(like), device=like.device)


class Columns:
    """A dataclass of tensors whose first axis is the batch."""

    def columns(self) -> list[Tensor]:
        return [getattr(self, field.name) for field in fields(self)]  # type: ignore[arg-type]

    def map(self, change: Callable[[Tensor], Tensor]) -> Self:
        return type(self)(*map(change, self.columns()))

    def __len__(self) -> int:
        return len(self.columns()[0])

    def __getitem__(self, index: Tensor) -> Self:
        return self.map(lambda column: column[index])

    def flatten(self) -> Self:
        """(batch, endings, …) as one long batch."""
        return self.map(lambda column: column.flatten(0, 1))

    def pick(self, ending: Tensor) -> Self:
        """Of (batch, endings, …) one ending for each game."""
        lane = lanes(ending)
        return self.map(lambda column: column[lane, ending])

    def of(self, game: int) -> Self:
        """Of (batch, endings, …) the endings of one game, as a batch."""
        return self.map(lambda column: column[game])

    def where(self, mask: Tensor, other: Self) -> Self:
        """This where the mask says so, elsewhere the other."""
        pairs = zip(self.columns(), other.columns(), strict=True)
        return type(self)(
            *(torch.where(mask.view(-1, *[1] * (mine.dim() - 1)), mine, its) for mine, its in pairs)
        )

    def copy_(self, other: Self) -> None:
        for mine, its in zip(self.columns(), other.columns(), strict=True):
            mine.copy_(its)


class Table(Protocol):
    """A batch of positions at the start of a turn, the seat to act first."""

    grill: Tensor  # (batch, tiles) bool: face up
    heights: (
        Tensor  # (batch, seats, tiles) int8: 0 for a tile that is elsewhere, 1 for the bottom of the stack
    )

    @property
    def over(self) -> Tensor:
        """R5.1: (batch,)."""

    @property
    def kinds(self) -> Tensor | None:
        """Which turns are special, see `pickomino.training.backup`: (batch,), or None if none ever is."""

    def scores(self, rules: Rules) -> Tensor:
        """R5.2, D13.2: (batch, seats)."""

    def shares(self, rules: Rules) -> Tensor:
        """Every seat's share of the win if the game ended now (R5.2, R5.3): (batch, seats)."""

    def endings(self, rules: Rules) -> tuple[Self, Tensor]:
        """The table after every ending (batch, endings, …), seats moved up, and which endings there are."""

    def claims(self, rules: Rules, max_total: int, mine: Tensor) -> Tensor:
        """The ending that stopping brings at every slot of the turn tables: (batch, slots).

        `mine`: what every ending is worth to the seat to act, (batch, endings).
        """

    # What `Columns` gives.
    def __len__(self) -> int: ...
    def __getitem__(self, index: Tensor) -> Self: ...
    def columns(self) -> list[Tensor]: ...
    def flatten(self) -> Self: ...
    def pick(self, ending: Tensor) -> Self: ...
    def of(self, game: int) -> Self: ...
    def where(self, mask: Tensor, other: Any) -> Self: ...
    def copy_(self, other: Any) -> None: ...


def tile_worms(rules: Rules, heights: Tensor) -> Tensor:
    """The worms on every seat's tiles, in float32: (…, seats)."""
    return (heights > 0).float() @ rules.worms


def highest_tiles(rules: Rules, heights: Tensor) -> Tensor:
    """Every seat's highest tile as its number, 0 for none: (…, seats)."""
    return ((heights > 0) * rules.numbers).amax(-1)


def final_shares(rules: Rules, scores: Tensor, heights: Tensor, shared_ties: Tensor | None = None) -> Tensor:
    """R5.2, R5.3: the most worms, then the highest tile unless ties are shared; who is alike shares."""
    highest = highest_tiles(rules, heights)
    if shared_ties is not None:
        highest = highest.masked_fill(shared_ties, 0)
    key = scores * (rules.tiles + 1) + highest  # small whole numbers: exact in float32
    best = (key == key.amax(-1, keepdim=True)).float()
    return best / best.sum(-1, keepdim=True)
