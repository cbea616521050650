"""Bots for the time of some games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from shutil import which

from pickomino.bots import Bot, make_bot
from pickomino.bots.program import ProgramBot
from pickomino.rules import PickominoError


@contextmanager
def made_bots(texts: Sequence[str]) -> Iterator[list[Bot]]:
    """The bots that texts name, programs among them; those that can be closed are, afterwards.

    A program that is not there is an error: `cautious` would play all of its games.
    """
    with ExitStack() as stack:
        bots = []
        for text in texts:
            bots.append(bot := make_bot(text, programs=True))
            if isinstance(bot, ProgramBot) and which(bot.command[0]) is None:
                raise PickominoError(
                    "bot {text!r}: there is no program {command!r}", text=text, command=bot.command[0]
                )
            if callable(close := getattr(bot, "close", None)):
                stack.callback(close)
        yield bots
