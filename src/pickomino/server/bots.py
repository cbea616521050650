"""Bots by their texts, made once: some bring tables or weights that take a while to load."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from pickomino.bots import Bot, make_bot
from pickomino.server.errors import Refused


@lru_cache(maxsize=64)
def bot_of(spec: str) -> Bot:
    return make_bot(spec)


async def known_bot(spec: str) -> str:
    """The text of a bot that there is; anything else is refused. Off the event loop, for those that load long."""
    try:
        await asyncio.to_thread(bot_of, spec)
    except ValueError as error:  # PickominoError, or a parameter that is no number
        raise Refused("bad_message", f"bot: {error}") from None
    except ModuleNotFoundError as error:
        raise Refused(
            "bad_message", f"bot {spec!r} needs {error.name}, which is not installed here"
        ) from None
    return spec
