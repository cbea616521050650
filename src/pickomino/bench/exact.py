"""What a policy gives away in games that are solved: against best play, and against its worst enemy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from pickomino.bench.turns import turn_odds
from pickomino.bots.protocol import BatchBot, Bot
from pickomino.compact.moves import move_table
from pickomino.rules import Position
from pickomino.solver.whole import WholeGame, evaluate_turns, solve_whole

SOLVED: Final = ((21, 25, 29), (21, 23, 25, 27))
"""Tiles of the solved games that every policy is measured in: `classic`, two seats, 36 and 232 turn starts."""


class ExactLoss(NamedTuple):
    """Parts of a win per game, averaged over both seats; best play loses 0."""

    tiles: tuple[int, ...]
    turns: int  # turn starts that the game has
    against_best_play: float
    exploitability: float  # against an opponent that knows the policy and plays what hurts it most


@cache
def solved(tiles: tuple[int, ...]) -> WholeGame:
    """The game of these tiles, solved once."""
    return solve_whole(tiles, "classic", 2)


def exact_loss(bot: Bot | BatchBot, game: WholeGame, seed: int = 0) -> ExactLoss:
    """Every turn start of the game and every roll is looked at: no games are played, nothing is estimated."""
    table, known = move_table(game.edition), dict[str, list[float]]()

    def odds(positions: Sequence[Position]) -> list[list[float]]:
        new = [position for position in positions if str(position) not in known]
        for position, row in zip(new, turn_odds(bot, new, seed) if new else (), strict=True):
            moves = [table.index(end.move) for end in game.endings(position)]
            known[str(position)] = row[moves].tolist()
        return [known[str(position)] for position in positions]

    best = 1 / game.players
    against = evaluate_turns(game, odds)
    worst = evaluate_turns(game, odds, against="best response")
    return ExactLoss(game.tiles, game.positions, best - against.mean, best - worst.mean)
