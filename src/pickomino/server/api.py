"""The operations of the HTTP API."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Final, get_args

import msgspec
from msgspec import Meta, Struct
from starlette.responses import Response

from pickomino import EDITIONS, SWITCHES, __version__
from pickomino.bots import bot_names
from pickomino.rules import SEATS
from pickomino.server import shapes
from pickomino.server.advice import advise
from pickomino.server.errors import Refused
from pickomino.server.http import Call, Route
from pickomino.server.live import record_of
from pickomino.server.registry import DEAD_SECONDS, LiveTable, available
from pickomino.server.replay import replay
from pickomino.server.seating import clean_name
from pickomino.server.storage import GameRow, GuestRow, TableRow
from pickomino.server.tokens import new_id

__all__ = ["ROUTES"]


class LobbyQuery(Struct, frozen=True):
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class HistoryQuery(Struct, frozen=True):
    limit: Annotated[int, Meta(ge=1, le=100)] = 20
    before: Annotated[float, Meta(ge=0)] = 1e12


# --- guests ---


async def new_guest(call: Call) -> shapes.Guest:
    guest = GuestRow(new_id(), clean_name(call.body.name), time.time())
    await available(call.server.storage.add_guest(guest))
    return shapes.Guest(guest.id, guest.name, call.server.signer.guest_token(guest.id))


async def me(call: Call) -> shapes.Me:
    return shapes.Me(call.guest.id, call.guest.name)


async def rename_me(call: Call) -> shapes.Me:
    name = clean_name(call.body.name)
    await available(call.server.storage.rename_guest(call.guest.id, name))
    return shapes.Me(call.guest.id, name)


async def my_games(call: Call) -> shapes.GameList:
    limit: int = call.query.limit
    games = await available(call.server.storage.history(call.guest.id, call.query.before, limit + 1))
    return shapes.GameList([_summary(game) for game in games[:limit]], len(games) > limit)


async def my_tables(call: Call) -> shapes.TableList:
    rows = await available(call.server.storage.tables_of(call.guest.id, 100))
    return await _infos(call, rows)


# --- tables ---


async def lobby(call: Call) -> shapes.TableList:
    rows = await available(call.server.storage.lobby(call.query.limit))
    return await _infos(call, rows)


async def _infos(call: Call, rows: list[TableRow]) -> shapes.TableList:
    """Tables as memory has them, else as stored; none is brought to life for being listed."""
    server = call.server
    if not server.storage.shared:
        tables = server.registry.tables
        return shapes.TableList([(tables.get(row.id) or LiveTable(row)).info() for row in rows])
    ids = [row.id for row in rows]
    there = await available(server.storage.presence(ids, "", time.time() - DEAD_SECONDS))
    return shapes.TableList([LiveTable(row, there.get(row.id, frozenset())).info() for row in rows])


async def new_table(call: Call) -> shapes.TableAndYou:
    live = await call.server.seating.create(call.guest, call.body)
    return call.server.registry.table_and_you(live, call.guest.id)


async def get_table(call: Call) -> shapes.TableAndYou:
    live = await _table(call)
    async with call.server.registry.current(live):
        if live.row.phase in ("playing", "over"):
            await call.server.registry.game_of(live)  # who stands in for whom is in the game
    return call.server.registry.table_and_you(live, call.guest_row.id if call.guest_row else None)


async def table_of_code(call: Call) -> shapes.TableId:
    table = await available(call.server.storage.table_of_code(call.path["code"].upper()))
    if table is None:
        raise Refused("not_found", "no table has that code")
    return shapes.TableId(table)


async def sit_down(call: Call) -> shapes.TableAndYou:
    live = await _table(call)
    await call.server.seating.sit(live, call.guest, call.body)
    return call.server.registry.table_and_you(live, call.guest.id)


async def put_bot(call: Call) -> shapes.TableAndYou:
    live = await _table(call)
    await call.server.seating.put_bot(live, call.guest.id, _seat(call), call.body)
    return call.server.registry.table_and_you(live, call.guest.id)


async def leave_seat(call: Call) -> shapes.TableAndYou:
    live = await _table(call)
    await call.server.seating.leave(live, call.guest.id, _seat(call))
    return call.server.registry.table_and_you(live, call.guest.id)


async def start_game(call: Call) -> shapes.TableAndYou:
    live = await _table(call)
    await call.server.seating.start(live, call.guest.id)
    return call.server.registry.table_and_you(live, call.guest.id)


async def rematch(call: Call) -> shapes.TableAndYou:
    live = await _table(call)
    await call.server.seating.rematch(live, call.guest.id)
    return call.server.registry.table_and_you(live, call.guest.id)


async def get_advice(call: Call) -> shapes.Advice:
    live = await _table(call)
    if not live.row.settings.hints:
        raise Refused("forbidden", "this table plays without hints")
    if live.row.host != call.guest.id and not any(seat.guest == call.guest.id for seat in live.row.seats):
        raise Refused("forbidden", "advice is for who sits at the table")
    async with call.server.registry.current(live):
        game = await call.server.registry.game_of(live)
        if game is None or live.row.phase == "open":
            raise Refused("not_started", "no game is running")
        if game.match.over:
            raise Refused("game_over", "the game is over")
        version, position = game.version, game.position
    return await asyncio.to_thread(advise, version, position)


# --- games ---


async def get_game(call: Call) -> shapes.Summary:
    return _summary(await _game(call))


async def get_record(call: Call) -> Response:
    row = await _game(call)
    if row.finished is None and row.record is None:
        raise Refused("not_over", "the record can be had after the end")
    text = row.record
    if text is None:
        rows = await available(call.server.storage.entries(row.id))
        text = await asyncio.to_thread(record_of, row, rows)
    name = f'attachment; filename="{row.id}.pkgn"'
    return Response(text, media_type="text/plain; charset=utf-8", headers={"Content-Disposition": name})


async def replay_record(call: Call) -> shapes.Replay:
    return await asyncio.to_thread(replay, call.body)


async def about(call: Call) -> shapes.About:
    limits = msgspec.to_builtins(call.server.config.limits)
    editions = [
        shapes.EditionInfo(
            key=edition.key,
            tiles=list(edition.values),
            worms=[worms for _, worms in edition.tiles],
            specialists=[name for name, _ in edition.specialists],
            takes_switches=edition.key == "classic",
        )
        for edition in EDITIONS.values()
    ]
    return shapes.About(__version__, editions, list(SWITCHES), list(bot_names()), _REACTIONS, limits)


_REACTIONS: Final = list(get_args(shapes.Reaction))


async def _table(call: Call) -> LiveTable:
    return await call.server.registry.find(call.path["table"])


def _seat(call: Call) -> int:
    letter = call.path["seat"]
    if len(letter) != 1 or letter not in SEATS:
        raise Refused("not_found", "no such seat")
    return SEATS.index(letter)


async def _game(call: Call) -> GameRow:
    row = await available(call.server.storage.game(call.path["game"]))
    if row is None:
        raise Refused("not_found", "no such game")
    return row


def _summary(row: GameRow) -> shapes.Summary:
    return shapes.Summary(
        game=row.id,
        table=row.table,
        edition=row.edition,
        started=row.started,
        finished=row.finished,
        players=[
            shapes.PlayerInfo(SEATS[number], player.name, player.bot)
            for number, player in enumerate(row.players)
        ],
        dice=f"sha256-chain {row.tip}",
        result=None if row.result is None else msgspec.json.decode(row.result, type=shapes.ResultInfo),
    )


_T: Final = "/api/tables/{table}"

ROUTES: Final[tuple[Route, ...]] = (
    Route("GET", "/api/about", about, "What this server offers", shapes.About),
    Route(
        "POST",
        "/api/guests",
        new_guest,
        "Become a guest",
        shapes.Guest,
        201,
        shapes.NewGuest,
        limit="new_guests",
    ),
    Route("GET", "/api/me", me, "Who I am", shapes.Me, auth="guest"),
    Route("PATCH", "/api/me", rename_me, "Change my name", shapes.Me, body=shapes.NewGuest, auth="guest"),
    Route("GET", "/api/me/games", my_games, "My games", shapes.GameList, query=HistoryQuery, auth="guest"),
    Route("GET", "/api/me/tables", my_tables, "My tables", shapes.TableList, auth="guest"),
    Route("GET", "/api/tables", lobby, "The lobby: public tables", shapes.TableList, query=LobbyQuery),
    Route(
        "POST",
        "/api/tables",
        new_table,
        "Make a table",
        shapes.TableAndYou,
        201,
        shapes.NewTable,
        auth="guest",
        limit="new_tables",
    ),
    Route("GET", _T, get_table, "A table", shapes.TableAndYou, auth="optional", refusals=("not_found",)),
    Route(
        "GET",
        "/api/codes/{code}",
        table_of_code,
        "The table of a short code",
        shapes.TableId,
        refusals=("not_found",),
        limit="codes",
    ),
    Route(
        "POST",
        f"{_T}/seats",
        sit_down,
        "Sit down",
        shapes.TableAndYou,
        201,
        shapes.SitDown,
        auth="guest",
        refusals=("not_found", "table_full", "already_started"),
    ),
    Route(
        "PUT",
        f"{_T}/seats/{{seat}}",
        put_bot,
        "Put a bot on an empty seat",
        shapes.TableAndYou,
        body=shapes.PutBot,
        auth="guest",
        refusals=("not_found", "forbidden", "table_full", "already_started"),
    ),
    Route(
        "DELETE",
        f"{_T}/seats/{{seat}}",
        leave_seat,
        "Leave a seat, or remove who sits there",
        shapes.TableAndYou,
        auth="guest",
        refusals=("not_found", "forbidden", "already_started", "illegal_move", "game_over"),
    ),
    Route(
        "POST",
        f"{_T}/start",
        start_game,
        "Start the game",
        shapes.TableAndYou,
        auth="guest",
        refusals=("not_found", "forbidden", "seats_empty", "already_started"),
    ),
    Route(
        "POST",
        f"{_T}/rematch",
        rematch,
        "Play again with the same people",
        shapes.TableAndYou,
        auth="guest",
        refusals=("not_found", "forbidden", "not_started", "not_over"),
    ),
    Route(
        "GET",
        f"{_T}/advice",
        get_advice,
        "What each move is worth",
        shapes.Advice,
        auth="guest",
        refusals=("not_found", "forbidden", "not_started", "game_over"),
        limit="heavy",
    ),
    Route("GET", "/api/games/{game}", get_game, "A game", shapes.Summary, refusals=("not_found",)),
    Route(
        "GET",
        "/api/games/{game}/record",
        get_record,
        "The record of a finished game",
        str,
        refusals=("not_found", "not_over"),
    ),
    Route(
        "POST",
        "/api/replay",
        replay_record,
        "A record, step by step",
        shapes.Replay,
        body=str,
        limit="heavy",
    ),
)
