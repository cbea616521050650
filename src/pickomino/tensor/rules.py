"""What the arrays need to know of a game: an edition's numbers on a device, and how the ends of a turn are numbered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pickomino.compact.switches import switch_bits
from pickomino.rules.edition import SPECIALISTS, WORM, Edition
from pickomino.tensor.arrays import Array, Arrays

__all__ = ["APPLE", "CAN", "CROW", "GOLD", "HEN", "OUT", "WEASEL", "Rules"]

APPLE, CAN, CROW, GOLD, HEN, WEASEL = (
    slice(index, index + 1) for index in range(len(SPECIALISTS))
)  # slices, because there may be no such column
OUT: Final = -1  # of a specialist that left the game


@dataclass(frozen=True, eq=False)
class Rules:
    """Of one edition with one number of seats. Arrays are made once: a recorded step must not copy from the host.

    The ends of a turn are numbered, for every tile t, every other seat o and every specialist s that can be owned:

        take t | take the tile of s and put s back | steal from o | steal from o and put what came along back | bust

    In an edition with round worms all of them twice: without and with the one that two 1s earn on the way (D8.4).
    """

    edition: Edition
    seats: int
    xp: Arrays
    mix: tuple[
        Edition, ...
    ] = ()  # a game starts in any of these; they may differ in switches and specialists

    @property
    def tiles(self) -> int:
        return len(self.edition.tiles)

    @property
    def specialists(self) -> int:
        """Columns for them."""
        return len(SPECIALISTS) if self.edition.specialists else 0

    @property
    def variants(self) -> int:
        """2 where a round worm may be earned on the way."""
        return 1 + bool(self.edition.round_worms)

    @property
    def leave_at(self) -> int:
        """The first ending that puts back who stood on a tile."""
        return self.tiles

    @property
    def steal_at(self) -> int:
        """The first steal: from the seat that acts next."""
        return self.tiles + len(self.ownable)

    @property
    def bust(self) -> int:
        return self.steal_at + (self.seats - 1) * (2 if self.specialists else 1)

    @property
    def endings(self) -> int:
        """Of one variant."""
        return self.bust + 1

    @property
    def can_pips(self) -> int:
        """D9.1."""
        return self.edition.pips[WORM] if self.specialists else 0

    @cached_property
    def worms(self) -> Array:
        return self.xp.asarray([worms for _, worms in self.edition.tiles], self.xp.float32)

    @cached_property
    def values(self) -> Array:
        return self.xp.asarray(self.edition.values, self.xp.int64)

    @cached_property
    def numbers(self) -> Array:
        """The tiles counted from 1, so that 0 is no tile."""
        return self.xp.arange(self.tiles + 1, self.xp.int8)[1:]

    @cached_property
    def inexact(self) -> Array:
        """Tiles that more than the exact total takes and others may steal (D9.2, D9.3)."""
        may = [value not in self.edition.exact_only for value in self.edition.values]
        return self.xp.asarray(may, self.xp.bool)

    @cached_property
    def each_tile(self) -> Array:
        """(tiles, tiles) bool: tile i in row i."""
        return self.xp.arange(self.tiles)[:, None] == self.xp.arange(self.tiles)

    @cached_property
    def seat(self) -> Array:
        return self.xp.arange(self.seats, self.xp.int8)

    @cached_property
    def is_last(self) -> Array:
        """Who has just played, once all moved up."""
        return self.seat == self.seats - 1

    @cached_property
    def is_crow(self) -> Array:
        """(specialists,)."""
        return self.xp.arange(self.specialists) == CROW.start

    @cached_property
    def left_behind(self) -> Array:
        """(ownable, specialists): the one that is put back at once."""
        return self.ownable[:, None] == self.xp.arange(self.specialists)

    @cached_property
    def ownable(self) -> Array:
        """The specialists but for the crow (D10.2)."""
        index = [index for index in range(self.specialists) if index != CROW.start]
        return self.xp.asarray(index, self.xp.int64)

    @cached_property
    def switches(self) -> Array:
        """Of every edition that a game may start in."""
        return self.xp.asarray([switch_bits(edition) for edition in self._starts], self.xp.bool)

    @cached_property
    def homes(self) -> Array:
        """Where the specialists of those editions stand at first (D7.2)."""
        place = [
            [self._home(dict(edition.specialists), name) for name in SPECIALISTS[: self.specialists]]
            for edition in self._starts
        ]
        return self.xp.asarray(place, self.xp.int8).reshape(len(place), self.specialists)

    def _home(self, homes: dict[str, int], name: str) -> int:
        return self.edition.values.index(homes[name]) if name in homes else OUT

    @property
    def _starts(self) -> tuple[Edition, ...]:
        return self.mix or (self.edition,)
