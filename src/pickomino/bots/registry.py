"""Bots by name, with parameters: ``random``, ``cautious``, ``ev:loss=1,steal=1``."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

from pickomino.bots.protocol import Bot
from pickomino.bots.simple import CautiousBot, RandomBot
from pickomino.rules import PickominoError

__all__ = ["bot_names", "make_bot", "register_bot"]

_FACTORIES: dict[str, Callable[..., Bot]] = {}


def register_bot(name: str, factory: Callable[..., Bot]) -> None:
    """Make a bot known under a name; its parameters come as keyword arguments with text values."""
    if not name.replace("-", "").replace("_", "").isalnum() or name in _FACTORIES:
        raise PickominoError(f"bot name {name!r}: expected a new name of letters, digits, - and _")
    _FACTORIES[name] = factory


def bot_names() -> tuple[str, ...]:
    """Every registered name."""
    return tuple(sorted(_FACTORIES))


def make_bot(spec: str) -> Bot:
    """The bot that a text names: a registered name, then a colon and parameters where it takes some."""
    name, _, tail = spec.partition(":")
    if name not in _FACTORIES:
        near = get_close_matches(name, _FACTORIES, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise PickominoError(f"bot {spec!r}: expected one of {', '.join(bot_names())}{hint}")
    parameters: dict[str, str] = {}
    for part in tail.split(",") if tail else ():
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier() or key in parameters:
            raise PickominoError(f"bot {spec!r}: expected name:key=value,key=value")
        parameters[key] = value
    try:
        return _FACTORIES[name](**parameters)
    except TypeError:
        raise PickominoError(f"bot {spec!r}: {name} does not take {', '.join(parameters)}") from None


register_bot("random", RandomBot)
register_bot("cautious", CautiousBot)
