"""Batches of scattered games of every edition and set of switches, and what the rules call them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from pickomino.compact.switches import switch_bits
from pickomino.rules import SPECIALISTS, Edition, Phase, Position, Specialists, find_edition
from pickomino.rules.edition import SWITCHES
from pickomino.tensor import Arrays, Batch, Rules, scattered

SETS = tuple(product((False, True), repeat=len(SWITCHES)))
"""Every set of switches."""


def switched(edition: Edition, bits: tuple[bool, ...]) -> Edition:
    """An edition with these switches and no others; deluxe with switches is not in print, but the arrays know it."""
    classic, names = find_edition("classic"), []
    changes: dict[str, Any] = {}
    for (name, effect), on in zip(SWITCHES.items(), bits, strict=True):
        changes |= effect if on else {field: getattr(classic, field) for field in effect}
        names += [name] * on
    return replace(edition, key="+".join((edition.key, *names)), **changes)


def games(key: str, seats: int, xp: Arrays, size: int = 2 * len(SETS)) -> Batch:
    """Scattered games of an edition, every set of switches in turn."""
    edition = find_edition(key)
    rules = Rules(edition, seats, xp, tuple(switched(edition, bits) for bits in SETS))
    return replace(scattered(rules, size), switches=rules.switches[xp.arange(size) % len(SETS)])


def positions(batch: Batch) -> list[Position]:
    """The games as positions, seat A to act."""
    columns = [np.asarray(column).tolist() for column in batch.columns()]
    return [_position(batch.rules.edition, *row) for row in zip(*columns, strict=True)]


def _position(
    edition: Edition,
    grill: list[bool],
    heights: list[list[int]],
    place: list[int],
    round_worms: list[int],
    switches: list[bool],
) -> Position:
    if switches != switch_bits(edition):
        edition = switched(edition, tuple(switches))
    values, seats = edition.values, range(len(heights))
    up = tuple(value for value, there in zip(values, grill, strict=True) if there)
    stacks = tuple(tuple(values[row.index(height)] for height in range(1, max(row) + 1)) for row in heights)
    if not edition.specialists:
        return Position(edition, up, stacks, 0, Phase.ROLL)
    where = list(zip(SPECIALISTS, place, strict=True))
    specialists = Specialists(
        tuple(sorted((values[at], name) for name, at in where if 0 <= at < len(values))),
        tuple(tuple(name for name, at in where if at == len(values) + seat) for seat in seats),
        tuple(round_worms),
    )
    phase = Phase.GOLD if specialists.holds(0, "gold") else Phase.ROLL
    return Position(edition, up, stacks, 0, phase, specialists=specialists)


def known(position: Position, first: int = 0) -> str:
    """What a batch knows of a position, in turn order from a seat."""
    seats = len(position.stacks)
    order = [(first + seat) % seats for seat in range(seats)]
    told: list[object] = [position.grill, [position.stacks[seat] for seat in order]]
    if position.specialists is not None:
        told.append(position.specialists.standing)
        told += [(position.specialists.held[seat], position.specialists.round_worms[seat]) for seat in order]
    return repr(told)
