"""The operations of the HTTP API."""

from __future__ import annotations

from typing import Annotated, Final, get_args

import msgspec
from msgspec import Meta, Struct
from starlette.responses import Response, StreamingResponse

from pickomino import EDITIONS, SWITCHES, __version__
from pickomino.bots import bot_names
from pickomino.protocol import bodies, shapes
from pickomino.rules import SEATS
from pickomino.server.advice import advise
from pickomino.server.editions import edition_info
from pickomino.server.errors import Refused, available
from pickomino.server.guest_api import GUEST_ROUTES
from pickomino.server.guests import summary
from pickomino.server.http import Call, Routes
from pickomino.server.live_table import LiveTable
from pickomino.server.replaying import replay_body, unzipped
from pickomino.server.reviews import known_language
from pickomino.server.routing import finished_game, game_of, seat_of, table_of
from pickomino.server.study_api import STUDY_ROUTES, LanguageQuery
from pickomino.server.tokens import is_code, is_id

ROUTES: Final = Routes([*GUEST_ROUTES, *STUDY_ROUTES])


class LobbyQuery(Struct, frozen=True):
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


# --- tables ---


@ROUTES.add("GET", "/api/tables", query=LobbyQuery)
async def lobby(call: Call) -> shapes.TableList:
    """The lobby: public tables"""
    rows = await available(call.server.storage.lobby(call.query.limit))
    return shapes.TableList(await call.server.guests.tables(rows))


@ROUTES.add("POST", "/api/tables", status=201, body=bodies.NewTable, auth="guest", limit="new_tables")
async def new_table(call: Call) -> shapes.TableAndYou:
    """Make a table"""
    return _shown(call, await call.server.seating.create(call.guest, call.body))


@ROUTES.add("GET", "/api/tables/{table}", auth="optional", refusals=("not_found",))
async def get_table(call: Call) -> shapes.TableAndYou:
    """A table"""
    live = await table_of(call)
    async with call.server.registry.current(live):
        if live.row.phase in ("playing", "over"):
            await call.server.registry.game_of(live)  # who stands in for whom is in the game
    return _shown(call, live)


@ROUTES.add("GET", "/api/codes/{code}", refusals=("not_found",), limit="codes")
async def table_of_code(call: Call) -> shapes.TableId:
    """The table of a short code"""
    code = call.path["code"].upper()
    table = await available(call.server.storage.table_of_code(code)) if is_code(code) else None
    if table is None:
        raise Refused("not_found", "no table has that code")
    return shapes.TableId(table)


@ROUTES.at_table("POST", "seats", "table_full", "already_started", status=201, body=bodies.SitDown)
async def sit_down(call: Call) -> shapes.TableAndYou:
    """Sit down"""
    return _shown(call, await call.server.seating.sit(await table_of(call), call.guest, call.body))


@ROUTES.at_table("PATCH", "seats/{seat}", "table_full", "already_started", body=bodies.ChangeSeat)
async def change_seat(call: Call) -> shapes.TableAndYou:
    """Change my place, bird or colour"""
    return _shown(
        call, await call.server.seating.change(await table_of(call), call.guest.id, seat_of(call), call.body)
    )


@ROUTES.at_table("PUT", "host", body=bodies.NewHost)
async def hand_over(call: Call) -> shapes.TableAndYou:
    """Make somebody else the host"""
    seat = SEATS.index(call.body.seat)
    return _shown(call, await call.server.seating.hand_over(await table_of(call), call.guest.id, seat))


@ROUTES.at_table("POST", "invitations", "already_started", body=bodies.Invite)
async def invite(call: Call) -> shapes.TableAndYou:
    """Invite those I have played with"""
    live, wanted = await table_of(call), call.body.game
    game = await available(call.server.storage.game(wanted)) if is_id(wanted) else None
    await call.server.seating.invite(live, call.guest.id, game)
    return _shown(call, live)


@ROUTES.at_table("PUT", "seats/{seat}", "table_full", "already_started", body=bodies.PutBot)
async def put_bot(call: Call) -> shapes.TableAndYou:
    """Put a bot on an empty seat"""
    return _shown(
        call, await call.server.seating.put_bot(await table_of(call), call.guest.id, seat_of(call), call.body)
    )


@ROUTES.at_table("DELETE", "seats/{seat}", "already_started", "illegal_move", "game_over")
async def leave_seat(call: Call) -> shapes.TableAndYou:
    """Leave a seat, or remove who sits there"""
    return _shown(call, await call.server.seating.leave(await table_of(call), call.guest.id, seat_of(call)))


@ROUTES.at_table("POST", "start", "seats_empty", "already_started")
async def start_game(call: Call) -> shapes.TableAndYou:
    """Start the game"""
    return _shown(call, await call.server.seating.start(await table_of(call), call.guest.id))


@ROUTES.at_table("POST", "rematch", "not_started", "not_over")
async def rematch(call: Call) -> shapes.TableAndYou:
    """Play again with the same people"""
    return _shown(call, await call.server.seating.rematch(await table_of(call), call.guest.id))


@ROUTES.at_table("GET", "advice", "not_started", "game_over", query=LanguageQuery, limit="heavy")
async def get_advice(call: Call) -> bodies.Advice:
    """What each move is worth"""
    live = await table_of(call)
    if not live.row.settings.hints:
        raise Refused("forbidden", "this table plays without hints")
    if live.row.host != call.guest.id and not any(seat.guest == call.guest.id for seat in live.row.seats):
        raise Refused("forbidden", "advice is only for people at the table")
    async with call.server.registry.current(live):
        game = await call.server.playing.demand_game(live)
        if game.match.over:
            raise Refused("game_over", "the game is over")
        version, position = game.version, game.position
        names = [seat.name for seat in live.row.seats]
    language = known_language(call.query.language)
    return await call.server.hints.do(advise, version, position, names, language)


# --- games ---


@ROUTES.add("GET", "/api/games/{game}", refusals=("not_found",))
async def get_game(call: Call) -> shapes.Summary:
    """A game"""
    return summary(await game_of(call))


@ROUTES.add("GET", "/api/games/{game}/record", answer=str, refusals=("not_found", "not_over"))
async def get_record(call: Call) -> Response:
    """The record of a finished game"""
    row = await finished_game(call)
    text = await call.server.guests.record(row)
    name = f'attachment; filename="{row.id}.pkgn"'
    return Response(text, media_type="text/plain; charset=utf-8", headers={"Content-Disposition": name})


@ROUTES.add("POST", "/api/replay", answer=bodies.ReplayPage, body=str, limit="heavy")
async def replay_record(call: Call) -> Response:
    """A record, step by step"""
    return StreamingResponse(
        unzipped(await call.server.slow.do(replay_body, call.body)), media_type="application/json"
    )


@ROUTES.add("GET", "/api/about")
async def about(call: Call) -> bodies.About:
    """What this server offers"""
    limits = msgspec.to_builtins(call.server.config.limits)
    editions = list(map(edition_info, EDITIONS.values()))
    return bodies.About(__version__, editions, list(SWITCHES), list(bot_names()), _REACTIONS, limits)


_REACTIONS: Final = list(get_args(shapes.Reaction))


def _shown(call: Call, live: LiveTable) -> shapes.TableAndYou:
    return call.server.registry.table_and_you(live, call.guest_row.id if call.guest_row else None)
