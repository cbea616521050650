"""The operations of the HTTP API."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, Final, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct
from starlette.responses import Response, StreamingResponse

from pickomino import EDITIONS, SWITCHES, __version__
from pickomino.bots import bot_names
from pickomino.rules import SEATS
from pickomino.server import shapes
from pickomino.server.advice import advise
from pickomino.server.editions import edition_info, edition_of
from pickomino.server.errors import Refused
from pickomino.server.http import Call, Handler, Method, Route
from pickomino.server.live import record_of
from pickomino.server.registry import DEAD_SECONDS, LiveTable, available
from pickomino.server.replaying import pieces, replay
from pickomino.server.seating import clean_name
from pickomino.server.storage.base import GameRow, GuestRow, TableRow
from pickomino.server.tokens import is_code, is_id, new_id

__all__ = ["ROUTES"]

ROUTES: Final[list[Route]] = []
_T: Final = "/api/tables/{table}"
_Handler = TypeVar("_Handler", bound=Handler)


def _route(method: Method, path: str, **more: Any) -> Callable[[_Handler], _Handler]:
    """An operation: its summary is the handler's docstring, its answer what the handler says it returns."""

    def add(handler: _Handler) -> _Handler:
        said = {"summary": handler.__doc__, "answer": get_type_hints(handler)["return"]} | more
        ROUTES.append(Route(method, path, handler, **said))
        return handler

    return add


class LobbyQuery(Struct, frozen=True):
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class HistoryQuery(Struct, frozen=True):
    limit: Annotated[int, Meta(ge=1, le=100)] = 20
    before: Annotated[float, Meta(ge=0)] = 1e12


# --- guests ---


@_route("POST", "/api/guests", status=201, body=shapes.NewGuest, limit="new_guests")
async def new_guest(call: Call) -> shapes.Guest:
    """Become a guest"""
    guest = GuestRow(new_id(), clean_name(call.body.name), time.time())
    await available(call.server.storage.add_guest(guest))
    return shapes.Guest(guest.id, guest.name, call.server.signer.guest_token(guest.id))


@_route("GET", "/api/me", auth="guest")
async def me(call: Call) -> shapes.Me:
    """Who I am"""
    return shapes.Me(call.guest.id, call.guest.name)


@_route("PATCH", "/api/me", body=shapes.NewGuest, auth="guest")
async def rename_me(call: Call) -> shapes.Me:
    """Change my name"""
    name = clean_name(call.body.name)
    await available(call.server.storage.rename_guest(call.guest.id, name))
    return shapes.Me(call.guest.id, name)


@_route("GET", "/api/me/games", query=HistoryQuery, auth="guest")
async def my_games(call: Call) -> shapes.GameList:
    """My games"""
    limit: int = call.query.limit
    games = await available(call.server.storage.history(call.guest.id, call.query.before, limit + 1))
    return shapes.GameList([_summary(game) for game in games[:limit]], len(games) > limit)


@_route("GET", "/api/me/tables", auth="guest")
async def my_tables(call: Call) -> shapes.TableList:
    """My tables"""
    rows = await available(call.server.storage.tables_of(call.guest.id, 100))
    return await _infos(call, rows)


# --- tables ---


@_route("GET", "/api/tables", query=LobbyQuery)
async def lobby(call: Call) -> shapes.TableList:
    """The lobby: public tables"""
    rows = await available(call.server.storage.lobby(call.query.limit))
    return await _infos(call, rows)


async def _infos(call: Call, rows: list[TableRow]) -> shapes.TableList:
    """Tables as memory has them, else as stored; none is brought to life for being listed."""
    server = call.server
    presence = server.storage.presence
    if presence is None:
        tables = server.registry.tables
        return shapes.TableList([(tables.get(row.id) or LiveTable(row)).info() for row in rows])
    ids = [row.id for row in rows]
    there = await available(presence.seats(ids, "", time.time() - DEAD_SECONDS))
    return shapes.TableList([LiveTable(row, there.get(row.id)).info() for row in rows])


@_route("POST", "/api/tables", status=201, body=shapes.NewTable, auth="guest", limit="new_tables")
async def new_table(call: Call) -> shapes.TableAndYou:
    """Make a table"""
    return _shown(call, await call.server.seating.create(call.guest, call.body))


@_route("GET", _T, auth="optional", refusals=("not_found",))
async def get_table(call: Call) -> shapes.TableAndYou:
    """A table"""
    live = await _table(call)
    async with call.server.registry.current(live):
        if live.row.phase in ("playing", "over"):
            await call.server.registry.game_of(live)  # who stands in for whom is in the game
    return _shown(call, live)


@_route("GET", "/api/codes/{code}", refusals=("not_found",), limit="codes")
async def table_of_code(call: Call) -> shapes.TableId:
    """The table of a short code"""
    code = call.path["code"].upper()
    table = await available(call.server.storage.table_of_code(code)) if is_code(code) else None
    if table is None:
        raise Refused("not_found", "no table has that code")
    return shapes.TableId(table)


@_route(
    "POST",
    f"{_T}/seats",
    status=201,
    body=shapes.SitDown,
    auth="guest",
    refusals=("not_found", "forbidden", "table_full", "already_started"),
)
async def sit_down(call: Call) -> shapes.TableAndYou:
    """Sit down"""
    return _shown(call, await call.server.seating.sit(await _table(call), call.guest, call.body))


