"""One sitting, without its screen: the match, its dice and bots, the file it is kept in, and the way back."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence

from pickomino.chance import DiceSource, SeededDice, SystemDice
from pickomino.game import Game
from pickomino.notation import Record
from pickomino.play import Decider, DiceFell, Match, MoveMade, Seat, bot_decider
from pickomino.rules import SEATS, Move, Ply, Position, Roll
from pickomino.rules.events import Event
from pickomino.terminal.saving import Keeper, SavingError
from pickomino.terminal.speech import Speech


def players_header(seats: Sequence[Seat]) -> dict[str, str]:
    """The header that tells persons from bots, spelled like ``--seat``: ``Players "A=me B=bot:random"``."""
    who = ("me" if seat.bot is None else f"bot:{seat.bot}" for seat in seats)
    return {"Players": " ".join(f"{letter}={kind}" for letter, kind in zip(SEATS, who, strict=False))}


class GaveUp(Exception):  # not an error: a game at a server has ended by a resignation
    """No more plies will come."""


class Session:
    """Whoever shows the game asks it what is due, and hands it what the persons decide."""

    def __init__(
        self,
        record: Record,
        seats: Sequence[Seat],
        keeper: Keeper | None = None,
        seed: int | None = None,
        *,
        goes_on: bool = False,  # the seed has brought about the plies so far
    ) -> None:
        self.seats = tuple(seats)
        self.record = record
        self.keeper = keeper
        self.match = Match(record.game, self.seats)
        self.problem = ""  # why the game is no longer kept
        self.dice: DiceSource = SystemDice() if seed is None else SeededDice(seed)
        self._source = secrets.token_hex(16) if seed is None else str(seed)
        self._deciders: dict[int, Decider] = {}
        self._before = len(record.game) if goes_on else 0
        for position, ply, _ in record.game.steps(0, self._before):
            if isinstance(ply, Roll):
                self.dice.roll(position)

    @property
    def position(self) -> Position:
        return self.match.game.position

    @property
    def persons(self) -> tuple[bool, ...]:
        return tuple(seat.bot is None for seat in self.seats)

    # --- how it goes on; a table of a server answers the same (`remote.RemoteSession`) ---

    live = False  # others wait for nobody here

    def decides(self, seat: int) -> bool:
        """Whether a person at this keyboard plays that seat."""
        return self.persons[seat]

    async def decide(self, move: Move) -> tuple[Event, ...]:
        """A person's move."""
        return self.apply(move)

    def check_dice(self, speech: Speech) -> str:
        """Nobody else rolled them."""
        return ""

    async def advance(self) -> tuple[Ply, tuple[Event, ...]]:
        """The dice that are due, or what a bot does."""
        if self.match.dice_due:
            return self.roll()
        move = await asyncio.to_thread(self.bot_move, self.position)
        return move, self.apply(move)

    def bot_move(self, position: Position) -> Move:
        """What the bot of the seat to act decides. It is loaded here, which may take a second."""
        return self._decider(position.seat)(position)

    def _decider(self, seat: int) -> Decider:
        if seat not in self._deciders:
            bot = self.seats[seat].bot
            if bot is None:
                raise ValueError(f"seat {SEATS[seat]} is a person's")
            decide = bot_decider(bot, f"{self._source} {SEATS[seat]}", programs=True)
            for position, ply, _ in self.match.game.steps(0, self._before):
                if position.seat == seat and not isinstance(ply, Roll):
                    decide(position)  # a seeded game goes on as if it had never stopped
            self._deciders[seat] = decide
        return self._deciders[seat]

    def roll(self) -> tuple[Roll, tuple[Event, ...]]:
        """Let the dice fall that are due."""
        roll = self.dice.roll(self.position)
        return roll, self.apply(roll)

    def apply(self, ply: Ply) -> tuple[Event, ...]:
        """Play a ply and keep the game."""
        seat = self.position.seat
        events = self.match.submit(DiceFell(ply) if isinstance(ply, Roll) else MoveMade(seat, ply))
        self.save("" if self.match.over else "unfinished")
        return events

    # --- the way back ---

    @property
    def undo_point(self) -> int | None:
        """How many plies are left after an undo: up to the last real decision of the only person at the table."""
        if sum(self.persons) != 1:
            return None
        person = self.persons.index(True)
        game = self.match.game
        for index in range(len(game) - 1, -1, -1):
            position = game.positions[index]
            if position.seat == person and len(position.moves()) > 1:
                return index
        return None

    def undo(self) -> bool:
        """Back to that decision; dice that fall from there on fall anew."""
        point = self.undo_point
        if point is None:
            return False
        game = self.match.game
        self.record.game = Game(game.start, game.plies[:point])
        self.match = Match(self.record.game, self.seats)
        self._before = min(self._before, point)
        self.save("unfinished")
        return True

    # --- keeping it ---

    def save(self, termination: str) -> None:
        """Write the record. A file that cannot be written from the start ends the game, a later one does not."""
        if self.keeper is None:
            return
        headers = {name: value for name, value in self.record.headers.items() if name != "Termination"}
        self.record.headers = headers | ({"Termination": termination} if termination else {})
        try:
            self.keeper.save(self.record)
        except SavingError as error:
            if not self.keeper.saved:
                raise  # better no game than one that cannot be kept
            self.problem = str(error)
            self.keeper = None
