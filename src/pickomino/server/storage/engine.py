"""What the server asks of a database, in words that every SQL engine takes; engines add what differs.

Nothing here owns a game. Rows are read, a change is written on condition that nobody else was first
(`rev` for a table, `(game, seq)` for a game's log), and `Conflict` says that somebody was.
"""

from __future__ import annotations

import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from pickomino.server.storage import rows as values_of
from pickomino.server.storage import sql
from pickomino.server.storage.base import (
    Addition,
    Conflict,
    EntryRow,
    GameRow,
    GuestRow,
    Head,
    Reviewed,
    TableRow,
    Unavailable,
)
from pickomino.server.storage.presence import Presence

T = TypeVar("T")
Parts = TypeVar("Parts")


class Found(NamedTuple):
    """What came of a statement: how many rows it changed, and those that it gave."""

    changed: int
    rows: list[Any]


Work: TypeAlias = Generator[tuple[str, Sequence[Any]], Found, T]
"""One transaction, whatever way the engine has of asking: it yields a statement of `sql` with its values and is
sent what was found. Values in a tuple: once; a list of tuples: once for each, and nothing is found."""


def ask(statement: str, *values: Any) -> Work[list[Any]]:
    """A transaction of one statement."""
    return (yield statement, values).rows


def each(*steps: tuple[str, Sequence[Any]]) -> Work[None]:
    """A transaction of several, one after the other, whatever they find."""
    for step in steps:
        _ = yield step  # whose answer a plain `yield from` would hand to the tuple


def archiving(game: str, record: str | None) -> Work[None]:
    """A game's record takes the place of its entries."""
    yield sql.ARCHIVE, (record, game)
    for drop in (sql.DROP_ENTRIES, sql.DROP_VALUES, sql.DROP_NAMES):
        yield drop, (game,)


def note(new: Addition) -> Work[None]:
    """What changes with a game's new entries: when it wakes, or that it is over."""
    finish = new.finish
    if finish is None:
        yield sql.SET_WAKE, (new.wake, new.game)
        return
    yield sql.FINISH, (finish.at, finish.result, new.game)
    yield sql.TABLE_OVER, (finish.at, finish.table)


def demand_open(parts: Parts | None) -> Parts:
    """What an engine has while it is open."""
    if parts is None:
        raise Unavailable("the database is closed")
    return parts


