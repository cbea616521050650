"""Tables before and after a game: making them, sitting down, leaving, starting, playing again."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec

from msgspec.structs import replace

from pickomino.play import STAND_IN
from pickomino.protocol.bodies import ChangeSeat, NewTable, PutBot, SitDown
from pickomino.rules import SEATS
from pickomino.server.bots import known_bot
from pickomino.server.config import Config
from pickomino.server.editions import served_edition
from pickomino.server.errors import Refused, available
from pickomino.server.live import LiveGame, chain_of
from pickomino.server.live_table import LiveTable
from pickomino.server.looks import is_free, looks_of, seated
from pickomino.server.playing import Playing
from pickomino.server.registry import Registry
from pickomino.server.rolling import Rolling
from pickomino.server.storage.base import Conflict, GameRow, GuestRow, PlayerRow, SeatRow, Settings, TableRow
from pickomino.server.tokens import new_code, new_id

P = ParamSpec("P")

CODE_TRIES: Final = 8
_JOINED: Final = re.compile("(\\S)(?:[\u200c\u200d](?=[^\\s\u200c\u200d])|[\U000e0020-\U000e007f]+)")
"""A sign with what belongs to it: a joiner before another sign, or the tags that make a flag."""
CHANGE_TRIES: Final = 8


def clean_name(name: str) -> str:
    """A name that can be shown and written into a record: printable, no blanks around it. Signs may be joined, as in
    many emoji and scripts, but a joiner stands between two of them."""
    cleaned = " ".join(name.split())
    if not cleaned or not _JOINED.sub(r"\1", cleaned).isprintable():
        raise Refused("bad_message", "name: expected 1 to 24 printable characters")
    return cleaned


def _over_again(
    change: Callable[Concatenate[Seating, LiveTable, P], Coroutine[Any, Any, None]],
) -> Callable[Concatenate[Seating, LiveTable, P], Coroutine[Any, Any, LiveTable]]:
    """A change to the table as it is stored, under its lock; again if somebody else was first. Gives the table."""

    @wraps(change)
    async def changed(self: Seating, live: LiveTable, /, *args: P.args, **kwargs: P.kwargs) -> LiveTable:
        for _ in range(CHANGE_TRIES):
            try:
                async with self.registry.current(live):
                    await change(self, live, *args, **kwargs)
                    return live
            except Conflict:
                continue
            except Refused as refused:
                if refused.code != "stale_version":
                    raise
        raise Refused("unavailable", "too many changes to this table at once; try again", retry=0.5)

    return changed


class Seating:
    """Everything about a table that is not a move."""

    def __init__(self, registry: Registry, playing: Playing, rolling: Rolling, config: Config) -> None:
        self.registry = registry
        self._playing = playing
        self._rolling = rolling
        self._config = config

    async def create(self, host: GuestRow, new: NewTable) -> LiveTable:
        edition = served_edition(new.edition)
        if len(new.sit) + len(new.bots) > new.seats:
            raise Refused("bad_message", f"{len(new.sit) + len(new.bots)} to sit down on {new.seats} seats")
        if new.first != "random" and SEATS.index(new.first) >= new.seats:
            raise Refused("bad_message", f"first: there is no seat {new.first}")
        storage = self.registry.storage
        if most := self._config.limits.tables_per_guest:
            open_tables = await available(storage.tables_of(host.id, most))
            if len(open_tables) >= most:
                raise Refused("rate_limited", "too many tables; close or finish some first", retry=60.0)
        there = [SeatRow(host.id, clean_name(name), None, 1) for name in new.sit]
        there += [SeatRow(None, _bot_name(bot), await known_bot(bot), 1) for bot in new.bots]
        seats: tuple[SeatRow, ...] = (SeatRow(),) * new.seats
        for number, seat in enumerate(there):
            seats = seated(seats, number, seat, None if number else new.look)
        settings = Settings(edition, new.public, new.hints, new.first, new.timer, new.away, new.pace_ms)
        now = time.time()
        for _ in range(CODE_TRIES):
            row = TableRow(
                id=new_id(),
                code=new_code(),
                phase="open",
                host=host.id,
                settings=settings,
                seats=seats,
                game=None,
                games=0,
                rev=1,
                created=now,
                used=now,
            )
            try:
                await available(storage.add_table(row))
            except Conflict:
                continue  # the code is in use
            live = LiveTable(row)
            self.registry.tables[row.id] = live
            return live
        raise Refused("unavailable", "no free code; try again")

    @_over_again
    async def sit(self, live: LiveTable, guest: GuestRow, wish: SitDown) -> None:
        row = live.row
        if row.phase != "open":
            raise Refused("already_started", "you can sit down only before the start; now you can watch")
        free = [number for number, seat in enumerate(row.seats) if seat.empty]
        if wish.seat is not None:
            free = [number for number in free if SEATS[number] == wish.seat]
        if not free:
            raise Refused("table_full", "no empty seat" if wish.seat is None else "that seat is not empty")
        if await available(self.registry.storage.removed(row.id, guest.id)):
            raise Refused("forbidden", "the host has removed you from this table")
        name = clean_name(wish.name if wish.name is not None else guest.name)
        serial = row.seats[free[0]].serial + 1
        await self._put(live, free[0], SeatRow(guest.id, name, None, serial), wish.look)

    @_over_again
    async def change(self, live: LiveTable, guest: str, seat: int, wish: ChangeSeat) -> None:
        """Another place, another bird or colour. A bot that sits on the new place changes over."""
        self._demand_open(live)
        old, to = self._seat(live, seat), seat if wish.to is None else SEATS.index(wish.to)
        there = self._seat(live, to)
        if old.guest != guest:
            raise Refused("forbidden", "only the person who sits there may do this")
        if to != seat and there.guest is not None:
            raise Refused("table_full", "somebody sits there")
        if wish.look is not None and not is_free(live.row.seats, seat, wish.look):
            raise Refused("forbidden", "look: somebody already has that bird or colour")
        seats = list(live.row.seats)
        seats[to] = replace(old, serial=there.serial + 1, look=wish.look or looks_of(live.row.seats)[seat])
        if to != seat:
            seats[seat] = replace(there, serial=old.serial + 1)
        await self.registry.save(live, replace(live.row, seats=tuple(seats)))

    @_over_again
    async def hand_over(self, live: LiveTable, guest: str, seat: int) -> None:
        """Another person is host."""
        self._demand_host(live, guest)
        host = self._seat(live, seat).guest
        if host is None:
            raise Refused("bad_message", "seat: expected a person's seat")
        await self.registry.save(live, replace(live.row, host=host))

    async def invite(self, live: LiveTable, guest: str, game: GameRow | None) -> None:
        """The people one has played with find this table on their start page."""
        self._demand_open(live)
        self._demand_host(live, guest)
        people = {player.guest for player in game.players if player.guest is not None} if game else set()
        if guest not in people:
            raise Refused("not_found", "you have not played in that game")
        await available(self.registry.storage.invite(live.id, sorted(people - {guest})))

    @_over_again
    async def put_bot(self, live: LiveTable, guest: str, seat: int, wish: PutBot) -> None:
        self._demand_open(live)
        self._demand_host(live, guest)
        old = self._seat(live, seat)
        if not old.empty:
            raise Refused("table_full", "that seat is not empty")
        name = _bot_name(wish.bot) if wish.name is None else clean_name(wish.name)
        await self._put(live, seat, SeatRow(None, name, await known_bot(wish.bot), old.serial + 1))

    @_over_again
    async def leave(self, live: LiveTable, guest: str, seat: int) -> None:
        """Stand up, or the host removes somebody. While a game runs a bot plays on for who has left, and at the
        host's wish for who is not there."""
        row, old = live.row, self._seat(live, seat)
        if old.empty:
            raise Refused("not_found", "that seat is empty")
        if old.guest != guest:
            self._demand_host(live, guest)
            if row.phase == "playing" and (old.guest is None or live.present(seat)):
                raise Refused(
                    "already_started", "during a game a bot plays only for somebody who is not connected"
                )
            if row.phase != "playing" and old.guest is not None:
                await available(self.registry.storage.remove(row.id, old.guest))
        if row.phase == "playing":
            await self._playing.replace(live, seat)
            return
        await self._put(live, seat, SeatRow(serial=old.serial + 1))

    @_over_again
    async def agree(self, live: LiveTable, guest: str, on: bool) -> None:
        """To a coach, for all seats of a guest; it speaks when all persons agree."""
        row = live.row
        if not any(seat.guest == guest for seat in row.seats):
            raise Refused("forbidden", "only people at the table may decide this")
        seats = tuple(replace(seat, coach=on) if seat.guest == guest else seat for seat in row.seats)
        if seats != row.seats:
            await self.registry.save(live, replace(row, seats=seats))

    @_over_again
    async def start(self, live: LiveTable, guest: str) -> None:
        self._demand_open(live)
        self._demand_host(live, guest)
        row = live.row
        if any(seat.empty for seat in row.seats):
            raise Refused("seats_empty", "every seat needs a person or a bot")
        settings = row.settings
        first, count = settings.first, len(row.seats)
        # Where two or more persons play, everyone adds to the dice and to who starts; else the roller's nonce does.
        joint = len({seat.guest for seat in row.seats if seat.guest is not None}) > 1
        falls = -1 if joint else secrets.randbelow(count)
        game = GameRow(
            id=new_id(),
            table=row.id,
            edition=settings.edition,
            first=falls if first == "random" else SEATS.index(first),
            started=time.time(),
            secret=secrets.token_bytes(32),
            tip="",
            players=tuple(
                PlayerRow(seat.guest, seat.name, seat.bot, look)
                for seat, look in zip(row.seats, looks_of(row.seats), strict=True)
            ),
            timer=settings.timer,
            away=settings.away,
            pace_ms=settings.pace_ms,
            dice="sha256-chains" if joint else "sha256-chain",
        )
        chain = chain_of(game)
        game = replace(game, tip=chain.tip)
        begun = LiveGame(game, chain=chain)
        asleep = not live.watched and not begun.match.people  # bots alone wait for somebody who looks
        game = replace(game, wake=None if asleep else begun.wake)
        row = replace(row, phase="playing", game=game.id, games=row.games + 1, host=guest)
        await self.registry.save(live, row, LiveGame(game, chain=chain))
        self._playing.tell_start(live)
        with suppress(Refused):  # the game has begun, and the clock looks again
            await self._rolling.begin(live)

    @_over_again
    async def rematch(self, live: LiveTable, guest: str) -> None:
        row = live.row
        if row.phase == "open":
            raise Refused("not_started", "the table is already waiting for a new game")
        if row.phase != "over":
            raise Refused("not_over", "a rematch comes after the end")
        if guest != row.host and not any(seat.guest == guest for seat in row.seats):
            raise Refused("forbidden", "only people at the table may ask for a rematch")
        # Whoever asks is host of the next game: the one before may have gone.
        await self.registry.save(live, replace(row, phase="open", host=guest))

    @_over_again
    async def erase(self, live: LiveTable, guest: str) -> None:
        """A guest who is deleted: bots play on where others play too, a table of nobody else is closed."""
        row = live.row
        others = [seat.guest for seat in row.seats if seat.guest not in (None, guest)]
        if row.phase == "closed" or not others:
            await self.registry.close(live)
            return
        seats = list(row.seats)
        for number, seat in enumerate(row.seats):
            if seat.guest != guest:
                continue
            seats[number] = SeatRow(serial=seat.serial + 1)
            if row.phase == "playing":
                game = await self.registry.running(live)
                if game is not None and game.match.stand_in(number) is None:
                    await self._playing.replace(live, number)
                seats[number] = SeatRow(None, STAND_IN, STAND_IN, seat.serial + 1, seat.look)
        host = others[0] if row.host == guest else row.host
        await self.registry.save(live, replace(live.row, seats=tuple(seats), host=host))

    async def give_seat(self, live: LiveTable, seat: int, to: GuestRow | str) -> GuestRow:
        """A person's seat becomes another's, in the middle of a game too; a name makes a new guest. Whoever had it
        has no secret any more."""
        guest = to if isinstance(to, GuestRow) else GuestRow(new_id(), clean_name(to), time.time())
        if isinstance(to, str):
            await available(self.registry.storage.add_guest(guest))
        await self._give(live, seat, guest)
        return guest

    @_over_again
    async def _give(self, live: LiveTable, seat: int, guest: GuestRow) -> None:
        row, old = live.row, self._seat(live, seat)
        if row.phase == "closed" or old.guest is None:
            raise Refused("forbidden", "only a person's seat at an open table can be handed over")
        seats = list(row.seats)
        seats[seat] = replace(old, guest=guest.id, serial=old.serial + 1)
        left = all(other.guest != old.guest for other in seats)
        host = guest.id if row.host == old.guest and left else row.host
        await self.registry.save(live, replace(row, seats=tuple(seats), host=host))
        if row.game is not None and row.phase == "playing":
            await available(self.registry.storage.give_game(row.game, seat, guest.id))

    async def _put(self, live: LiveTable, number: int, seat: SeatRow, look: str | None = None) -> None:
        seats = seated(live.row.seats, number, seat, look)
        host = live.row.host
        if live.row.seats[number].guest == host and not any(other.guest == host for other in seats):
            # The host has left: the next person is host, so that the table can still be started.
            host = next((other.guest for other in seats if other.guest is not None), host)
        await self.registry.save(live, replace(live.row, seats=seats, host=host))

    @staticmethod
    def _seat(live: LiveTable, seat: int) -> SeatRow:
        if seat >= len(live.row.seats):
            raise Refused("not_found", f"there is no seat {SEATS[seat]}")
        return live.row.seats[seat]

    def _demand_host(self, live: LiveTable, guest: str) -> None:
        """Who sits at the table stands in for a host that has vanished."""
        row = live.row
        sits = any(seat.guest == guest for seat in row.seats)
        if row.host != guest and (not sits or live.gone_for(row.host) < self._config.host_seconds):
            raise Refused(
                "forbidden", "only the host may, or anyone seated once the host has been gone for a while"
            )

    @staticmethod
    def _demand_open(live: LiveTable) -> None:
        if live.row.phase != "open":
            raise Refused("already_started", "only before the start")


def _bot_name(bot: str) -> str:
    return bot.partition(":")[0][:24]
