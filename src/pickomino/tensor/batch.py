"""A batch of games at the start of a turn, as columns of arrays. The seat to act is seat 0; others in turn order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Final, NamedTuple

from pickomino.rules.specialists import APPLE_WORMS
from pickomino.tensor.arrays import Array
from pickomino.tensor.rules import APPLE, GOLD, WEASEL, Rules

# Columns of `Batch.switches`, as in `SWITCHES`.
ANY_LOWER, FAST, FLIP_EMPTY, MANDATORY, SHARED_TIES = range(5)
GOLD_TURN: Final = 1  # the golden die is within reach (D8.1)
WEASEL_TURN: Final = 2  # a roll may be made once more (D8.2)


class SeatTally(NamedTuple):
    """What every seat has, and who would win."""

    owned: Array  # (batch, seats, tiles) bool
    scores: Array  # (batch, seats): R5.2, D13.2
    highest: Array  # (batch, seats): the number of the highest tile, 0 for none
    shares: Array  # (batch, seats): of the win if the game ended now (R5.2, R5.3)


@dataclass
class Batch:
    """The first axis of every column is the game; after `endings` there is a second one, the ending."""

    rules: Rules
    grill: Array  # (batch, tiles) bool: face up
    # (batch, seats, tiles) int8: 0 for a tile that is elsewhere, 1 for the bottom of the stack.
    heights: Array
    place: Array  # (batch, specialists) int8: its tile, the number of tiles + its seat, or OUT
    round_worms: Array  # (batch, seats) int8
    switches: Array  # (batch, 5) bool, as in `SWITCHES`: every game has its own

    @staticmethod
    def start(rules: Rules, size: int) -> Batch:
        """The beginning of games."""
        xp = rules.xp
        drawn = xp.randint(len(rules.switches), size)
        return Batch(
            rules,
            xp.full((size, rules.tiles), True, xp.bool),
            xp.full((size, rules.seats, rules.tiles), 0, xp.int8),
            rules.homes[drawn],
            xp.full((size, rules.seats), 0, xp.int8),
            rules.switches[drawn],
        )

    def columns(self) -> list[Array]:
        return [getattr(self, field.name) for field in fields(self)[1:]]

    def map(self, change: Callable[[Array], Array]) -> Batch:
        return Batch(self.rules, *map(change, self.columns()))

    def __len__(self) -> int:
        return len(self.grill)

    def __getitem__(self, index: Array) -> Batch:
        return self.map(lambda column: column[index])

    def flatten(self) -> Batch:
        """(batch, endings, …) as one long batch."""
        size = self.grill.shape[0] * self.grill.shape[1]
        return self.map(lambda column: column.reshape(size, *column.shape[2:]))

    def pick(self, ending: Array) -> Batch:
        """Of (batch, endings, …) one ending for each game."""
        game = self.rules.xp.arange(len(ending))
        return self.map(lambda column: column[game, ending])

    def where(self, mask: Array, other: Batch) -> Batch:
        """This where the mask says so, elsewhere the other."""
        pairs = zip(self.columns(), other.columns(), strict=True)
        where = self.rules.xp.where
        return Batch(self.rules, *(where(mask.reshape(-1, *[1] * (a.ndim - 1)), a, b) for a, b in pairs))

    def write(self, other: Batch, at: Array = ...) -> None:
        """Take over another's games, in place: all, or those at some numbers."""
        for mine, its in zip(self.columns(), other.columns(), strict=True):
            mine[at] = its

    @property
    def over(self) -> Array:
        """R5.1: (batch,)."""
        return ~self.grill.any(-1)

    @property
    def kinds(self) -> Array | None:
        """Which turns may have a golden die or a second roll: (batch,), or None where there are no specialists."""
        if not self.rules.specialists:
            return None
        xp = self.rules.xp
        gold, weasel = (xp.astype(self.holds(who)[:, 0], xp.int8) for who in (GOLD, WEASEL))
        return gold * GOLD_TURN + weasel * WEASEL_TURN

    @property
    def tops(self) -> Array:
        """The tile on top of each stack (R3.6): (batch, seats, tiles) bool."""
        return (self.heights > 0) & (self.heights == self.rules.xp.amax(self.heights, -1, keepdims=True))

    def holds(self, who: slice) -> Array:
        """Whether a seat has that specialist: (batch, seats)."""
        return (self.place[..., None, who] == self.rules.tiles + self.rules.seat[:, None]).any(-1)

    def moved_up(self) -> Batch:
        """The next seat is seat 0, and seat 0 the last."""
        xp, tiles, seats = self.rules.xp, self.rules.tiles, self.rules.seats
        return replace(
            self,
            heights=xp.roll(self.heights, -1, 1),
            place=xp.where(self.place < tiles, self.place, tiles + (self.place - tiles - 1) % seats),
            round_worms=xp.roll(self.round_worms, -1, 1),
        )

    def tally(self) -> SeatTally:
        rules, xp = self.rules, self.rules.xp
        owned = self.heights > 0
        flat = xp.astype(owned.reshape(-1, rules.tiles), xp.float32)
        scores = (flat @ rules.worms).reshape(owned.shape[:-1]) + self.round_worms
        scores = scores + APPLE_WORMS * self.holds(APPLE)
        highest = xp.amax(owned * rules.numbers, -1)
        by_tile = xp.fill(highest, self.switches[..., SHARED_TIES, None], 0)
        key = scores * (rules.tiles + 1) + by_tile  # small whole numbers: exact in single precision
        best = xp.astype(key == xp.amax(key, -1, keepdims=True), xp.float32)
        return SeatTally(owned, scores, highest, best / best.sum(-1, keepdims=True))
