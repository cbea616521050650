"""Moves and everything else that grows a game's log. Stored first, announced afterwards."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, NamedTuple

import msgspec

from pickomino.play import (
    STAND_IN,
    CameBack,
    CameIn,
    Change,
    Refusal,
    Replaced,
    Resigned,
    TimedOut,
    TipGiven,
)
from pickomino.protocol.shapes import State
from pickomino.rules import SEATS, Position
from pickomino.server.advance import Advance
from pickomino.server.config import Config
from pickomino.server.errors import Refused, available
from pickomino.server.live import KNOWN_IDS, LiveGame
from pickomino.server.live_table import LiveTable
from pickomino.server.registry import Registry
from pickomino.server.storage.base import Addition, Conflict, EntryRow, Finish, Unavailable, Unsure

_PASSED: Final = frozenset({"stale_version", "not_your_turn", "game_over", "not_started"})
"""Refusals that a resend of an accepted message would meet, because the game has moved on since."""


class BotTurn(msgspec.Struct, frozen=True):
    """A decision that a bot owes."""

    seat: int
    bot: str
    version: int
    position: Position
    dice_due: bool


class Sent(NamedTuple):
    """A message from a seat, and what is called with the version after it, before anybody else is told."""

    seat: int
    cid: str
    answer: Callable[[int], None]

    @property
    def key(self) -> str:
        """What it is known by in the game's log."""
        return f"{SEATS[self.seat]}:{self.cid}"


