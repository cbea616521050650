"""Families of editions that share one set of weights for a number of seats.

`classic` is that edition alone, `switches` is classic with any of its switches (summary and course among them), and
`deluxe` is deluxe with or without the apple, which is extrawurm.
"""

from __future__ import annotations

from typing import Final

import torch

from pickomino.rules.edition import find_edition
from pickomino.training.batch import Rules, Table
from pickomino.training.deluxe import DeluxeTable
from pickomino.training.table import ClassicTable

__all__ = ["FAMILIES", "family_rules", "scattered", "start"]

FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "classic": ("classic",),
    "switches": ("classic", "classic+fast", "summary", "course"),
    "deluxe": ("deluxe", "extrawurm"),
}
"""Family -> the editions that it is measured in."""


def family_rules(family: str, seats: int, device: torch.device, edition: str | None = None) -> Rules:
    """The rules of a whole family, or of one edition as the family's net sees it."""
    if edition is None:
        return Rules(find_edition(FAMILIES[family][0]), seats, device, family, mixed=True)
    return Rules(find_edition(edition), seats, device, family)


def start(rules: Rules, batch: int) -> Table:
    return _table(rules).start(rules, batch)


def scattered(rules: Rules, batch: int) -> Table:
    return _table(rules).scattered(rules, batch)


def _table(rules: Rules) -> type[ClassicTable] | type[DeluxeTable]:
    return DeluxeTable if rules.edition.specialists else ClassicTable
