"""Whole games as the server tells them step by step."""

from __future__ import annotations

import random

from pickomino import Game, Record
from pickomino.bots import CautiousBot
from pickomino.chance import SeededDice
from pickomino.rules import Phase


def cautious_game(edition: str, seats: int, seed: int) -> str:
    """A whole game of cautious players, as a record."""
    rng, dice, bot = random.Random(seed), SeededDice(seed), CautiousBot()
    game = Game.new(edition, seats, seed % seats)
    while not (position := game.position).over:
        game.apply(dice.roll(position) if position.phase is Phase.ROLL else bot.choose(position, rng))
    return str(Record(game, tuple(f"P{seat}" for seat in range(seats)), {}))


# Gives the film of a record; a whole one through the test's connection to the browser takes seconds.
FILM_OF = """async (record) => {
  const headers = { "Content-Type": "text/plain" };
  const answer = await fetch("/api/replay", { method: "POST", body: record, headers });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}"""
