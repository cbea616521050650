"""Games that were simulated: scores, winners, lengths, last positions, and every one of them as a record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.bulk import win_shares, worm_counts
from pickomino.compact.packed import PHASE_OVER, Packed, pack, unpack
from pickomino.game import Game
from pickomino.notation import Record
from pickomino.rules import (
    Edition,
    InvalidPositionError,
    PickominoError,
    Position,
    check,
    find_edition,
)
from pickomino.simulate.replay import replay_game

Start = Position | Sequence[Position] | Packed | None


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """Rows are games by number, columns seats."""

    edition: Edition
    seats: int
    seed: int
    positions: Packed  # where every game ended
    lengths: NDArray[np.int64]  # decisions
    starts: Packed
    actions: Callable[[int], NDArray[np.int64]] | None = None  # None: random play
    scores: NDArray[np.int32] = field(init=False)
    winners: NDArray[np.int8] = field(init=False)  # bit i: seat i wins; 0 where the game is not over

    def __post_init__(self) -> None:
        scores, leaders = worm_counts(self.edition, self.seats, self.positions)
        object.__setattr__(self, "scores", scores)
        object.__setattr__(self, "winners", np.where(self.over, leaders, np.int8(0)))

    def __len__(self) -> int:
        return len(self.positions)

    def __repr__(self) -> str:
        return (
            f"<Results of {len(self)} games of {self.edition.key} with {self.seats} seats, seed {self.seed}>"
        )

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games were played to their end."""
        over: NDArray[np.bool_] = self.positions["phase"] == PHASE_OVER
        return over

    @property
    def shares(self) -> NDArray[np.float64]:
        """What each seat won: 1, 0, or a part of a shared win."""
        return win_shares(self.winners, self.seats)

    def position(self, number: int) -> Position:
        """Where a game ended."""
        return unpack(self.positions[number], self.edition)

    def game(self, number: int) -> Game:
        """A whole game with every ply, checked by the rules."""
        if not 0 <= number < len(self):
            raise PickominoError(f"game {number}: expected 0 to {len(self) - 1}")
        actions = None if self.actions is None else self.actions(number)
        return replay_game(self.edition, self.starts, self.seed, number, actions, int(self.lengths[number]))

    def record(self, number: int, names: Sequence[str] | None = None) -> Record:
        """The same as a record; the seats are named after their policies, or all ``random``."""
        return Record(self.game(number), tuple(names) if names else ("random",) * self.seats)


def edition_of(edition: Edition | str) -> Edition:
    return find_edition(edition) if isinstance(edition, str) else edition


def check_seed(seed: int) -> int:
    if not 0 <= seed < 1 << 64:
        raise PickominoError(f"seed {seed}: expected 0 to 2**64 - 1")
    return seed


def packed_starts(edition: Edition, seats: int, first: int | Sequence[int], start: Start) -> Packed:
    """Where games begin, one row or several that take turns from game to game; invalid positions raise."""
    if start is None:
        firsts = [first] if isinstance(first, int | np.integer) else list(first)
        rows = pack(Position.start(edition, seats, int(seat)) for seat in firsts)
    elif isinstance(start, np.ndarray):
        return packed_starts(edition, seats, first, [unpack(row, edition) for row in start])
    else:
        listed = [start] if isinstance(start, Position) else list(start)
        for position in listed:
            check(position)
            if position.edition != edition:
                raise InvalidPositionError(f"start {str(position)!r}: expected edition {edition.key}")
        rows = pack(listed)
    if (rows["phase"] == PHASE_OVER).any():
        raise InvalidPositionError("a start position where the game is over already")
    if not len(rows):
        raise InvalidPositionError("no start position")
    if (rows["seats"] != seats).any():
        raise InvalidPositionError(
            f"start positions for {sorted(set(rows['seats'].tolist()))} seats: expected {seats}"
        )
    return rows
