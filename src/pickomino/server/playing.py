"""Moves and everything else that grows a game's log. Stored first, told afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import msgspec

from pickomino.play import STAND_IN, CameBack, Change, Replaced, Resigned, TimedOut
from pickomino.rules import SEATS, Position
from pickomino.server.describe import describe_result
from pickomino.server.errors import Refused
from pickomino.server.live import KNOWN_IDS, LiveGame, Step
from pickomino.server.registry import LiveTable, Registry, available
from pickomino.server.shapes import State
from pickomino.server.storage import Conflict, Finish, Unavailable, Unsure

__all__ = ["BotTurn", "Playing"]

_PASSED: Final = frozenset({"stale_version", "not_your_turn", "game_over", "not_started"})
"""Refusals that a resend of an accepted message would meet, because the game has moved on since."""


class BotTurn(msgspec.Struct, frozen=True):
    """A decision that a bot owes."""

    seat: int
    bot: str
    version: int
    position: Position
    dice_due: bool


class Playing:
    """The commands of a running game; the same for people, bots and clocks."""

    def __init__(self, registry: Registry, grace: float) -> None:
        self._registry = registry
        self._no_timeout_before = time.time() + grace
        self.on_conflict: Callable[[], None] = lambda: None
        self.on_stored: Callable[[float, int], None] = lambda seconds, entries: None  # the metrics listen

    # --- people ---

    async def move(
        self,
        live: LiveTable,
        seat: int,
        text: str,
        version: int,
        nonce: str | None,
        cid: str,
        answer: Callable[[int], None],
    ) -> None:
        """A person's move. `answer` is called with the version after it, before anybody is told."""
        await self._command(
            live, seat, cid, answer, lambda game: game.move(seat, text, version, nonce, time.time())
        )

    async def resign(self, live: LiveTable, seat: int, cid: str, answer: Callable[[int], None]) -> None:
        await self._command(
            live, seat, cid, answer, lambda game: game.change(Resigned(seat), time.time()), over_again=True
        )
        self._registry.tell_table(live)

    async def _command(
        self,
        live: LiveTable,
        seat: int,
        cid: str,
        answer: Callable[[int], None],
        command: Callable[[LiveGame], Step],
        *,
        over_again: bool = False,
    ) -> None:
        """`over_again`: it holds in whatever position, so another's entry is no reason to refuse it."""
        key = f"{SEATS[seat]}:{cid}"
        async with live.lock:
            looked = False
            while True:
                try:
                    game = await self._running(live)
                    if self._answered(game, key, answer):
                        return
                    step = self._try(live, lambda game=game: command(game))  # type: ignore[misc]
                except Refused as refused:
                    # Another process may have stored what makes it right.
                    if refused.code in _PASSED and not looked:
                        looked = True
                        if await self._registry.fresh(live):
                            continue
                    await self._refuse(live, key, refused, answer)
                    return
                try:
                    await self._store(live, game, step, key, answer)
                except Refused as refused:
                    if over_again and refused.code == "stale_version":
                        continue
                    raise
                return

    async def replace(self, live: LiveTable, seat: int, bot: str) -> None:
        """A bot plays for the seat until its person is back. Under the table's lock."""
        await self._change(live, Replaced(seat, bot))

    async def welcome(self, live: LiveTable, seats: frozenset[int]) -> None:
        """People are back: bots that stood in for them stand up. Under the table's lock."""
        game = await self._registry.game_of(live)
        if game is None or live.row.phase != "playing":
            return
        for seat in sorted(seats):
            await self._come_back(live, seat)

    async def _come_back(self, live: LiveTable, seat: int) -> None:
        while (game := await self._registry.game_of(live)) is not None:
            if game.match.over or seat in game.match.resigned or not game.match.stand_in(seat):
                return
            try:
                await self._change(live, CameBack(seat))
                return
            except Refused as refused:
                if refused.code != "stale_version":  # somebody else was first: does it still stand?
                    raise

    async def state(self, live: LiveTable, since: int | None) -> State | None:
        """The game as stored, with what happened since a version. Under the table's lock."""
        game = await self._registry.game_of(live)
        if game is None:
            return None
        if since is None or since >= game.version:
            return game.state(Step(game.version), time.time())
        rows = await available(self._registry.storage.entries(game.row.id, since))
        return game.state(game.since(since, rows), time.time())

    def tell_start(self, live: LiveTable) -> None:
        if live.game is not None:
            self._registry.tell_state(live, live.game, Step(0))

    # --- bots and clocks ---

    async def tick(self, live: LiveTable) -> BotTurn | float | None:
        """What is due that nobody asks for: a decision that a bot owes, or when to look again, or nothing."""
        async with live.lock:
            if live.row.phase != "playing":
                return None
            game = await self._registry.game_of(live)
            if game is None or (seat := game.match.turn_of) is None:
                return None
            now = time.time()
            bot = game.match.played_by(seat)
            if bot is not None:
                due = game.last_at + game.row.pace_ms / 1000
                return (
                    due if due > now else BotTurn(seat, bot, game.version, game.position, game.match.dice_due)
                )
            entry, due_at = self._clock(live, game, seat)
            if isinstance(entry, Replaced) and due_at <= now and self._registry.storage.shared:
                # Somebody may have come back through another process.
                if await self._registry.fresh(live):
                    return now
                entry, due_at = self._clock(live, game, seat)
            if entry is None or due_at > now:
                return None if entry is None else due_at
            await self._change(live, entry)
            return game.wake

    async def bot_move(self, live: LiveTable, turn: BotTurn, text: str) -> None:
        """What the bot chose. If the game has moved on meanwhile, nothing happens."""
        async with live.lock:
            if live.row.phase != "playing":
                return
            game = await self._registry.game_of(live)
            if game is None or game.version != turn.version:
                return
            step = self._try(
                live, lambda: game.move(turn.seat, text, turn.version, None, time.time(), bot=True)
            )
            await self._store(live, game, step)

    def next_look(self, live: LiveTable) -> float | None:
        """When `tick` will have something to do, as far as this process knows."""
        game = live.game
        if game is None or (seat := game.match.turn_of) is None or live.row.phase != "playing":
            return None
        if game.match.played_by(seat) is not None:
            return game.wake
        entry, due_at = self._clock(live, game, seat)
        return None if entry is None else due_at

    def _clock(self, live: LiveTable, game: LiveGame, seat: int) -> tuple[Change | None, float]:
        """What happens to a person who does not act, and when."""
        found: list[tuple[float, Change]] = []
        if game.deadline is not None:
            found.append((max(game.deadline, self._no_timeout_before), TimedOut(seat)))
        if game.row.away is not None:
            absent = live.absent_since(seat)
            # Only for somebody who waits, and by the process through which they wait: an empty table sleeps.
            if absent is not None and any(map(live.here, range(len(live.row.seats)))):
                found.append((max(absent, game.last_at) + game.row.away, Replaced(seat, STAND_IN)))
        if not found:
            return None, 0.0
        due_at, entry = min(found, key=lambda pair: pair[0])
        return entry, due_at

    # --- the one way into the log ---

    async def _running(self, live: LiveTable) -> LiveGame:
        game = await self._registry.game_of(live)
        if game is None or live.row.phase == "open":
            raise Refused("not_started", "no game is running")
        if live.row.phase == "closed":
            raise Refused("game_over", "the table is closed")
        return game

    async def _change(self, live: LiveTable, entry: Change) -> None:
        game = await self._running(live)
        step = self._try(live, lambda: game.change(entry, time.time()))
        await self._store(live, game, step)
        self._registry.tell_table(live)

    @staticmethod
    def _try(live: LiveTable, command: Callable[[], Step]) -> Step:
        """A command either refuses and has changed nothing, or its game is not to be trusted any more."""
        try:
            return command()
        except Refused:
            raise
        except BaseException:
            live.game = None
            raise

    async def _store(
        self,
        live: LiveTable,
        game: LiveGame,
        step: Step,
        key: str | None = None,
        answer: Callable[[int], None] | None = None,
    ) -> None:
        registry, over = self._registry, game.match.over
        rows = step.rows
        if key is not None:
            rows[-1] = msgspec.structs.replace(rows[-1], cid=key)
        finish = None
        if over and (result := game.match.result) is not None:
            encoded = msgspec.json.encode(describe_result(result)).decode()
            finish = Finish(live.id, rows[-1].at, encoded)
        began = time.perf_counter()
        try:
            wake = None if over else game.wake
            same = wake == game.stored_wake
            await registry.storage.append(game.row.id, rows, wake, finish, same_wake=same)
        except Conflict:
            self.on_conflict()
            await registry.reread(live)
            raise Refused("stale_version", "somebody else was first", version=live.known[1]) from None
        except Unsure as error:
            live.game = None
            raise Refused("unavailable", "the database went away; the same message again tells") from error
        except Unavailable as error:
            live.game = None
            raise Refused("unavailable", "it could not be stored; nothing has happened") from error
        except BaseException:
            live.game = None  # stored or not, the rows know
            raise
        game.stored_wake = wake
        self.on_stored(time.perf_counter() - began, len(rows))
        if key is not None:
            game.remember(key, game.version)
        if answer is not None:
            answer(game.version)
        registry.tell_state(live, game, step)
        if finish is not None:
            live.row = msgspec.structs.replace(live.row, phase="over", rev=live.row.rev + 1, used=finish.at)
            registry.tell_table(live)
        registry.on_change(live)
        registry.on_news(live)

    @staticmethod
    def _answered(game: LiveGame, key: str, answer: Callable[[int], None]) -> bool:
        """A known id gets its first answer again."""
        if key in game.refused:
            raise Refused(*game.refused[key], version=game.version)
        if key not in game.answered:
            return False
        answer(game.answered[key])
        return True

    async def _refuse(
        self, live: LiveTable, key: str, refused: Refused, answer: Callable[[int], None]
    ) -> None:
        """Before a refusal for being late: was this message accepted so long ago that memory has lost it?"""
        game = live.game
        if game is None or live.row.phase in ("open", "closed"):
            raise refused
        if refused.code in _PASSED and len(game.answered) >= KNOWN_IDS:
            for row in await available(self._registry.storage.entries(game.row.id)):
                if row.cid == key:
                    answer(row.seq)
                    return
        game.remember_refusal(key, refused)
        raise refused