class Playing:
    """The commands of a running game; the same for people, bots and clocks."""

    def __init__(self, registry: Registry, config: Config, aside: Callable[..., Awaitable[State]]) -> None:
        """`aside`: has something done that takes long, while the event loop goes on."""
        self._registry = registry
        self._aside = aside
        self._config = config
        self.give_grace()

    def give_grace(self) -> None:
        """Nobody's time runs out for a while: the process has just started, or stood still, and has to read first
        what was sent to it in time."""
        self._no_timeout_before = time.monotonic() + self._config.grace_seconds

    # --- people ---

    async def move(self, live: LiveTable, sent: Sent, text: str, version: int, nonce: str | None) -> None:
        """A person's move."""

        def move(game: LiveGame) -> Advance:
            return game.move(sent.seat, text, version, nonce, time.time(), there=live.guests_there(game))

        await self._command(live, sent, move)

    async def step(self, live: LiveTable, sent: Sent, entry: Callable[[LiveGame], TipGiven | CameIn]) -> None:
        """What a guest says about its part in the dice."""
        await self._command(live, sent, lambda game: game.change(entry(game), time.time()))

    async def resign(self, live: LiveTable, sent: Sent) -> None:
        await self._command(live, sent, lambda game: game.change(Resigned(sent.seat), time.time()))
        self._registry.tell_table(live)

    async def _command(self, live: LiveTable, sent: Sent, command: Callable[[LiveGame], Advance]) -> None:
        """If somebody else was first, it is tried again on what they left: not every entry makes it wrong."""
        async with live.lock:
            looked = False
            while True:
                try:
                    game = await self.demand_game(live)
                    if self._answered(game, sent):
                        return
                    step = self._try(live, game, partial(command, game))
                    if not step.rows:  # it holds already
                        sent.answer(game.version)
                        return
                except Refused as refused:
                    # Another process may have stored what makes it right.
                    if refused.code in _PASSED and not looked:
                        looked = True
                        if await self._registry.fresh(live):
                            continue
                    await self._refuse(live, sent, refused)
                    return
                try:
                    await self._store(live, game, step, sent)
                except Refused as refused:
                    if refused.code != "stale_version":
                        raise
                    looked = True  # all was read anew. Whoever was first may even have had this very message.
                else:
                    return

    async def replace(self, live: LiveTable, seat: int) -> None:
        """A bot plays for the seat until its person is back. Under the table's lock."""
        await self._change(live, Replaced(seat, STAND_IN))

    async def welcome(self, live: LiveTable, seats: frozenset[int]) -> None:
        """People are back: bots that stood in for them stand up. Under the table's lock."""
        while (game := await self._registry.running(live)) is not None:
            away = [seat for seat in sorted(seats) if game.match.replaced(seat)]
            if not away:
                return
            try:
                await self._change(live, CameBack(away[0]))
            except Refused as refused:
                if refused.code != "stale_version":  # somebody else was first: does it still stand?
                    raise

    async def state(self, live: LiveTable, since: int | None) -> State | None:
        """The game as stored, with what happened since a version. Under the table's lock."""
        game = await self._registry.game_of(live)
        if game is None:
            return None
        if since is None or since >= game.version:
            return game.state(Advance(game.version), time.time())
        first = game.first_row(since)
        rows = await available(self._registry.storage.entries(game.row.id, first))
        if len(rows) < game.version - first:  # it has become a record: its entries and their proofs are gone
            live.game = None
            return None
        told = partial(_told_since, game, since, rows)
        return told() if since >= game.match.past else await self._aside(told)

    def tell_start(self, live: LiveTable) -> None:
        if live.game is not None:
            self._registry.tell_state(live, live.game, Advance(0))

    # --- bots and clocks ---

    async def tick(self, live: LiveTable) -> BotTurn | None:
        """What is due that nobody asks for: a clock's entry is made, a decision that a bot owes is given."""
        async with live.lock:
            game = await self._registry.running(live)
            if game is None or game.waits or (seat := game.match.turn_of) is None:
                return None
            now = time.time()
            game.set_clock(now)
            if (bot := game.match.played_by(seat)) is not None:
                if self._sleeps(live, game) and not await self._registry.fresh(live) and not live.watched:
                    if game.stored_wake is not None:
                        await available(self._registry.storage.sleep(game.row.id))
                        game.stored_wake = None
                    return None
                due = game.wake is not None and game.wake <= now
                return BotTurn(seat, bot, game.version, game.position, game.match.dice_due) if due else None
            clock = self._clock(live, game, seat)
            if clock is not None and clock[0] <= now and isinstance(clock[1], Replaced):
                if await self._registry.fresh(live):
                    return None
                clock = self._clock(live, game, seat)  # somebody may have come back through another process
            if clock is not None and clock[0] <= now:
                await self._change(live, clock[1])
            return None

    async def bot_move(self, live: LiveTable, turn: BotTurn, text: str) -> None:
        """What the bot chose. If the game has moved on meanwhile, nothing happens."""
        async with live.lock:
            game = await self._registry.running(live)
            if game is None:
                return
            move = partial(game.move, turn.seat, text, turn.version, None, time.time(), bot=True)
            try:
                step = self._try(live, game, partial(move, there=live.guests_there(game)))
            except Refused as refused:
                if refused.code in _PASSED:
                    return
                raise
            await self._store(live, game, step)

    def next_look(self, live: LiveTable) -> float | None:
        """When `tick` will have something to do, as far as this process knows."""
        game = live.game
        if game is None or live.row.phase == "closed":
            return None
        game.set_clock(time.time())
        if game.waits:
            return self.waits_until(game)
        if (seat := game.match.turn_of) is None:
            return None
        if game.match.played_by(seat) is not None:
            # Once it is asleep nothing wakes it but somebody who looks.
            return None if game.stored_wake is None and self._sleeps(live, game) else game.wake
        clock = self._clock(live, game, seat)
        return None if clock is None else clock[0]

    def waits_until(self, game: LiveGame) -> float:
        """When a roll that waits for values is void, or falls who starts; not right after this process came up."""
        not_before = time.time() + self._no_timeout_before - time.monotonic()
        return max(game.asked_at + self._config.roll_seconds, not_before)

    @staticmethod
    def _sleeps(live: LiveTable, game: LiveGame) -> bool:
        """Bots alone play on for nobody: their games would fill the disk."""
        return not live.watched and not game.match.people

    def _clock(self, live: LiveTable, game: LiveGame, seat: int) -> tuple[float, Change] | None:
        """When something happens to a person who does not act, and what."""
        found: list[tuple[float, Change]] = []
        now = time.time()
        if game.deadline is not None:
            not_before = now + self._no_timeout_before - time.monotonic()
            found.append((max(game.deadline, not_before), TimedOut(seat)))
        # Only for somebody who waits, and by the process through which they wait: an empty table sleeps.
        if (bot_at := live.bot_at(game, seat, now)) is not None and live.seats_here():
            found.append((bot_at, Replaced(seat, STAND_IN)))
        return min(found, key=lambda pair: pair[0], default=None)

    # --- the one way into the log ---

    async def demand_game(self, live: LiveTable) -> LiveGame:
        """The game that commands are for, which may be over; refused where there is none. Under the table's lock."""
        game = await self._registry.game_of(live)
        if game is None or live.row.phase == "open":
            raise Refused("not_started", "no game is running")
        if live.row.phase == "closed":
            raise Refused("game_over", "the table is closed")
        return game

    async def store(
        self,
        live: LiveTable,
        game: LiveGame,
        command: Callable[[], Advance],
        *,
        void: tuple[int, tuple[int, ...]] | None = None,
    ) -> None:
        """What chance does. `void`: a roll that is, and for want of whom. If somebody else was first, nothing happens.
        Under the table's lock."""
        step = self._try(live, game, command)
        try:
            await self._store(live, game, step, void=void)
        except Refused as refused:
            if refused.code != "stale_version":
                raise

    async def _change(self, live: LiveTable, entry: Change) -> None:
        game = await self.demand_game(live)
        step = self._try(live, game, lambda: game.change(entry, time.time()))
        await self._store(live, game, step)
        self._registry.tell_table(live)

    @staticmethod
    def _try(live: LiveTable, game: LiveGame, command: Callable[[], Advance]) -> Advance:
        """A command either refuses and has changed nothing, or its game is not to be trusted any more."""
        try:
            return command()
        except Refusal as refusal:
            raise Refused(refusal.code, str(refusal), version=game.version) from None
        except Refused:
            raise
        except BaseException:
            live.game = None
            raise

    async def _store(
        self,
        live: LiveTable,
        game: LiveGame,
        step: Advance,
        sent: Sent | None = None,
        void: tuple[int, tuple[int, ...]] | None = None,
    ) -> None:
        registry, over = self._registry, game.match.over
        rows = step.rows
        if sent is not None:
            rows[-1] = msgspec.structs.replace(rows[-1], cid=sent.key)
        finish = None
        if over and (result := game.result) is not None:
            encoded = msgspec.json.encode(result).decode()
            finish = Finish(live.id, rows[-1].at, encoded)
        began = time.perf_counter()
        try:
            wake = None if over or self._sleeps(live, game) else game.wake
            same = wake == game.stored_wake
            new = Addition(game.row.id, rows, wake, finish, same)
            if void is None:
                await registry.storage.append(new)
            else:
                await registry.storage.append_void(new, *void)
        except Conflict:
            registry.figures.conflicts.inc()
            await registry.reread(live)
            raise Refused("stale_version", "somebody else was first", version=live.known[1]) from None
        except Unsure as error:
            live.game = None
            raise Refused(
                "unavailable",
                "the connection to the database was lost; send the same message again to find out",
            ) from error
        except Unavailable as error:
            live.game = None
            raise Refused("unavailable", "it could not be stored; nothing has happened") from error
        except BaseException:
            live.game = None  # stored or not, the rows know
            raise
        game.stored_wake = wake
        registry.figures.store_seconds.observe(time.perf_counter() - began)
        registry.figures.entries.inc(amount=len(rows))
        if sent is not None:
            game.remember(sent.key, game.version)
            sent.answer(game.version)
        registry.tell_state(live, game, step)
        if finish is not None:
            live.row = msgspec.structs.replace(live.row, phase="over", rev=live.row.rev + 1, used=finish.at)
            registry.tell_table(live)
        registry.changed(live)

    @staticmethod
    def _answered(game: LiveGame, sent: Sent) -> bool:
        """A known id gets its first answer again."""
        known = game.answers.get(sent.key)
        if isinstance(known, Refused):
            raise Refused(known.code, str(known), version=game.version)
        if known is not None:
            sent.answer(known)
        return known is not None

    async def _refuse(self, live: LiveTable, sent: Sent, refused: Refused) -> None:
        """Before a refusal for being late: was this message accepted so long ago that memory has lost it?"""
        game = live.game
        if game is None or live.row.phase in ("open", "closed"):
            raise refused
        forgotten = refused.code in _PASSED and len(game.answers) >= KNOWN_IDS
        seq = await available(self._registry.storage.answered(game.row.id, sent.key)) if forgotten else None
        if seq is not None:
            sent.answer(seq)
            return
        game.remember(sent.key, refused)
        raise refused


def _told_since(game: LiveGame, version: int, rows: list[EntryRow]) -> State:
    return game.state(game.since(version, rows), time.time())
