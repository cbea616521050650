"""Whole games as the server tells them step by step."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from pickomino import Game, Record
from pickomino.bots import CautiousBot
from pickomino.chance import SeededDice
from pickomino.rules import Phase

if TYPE_CHECKING:
    from playwright.sync_api import Page


def cautious_game(edition: str, seats: int, seed: int) -> str:
    """A whole game of cautious players, as a record."""
    rng, dice, bot = random.Random(seed), SeededDice(seed), CautiousBot()
    game = Game.new(edition, seats, seed % seats)
    while not (position := game.position).over:
        game.apply(dice.roll(position) if position.phase is Phase.ROLL else bot.choose(position, rng))
    return str(Record(game, tuple(f"P{seat}" for seat in range(seats)), {}))


def film_of(page: Page, url: str, record: str) -> Any:
    answer = page.request.post(f"{url}/api/replay", data=record, headers={"Content-Type": "text/plain"})
    assert answer.ok
    return answer.json()
