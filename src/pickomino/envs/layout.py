"""What an agent sees, as one row of numbers: which part means what, where it begins, how large it gets.

Seats are counted from the one that looks: 0 is itself, 1 the next to play. Tiles, faces and specialists are in
the order of the edition. The parts that change within a turn come last, so that most steps rewrite those only.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.packed import PHASES
from pickomino.rules import SPECIALISTS, Edition
from pickomino.rules.specialists import APPLE_WORMS

PARTS: Final = (
    "grill",
    "stacks",
    "tops",
    "cover",
    "worms",
    "specialists",
    "round_worms",
    "turn",
    "phase",
    "kept",
    "rolled",
    "total",
    "gold",
    "gold_rolled",
    "weasel_used",
)
"""Every part there can be, in order; those of the specialists are missing in editions without them."""


class LayoutPart(NamedTuple):
    """One named part of an observation."""

    name: str
    shape: tuple[int, ...]
    most: int  # the largest number in it; the smallest is 0
    meaning: str


class Layout:
    """The parts of an edition at a table of so many seats.

    >>> from pickomino.rules import find_edition
    >>> layout_of(find_edition("classic"), 2).size
    120
    """

    def __init__(self, edition: Edition, seats: int) -> None:
        self.edition = edition
        self.seats = seats
        self.parts = tuple(_parts(edition, seats))
        sizes = [prod(part.shape) for part in self.parts]
        begins = [sum(sizes[:index]) for index in range(len(sizes))]
        self.size = sum(sizes)
        self.slices = {
            part.name: slice(begin, begin + size)
            for part, begin, size in zip(self.parts, begins, sizes, strict=True)
        }
        #: Where each of `PARTS` begins, -1 for none: what the kernels know of the layout.
        self.offsets: NDArray[np.int64] = np.array(
            [self.slices[name].start if name in self.slices else -1 for name in PARTS], dtype=np.int64
        )
        #: The largest number that can stand at each place.
        self.most: NDArray[np.int64] = np.repeat([part.most for part in self.parts], sizes).astype(np.int64)
        #: The smallest integers that hold them all.
        self.integers: np.dtype[np.signedinteger] = np.dtype(
            np.int8 if self.most.max() < 1 << 7 else np.int16 if self.most.max() < 1 << 15 else np.int32
        )

    def split(self, row: NDArray[np.generic]) -> dict[str, NDArray[np.generic]]:
        """The last axis of an array as named parts, each a view of its own shape."""
        return {
            part.name: row[..., self.slices[part.name]].reshape(row.shape[:-1] + part.shape)
            for part in self.parts
        }


def _parts(edition: Edition, seats: int) -> list[LayoutPart]:
    tiles, faces = len(edition.tiles), len(edition.faces)
    dice = edition.dice + bool(edition.golden_die)
    pips = max(face.pips for face in edition.faces)
    worms = sum(count for _, count in edition.tiles) + edition.round_worms
    worms += APPLE_WORMS * any(name == "apple" for name, _ in edition.specialists)
    listed = [
        LayoutPart("grill", (tiles,), 1, "the tile lies face up on the grill"),
        LayoutPart("stacks", (seats, tiles), 1, "the tile lies in the stack of that seat"),
        LayoutPart("tops", (seats, tiles), 1, "the tile is on top of the stack of that seat"),
        LayoutPart("cover", (tiles,), max(tiles - 1, 1), "how many tiles lie on top of this one"),
        LayoutPart("worms", (seats,), max(worms, 1), "the worms that the seat has now"),
        LayoutPart("turn", (seats,), 1, "that seat is to act; all 0 once the game is over"),
        LayoutPart("phase", (len(PHASES),), 1, "what is due: " + ", ".join(phase.value for phase in PHASES)),
        LayoutPart("kept", (faces,), dice, "kept dice of that face, the golden one included"),
        LayoutPart("rolled", (faces,), dice, "rolled dice of that face while a keep is due"),
        LayoutPart("total", (1,), max(dice * pips, 1), "the sum of the kept dice; the can is no die"),
    ]
    if edition.specialists:
        listed += [
            LayoutPart(
                "specialists",
                (len(SPECIALISTS), tiles + seats),
                1,
                "where it is: on that tile, then at that seat; all 0 once it left the game",
            ),
            LayoutPart("round_worms", (seats,), max(edition.round_worms, 1), "round worms of the seat"),
            LayoutPart("weasel_used", (1,), 1, "the weasel was used in this turn"),
        ]
    if edition.golden_die:
        listed += [
            LayoutPart(
                "gold", (2 + faces,), 1, "the golden die: not in this turn, not yet kept, kept as that face"
            ),
            LayoutPart("gold_rolled", (faces,), 1, "the golden die shows that face while a keep is due"),
        ]
    return sorted(listed, key=lambda part: PARTS.index(part.name))


@lru_cache(maxsize=256)  # house editions come and go
def layout_of(edition: Edition, seats: int) -> Layout:
    """The layout of an edition and a number of seats, made once."""
    return Layout(edition, seats)