class Storage(ABC):
    """Every method is one transaction, durable when it returns, or raises and has changed nothing."""

    def __init__(self) -> None:
        self.presence: Presence | None = None  # of engines that several processes share
        self.commits = 0  # transactions committed by this process, for its metrics
        self.jobs = 0  # changes that they held

    @property
    def shared(self) -> bool:
        """Whether other processes may change the rows too."""
        return self.presence is not None

    def beside(self, suffix: str) -> Path | None:
        """A file beside the database, for those that are files."""
        return None

    def _count(self, jobs: int) -> None:
        self.commits += 1
        self.jobs += jobs

    # --- what engines differ in ---

    @abstractmethod
    async def open(self) -> None: ...

    @abstractmethod
    async def close(self) -> None: ...

    @abstractmethod
    async def was_restored(self) -> bool:
        """Whether these rows come from somewhere else than where they were last settled: a copy, a dump, a standby
        that lost commits."""

    @abstractmethod
    async def settle(self) -> None:
        """From now on the rows belong here."""

    @abstractmethod
    async def read(self, statement: str, *values: Any) -> list[Any]:
        """The rows that a statement of `sql` finds."""

    @abstractmethod
    async def write(self, work: Work[T]) -> T:
        """`Conflict` if it breaks a condition of the schema."""

    @abstractmethod
    def listed(self, texts: Sequence[str]) -> Any:
        """The value for ``{AMONG}``."""

    @abstractmethod
    async def append(self, new: Addition) -> None:
        """`Conflict` if one of the numbers is taken. The hot path."""

    async def ping(self) -> None:
        """Raises `Unavailable` unless the database can be written to: reading would do on a full disk, too."""
        await self.write(ask(sql.PUT_META, "alive", str(time.time())))

    # --- guests ---

    async def secret(self) -> bytes:
        """The key that signs tokens; made when first asked for, the same for every process."""

        def get() -> Work[bytes]:
            yield sql.NEW_KEY, (secrets.token_hex(32),)
            return bytes.fromhex((yield sql.KEY, ()).rows[0][0])

        return await self.write(get())

    async def add_guest(self, guest: GuestRow) -> None:
        await self.write(ask(sql.ADD_GUEST, guest.id, guest.name, guest.created))

    async def guest(self, guest: str, *, shut_out: bool = False) -> GuestRow | None:
        """`shut_out`: also one who is."""
        found = await self.read(sql.GUEST, guest, 1e300 if shut_out else time.time())
        return GuestRow(*found[0]) if found else None

    async def rename_guest(self, guest: str, name: str) -> None:
        await self.write(ask(sql.RENAME_GUEST, name, guest))

    async def games_alone(self, guest: str) -> list[str]:
        """Games in which no other guest has played."""
        return [row[0] for row in await self.read(sql.GAMES_ALONE, guest)]

    async def erase_guest(self, guest: str, alone: list[str], records: list[tuple[str, str]]) -> None:
        """Delete a guest and the games of theirs alone; `records`: (record without the name, game) of others."""

        def erase() -> Work[None]:
            yield sql.DROP_REVIEWS_OF, (guest,)  # they tell of people by name
            for drop in (sql.DROP_ENTRIES, sql.DROP_VALUES, sql.DROP_PLAYERS, sql.DROP_GAME):
                yield drop, [(game,) for game in alone]
            yield sql.REWRITE, records
            yield sql.DROP_NAMES_OF, (guest,)
            for forget in (sql.NO_PLAYER, sql.NO_SEAT, sql.NO_HOST, sql.NOT_REMOVED, sql.NOT_INVITED):
                yield forget, (guest,)
            yield sql.DROP_GUEST, (guest,)

        await self.write(erase())

    async def ban(self, who: str, until: float) -> None:
        """A guest or an address."""
        await self.write(ask(sql.BAN, who, until))

    async def unban(self, who: str) -> None:
        await self.write(ask(sql.UNBAN, who))

    async def bans(self) -> list[tuple[str, float]]:
        return await self.read(sql.BANS, time.time())

    # --- tables ---

    async def add_table(self, table: TableRow) -> None:
        """`Conflict` if id or code exists."""
        seats = values_of.seat_values(table)
        await self.write(each((sql.ADD_TABLE, values_of.table_values(table)), (sql.PUT_SEAT, seats)))

    async def table(self, table: str) -> TableRow | None:
        found = values_of.tables_of(await self.read(sql.TABLE, table))
        return found[0] if found else None

    async def table_of_code(self, code: str) -> str | None:
        found = await self.read(sql.TABLE_OF_CODE, code)
        return str(found[0][0]) if found else None

    async def save_table(self, table: TableRow, game: GameRow | None = None) -> None:
        """`Conflict` unless the stored rev is the row's less one; with a game: it begins with this change."""

        def save() -> Work[None]:
            values = (*values_of.changed_values(table), table.id, table.rev - 1)
            if (yield sql.SAVE_TABLE, values).changed != 1:
                raise Conflict(f"table {table.id} is not at rev {table.rev - 1}")
            yield sql.PUT_SEAT, values_of.seat_values(table)
            if game is not None:
                yield sql.ADD_GAME, values_of.game_values(game)
                yield sql.ADD_PLAYER, values_of.player_values(game)

        await self.write(save())

    async def close_table(self, table: str) -> None:
        await self.write(each((sql.CLOSE_TABLE, (table,)), (sql.NO_WAKE, (table,))))

    async def remove(self, table: str, guest: str) -> None:
        """The guest does not sit down at this table again."""
        await self.write(ask(sql.REMOVE, table, guest))

    async def removed(self, table: str, guest: str) -> bool:
        return bool(await self.read(sql.REMOVED, table, guest))

    async def invite(self, table: str, guests: Iterable[str]) -> None:
        """They find the table among their invitations."""
        await self.write(each((sql.INVITE, [(table, guest) for guest in guests])))

    async def invited_to(self, guest: str, limit: int) -> list[TableRow]:
        return values_of.tables_of(await self.read(sql.INVITED_TO, guest, limit))

    async def lobby(self, limit: int) -> list[TableRow]:
        return values_of.tables_of(await self.read(sql.LOBBY, limit))

    async def tables_of(self, guest: str, limit: int) -> list[TableRow]:
        return values_of.tables_of(await self.read(sql.TABLES_OF, guest, guest, limit))

    async def all_tables(self, closed: bool, limit: int) -> list[TableRow]:
        return values_of.tables_of(await self.read(sql.ALL_TABLES if closed else sql.OPEN_TABLES, limit))

    async def give_game(self, game: str, seat: int, guest: str) -> None:
        """A seat of a game that is being played is another guest's now."""
        await self.write(ask(sql.GIVE_GAME, guest, game, seat))

    async def counts(self, since: float) -> dict[str, Any]:
        """How much there is; `games_today`: begun since."""
        tables = dict(await self.read(sql.COUNT_TABLES))
        names = ("guests", "games", "games_finished", "games_today", "entries")
        return {"tables": tables, **dict(zip(names, (await self.read(sql.COUNTS, since))[0], strict=True))}

    async def heads(self, tables: Sequence[str]) -> list[Head]:
        return [Head(*row) for row in await self.read(sql.HEADS, self.listed(tables))]

    # --- games ---

    async def game(self, game: str) -> GameRow | None:
        found = values_of.games_of(await self.read(sql.GAME, game))
        return found[0] if found else None

    async def entries(self, game: str, after: int = 0) -> list[EntryRow]:
        return [EntryRow(*row) for row in await self.read(sql.ENTRIES, game, after)]

    async def answered(self, game: str, cid: str) -> int | None:
        """The version after the entry that a message brought about; None if it brought about none."""
        found = await self.read(sql.ANSWERED, game, cid)
        return int(found[0][0]) if found else None

    async def history(self, guest: str, before: float, limit: int) -> list[GameRow]:
        return values_of.games_of(await self.read(sql.HISTORY, guest, before, limit))

    async def offer_value(self, game: str, k: int, guest: int, value: str) -> dict[int, str]:
        """What a guest adds to a roll, kept once; gives all that is kept as `values` does. Where others write at the
        same time, what they have not committed yet is not among it."""

        def offer() -> Work[dict[int, str]]:
            yield sql.OFFER_VALUE, (game, k, guest, value)
            return dict((yield sql.VALUES, (game, k)).rows)

        return await self.write(offer())

    async def values(self, game: str, k: int) -> dict[int, str]:
        """What guests have added to a roll so far; empty for those for want of whom it is void."""
        return dict(await self.read(sql.VALUES, game, k))

    async def append_void(self, new: Addition, k: int, missing: Sequence[int]) -> None:
        """Entries by which a roll is void. `Conflict` also if one of the missing values has come after all."""

        def put() -> Work[None]:
            yield sql.ADD_VALUE, [(new.game, k, guest, "") for guest in missing]
            yield sql.ADD_ENTRY, values_of.entry_values(new)
            yield from note(new)

        await self.write(put())

    async def waking(self, before: float, limit: int) -> list[tuple[str, str, float]]:
        """(table, game, when) of running games in which a bot or a clock is due."""
        return await self.read(sql.WAKING, before, limit)

    async def claim(self, before: float, until: float, limit: int) -> list[tuple[str, str]]:
        """(table, game) of running games in which something is overdue. Their times are set to `until`, so
        that nobody else is given them before then."""
        return await self.write(ask(sql.CLAIM, until, before, limit))

    async def running(self) -> list[str]:
        """Games that are being played."""
        return [row[0] for row in await self.read(sql.RUNNING)]

    async def abandon(self, game: str, record: str) -> None:
        """Break a game off: its record takes the place of its entries, and its table waits for a start again."""

        def put() -> Work[None]:
            yield sql.ABANDON, (game,)
            yield from archiving(game, record)

        await self.write(put())

    async def sleep(self, game: str) -> None:
        """Nothing is due in this game until somebody looks at it."""
        await self.write(ask(sql.SET_WAKE, None, game))

    # --- reviews ---

    async def review(self, game: str, language: str, version: str) -> bytes | None:
        """A review that was kept by this version of the program."""
        found = await self.read(sql.REVIEW, game, language, version)
        return bytes(found[0][0]) if found else None

    async def keep_review(
        self, game: str, language: str, version: str, body: bytes, seats: Sequence[Reviewed]
    ) -> None:
        figures = [(*figure, game, seat) for seat, figure in enumerate(seats)]
        kept = (game, language, version, body)
        await self.write(each((sql.KEEP_REVIEW, kept), (sql.NOTE_REVIEW, figures)))

    # --- upkeep ---

    async def expire(self, unused_since: float, limit: int) -> list[str]:
        """Close tables that nobody has used since; gives their ids."""

        def close() -> Work[list[str]]:
            found = (yield sql.UNUSED, (unused_since, unused_since, limit)).rows
            yield sql.CLOSE_TABLE, found
            yield sql.NO_WAKE, found
            return [row[0] for row in found]

        return await self.write(close())

    async def forget(self, before: float, bots_before: float, limit: int) -> int:
        """Delete what was kept since before: games (those of bots alone have a time of their own), tables without
        games, guests without either; gives how many. Looking for them takes long and changes nothing, so it is done
        apart."""
        games = await self.read(sql.OLD_GAMES, before, bots_before, limit)
        tables = await self.read(sql.OLD_TABLES, before, limit)
        guests = await self.read(sql.OLD_GUESTS, before, limit)

        def delete() -> Work[None]:
            for drop in (sql.DROP_REVIEWS, sql.DROP_PLAYERS, sql.DROP_GAME):
                yield drop, games
            for drop in (sql.DROP_SEATS, sql.DROP_REMOVED, sql.DROP_INVITATIONS, sql.DROP_TABLE):
                yield drop, tables
            yield sql.DROP_GUEST, guests

        if games or tables or guests:
            await self.write(delete())
        return len(games) + len(tables) + len(guests)

    async def archivable(self, limit: int) -> list[str]:
        """Games of closed tables that still have entries."""
        return [row[0] for row in await self.read(sql.ARCHIVABLE, limit)]

    async def archive(self, game: str, record: str | None) -> None:
        """Put the record in the place of a game's entries."""
        await self.write(archiving(game, record))
