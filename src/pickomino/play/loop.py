"""The one game loop: ask whoever is to act, let dice fall, until the game is over."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeAlias

from pickomino.bots import make_bot
from pickomino.chance import DiceSource
from pickomino.play.entries import DiceFell, MoveMade
from pickomino.play.match import Match
from pickomino.rules import Move, Ply, Position, Roll
from pickomino.rules.events import Event

__all__ = ["Decider", "Quit", "Watcher", "bot_decider", "play_match"]

Decider: TypeAlias = Callable[[Position], Move]
Watcher: TypeAlias = Callable[[Position, Ply, tuple[Event, ...], Position], None]


class Quit(Exception):  # not an error: a person leaves the table
    """Raised by a decider to break the match off; everything played so far stands."""


def bot_decider(spec: str, seed: int | str, *, programs: bool = False) -> Decider:
    """A registered bot that plays one seat, its randomness fixed by the seed; `programs` as in `make_bot`."""
    bot, rng = make_bot(spec, programs=programs), random.Random(f"bot {seed}")
    return lambda position: bot.choose(position, rng)


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
