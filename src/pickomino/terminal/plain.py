"""The plain-text game: lines in, lines out. Works at a terminal and from a pipe."""

from __future__ import annotations

import re
import textwrap
import time
from collections.abc import Callable, Sequence
from typing import TextIO

from pickomino.drawing import GUESTS, draw, printable, seat_names
from pickomino.game import Game
from pickomino.locale import t
from pickomino.play import Quit
from pickomino.rules import Keep, Move, Ply, Position, Roll
from pickomino.rules.events import Event, GameOver, Kept, TurnStarted
from pickomino.terminal.answers import help_text, question, understand
from pickomino.terminal.choosing import choices
from pickomino.terminal.facts import hint_text, odds_rows, rules_text
from pickomino.terminal.speech import SPOKEN
from pickomino.terminal.words import power, ranking, tell


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
        width: int = 80,
    ) -> None:
        self._names = seat_names(len(names), names)
        self._persons = tuple(persons)
        self._read_line = read_line  # gives "" at the end of input
        self._out = out
        self._ascii_only = ascii_only
        self._echo = echo
        self._can_undo = can_undo
        self._pace = pace
        self._width = max(width, 40)
        self._fallen = ""  # a bot's roll, told together with what it keeps

    def _say(self, *lines: str) -> None:
        for line in lines:
            for row in self._rows(line.replace("×", "x") if self._ascii_only else line):
                print(row, file=self._out)

    def _rows(self, text: str) -> list[str]:
        """Sentences in lines of the window's width; pictures have theirs already."""
        if "\n" in text or len(text) <= self._width:
            return [text]
        words = text.lstrip()
        lead = " " * (len(text) - len(words))
        words = re.sub("   +", "  ", words)  # columns fall apart with the line
        return textwrap.wrap(words, self._width, initial_indent=lead, subsequent_indent=lead + "    ")

    def _show(self, position: Position) -> None:
        self._say("", draw(position, self._names, ascii_only=self._ascii_only, width=self._width), "")

    def open(self, game: Game) -> None:
        """The first lines: which game, and how the table looks."""
        position = game.position
        who = ", ".join(self._names)
        facts = {"edition": position.edition.key, "names": who, "name": self._names[position.seat]}
        if len(game):
            self._say(t("Pickomino ({edition}): {names}. {name} continues.", **facts))
        else:
            self._say(t("Pickomino ({edition}): {names}. {name} begins.", **facts))
        if any(self._persons):
            self._say(t("Type ? for help, q to quit."))
        self._show(position)
        if position.specialists is not None:
            names = [name for name, _ in position.edition.specialists]
            self._say(*(f"  {SPOKEN.t(GUESTS[name]):<8} {power(name)}" for name in names), "")

    def close(self, position: Position) -> None:
        """The end: ranking, winner, reason."""
        self._say(
            t("The game is over.") if position.over else t("The game is not over yet. The standings:"),
            "",
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
            command = _commands().get(answer.casefold(), answer.casefold())
            if command in ("q", "quit", "exit"):
                raise Quit
            if command in ("?", "h", "help"):
                self._say(*help_text(), *question(position, self._names))
            elif command in ("b", "table", "board"):
                self._show(position)
            elif command in ("hint", "odds", "rules", "pos"):
                self._say(*self._informed(command, position))
            elif command in ("u", "undo"):
                if self._can_undo():
                    raise TakenBack
                self._say(t("There is nothing to take back."))
            elif isinstance(found := understand(position, answer, self._names), str):
                self._say(found)
            else:
                return found

    def _informed(self, command: str, position: Position) -> list[str]:
        """What a person asks for before deciding."""
        if command == "pos":
            return [str(position)]
        if command == "rules":
            return rules_text(position, SPOKEN)
        if command == "hint":
            return hint_text(position, choices(position, self._names, SPOKEN), SPOKEN)
        return [f"  {name:<11} {SPOKEN.percent(share):>9}" for name, share in odds_rows(position, SPOKEN)]

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


def _commands() -> dict[str, str]:
    """What can be asked for, by its name in the language that is spoken here."""
    named = {"hint": t("hint"), "odds": t("odds"), "rules": t("rules"), "undo": t("undo")}
    return {word.casefold(): command for command, word in named.items()}


def _forced(move: Move) -> str:
    """Why nobody is asked."""
    if isinstance(move, Keep):
        return (
            t("Only worms can be kept.")
            if move.face == "W"
            else t("Only {face}s can be kept.", face=move.face)
        )
    return t("Only one move is possible.")
