"""Bots that are not ours: what goes wrong in them is reported, `cautious` decides instead, the match goes on."""

from __future__ import annotations

import logging
import random
from typing import TYPE_CHECKING, Final, NamedTuple

from pickomino.bots.protocol import BatchBot, Bot
from pickomino.bots.simple import CautiousBot
from pickomino.rules import Move, Position

if TYPE_CHECKING:  # importing pickomino.bots loads no NumPy
    import numpy as np
    from numpy.typing import NDArray

    from pickomino.bots.protocol import Games

MOST_REPORTS: Final = 100  # kept in full; later ones are only counted

_log = logging.getLogger(__name__)


class BotFailure(Exception):
    """A bot gave no legal move; the text says why."""


class Report(NamedTuple):
    """One decision that a bot did not make."""

    position: str
    problem: str
    instead: str  # the move that was played

    def __str__(self) -> str:
        return f"{self.problem}; cautious played {self.instead} in {self.position}"


class ForeignBot:
    """A bot that is not ours, with reports of what went wrong in it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.reports: list[Report] = []  # what went wrong so far, the first hundred times
        self.failures = 0  # how many decisions were not the bot's own
        self._cautious = CautiousBot()

    def __str__(self) -> str:
        return self.name

    def _instead(self, position: Position, rng: random.Random, problem: str) -> Move:
        """The cautious move, with a report and one line of warning."""
        move = self._cautious.choose(position, rng)
        report = Report(str(position), problem, str(move))
        self.failures += 1
        if self.failures <= MOST_REPORTS:
            self.reports.append(report)
            _log.warning("bot %s: %s", self.name, report)
        if self.failures == MOST_REPORTS:
            _log.warning("bot %s: further failures are counted, not shown", self.name)
        return move


def one_line(error: Exception) -> str:
    """An exception in one short line."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return text if len(text) <= 200 else text[:197] + "..."


class GuardedBot(ForeignBot):
    """Another package's bot: an exception or an illegal move hands that decision to `cautious`."""

    def __init__(self, bot: Bot | BatchBot, name: str) -> None:
        if not isinstance(bot, Bot):
            if not isinstance(bot, BatchBot):
                raise TypeError(f"{type(bot).__name__} has neither choose nor choose_many")
            from pickomino.bots.games import as_bot

            bot = as_bot(bot)
        super().__init__(name)
        self.bot = bot

    def choose(self, position: Position, rng: random.Random) -> Move:
        try:
            move = self.bot.choose(position, rng)
        except Exception as error:  # anything at all may go wrong in code that is not ours
            return self._instead(position, rng, one_line(error))
        if move not in position.moves():
            return self._instead(position, rng, f"illegal move {str(move)[:40]!r}")
        return move

    def choose_many(self, games: Games, rng: np.random.Generator) -> NDArray[np.int64]:
        """The bot's own batch form where it has one and it works, else game by game."""
        import numpy as np

        from pickomino.bots.games import legal_mask, one_by_one

        if not isinstance(self.bot, BatchBot):
            return one_by_one(self, games, rng)
        try:
            chosen = np.asarray(self.bot.choose_many(games, rng))
            legal = legal_mask(games)
            if chosen.shape == (len(games),) and chosen.dtype.kind in "iu":
                inside = (chosen >= 0) & (chosen < legal.shape[1])
                if (inside & legal[np.arange(len(games)), np.where(inside, chosen, 0)]).all():
                    return chosen.astype(np.int64)
            problem = "its batch form gives illegal moves"
        except Exception as error:  # as above
            problem = f"its batch form fails, {one_line(error)}"
        _log.warning("bot %s: %s; asked game by game", self.name, problem)
        return one_by_one(self, games, rng)
