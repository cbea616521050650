"""Drills and the coach, as the server answers them. All of it is worked out aside; nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from pickomino.rules import PickominoError, Position
from pickomino.server import study_shapes as shapes
from pickomino.server.errors import Refused, parsed_move, refusing
from pickomino.views import view

if TYPE_CHECKING:
    from pickomino.analysis.drill import Answer, Drill

# The analysis brings the champion: it is imported by who is asked, not by every server.


def drill_list(language: str) -> shapes.DrillList:
    """Every drill of the pool by name, for the client to choose from what it knows of them."""
    from pickomino.analysis.drill import pool
    from pickomino.analysis.judgement import KINDS
    from pickomino.analysis.page import page_texts
    from pickomino.analysis.telling import kind_words
    from pickomino.analysis.words import Words

    found, words = pool(), Words([], language)
    themes = [
        shapes.ThemeInfo(kind, kind_words(kind, words))
        for kind in KINDS
        if any(drill.theme == kind for drill in found.drills)
    ]
    drills = [shapes.DrillInfo(drill.key, drill.theme, drill.edition) for drill in found.drills]
    return shapes.DrillList(found.version, themes, drills, page_texts([], language, "win"))


def _find(key: str) -> Drill:
    from pickomino.analysis.drill import find_drill

    drill = find_drill(key)
    if drill is None:
        raise Refused("not_found", "no such drill")
    return drill


def drill_view(key: str, language: str) -> shapes.DrillView:
    return _shown(_find(key), language)


def _shown(drill: Drill, language: str) -> shapes.DrillView:
    from pickomino.analysis.drill import drill_names

    position = drill.position
    names = drill_names(position, language)
    return shapes.DrillView(drill.key, drill.theme, drill.edition, names, view(position))


def _answer(drill: Drill, text: str, language: str) -> Answer:
    from pickomino.analysis.drill import answer, drill_names

    with refusing("illegal_move"):
        return answer(drill, parsed_move(text), drill_names(drill.position, language), language)


def judge(key: str, move: str, card: shapes.Card | None, language: str) -> shapes.Judged:
    """An answer judged, and the card after it: the client keeps both."""
    from pickomino.analysis.reporting import shown_moves
    from pickomino.analysis.schedule import due, next_card

    found = _answer(_find(key), move, language)
    now = datetime.now(UTC)
    try:
        after = next_card(None if card is None else msgspec.to_builtins(card), found.grade, now)
    except PickominoError as error:
        raise Refused("unavailable", str(error)) from None
    except (ValueError, OverflowError):
        raise Refused("bad_message", "card: expected one from an earlier answer") from None
    moves = msgspec.convert(shown_moves(found.decision, found.words), list[shapes.MoveShown])
    return shapes.Judged(
        grade=found.grade,
        cost=next(one.cost for one in moves if one.move == move),
        good=found.good,
        objective=found.advice.goal,
        played=move,
        best=str(found.decision.best),
        sentence=found.sentence,
        moves=moves,
        card=after,
        days=max(round((due(after) - now).total_seconds() / 86400), 1),
    )


def ten_of(day: date, language: str) -> shapes.Ten:
    """The same ten drills for everybody on a date."""
    from pickomino.analysis.drill import todays_ten

    return shapes.Ten(day.isoformat(), [_shown(drill, language) for drill in todays_ten(day)])


def ten_result(given: shapes.TenAnswers, language: str) -> shapes.TenResult:
    """What ten answers amount to, beside those of our bots."""
    from pickomino.analysis.drill import result_line, todays_ten

    try:
        day = date.fromisoformat(given.date)
    except ValueError as error:
        raise Refused("bad_message", f"date: {error}") from None
    drills = todays_ten(day)
    answers = [_answer(drill, move, language) for drill, move in zip(drills, given.moves, strict=True)]
    return shapes.TenResult(
        date=given.date,
        good=sum(one.good for one in answers),
        cost=sum(one.cost for one in answers),
        line=result_line(day, answers),
        answers=[
            shapes.TenAnswer(
                drill=one.drill.key,
                grade=one.grade,
                cost=one.cost,
                words=one.words.naming(one.drill.position, one.decision.played),
                better=one.words.naming(one.drill.position, one.decision.best),
                sentence=one.sentence,
            )
            for one in answers
        ],
        bots=[shapes.BotTen(bot, cost) for bot, cost in _bots_on(day)],
    )


@lru_cache(maxsize=8)
def _bots_on(day: date) -> tuple[tuple[str, int], ...]:
    from pickomino.analysis.drill import bots_on

    return tuple(bots_on(day).items())


def coach_word(position: Position, move: str, names: Sequence[str], language: str) -> str:
    """Why a move would be a blunder; empty if it is none."""
    from pickomino.analysis.coaching import warning

    with refusing("illegal_move"):
        return warning(position, parsed_move(move), names, language)
