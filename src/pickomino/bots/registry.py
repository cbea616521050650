"""Bots by name, with parameters: ``random``, ``ev:loss=1,steal=1``, ``program:./mybot --flag``, ``my_bot.py:Thief``.

Names come from three places: the list below, `register_bot`, and installed packages that offer bots in the
entry-point group ``pickomino.bots``. Nothing is imported before a bot of that name is made.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, TypeAlias

from pickomino.bots.protocol import Bot
from pickomino.rules import PickominoError, said

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "pickomino.bots"
"""The entry-point group: name = "package.module:factory"."""

PROGRAM: Final = "program"
FILE: Final = ".py:"
_CLASS: Final = re.compile(r"([A-Za-z_][\w.]*:[A-Za-z_]\w*)(?::(.*))?", re.ASCII)  # then parameters

Factory: TypeAlias = Callable[..., Bot]
"""Makes a bot; parameters come as keyword arguments with text values."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Entry:
    factory: Factory | str  # a text is "package.module:name"
    description: str
    point: EntryPoint | None = None  # of another package; its factory is not looked at

    def load(self) -> Factory:
        loaded: Factory
        if self.point is not None:
            loaded = self.point.load()
        elif isinstance(self.factory, str):
            module, _, name = self.factory.partition(":")
            loaded = getattr(import_module(module), name)
        else:
            loaded = self.factory
        return loaded


_ENTRIES: dict[str, _Entry] = {
    "random": _Entry("pickomino.bots.simple:RandomBot", said("any legal move")),
    "cautious": _Entry("pickomino.bots.simple:CautiousBot", said("takes the first tile it can")),
    "easy": _Entry(
        "pickomino.bots.levels:easy", said("for people: plays for worms, often not the best move")
    ),
    "medium": _Entry(
        "pickomino.bots.levels:medium", said("for people: plays for worms, with some oversights")
    ),
    "hard": _Entry("pickomino.bots.levels:hard", said("for people: errs only in close calls")),
    "champion": _Entry(
        "pickomino.bots.champion:ChampionBot", said("plays the whole game to win, by a learned estimate")
    ),
    "soft": _Entry(
        "pickomino.bots.levels:SoftBot",
        said("ev with human-like mistakes: temperature and most in worms, see docs/bots.md"),
    ),
    "ev": _Entry(
        "pickomino.bots.ev:EvBot",
        said(
            "the most worms this turn; loss: what a lost worm counts (1), steal: extra for a stolen one (0)"
        ),
    ),
}


def register_bot(name: str, factory: Factory | str, description: str = "") -> None:
    """Register a bot under a name, by its factory or by the factory's path: ``package.module:factory``."""
    if not name.replace("-", "").replace("_", "").isalnum() or name == PROGRAM or name in _ENTRIES:
        raise PickominoError("bot name {name!r}: expected a new name of letters, digits, - and _", name=name)
    _ENTRIES[name] = _Entry(factory, description)


@cache
def _installed() -> dict[str, _Entry]:
    """Bots of other packages. Names that are taken stay with whoever had them first."""
    from importlib.metadata import entry_points  # takes longer than all the rest of this package

    found: dict[str, _Entry] = {}
    for point in entry_points(group=GROUP):
        if point.name in _ENTRIES or point.name in found or ":" in point.name or point.name == PROGRAM:
            _log.warning("bot %s of %s: the name cannot be used", point.name, point.value)
        else:
            package = point.dist.name if point.dist is not None else point.module
            found[point.name] = _Entry(point.value, f"from {package}", point)
    return found


def bot_names() -> tuple[str, ...]:
    """Every registered name."""
    return tuple(sorted({**_installed(), **_ENTRIES}))


def bot_descriptions() -> dict[str, str]:
    """Name -> one line about the bot, for help texts."""
    entries = {**_installed(), **_ENTRIES}
    return {name: entries[name].description for name in sorted(entries)}


