"""Bots for the time of some games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from pickomino.bots import Bot, make_bot

__all__ = ["made_bots"]


@contextmanager
def made_bots(texts: Sequence[str]) -> Iterator[list[Bot]]:
    """The bots that texts name, programs among them; those that can be closed are, afterwards."""
    with ExitStack() as stack:
        bots = []
        for text in texts:
            bots.append(bot := make_bot(text, programs=True))
            if callable(close := getattr(bot, "close", None)):
                stack.callback(close)
        yield bots
