"""The operations that teach: reviews, drills, today's ten, the coach."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from typing import Annotated, Final

from msgspec import Meta, Struct
from starlette.responses import Response

from pickomino.protocol.shapes import TableAndYou
from pickomino.server import study, study_shapes
from pickomino.server.errors import Refused
from pickomino.server.http import Call, Routes
from pickomino.server.reviews import known_language
from pickomino.server.routing import finished_game, table_of

STUDY_ROUTES: Final = Routes()


class LanguageQuery(Struct, frozen=True):
    language: Annotated[str, Meta(max_length=8)] = "en"


class CoachQuery(Struct, frozen=True):
    move: Annotated[str, Meta(max_length=16)] = ""
    language: Annotated[str, Meta(max_length=8)] = "en"


@STUDY_ROUTES.add(
    "GET",
    "/api/games/{game}/review",
    answer=study_shapes.ReviewInfo,
    query=LanguageQuery,
    auth="optional",
    refusals=("not_found", "not_over", "too_large"),
    limit="heavy",
)
async def get_review(call: Call) -> Response:
    """The review of a finished game"""
    row = await finished_game(call)
    asker = call.guest_row.id if call.guest_row else call.address
    language = known_language(call.query.language)
    body = await call.server.reviews.of(row, language, asker, call.server.guests.record)
    headers = {"Vary": "Accept-Encoding"}
    if call.takes_gzip:
        headers["Content-Encoding"] = "gzip"
    else:
        body = gzip.decompress(body)
    return Response(body, media_type="application/json", headers=headers)


# --- drills: nothing of them is stored here ---


@STUDY_ROUTES.add("GET", "/api/drills", query=LanguageQuery)
async def get_drills(call: Call) -> study_shapes.DrillList:
    """Drills to practise, by theme and edition"""
    return await call.server.hints.do(study.drill_list, known_language(call.query.language))


@STUDY_ROUTES.add("GET", "/api/drills/{drill}", query=LanguageQuery, refusals=("not_found",))
async def get_drill(call: Call) -> study_shapes.DrillView:
    """The position of a drill"""
    return await call.server.hints.do(
        study.drill_view, call.path["drill"], known_language(call.query.language)
    )


@STUDY_ROUTES.add(
    "POST",
    "/api/drills/{drill}/answer",
    body=study_shapes.DrillAnswer,
    refusals=("not_found", "illegal_move"),
    limit="heavy",
)
async def answer_drill(call: Call) -> study_shapes.Judged:
    """Judge an answer, and say when the drill comes back"""
    given: study_shapes.DrillAnswer = call.body
    language = known_language(given.language)
    return await call.server.hints.do(study.judge, call.path["drill"], given.move, given.card, language)


@STUDY_ROUTES.add("GET", "/api/ten", query=LanguageQuery)
async def get_ten(call: Call) -> study_shapes.Ten:
    """Today's ten drills, the same for everybody"""
    day = datetime.now(UTC).date()
    return await call.server.hints.do(study.ten_of, day, known_language(call.query.language))


@STUDY_ROUTES.add("POST", "/api/ten", body=study_shapes.TenAnswers, refusals=("illegal_move",), limit="heavy")
async def answer_ten(call: Call) -> study_shapes.TenResult:
    """What the answers to a day's ten amount to"""
    return await call.server.hints.do(study.ten_result, call.body, known_language(call.body.language))


# --- the coach ---


@STUDY_ROUTES.at_table("PUT", "coach", body=study_shapes.CoachWish)
async def agree_to_coach(call: Call) -> TableAndYou:
    """Agree to a coach, or withdraw"""
    live = await call.server.seating.agree(await table_of(call), call.guest.id, call.body.on)
    return call.server.registry.table_and_you(live, call.guest.id)


@STUDY_ROUTES.at_table(
    "GET", "coach", "not_started", "game_over", "not_your_turn", "illegal_move", query=CoachQuery
)
async def ask_coach(call: Call) -> study_shapes.CoachWord:
    """Whether a move would be a blunder"""
    server, live = call.server, await table_of(call)
    server.limits.named["coach"].check(call.guest.id)
    async with server.registry.current(live):
        if not live.coached:
            raise Refused("forbidden", "there is a coach only if every person at the table agrees")
        game = await server.playing.demand_game(live)
        if game.match.over:
            raise Refused("game_over", "the game is over")
        version, position = game.version, game.position
        turn = game.match.turn_of
        if turn is None or live.row.seats[turn].guest != call.guest.id:
            raise Refused("not_your_turn", "the coach speaks only to the person to act")
        names = [seat.name for seat in live.row.seats]
    if game.match.dice_due:
        return study_shapes.CoachWord(version, False, "")
    language = known_language(call.query.language)
    sentence = await server.hints.do(study.coach_word, position, call.query.move, names, language)
    return study_shapes.CoachWord(version, bool(sentence), sentence)