@_route(
    "PUT",
    f"{_T}/seats/{{seat}}",
    body=shapes.PutBot,
    auth="guest",
    refusals=("not_found", "forbidden", "table_full", "already_started"),
)
async def put_bot(call: Call) -> shapes.TableAndYou:
    """Put a bot on an empty seat"""
    return _shown(
        call, await call.server.seating.put_bot(await _table(call), call.guest.id, _seat(call), call.body)
    )


@_route(
    "DELETE",
    f"{_T}/seats/{{seat}}",
    auth="guest",
    refusals=("not_found", "forbidden", "already_started", "illegal_move", "game_over"),
)
async def leave_seat(call: Call) -> shapes.TableAndYou:
    """Leave a seat, or remove who sits there"""
    return _shown(call, await call.server.seating.leave(await _table(call), call.guest.id, _seat(call)))


@_route(
    "POST", f"{_T}/start", auth="guest", refusals=("not_found", "forbidden", "seats_empty", "already_started")
)
async def start_game(call: Call) -> shapes.TableAndYou:
    """Start the game"""
    return _shown(call, await call.server.seating.start(await _table(call), call.guest.id))


@_route("POST", f"{_T}/rematch", auth="guest", refusals=("not_found", "forbidden", "not_started", "not_over"))
async def rematch(call: Call) -> shapes.TableAndYou:
    """Play again with the same people"""
    return _shown(call, await call.server.seating.rematch(await _table(call), call.guest.id))


@_route(
    "GET",
    f"{_T}/advice",
    auth="guest",
    refusals=("not_found", "forbidden", "not_started", "game_over"),
    limit="heavy",
)
async def get_advice(call: Call) -> shapes.Advice:
    """What each move is worth"""
    live = await _table(call)
    if not live.row.settings.hints:
        raise Refused("forbidden", "this table plays without hints")
    if live.row.host != call.guest.id and not any(seat.guest == call.guest.id for seat in live.row.seats):
        raise Refused("forbidden", "advice is for who sits at the table")
    async with call.server.registry.current(live):
        game = await call.server.playing.demand_game(live)
        if game.match.over:
            raise Refused("game_over", "the game is over")
        version, position = game.version, game.position
    return await call.server.aside(advise, version, position)


# --- games ---


@_route("GET", "/api/games/{game}", refusals=("not_found",))
async def get_game(call: Call) -> shapes.Summary:
    """A game"""
    return _summary(await _game(call))


@_route("GET", "/api/games/{game}/record", answer=str, refusals=("not_found", "not_over"))
async def get_record(call: Call) -> Response:
    """The record of a finished game"""
    row = await _game(call)
    if row.finished is None and row.record is None:
        raise Refused("not_over", "the record can be had after the end")
    text = row.record
    if text is None:
        rows = await available(call.server.storage.entries(row.id))
        text = await call.server.aside(record_of, row, rows)
    name = f'attachment; filename="{row.id}.pkgn"'
    return Response(text, media_type="text/plain; charset=utf-8", headers={"Content-Disposition": name})


@_route("POST", "/api/replay", answer=shapes.ReplayPage, body=str, limit="heavy")
async def replay_record(call: Call) -> Response:
    """A record, step by step"""
    server = call.server
    parts = pieces(*await server.aside(replay, call.body))

    async def sent() -> AsyncIterator[bytes]:
        while piece := await server.aside(next, parts, b""):
            yield piece

    return StreamingResponse(sent(), media_type="application/json")


@_route("GET", "/api/about")
async def about(call: Call) -> shapes.About:
    """What this server offers"""
    limits = msgspec.to_builtins(call.server.config.limits)
    editions = list(map(edition_info, EDITIONS.values()))
    return shapes.About(__version__, editions, list(SWITCHES), list(bot_names()), _REACTIONS, limits)


_REACTIONS: Final = list(get_args(shapes.Reaction))


def _shown(call: Call, live: LiveTable) -> shapes.TableAndYou:
    return call.server.registry.table_and_you(live, call.guest_row.id if call.guest_row else None)


async def _table(call: Call) -> LiveTable:
    return await call.server.registry.find(call.path["table"])


def _seat(call: Call) -> int:
    letter = call.path["seat"]
    if len(letter) != 1 or letter not in SEATS:
        raise Refused("not_found", "no such seat")
    return SEATS.index(letter)


async def _game(call: Call) -> GameRow:
    game = call.path["game"]
    row = await available(call.server.storage.game(game)) if is_id(game) else None
    if row is None:
        raise Refused("not_found", "no such game")
    return row


def _summary(row: GameRow) -> shapes.Summary:
    return shapes.Summary(
        game=row.id,
        table=row.table,
        edition=edition_of(row.edition).key,
        started=row.started,
        finished=row.finished,
        players=[
            shapes.PlayerInfo(SEATS[number], player.name, player.bot)
            for number, player in enumerate(row.players)
        ],
        dice=f"sha256-chain {row.tip}",
        result=None if row.result is None else msgspec.json.decode(row.result, type=shapes.ResultInfo),
    )
