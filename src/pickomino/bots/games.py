"""Batches of games: a plain one made from positions, and the bridges between single and batch form."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.protocol import BatchBot, Bot, Games
from pickomino.compact.moves import move_table
from pickomino.compact.packed import Packed, pack, unpack
from pickomino.rules import Edition, InvalidPositionError, Move, Position


@dataclass(frozen=True)
class GameRows:
    """Points of games as packed rows, and their legal moves as bits of the move table."""

    edition: Edition
    seats: int
    positions: Packed
    legal_bits: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.positions)


class PackedGames(GameRows):
    """Positions of one edition and one number of seats as a batch; needs nothing but NumPy."""

    def __init__(self, positions: Position | Iterable[Position]) -> None:
        listed = [positions] if isinstance(positions, Position) else list(positions)
        if len({(position.edition, len(position.stacks)) for position in listed}) != 1:
            raise InvalidPositionError("a batch: expected positions of one edition and one number of seats")
        edition, index = listed[0].edition, move_table(listed[0].edition).index
        bits = [sum(1 << index(move) for move in position.moves()) for position in listed]
        super().__init__(edition, len(listed[0].stacks), pack(listed), np.array(bits, dtype=np.int64))


def legal_mask(games: Games) -> NDArray[np.bool_]:
    """The legal moves: (games, moves)."""
    moves = np.arange(len(move_table(games.edition)))
    return (games.legal_bits[:, None] >> moves & 1).astype(np.bool_)


def one_by_one(bot: Bot, games: Games, rng: np.random.Generator) -> NDArray[np.int64]:
    """A bot's `choose`, game by game."""
    edition = games.edition
    index, own = move_table(edition).index, random.Random(int(rng.integers(1 << 63)))
    moves = [index(bot.choose(unpack(row, edition), own)) for row in games.positions]
    return np.array(moves, dtype=np.int64)


class _OneByOne:
    """The batch form of a bot that has none."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def choose_many(self, games: Games, rng: np.random.Generator) -> NDArray[np.int64]:
        return one_by_one(self.bot, games, rng)


def as_batch(bot: Bot | BatchBot) -> BatchBot:
    """The batch form of any bot: its own, or `choose` game by game."""
    return bot if isinstance(bot, BatchBot) else _OneByOne(bot)


class SingleBot:
    """The single form of a batch bot: a batch of one."""

    def __init__(self, batch: BatchBot) -> None:
        self.batch = batch

    def choose(self, position: Position, rng: random.Random) -> Move:
        generator = np.random.default_rng(rng.getrandbits(64))
        index = self.batch.choose_many(PackedGames(position), generator)[0]
        return move_table(position.edition)[int(index)]

    def choose_many(self, games: Games, rng: np.random.Generator) -> NDArray[np.int64]:
        return self.batch.choose_many(games, rng)


def as_bot(bot: Bot | BatchBot) -> Bot:
    """The single form of any bot: its own, or a batch of one."""
    return bot if isinstance(bot, Bot) else SingleBot(bot)


def as_policy(bot: Bot | BatchBot, seed: int = 0) -> Callable[[Games], NDArray[np.int64]]:
    """A bot as what `pickomino.simulate.play_games` asks; give every seat of one bot the same policy."""
    batch, rng = as_batch(bot), np.random.default_rng(seed)
    return lambda games: batch.choose_many(games, rng)
