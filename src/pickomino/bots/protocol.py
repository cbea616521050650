"""What a bot is: anything with `choose`. What it may have besides: `explain`, and `choose_many` for batches."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pickomino.rules import Edition, Move, Position

if TYPE_CHECKING:  # importing pickomino.bots loads no NumPy
    import numpy as np
    from numpy.typing import NDArray

    from pickomino.compact.packed import Packed
    from pickomino.solver import MoveValues


@runtime_checkable
class Bot(Protocol):
    """Chooses one of ``position.moves()``; all its randomness comes from `rng`, so that a seed fixes the game."""

    def choose(self, position: Position, rng: random.Random) -> Move:
        """A legal move of a position where a seat is to act."""
        ...


@runtime_checkable
class ExplainingBot(Bot, Protocol):
    """A bot that can say what every move is worth to it."""

    def explain(self, position: Position) -> MoveValues:
        """The value of every legal move, in the bot's own unit."""
        ...


class Games(Protocol):
    """Many games side by side, each with a decision due: a `pickomino.simulate.LaneView`, or `PackedGames`."""

    @property
    def edition(self) -> Edition: ...

    @property
    def seats(self) -> int: ...

    @property
    def positions(self) -> Packed:
        """One row per game, see `pickomino.compact.packed`."""
        ...

    @property
    def legal_bits(self) -> NDArray[np.int64]:
        """The legal moves of every game: bit i for move i of the edition's move table."""
        ...

    def __len__(self) -> int: ...


@runtime_checkable
class BatchBot(Protocol):
    """Decides in thousands of games at once."""

    def choose_many(self, games: Games, rng: np.random.Generator) -> NDArray[np.int64]:
        """For every game the index of a legal move, see `pickomino.compact.moves.move_table`."""
        ...


@runtime_checkable
class MixedBot(Protocol):
    """A bot that draws its moves and can say how likely each is, so that it can be measured exactly."""

    def probabilities(self, games: Games) -> NDArray[np.float64]:
        """(games, moves): how likely each move of the table is, 0 for those that are not legal."""
        ...
