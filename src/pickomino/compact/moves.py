"""The fixed move table of an edition: every move that can ever be legal has one index.

The table is sorted by text, so the legal moves of a position, read by rising index, are `Position.moves` in
its own order, and "the first move in text order" is the lowest index. It depends on the edition only: a game
of two and a game of seven share it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pickomino.rules import (
    MAX_SEATS,
    Edition,
    IllegalMoveError,
    Keep,
    LeaveGold,
    Move,
    Position,
    PutBack,
    Reroll,
    RollOn,
    Steal,
    Stop,
    Take,
    TakeRoundWorm,
    UseGold,
    find_edition,
)


class MoveTable:
    """Index <-> move <-> text of an edition. ``table[5]`` is a move, ``table.index(move)`` the way back.

    >>> table = move_table("classic")
    >>> len(table), str(table[0]), table.index("kW")
    (40, 'k1', 5)
    """

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.moves: tuple[Move, ...] = tuple(sorted(_all_moves(edition), key=str))
        self.texts: tuple[str, ...] = tuple(map(str, self.moves))
        self._index = {text: index for index, text in enumerate(self.texts)}

    def __len__(self) -> int:
        return len(self.moves)

    def __getitem__(self, index: int) -> Move:
        if not 0 <= index < len(self.moves):  # a negative index is a mistake here, not a count from the end
            raise IllegalMoveError(f"move index {index}: {self.edition.key} has moves 0 to {len(self) - 1}")
        return self.moves[index]

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves)

    def __contains__(self, move: object) -> bool:
        return str(move) in self._index

    def index(self, move: Move | str) -> int:
        """The index of a move or of its text."""
        try:
            return self._index[str(move)]
        except KeyError:
            raise IllegalMoveError(f"move {str(move)!r} does not exist in {self.edition.key}") from None

    def find(self, text: str) -> int:
        """The index of a text, or -1 where the edition has no such move."""
        return self._index.get(text, -1)

    def mask(self, position: Position) -> NDArray[np.bool_]:
        """Which moves of the table are legal in a position."""
        mask = np.zeros(len(self), dtype=np.bool_)
        mask[[self.index(move) for move in position.moves()]] = True
        return mask


def _all_moves(edition: Edition) -> Iterator[Move]:
    names = [name for name, _ in edition.specialists]
    yield from (Keep(face.sign) for face in edition.faces)
    yield from (RollOn(), Stop())
    for tile in edition.values:
        yield Take(tile)
        yield Steal(tile)
    if "gold" in names:
        yield from (UseGold(), LeaveGold())
    if "weasel" in names:
        yield Reroll()
    if edition.round_worms:
        yield from map(TakeRoundWorm, range(MAX_SEATS))
    yield from (PutBack(name) for name in names if name != "crow")  # never owned, so never put back (D10.2)


@lru_cache(maxsize=256)  # house editions come and go
def move_table(edition: Edition | str = "classic") -> MoveTable:
    """The move table of an edition, made once."""
    return MoveTable(find_edition(edition) if isinstance(edition, str) else edition)
