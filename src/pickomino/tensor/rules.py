"""What the arrays need to know of a game: an edition's numbers on a device, and how the ends of a turn are numbered."""

from __future__ import annotations

from typing import Final

from pickomino.compact.switches import switch_bits
from pickomino.rules.edition import SPECIALISTS, WORM, Edition
from pickomino.tensor.arrays import Arrays

# Columns of the specialists: slices, because there may be no such column.
APPLE, CAN, CROW, GOLD, HEN, WEASEL = (slice(index, index + 1) for index in range(len(SPECIALISTS)))
OUT: Final = -1  # of a specialist that left the game


class Rules:
    """Of one edition with one number of seats. Arrays are made once: a recorded step must not copy from the host.

    The ends of a turn are numbered, for every tile t, every other seat o and every specialist s that can be owned:

        take t | take the tile of s and put s back | steal from o | steal from o and put what came along back | bust

    In an edition with round worms all of them twice: without and with the one that two 1s earn on the way (D8.4).

    `mix`: a game starts in any of these editions, which may differ in switches and in who is missing.
    """

    def __init__(self, edition: Edition, seats: int, xp: Arrays, mix: tuple[Edition, ...] = ()) -> None:
        self.edition, self.seats, self.xp = edition, seats, xp
        self.tiles = tiles = len(edition.tiles)
        self.specialists = len(SPECIALISTS) if edition.specialists else 0  # columns for them
        ownable = [index for index in range(self.specialists) if index != CROW.start]  # D10.2
        self.leave_at = tiles  # the first ending that puts back who stood on a tile
        self.steal_at = tiles + len(ownable)  # the first steal, from the seat that acts next
        self.bust = self.steal_at + (seats - 1) * (2 if ownable else 1)
        self.endings = self.bust + 1
        self.variants = 1 + bool(edition.round_worms)
        self.can_pips = edition.pips[WORM] if ownable else 0  # D9.1

        self.worms = xp.asarray([worms for _, worms in edition.tiles], xp.float32)
        self.pips = xp.asarray([face.pips for face in edition.faces], xp.int32)
        self.values = xp.asarray(edition.values, xp.int8)  # below 100
        self.numbers = xp.arange(tiles + 1, xp.int8)[1:]  # the tiles counted from 1, so that 0 is no tile
        self.each_tile = self.numbers[:, None] == self.numbers
        # Tiles that a higher total takes too, and that others may steal (D9.2, D9.3).
        self.inexact = xp.asarray([value not in edition.exact_only for value in edition.values], xp.bool)
        self.seat = xp.arange(seats, xp.int8)
        self.ownable = xp.asarray(ownable, xp.int64)
        self.left_behind = self.ownable[:, None] == xp.arange(self.specialists)  # (ownable, specialists)
        self.is_crow = xp.arange(self.specialists) == CROW.start

        starts = [(switch_bits(start), dict(start.specialists)) for start in mix or (edition,)]
        at = {value: index for index, value in enumerate(edition.values)}
        homes = [
            [at.get(home.get(name, 0), OUT) for name in SPECIALISTS[: self.specialists]] for _, home in starts
        ]
        self.switches = xp.asarray([switches for switches, _ in starts], xp.bool)  # (editions, 5)
        # D7.2: (editions, specialists).
        self.homes = xp.asarray(homes, xp.int8).reshape(len(starts), self.specialists)
