"""A sitting at a table of a server: the same questions as `Session`, answered by what the server tells."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Final

from pickomino.chance import check_dice, compare_kept
from pickomino.game import Game
from pickomino.notation import Record, parse_record
from pickomino.play import DiceFell, Match, MoveMade, Seat
from pickomino.protocol import ServerRefusal, TableClient
from pickomino.rules import SEATS, Move, PickominoError, Ply, Position, Roll, find_edition
from pickomino.rules.events import Event
from pickomino.rules.plies import parse_ply
from pickomino.terminal.saving import Keeper
from pickomino.terminal.session import GaveUp
from pickomino.terminal.speech import Speech


def starter(state: dict[str, Any]) -> str | None:
    """The seat that begins; None while the dice have not said so."""
    told = (entry["seat"] for entry in state["entries"] if entry["kind"] in ("first", "dice", "move"))
    found: str | None = next(told, state["seat"])
    return found


class RemoteSession:
    """One game at one table. It is played here once more from what the server tells, ply by ply."""

    live: Final = True
    keeper: Keeper | None = None  # the server keeps it
    problem = ""
    undo_point: int | None = None

    def __init__(self, client: TableClient, table: dict[str, Any], state: dict[str, Any]) -> None:
        self.client: Final = client
        self.game_id: Final = str(state["game"])
        self.seats = tuple(
            Seat(seat["name"], seat["bot"] if seat["kind"] == "bot" else None) for seat in table["seats"]
        )
        start = Position.start(
            find_edition(table["edition"]), len(self.seats), SEATS.index(starter(state) or "A")
        )
        self.match = Match(Game(start), self.seats)
        self.record = Record(self.match.game, tuple(seat.name for seat in self.seats), {})
        self.ended = False  # by the server's word: a resignation ends it too
        self.result: dict[str, Any] | None = None
        self._coming: deque[Ply] = deque()
        self._news = asyncio.Event()
        self._asked = 0  # for dice, at that many plies
        self.hear(state)
        while self._coming:
            self._take()  # what happened before one came is not shown again

    def hear(self, state: dict[str, Any]) -> None:
        """A later state of the same game."""
        for entry in state["entries"]:
            if entry["kind"] == "move" and entry["move"] != "roll":
                self._coming.append(parse_ply(entry["move"]))
            elif entry["kind"] == "dice":
                self._coming.append(parse_ply(f"={entry['dice']}"))
        self.ended, self.result = state["over"], state["result"]
        self._news.set()

    @property
    def position(self) -> Position:
        return self.match.game.position

    @property
    def persons(self) -> tuple[bool, ...]:
        return tuple(SEATS[seat] in self.client.seats for seat in range(len(self.seats)))

    def decides(self, seat: int) -> bool:
        """Whether this connection plays the seat, and nothing has been decided for it meanwhile."""
        return self.persons[seat] and not self._coming and not self.ended

    def _take(self) -> tuple[Ply, tuple[Event, ...]]:
        ply = self._coming.popleft()
        entry = DiceFell(ply) if isinstance(ply, Roll) else MoveMade(self.position.seat, ply)
        return ply, self.match.submit(entry)

    async def decide(self, move: Move) -> tuple[Event, ...]:
        """Ask the server for the move; what it answers is what happens."""
        await self.client.move(SEATS[self.position.seat], str(move))
        _, events = await self.advance()
        return events

    async def advance(self) -> tuple[Ply, tuple[Event, ...]]:
        """The next ply that the server tells of."""
        while not self._coming:
            if self.ended:
                raise GaveUp
            position = self.position
            mine = SEATS[position.seat] in self.client.seats
            if mine and self.match.dice_due and not position.kept and self._asked <= len(self.match.game):
                self._asked = len(self.match.game) + 1
                await self.client.move(SEATS[position.seat], "roll")
            self._news.clear()
            await self._news.wait()
        return self._take()

    def undo(self) -> bool:
        return False

    def save(self, termination: str) -> None:
        """The server does."""

    def check_dice(self, speech: Speech) -> str:
        """Recompute every roll of the finished game, and look for what this client gave."""
        t = speech.t
        try:
            record = parse_record(self.client.server.text("GET", f"/api/games/{self.game_id}/record"))
        except (ServerRefusal, PickominoError) as error:
            return t("The dice could not be checked: {why}.", why=str(error))
        check = check_dice(record)
        compared = compare_kept(record, self.client.dice.kept) if check.good else None
        problems = [*self.client.dice.complaints, *(compared.problems if compared else [])]
        if check.problem is not None or problems:
            return t("The dice are NOT right: {why}.", why=str(check.problem or problems[0]))
        given = 0 if compared is None else compared.values + compared.nonces
        return t(
            "Dice checked: {n} rolls recomputed, {own} with your contribution.", n=check.rolls, own=given
        )
