"""Programs in any language as bots: a position line in, a move line out. docs/bots.md has the protocol."""

from __future__ import annotations

import math
import random
import re
import shlex
import time
import weakref
from typing import Final, Self

from pickomino.bots.child import PATIENCE, Child, ChildError
from pickomino.bots.guarded import BotFailure, ForeignBot
from pickomino.rules import Move, PickominoError, Position

LIMIT: Final = 5.0  # seconds for a move
START: Final = 10.0  # more seconds for the first move after a start
RESTARTS: Final = 3

_OPTIONS: Final = re.compile(
    r"((?:limit|start|restarts)=[^\s,]*(?:,(?:limit|start|restarts)=[^\s,]*)*) -- (.*)"
)


def program_bot(text: str) -> ProgramBot:
    """``./mybot --flag``, or ``limit=2,restarts=0 -- ./mybot --flag``; split into words as a shell does."""
    found = _OPTIONS.fullmatch(text)
    options, command = {"limit": str(LIMIT), "start": str(START), "restarts": str(RESTARTS)}, text
    if found:
        options |= dict(part.split("=", 1) for part in found[1].split(","))
        command = found[2]
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise PickominoError("bot 'program:{text}': {error}", text=text, error=error) from None
    if not words:
        raise PickominoError("bot 'program:{text}': expected a command after the colon", text=text)
    limit, start = (_seconds(name, options[name]) for name in ("limit", "start"))
    restarts = options["restarts"]
    if not re.fullmatch("[0-9]{1,4}", restarts):
        raise PickominoError(
            "bot 'program:{text}': restarts={restarts}: expected a whole number", text=text, restarts=restarts
        )
    return ProgramBot(words, limit=limit, start=start, restarts=int(restarts))


def _seconds(name: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= 3600:
        raise PickominoError(
            "bot program: {name}={text}: expected seconds, more than 0 and at most 3600", name=name, text=text
        )
    return seconds


class ProgramBot(ForeignBot):
    """A program that is asked over its standard input and output.

    A crash, a time-out or a line that is not a legal move hands that decision to `cautious`, with a report. After
    a crash or a time-out the program is started again, `restarts` times in all; from then on `cautious` plays.
    Close the bot, or use it in a ``with`` statement; the end of this program closes it too.
    """

    def __init__(
        self, command: list[str], *, limit: float = LIMIT, start: float = START, restarts: int = RESTARTS
    ) -> None:
        super().__init__(f"program:{shlex.join(command)}")
        self.command = list(command)
        self.limit = limit
        self.start = start
        self._starts_left = 1 + restarts
        self._child: Child | None = None

    def choose(self, position: Position, rng: random.Random) -> Move:
        try:
            return self._ask(position)
        except BotFailure as failure:
            return self._instead(position, rng, str(failure))

    def _ask(self, position: Position) -> Move:
        allowed = self.limit
        try:
            if self._child is None:
                allowed += self.start
                self._child = self._started()
            answer = self._answer(self._child, position, time.monotonic() + allowed)
        except ChildError as error:
            self.close(patience=0.0)  # after a time-out too: a late answer must not pass for the next one
            raise BotFailure(str(error)) from None
        for move in position.moves():
            if str(move) == answer:
                return move
        expected = ", ".join(map(str, position.moves()))
        raise BotFailure(f"answered {answer[:40]!r}, expected one of {expected}")

    def _answer(self, child: Child, position: Position, deadline: float) -> str:
        child.forget()  # lines nobody asked for
        child.write(str(position))
        while True:
            line = child.read(deadline)
            if line != "ready" and not line.startswith("ready "):
                return line

    def _started(self) -> Child:
        if not self._starts_left:
            raise BotFailure("not started again, it failed too often")
        self._starts_left -= 1
        child = Child(self.command)
        weakref.finalize(self, child.close)  # closing twice does no harm
        return child

    def close(self, patience: float = PATIENCE) -> None:
        """End the program: its input is closed, and where that does not help in time it is killed."""
        if self._child is not None:
            self._child.close(patience)
        self._child = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
