"""What whoever runs the server may do while it runs: `pickomino admin` asks for it over HTTP.

Not part of the API for clients. Without a setting only programs on this machine get in that can read the token beside
the database, which is to say those that could read the database itself.
"""

from __future__ import annotations

import time
from ipaddress import ip_address
from typing import Final

from msgspec import Struct
from starlette.responses import Response

from pickomino import __version__
from pickomino.protocol.bodies import Erased, Export
from pickomino.rules import SEATS
from pickomino.server.errors import Refused, available
from pickomino.server.guest_api import exported
from pickomino.server.http import Call, Routes, address_of
from pickomino.server.live_table import LiveTable
from pickomino.server.routing import seat_of
from pickomino.server.storage.base import GuestRow, TableRow
from pickomino.server.tokens import is_code, is_id

ADMIN_ROUTES: Final = Routes()
_A: Final = "/api/admin"
FOR_EVER: Final = 1e12


class AdminSeat(Struct, frozen=True):
    seat: str
    name: str
    guest: str | None
    bot: str | None
    connected: bool


class AdminTable(Struct, frozen=True):
    id: str
    code: str
    phase: str
    edition: str
    public: bool
    host: str
    created: float
    used: float
    game: str | None
    seats: list[AdminSeat]
    addresses: list[str]  # of who is connected to this process


class AdminTables(Struct, frozen=True):
    tables: list[AdminTable]


class ListQuery(Struct, frozen=True):
    closed: bool = False
    limit: int = 1000


class To(Struct, frozen=True):
    guest: str | None = None  # None: somebody new, who gets the link


class HandedOver(Struct, frozen=True):
    table: str
    seat: str
    guest: str
    link: str  # behind the address of the page


class NewBan(Struct, frozen=True):
    days: float | None = None  # None: for ever


class Ban(Struct, frozen=True):
    who: str
    until: float | None


class Bans(Struct, frozen=True):
    bans: list[Ban]


class Statistics(Struct, frozen=True):
    version: str
    started: float
    connections: int
    tables_in_memory: int
    guests: int
    tables: dict[str, int]  # by phase
    games: int
    games_finished: int
    games_today: int  # begun within 24 hours
    entries: int


@ADMIN_ROUTES.add("GET", f"{_A}/statistics", auth="admin")
async def statistics(call: Call) -> Statistics:
    """How much there is"""
    server = call.server
    counts = await available(server.storage.counts(time.time() - 86400))
    return Statistics(
        version=__version__,
        started=server.started,
        connections=len(server.sockets.open),
        tables_in_memory=len(server.registry.tables),
        **counts,
    )


@ADMIN_ROUTES.add("GET", f"{_A}/tables", query=ListQuery, auth="admin")
async def list_tables(call: Call) -> AdminTables:
    """Tables, the last used first"""
    rows = await available(call.server.storage.all_tables(call.query.closed, call.query.limit))
    return AdminTables([_shown(call, row) for row in rows])


@ADMIN_ROUTES.add("POST", f"{_A}/tables/{{table}}/close", auth="admin")
async def close_table(call: Call) -> AdminTable:
    """Close a table; a game that is being played ends there"""
    live = await _table(call)
    async with call.server.registry.current(live):
        await call.server.registry.close(live)
    return _shown(call, live.row)


@ADMIN_ROUTES.add("POST", f"{_A}/tables/{{table}}/seats/{{seat}}", body=To, auth="admin")
async def hand_seat_over(call: Call) -> HandedOver:
    """Give a person's seat to another guest"""
    server, live, seat = call.server, await _table(call), seat_of(call)
    guest = await server.seating.give_seat(live, seat, await _to(call, live, seat))
    serial = live.row.seats[seat].serial
    return HandedOver(
        live.id, SEATS[seat], guest.id, f"#seat={server.signer.seat_secret(live.id, seat, serial)}"
    )


async def _to(call: Call, live: LiveTable, seat: int) -> GuestRow | str:
    """The guest who gets it, or the name of one who is made."""
    if call.body.guest is not None:
        return await _guest(call, call.body.guest)
    return live.row.seats[seat].name if seat < len(live.row.seats) else ""


@ADMIN_ROUTES.add("GET", f"{_A}/bans", auth="admin")
async def list_bans(call: Call) -> Bans:
    """Who is shut out"""
    return Bans([Ban(who, _until(until)) for who, until in await available(call.server.storage.bans())])


@ADMIN_ROUTES.add("PUT", f"{_A}/bans/{{who}}", body=NewBan, auth="admin")
async def ban(call: Call) -> Ban:
    """Shut a guest or an address out"""
    who, days = _whom(call.path["who"]), call.body.days
    until = FOR_EVER if days is None else time.time() + days * 86400
    if is_id(who):
        await _guest(call, who)
    await available(call.server.storage.ban(who, until))
    await call.server.read_bans()
    await call.server.shut_out(who)
    return Ban(who, _until(until))


@ADMIN_ROUTES.add("DELETE", f"{_A}/bans/{{who}}", auth="admin")
async def unban(call: Call) -> Bans:
    """Let somebody in again"""
    await available(call.server.storage.unban(_whom(call.path["who"])))
    await call.server.read_bans()
    return await list_bans(call)


@ADMIN_ROUTES.add("GET", f"{_A}/guests/{{guest}}/export", answer=Export, auth="admin")
async def export_guest(call: Call) -> Response:
    """All that is known of a guest"""
    return exported(call, await _guest(call, call.path["guest"]))


@ADMIN_ROUTES.add("DELETE", f"{_A}/guests/{{guest}}", auth="admin")
async def erase_guest(call: Call) -> Erased:
    """Delete a guest"""
    return await call.server.erase((await _guest(call, call.path["guest"])).id)


async def _guest(call: Call, guest: str) -> GuestRow:
    """Shut out or not."""
    found = await available(call.server.storage.guest(guest, shut_out=True)) if is_id(guest) else None
    if found is None:
        raise Refused("not_found", "no such guest")
    return found


async def _table(call: Call) -> LiveTable:
    """By id or code."""
    name = call.path["table"]
    if is_code(name.upper()):
        found = await available(call.server.storage.table_of_code(name.upper()))
        name = found or name
    return await call.server.registry.find(name)


def _whom(who: str) -> str:
    try:
        return who if is_id(who) else address_of({"client": (str(ip_address(who)), 0)})
    except ValueError:
        raise Refused("bad_message", f"{who[:80]!r}: expected a guest's id or an address") from None


def _until(until: float) -> float | None:
    return None if until >= FOR_EVER else until


def _shown(call: Call, row: TableRow) -> AdminTable:
    live = call.server.registry.tables.get(row.id)
    seats = [
        AdminSeat(SEATS[number], seat.name, seat.guest, seat.bot, live is not None and live.present(number))
        for number, seat in enumerate(row.seats)
    ]
    return AdminTable(
        id=row.id,
        code=row.code,
        phase=row.phase,
        edition=row.settings.edition,
        public=row.settings.public,
        host=row.host,
        created=row.created,
        used=row.used,
        game=row.game,
        seats=seats,
        addresses=sorted({there.address for there in live.connections} if live is not None else ()),
    )
