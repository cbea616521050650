"""The one game loop: ask whoever is to act, let dice fall, until the game is over."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeAlias

from pickomino.bots import Bot, make_bot
from pickomino.chance import DiceSource, SeededDice, SystemDice
from pickomino.game import Game
from pickomino.play.entries import DiceFell, MoveMade
from pickomino.play.match import Match, Seat
from pickomino.rules import SEATS, Edition, Move, PickominoError, Ply, Position, Roll, quote
from pickomino.rules.events import Event

Decider: TypeAlias = Callable[[Position], Move]
Player: TypeAlias = str | Bot | Callable[[Position, random.Random], Move]
"""Who can be asked to play a seat: a bot by name, a bot, or its `choose` alone."""
Watcher: TypeAlias = Callable[[Position, Ply, tuple[Event, ...], Position], None]


class Quit(Exception):  # not an error: a person leaves the table
    """Raised by a decider to stop the match; everything played so far stands."""


def bot_decider(player: Player, seed: int | str, *, programs: bool = False) -> Decider:
    """A bot that plays one seat, its randomness fixed by the seed; `programs` as in `make_bot`."""
    rng = random.Random(f"bot {seed}")
    bot = make_bot(player, programs=programs) if isinstance(player, str) else player
    choose = bot.choose if isinstance(bot, Bot) else bot
    if isinstance(bot, type) or not callable(choose):
        raise PickominoError(
            "player {player}: expected a bot's name, a bot, or a function that chooses", player=quote(player)
        )
    return lambda position: choose(position, rng)


def play_game(
    players: Sequence[Player],
    *,
    seed: int | str | None = None,
    edition: Edition | str = "classic",
    first: int = 0,
    dice: DiceSource | None = None,
) -> Game:
    """A whole game, one player for each seat. A seed fixes dice and bots, as ``pickomino play --seed`` does.

    >>> game = play_game(["cautious", lambda position, rng: position.moves()[0]], seed=1)
    >>> game.over, game.outcome.winners
    (True, (0,))
    """
    if isinstance(players, str):
        raise PickominoError("players {players}: expected a list, one for each seat", players=quote(players))
    game = Game.new(edition, len(players), first)
    source = random.SystemRandom().random() if seed is None else seed
    deciders = [bot_decider(player, f"{source} {seat}") for player, seat in zip(players, SEATS, strict=False)]
    if dice is None:
        dice = SystemDice() if seed is None else SeededDice(seed)
    play_match(Match(game, tuple(Seat(f"bot {seat}") for seat in SEATS[: len(players)])), deciders, dice)
    return game


def play_match(
    match: Match, deciders: Sequence[Decider], dice: DiceSource, watch: Watcher | None = None
) -> None:
    """Play to the end, or until a decider quits. `watch` hears of every ply with what it brought about."""
    while not match.over:
        before = match.game.position
        seat = match.to_act
        ply: Ply = dice.roll(before) if seat is None else deciders[seat](before)
        entry = DiceFell(ply) if isinstance(ply, Roll) else MoveMade(before.seat, ply)
        events = match.submit(entry)
        if watch is not None:
            watch(before, ply, events, match.game.position)
