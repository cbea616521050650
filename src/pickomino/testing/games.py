"""Random games: a seed fixes every one of them, a policy says how the seats choose."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Protocol, TypeAlias

from pickomino.chance import SeededDice
from pickomino.game import Game
from pickomino.rules import (
    SEATS,
    SPECIALISTS,
    Edition,
    InvalidEditionError,
    Keep,
    LeaveGold,
    Move,
    Phase,
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

Policy: TypeAlias = Callable[[Position, random.Random], Move]
"""How a seat chooses one of ``position.moves()``; all its randomness comes from the generator it is given."""


class Chooser(Protocol):
    """Anything that plays like a bot."""

    def choose(self, position: Position, rng: random.Random) -> Move:
        """A legal move of a position where a seat is to act."""
        ...


def uniform(position: Position, rng: random.Random) -> Move:
    """Any legal move. Games get long, busts many, and the supply of round worms runs dry."""
    moves = position.moves()
    return moves[int(rng.random() * len(moves))]


def careful(position: Position, rng: random.Random) -> Move:
    """Claims as soon as it can, keeps worms first, else what counts most. Stacks grow, tiles are stolen."""
    moves = position.moves()
    if position.phase is Phase.GO:
        return moves[-1] if isinstance(moves[-1], Take | Steal) else moves[0]
    keeps = [move for move in moves if isinstance(move, Keep)]
    if not keeps:
        return uniform(position, rng)
    pips, rolled = position.edition.pips, position.rolled
    return max(keeps, key=lambda move: (move.face == "W", pips[move.face] * rolled.count(move.face)))


def mixed(position: Position, rng: random.Random) -> Move:
    """Careful three times out of four, else uniform: deep games with every kind of move in them."""
    return (careful if rng.random() < 0.75 else uniform)(position, rng)


def random_game(
    edition: Edition | str = "classic",
    seats: int = 2,
    seed: int | str = 0,
    policy: Policy = mixed,
    *,
    first: int = 0,
    start: Position | None = None,
    plies: int | None = None,
) -> Game:
    """A game played by a policy with seeded dice, to its end or until `plies` plies.

    `start` lets it begin at any position; edition, seats and first are then ignored.
    """
    game = Game(Position.start(edition, seats, first) if start is None else start)
    dice, rng = SeededDice(f"game {seed}"), random.Random(f"policy {seed}")
    while not game.over and (plies is None or len(game) < plies):
        position = game.position
        game.apply(dice.roll(position) if position.phase is Phase.ROLL else policy(position, rng))
    return game


def random_positions(
    edition: Edition | str = "classic",
    seats: int = 2,
    seed: int | str = 0,
    policy: Policy = mixed,
    *,
    count: int = 100,
    first: int = 0,
) -> Iterator[Position]:
    """Positions from random games, spread over their whole length, including ends."""
    rng = random.Random(f"positions {seed}")
    number = 0
    while count > 0:
        positions = random_game(edition, seats, f"{seed} {number}", policy, first=first).positions
        for position in rng.sample(positions, min(count, 20, len(positions))):
            yield position
            count -= 1
        number += 1


def all_moves(edition: Edition) -> tuple[Move, ...]:
    """Every move that some position of the edition could allow, and those of the other editions too."""
    return (
        *map(Keep, edition.pips.keys() - {"+"}),
        *(make(tile) for make in (Take, Steal) for tile in edition.values),
        *map(TakeRoundWorm, range(len(SEATS))),
        *map(PutBack, SPECIALISTS),
        *(RollOn(), Stop(), UseGold(), LeaveGold(), Reroll()),
    )


def has_text(edition: Edition) -> bool:
    """Whether positions of the edition can be read back: one made in Python has no name until it is loaded."""
    try:
        return find_edition(edition.key) == edition
    except InvalidEditionError:
        return False
