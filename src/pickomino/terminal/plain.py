"""The plain-text game: lines in, lines out. Works at a terminal and from a pipe."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TextIO

from pickomino.drawing import draw, printable, seat_names
from pickomino.game import Game
from pickomino.play import Quit
from pickomino.rules import Keep, Move, Ply, Position, Roll
from pickomino.rules.events import Event, GameOver, Kept, TurnStarted
from pickomino.terminal.answers import HELP, question, understand
from pickomino.terminal.choosing import choices
from pickomino.terminal.facts import hint_text, odds_rows, rules_text
from pickomino.terminal.words import ENGLISH, power, ranking, tell

__all__ = ["InputEnded", "PlainTable", "TakenBack"]


class InputEnded(Quit):
    """Nobody will answer any more."""


class TakenBack(Exception):  # not an error: a person takes a move back
    """The last decision is to be made again."""


class PlainTable:
    """Shows one game and asks its persons. It holds no game state: positions come in, moves go out."""

    def __init__(
        self,
        names: Sequence[str],
        persons: Sequence[bool],
        read_line: Callable[[], str],
        out: TextIO,
        *,
        ascii_only: bool = False,
        echo: bool = False,  # answers do not come from a keyboard: show them
        can_undo: Callable[[], bool] = lambda: False,
        pace: float = 0.0,  # seconds that a bot's row stands alone
    ) -> None:
        self._names = seat_names(len(names), names)
        self._persons = tuple(persons)
        self._read_line = read_line  # gives "" at the end of input
        self._out = out
        self._ascii_only = ascii_only
        self._echo = echo
        self._can_undo = can_undo
        self._pace = pace
        self._fallen = ""  # a bot's roll, told together with what it keeps

    def _say(self, *lines: str) -> None:
        for line in lines:
            print(self._plain(line), file=self._out)

    def _plain(self, text: str) -> str:
        return text.replace("×", "x") if self._ascii_only else text

    def _show(self, position: Position) -> None:
        self._say("", draw(position, self._names, ascii_only=self._ascii_only), "")

    def open(self, game: Game) -> None:
        """The first lines: which game, and how the table looks."""
        position = game.position
        who = ", ".join(self._names)
        begun = "goes on" if len(game) else "begins"
        self._say(f"Pickomino ({position.edition.key}): {who}. {self._names[position.seat]} {begun}.")
        if any(self._persons):
            self._say("Type ? for help, q to quit.")
        self._show(position)
        if position.specialists is not None:
            powers = (power(name) for name, _ in position.edition.specialists)
            listed = zip(position.edition.specialists, powers, strict=True)
            self._say(*(f"  {name:<7} {power}" for (name, _), power in listed), "")

    def close(self, position: Position) -> None:
        """The end: ranking, winner, reason."""
        self._say(
            "The game is over." if position.over else "The game is not over yet. It stands like this:", ""
        )
        self._say(*ranking(position, self._names))

    def decide(self, position: Position) -> Move:
        """Ask the person at the seat to act; a single legal move is played without asking."""
        moves = position.moves()
        if len(moves) == 1:
            self._say(_forced(moves[0]))
            return moves[0]
        self._say(*question(position, self._names))
        while True:
            print(f"{self._names[position.seat]}> ", end="", file=self._out, flush=True)
            line = self._read_line()
            if not line:
                self._say("")
                raise InputEnded
            answer = line.strip()
            if self._echo:
                self._say(printable(answer))
            command = answer.casefold()
            if command in ("q", "quit", "exit"):
                raise Quit
            if command in ("?", "h", "help"):
                self._say(HELP, *question(position, self._names))
            elif command in ("b", "table", "board"):
                self._show(position)
            elif command in ("hint", "odds", "rules", "pos"):
                self._say(*self._informed(command, position))
            elif command in ("u", "undo"):
                if self._can_undo():
                    raise TakenBack
                self._say("There is nothing to take back.")
            elif isinstance(found := understand(position, answer, self._names), str):
                self._say(found)
            else:
                return found

    def _informed(self, command: str, position: Position) -> list[str]:
        """What a person asks for before deciding."""
        if command == "pos":
            return [str(position)]
        if command == "rules":
            return rules_text(position, ENGLISH)
        if command == "hint":
            return hint_text(position, choices(position, self._names, ENGLISH), ENGLISH)
        return [f"  {name:<11} {ENGLISH.percent(share):>9}" for name, share in odds_rows(position, ENGLISH)]

    def watch(self, position: Position, ply: Ply, events: tuple[Event, ...], after: Position) -> None:
        """Tell what a ply brought about; a person's turn begins with a look at the table."""
        lines = tell(position, ply, events, self._names)
        if not self._persons[position.seat]:
            lines = self._joined(position, ply, events, lines)
        self._say(*lines)
        if lines and self._pace and not self._persons[position.seat]:
            self._out.flush()
            time.sleep(self._pace)
        last = events[-1] if events else None
        if isinstance(last, TurnStarted):
            if self._persons[last.seat]:
                self._show(after)
            else:
                self._say("")
        elif isinstance(last, GameOver):
            self._show(after)

    def _joined(self, position: Position, ply: Ply, events: tuple[Event, ...], lines: list[str]) -> list[str]:
        """A bot's roll and keep on one line."""
        if isinstance(ply, Roll) and len(events) == 1:  # not a bust at once
            self._fallen = lines[0]
            return []
        fallen, self._fallen = self._fallen, ""
        if not fallen:
            return lines
        if events and isinstance(events[0], Kept):
            name = self._names[position.seat]
            return [f"{fallen}, {lines[0].removeprefix(name).strip()}", *lines[1:]]
        return [fallen, *lines]


def _forced(move: Move) -> str:
    """Why nobody is asked."""
    if isinstance(move, Keep):
        return f"Only {'worms' if move.face == 'W' else f'{move.face}s'} can be kept."
    return "Only one move is possible."
