"""Positions of random games, for tests of everything that is shown."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pickomino import Game, Position
from pickomino.bots import RandomBot
from pickomino.chance import SeededDice
from pickomino.rules import EDITIONS, Phase

__all__ = ["KEYS", "all_positions", "game_of", "positions_of"]

KEYS = (*EDITIONS, "classic+any-lower+fast+flip-empty+mandatory-steal+shared-ties")


def game_of(edition: str, seats: int, seed: int) -> Game:
    """One random game, played to its end."""
    rng, dice, bot = random.Random(seed), SeededDice(seed), RandomBot()
    game = Game.new(edition, seats, seed % seats)
    while not (position := game.position).over:
        game.apply(dice.roll(position) if position.phase is Phase.ROLL else bot.choose(position, rng))
    return game


def positions_of(edition: str, seats: int, seed: int) -> tuple[Position, ...]:
    """Every position of one random game, the last one over."""
    return game_of(edition, seats, seed).positions


def all_positions(games: int = 1) -> Iterator[Position]:
    """Random games of every edition, with 2 to 7 seats in turn."""
    for index, key in enumerate(KEYS * games):
        yield from positions_of(key, 2 + index % 6, index)
