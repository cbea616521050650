"""A game as turn lines: the tokens that a record writes for each turn, and the plies behind them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from pickomino.game import Game
from pickomino.rules import (
    SEATS,
    Keep,
    Phase,
    Ply,
    Position,
    PutBack,
    Reroll,
    Roll,
    Steal,
    Stop,
    Take,
    TakeRoundWorm,
)
from pickomino.rules.events import Busted, Event, Flipped, GameOver, Returned, TurnStarted

_ENDS: Final = (TurnStarted, GameOver)


@dataclass(slots=True)
class TurnLine:
    """One turn as a record writes it. `origins` holds, for every token, the index of the ply behind it."""

    number: int
    seat: int
    tokens: list[str] = field(default_factory=list)
    origins: list[int] = field(default_factory=list)
    last_ply: int = -1
    complete: bool = False

    def add(self, token: str, ply: int) -> None:
        self.tokens.append(token)
        self.origins.append(ply)

    def __str__(self) -> str:
        return " ".join((str(self.number), SEATS[self.seat], *self.tokens))


def ends_turn(events: tuple[Event, ...]) -> bool:
    """Whether the turn is over with these events."""
    return bool(events) and isinstance(events[-1], _ENDS)


def consequences(events: tuple[Event, ...]) -> list[str]:
    """``-26`` for a tile returned, ``~34`` for a tile flipped."""
    tokens = [f"-{event.tile:02}" for event in events if isinstance(event, Returned)]
    return tokens + [f"~{event.tile:02}" for event in events if isinstance(event, Flipped)]


class TurnWriter:
    """Writes turn lines ply by ply. `line` is the turn being written."""

    def __init__(self, start: Position) -> None:
        self.line = TurnLine(1, start.seat)
        self._plies = 0
        if start.phase is Phase.KEEP:
            self.line.add(start.rolled, -1)  # a game that begins in mid-turn repeats the dice on the table

    @property
    def begun(self) -> bool:
        """Whether dice have fallen in the turn being written; a turn without them is not written."""
        return bool(self.line.tokens) and self.line.last_ply >= 0

    def write(self, position: Position, ply: Ply, events: tuple[Event, ...]) -> TurnLine | None:
        """The next ply, played in `position`; the line that it completes, if it does."""
        line, index = self.line, self._plies
        line.last_ply = index
        self._plies += 1
        match ply:
            case Roll(dice):
                line.add(dice, index)
            case Keep(face):
                line.tokens[-1] += f"/{face}"
            case Reroll():
                line.tokens[-1] += "/*"
            case Stop():
                line.add("!" if position.phase is Phase.KEEP else ".", index)
            case Take() | Steal() | TakeRoundWorm() | PutBack():
                line.add(str(ply), index)
            case _:
                pass  # r, g and n show in the dice that follow
        if not ends_turn(events):
            return None  # and nobody is bust
        if not isinstance(ply, Stop) and any(isinstance(event, Busted) for event in events):
            line.add("!", index)
        for token in consequences(events):
            line.add(token, index)
        line.complete = True
        self.line = _next_line(line, events)
        return line


def turn_lines(game: Game) -> Iterator[TurnLine]:
    """The turns of a game; the last one may be incomplete. A turn without fallen dice is not written."""
    writer = TurnWriter(game.start)
    for position, ply, events in game.steps():
        line = writer.write(position, ply, events)
        if line is not None:
            yield line
    if writer.begun:
        yield writer.line


def _next_line(line: TurnLine, events: tuple[Event, ...]) -> TurnLine:
    last = events[-1]
    return TurnLine(line.number + 1, last.seat if isinstance(last, TurnStarted) else line.seat)


def token_plies(game: Game) -> Iterator[tuple[int, int, range]]:
    """(turn, token, its plies) of a record of the game, tokens counted as `Record.comments` counts them.

    A roll on shows only in the dice after it, so it goes with the token before it; the golden die's choice goes with
    the first.
    """
    begin = 0
    for line in turn_lines(game):
        firsts = [begin, *line.origins[1:], line.last_ply + 1]
        for token, (first, end) in enumerate(pairwise(firsts), 2):
            yield line.number, token, range(first, end)
        begin = line.last_ply + 1