def make_bot(spec: str, *, programs: bool = False) -> Bot:
    """The bot that a text names: a registered name, then a colon and parameters if it takes any.

    With `programs`, ``program:COMMAND`` starts a program of one's own; ``FILE.py:CLASS`` and ``MODULE:CLASS`` load a
    class. Only say so for texts that come from the person at this machine: it runs whatever the text says.
    """
    if FILE in spec:
        return _from_file(spec, programs=programs)
    name, _, tail = spec.partition(":")
    if name == PROGRAM:
        if not programs:
            raise PickominoError("bot {spec!r}: programs are not allowed here", spec=spec)
        from pickomino.bots.program import program_bot

        return program_bot(tail)
    entry = _ENTRIES.get(name) or _installed().get(name)
    if entry is None and programs and (own := _CLASS.fullmatch(spec)):
        if not {"", os.getcwd()} & set(sys.path):  # a module of the current folder, as with python -m
            sys.path.append(os.getcwd())
        return _from_elsewhere(spec, _Entry(own[1], ""), _parameters(spec, own[2] or ""))
    if entry is None:
        from difflib import get_close_matches

        near, known = get_close_matches(name, bot_names(), n=1), ", ".join(bot_names())
        if near:
            raise PickominoError(
                "bot {spec!r}: expected one of {known}; did you mean {near}?",
                spec=spec,
                known=known,
                near=near[0],
            )
        raise PickominoError("bot {spec!r}: expected one of {known}", spec=spec, known=known)
    parameters = _parameters(spec, tail)
    if entry.point is not None:
        return _from_elsewhere(spec, entry, parameters)
    factory = entry.load()
    _check_parameters(spec, name, factory, parameters)
    try:
        return factory(**parameters)
    except PickominoError as error:
        raise PickominoError("bot {spec!r}: {error}", spec=spec, error=error.args[0]) from None


def _parameters(spec: str, tail: str) -> dict[str, str]:
    parameters: dict[str, str] = {}
    for part in tail.split(",") if tail else ():
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier() or key in parameters:
            raise PickominoError("bot {spec!r}: expected name:key=value,key=value", spec=spec)
        parameters[key] = value
    return parameters


def _check_parameters(spec: str, name: str, factory: Factory, parameters: dict[str, str]) -> None:
    import inspect

    try:
        signature = inspect.signature(factory)
    except ValueError:  # some that are written in C have none
        return
    try:
        signature.bind(**parameters)
    except TypeError:
        taken = ", ".join(signature.parameters)
        unknown = [key for key in parameters if key not in signature.parameters]
        if unknown:
            does = said("{name} does not take {unknown}", name=name, unknown=", ".join(unknown))
        else:
            does = said("{name} wants more", name=name)
        if not taken:
            raise PickominoError("bot {spec!r}: {does}", spec=spec, does=does) from None
        raise PickominoError(
            "bot {spec!r}: {does}; it takes {taken}", spec=spec, does=does, taken=taken
        ) from None


def _from_file(spec: str, *, programs: bool) -> Bot:
    """A class of a Python file, as in ``bots/my_bot.py:Thief:size=1``."""
    if not programs:
        raise PickominoError("bot {spec!r}: programs are not allowed here", spec=spec)
    path, _, rest = spec.partition(FILE)
    name, _, tail = rest.partition(":")
    file = f"{path}.py"
    if not os.path.isfile(file):
        raise PickominoError("bot {spec!r}: there is no file {file!r}", spec=spec, file=file)

    def load() -> Factory:
        from importlib.util import module_from_spec, spec_from_file_location

        found = spec_from_file_location(f"pickomino_bot_{os.path.basename(path)}", file)
        assert found is not None  # a name that ends in .py always has a loader
        assert found.loader is not None
        module = module_from_spec(found)
        found.loader.exec_module(module)
        loaded: Factory | None = getattr(module, name, None)
        if loaded is None:
            raise PickominoError("bot {spec!r}: {file!r} has no {name!r}", spec=spec, file=file, name=name)
        return loaded

    return _guarded(spec, name, load, _parameters(spec, tail), file)


def _from_elsewhere(spec: str, entry: _Entry, parameters: dict[str, str]) -> Bot:
    """A bot of another package."""
    return _guarded(spec, spec.partition(":")[0], entry.load, parameters, entry.description)


def _guarded(
    spec: str, name: str, load: Callable[[], Factory], parameters: dict[str, str], description: str
) -> Bot:
    """A bot that is not ours: whatever goes wrong there is one line here, and never ends a match."""
    from pickomino.bots.guarded import GuardedBot

    try:
        factory = load()
        _check_parameters(spec, name, factory, parameters)
        return GuardedBot(factory(**parameters), spec)
    except PickominoError:
        raise
    except Exception as error:  # anything at all may go wrong in code that is not ours
        why = f"{type(error).__name__}: {error}".splitlines()[0]
        raise PickominoError(
            "bot {spec!r} {description} is broken: {why}", spec=spec, description=description, why=why
        ) from None
