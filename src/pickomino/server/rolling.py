"""Dice from every seat: guests' tips and values, rolls that wait for them, and who starts.

A roll is asked for in one entry and falls in another. What guests add in between is rows (game, k, guest), so
that any process can finish the roll; the primary key decides whether a value came in time or the roll is void.
"""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial

from pickomino.play import CameIn, TipGiven
from pickomino.rules import SEATS
from pickomino.server.errors import Refused, available
from pickomino.server.live import LiveGame
from pickomino.server.live_table import LiveTable
from pickomino.server.playing import Playing, Sent
from pickomino.server.registry import Registry


class Rolling:
    """The commands of guests who add to the dice, and what happens when they do not."""

    def __init__(self, registry: Registry, playing: Playing) -> None:
        self._registry = registry
        self._playing = playing

    # --- guests ---

    async def give_tip(self, live: LiveTable, sent: Sent, tip: str) -> None:
        """A guest commits to a chain, or to another one from the next roll on."""

        def seats(game: LiveGame) -> TipGiven:
            guest = _demand_guest(game, sent.seat)
            return TipGiven(guest, "".join(SEATS[one] for one in game.row.seats_of(guest)), tip)

        await self._playing.step(live, sent, seats)
        await self.look(live)

    async def come_in(self, live: LiveTable, sent: Sent) -> None:
        """A guest that was missing adds to the dice again."""
        await self._playing.step(live, sent, lambda game: CameIn(_demand_guest(game, sent.seat)))

    async def give_value(self, live: LiveTable, sent: Sent, k: int, value: str) -> None:
        """What a guest adds to roll k. The same again is the same answer, whichever process is asked."""
        async with live.lock:
            game = await self._playing.demand_game(live)
            if game.match.adding.next <= k and await self._registry.fresh(live):
                game = await self._playing.demand_game(live)
            guest, ask, name = _demand_guest(game, sent.seat), game.match.ask, game.row.id
            waits = ask is not None and ask.k == k and guest in ask.seats
            if waits and not game.contributions.value_holds(guest, k, value):
                raise Refused("illegal_move", f"roll {k}: the value does not belong to the tip")
        storage = self._registry.storage
        values = await available(
            storage.offer_value(name, k, guest, value) if waits else storage.values(name, k)
        )
        if values.get(guest) != value:
            raise Refused("stale_version", f"roll {k} is not waiting for this value", version=game.version)
        sent.answer(game.version)
        if waits:
            with suppress(Refused):  # it is answered already; the clock looks again
                await self._finish(live, name, k, values)

    async def _finish(self, live: LiveTable, name: str, k: int, values: dict[int, str]) -> None:
        """Let roll k fall if all values are in. Of several who see that, one stores it."""
        game, storage = live.game, self._registry.storage
        ask = None if game is None else game.match.ask
        if storage.shared and ask is not None and not values.keys() >= set(ask.seats):
            values = await available(storage.values(name, k))  # another process may have stored one meanwhile
        async with live.lock:
            game = await self._registry.running(live)
            ask = None if game is None or game.row.id != name else game.match.ask
            if game is not None and ask is not None and ask.k == k and all(map(values.get, ask.seats)):
                await self._playing.store(live, game, partial(game.finish, values, time.time()))

    # --- without anybody's doing ---

    async def look(self, live: LiveTable) -> None:
        """Somebody has come, or has committed: perhaps it can fall who starts. If not, the clock looks again."""
        if live.game is not None and live.game.waits:
            async with live.lock:
                with suppress(Refused):
                    await self.begin(live)

    async def begin(self, live: LiveTable, *, due: bool = False) -> None:
        """Who starts falls once everybody is there and has committed, or when it is due. Under the table's lock."""
        game = await self._registry.running(live)
        if game is None or not game.match.undecided or game.match.ask is not None:
            return
        if due or all(_is_ready(live, game, guest) for guest in game.row.guests):
            there = live.guests_there(game)
            await self._playing.store(live, game, partial(game.begin, there, time.time()))

    async def tick(self, live: LiveTable) -> None:
        """The time for values, or for tips, has run out."""
        async with live.lock:
            game = await self._registry.running(live)
            if game is None or not game.waits:
                return
            game.set_clock(time.time())
            if self._playing.waits_until(game) > time.time():
                return
            await self._registry.fresh(live)
            game = await self._registry.running(live)
            if game is None or not game.waits or self._playing.waits_until(game) > time.time():
                return
            ask = game.match.ask
            if ask is None:
                await self.begin(live, due=True)
                return
            values = await available(self._registry.storage.values(game.row.id, ask.k))
            missing = tuple(guest for guest in ask.seats if not values.get(guest))
            now = time.time()
            if missing:
                void = partial(game.void, missing, now)
                await self._playing.store(live, game, void, void=(ask.k, missing))
            else:
                await self._playing.store(live, game, partial(game.finish, values, now))


def _demand_guest(game: LiveGame, seat: int) -> int:
    """The guest of a seat, where guests add to the dice."""
    guest = game.row.guest_of(seat)
    if not game.row.joint or guest not in game.row.guests:
        raise Refused("illegal_move", "nobody contributes to the dice of this game")
    return guest


def _is_ready(live: LiveTable, game: LiveGame, guest: int) -> bool:
    """Whether nothing more is to be expected of a guest before it falls who starts: it has committed, or it is here
    and its clients do not add to dice."""
    if guest in game.match.adding.tips:
        return True
    seats = frozenset(game.row.seats_of(guest))
    here = [connection for connection in live.connections if connection.seats & seats]
    elsewhere = seats & (live.elsewhere or frozenset())
    return bool(here) and not elsewhere and not any(connection.chains for connection in here)
