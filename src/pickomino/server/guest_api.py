"""The operations of the HTTP API that are about guests."""

from __future__ import annotations

import time
from typing import Annotated, Final

from msgspec import Meta, Struct
from starlette.responses import Response, StreamingResponse

from pickomino.protocol import bodies, shapes
from pickomino.server.errors import available
from pickomino.server.guests import summary
from pickomino.server.http import Call, Routes
from pickomino.server.seating import clean_name
from pickomino.server.storage.base import GuestRow
from pickomino.server.tokens import new_id

GUEST_ROUTES: Final = Routes()


class HistoryQuery(Struct, frozen=True):
    limit: Annotated[int, Meta(ge=1, le=100)] = 20
    before: Annotated[float, Meta(ge=0)] = 1e12


@GUEST_ROUTES.add("POST", "/api/guests", status=201, body=bodies.NewGuest, limit="new_guests")
async def new_guest(call: Call) -> bodies.Guest:
    """Become a guest"""
    guest = GuestRow(new_id(), clean_name(call.body.name), time.time())
    await available(call.server.storage.add_guest(guest))
    return bodies.Guest(guest.id, guest.name, call.server.signer.guest_token(guest.id))


@GUEST_ROUTES.add("GET", "/api/me", auth="guest")
async def me(call: Call) -> bodies.Me:
    """Who I am"""
    return bodies.Me(call.guest.id, call.guest.name)


@GUEST_ROUTES.add("PATCH", "/api/me", body=bodies.NewGuest, auth="guest")
async def rename_me(call: Call) -> bodies.Me:
    """Change my name"""
    name = clean_name(call.body.name)
    await available(call.server.storage.rename_guest(call.guest.id, name))
    return bodies.Me(call.guest.id, name)


@GUEST_ROUTES.add("DELETE", "/api/me", auth="guest")
async def erase_me(call: Call) -> bodies.Erased:
    """Delete me and what is stored about me"""
    return await call.server.erase(call.guest.id)


@GUEST_ROUTES.add("GET", "/api/me/export", answer=bodies.Export, auth="guest", limit="heavy")
async def export_me(call: Call) -> Response:
    """Everything stored about me"""
    return exported(call, call.guest)


@GUEST_ROUTES.add("GET", "/api/me/games", query=HistoryQuery, auth="guest")
async def my_games(call: Call) -> shapes.GameList:
    """My games"""
    limit: int = call.query.limit
    games = await available(call.server.storage.history(call.guest.id, call.query.before, limit + 1))
    return shapes.GameList([summary(game, call.guest.id) for game in games[:limit]], len(games) > limit)


@GUEST_ROUTES.add("GET", "/api/me/tables", auth="guest")
async def my_tables(call: Call) -> shapes.TableList:
    """My tables"""
    rows = await available(call.server.storage.tables_of(call.guest.id, 100))
    return shapes.TableList(await call.server.guests.tables(rows))


@GUEST_ROUTES.add("GET", "/api/me/invitations", auth="guest")
async def my_invitations(call: Call) -> shapes.TableList:
    """Tables that I am invited to"""
    rows = await available(call.server.storage.invited_to(call.guest.id, 20))
    there = [row for row in rows if all(seat.guest != call.guest.id for seat in row.seats)]
    return shapes.TableList(await call.server.guests.tables(there))


def exported(call: Call, guest: GuestRow) -> Response:
    name = f'attachment; filename="pickomino-{guest.id}.json"'
    return StreamingResponse(
        call.server.guests.export(guest),
        media_type="application/json",
        headers={"Content-Disposition": name},
    )
