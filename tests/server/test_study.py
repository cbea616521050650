"""What teaches: reviews that are made once and kept, drills of which nothing is stored, a coach that all agreed to."""

from __future__ import annotations

import asyncio
import gzip
import sqlite3
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from typing import Any, get_args

import msgspec
import pytest

from pickomino.analysis.judgement import Grade, Kind
from pickomino.chance.dice_check import check_dice
from pickomino.notation import Record, parse_record
from pickomino.server import reviews, study_shapes
from pickomino.testing import random_game
from tests.server.parts import ServerProcess, client

SETTINGS = """
[limits]
reviews = {per_second = 0.0001, burst = 2}
"""


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server on which a guest may have two reviews made."""
    process = ServerProcess(tmp_path_factory.mktemp("study"), limits=True, settings=SETTINGS).start()
    yield process
    assert process.stop() == 0
    process.no_mistakes()


def _over(server: ServerProcess, token: str, **settings: Any) -> str:
    """A game that two bots have played."""
    table = server.table(token, seats=2, bots=["cautious", "cautious"], pace_ms=0, **settings)

    async def watch() -> None:
        async with client(server, table=table["id"], token=token) as one:
            await one.play_on()

    asyncio.run(watch())
    return str(table["game"])


def test_grades_and_themes_are_those_of_the_analysis() -> None:
    assert get_args(study_shapes.GradeName) == get_args(Grade)
    assert get_args(study_shapes.Theme) == get_args(Kind)


def test_a_review_is_made_once_and_kept(teacher: ServerProcess) -> None:
    token = teacher.guest()
    games = [_over(teacher, token) for _ in range(2)]
    first = teacher.review(games[0], token)
    assert msgspec.convert(first, study_shapes.ReviewInfo).over
    for player in first["players"]:
        parts = dict(player["balance"])
        assert sum(parts.values()) - 2 * parts["result"] == pytest.approx(0)  # as shown it adds up
    figures = [
        (one["accuracy"], one["luck"]) for one in teacher.ok("GET", f"/api/games/{games[0]}")["players"]
    ]
    assert figures == [(one["accuracy"], one["balance"]["luck"]) for one in first["players"]]
    slip = first["decisions"][first["players"][0]["slips"][0]]
    assert slip["sentence"]
    assert {slip["best"], slip["played"]} <= set(slip["view"]["moves"])
    teacher.review(games[0], token, "fr")
    # The two are spent; those that are there cost nothing, also for somebody else.
    assert teacher.refused("GET", f"/api/games/{games[1]}/review", None, token) == (429, "rate_limited")
    assert teacher.ok("GET", f"/api/games/{games[0]}/review", None, token) == first
    assert teacher.ok("GET", f"/api/games/{games[0]}/review", None, teacher.guest()) == first
    # A language that nobody has translated is answered in English.
    assert teacher.ok("GET", f"/api/games/{games[0]}/review?language=xx", None, token) == first
    with closing(sqlite3.connect(teacher.database)) as db:
        assert db.execute("SELECT language FROM reviews ORDER BY 1").fetchall() == [("en",), ("fr",)]
    zipped = urllib.request.Request(
        f"{teacher.url}/api/games/{games[0]}/review", headers={"Accept-Encoding": "gzip"}
    )
    with urllib.request.urlopen(zipped) as answer:
        assert msgspec.json.decode(gzip.decompress(answer.read())) == first


def test_no_review_of_a_game_that_goes_on(teacher: ServerProcess) -> None:
    token = teacher.guest()
    table = teacher.table(token, seats=2, sit=["Anna"], bots=["cautious"], first="A")
    assert teacher.refused("GET", f"/api/games/{table['game']}/review", None, token) == (409, "not_over")


def test_an_endless_game_is_not_reviewed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = random_game("classic", 2, "long")
    text = str(Record(game, ("Anna", "Ben")))
    monkeypatch.setattr(reviews, "MAX_PLIES", len(game) - 1)
    assert reviews.review_body(text, ["Anna", "Ben"], "en") is None


def test_what_a_stand_in_plays_is_marked_in_the_record(teacher: ServerProcess) -> None:
    token = teacher.guest()
    table = teacher.table(token, seats=2, sit=["Anna"], bots=["cautious"], first="A", pace_ms=0)

    async def leave() -> None:
        async with client(teacher, table=table["id"]) as one:
            teacher.ok("DELETE", f"/api/tables/{table['id']}/seats/A", None, token)
            await one.play_on()

    asyncio.run(leave())
    record = parse_record(teacher.ok("GET", f"/api/games/{table['game']}/record"))
    marked = {turn for (turn, _), texts in record.comments.items() if "by stand-in" in texts}
    assert marked == set(range(1, record.turns + 1, 2))  # Anna's turns, and no bot's
    assert check_dice(record).good
    assert teacher.review(table["game"], token)["players"][0]["choices"] == 0
    # A review tells of people by name: it goes with them.
    teacher.ok("DELETE", "/api/me", None, token)
    with closing(sqlite3.connect(teacher.database)) as db:
        assert not db.execute("SELECT 1 FROM reviews WHERE game = ?", (table["game"],)).fetchall()


def test_drills_come_back_by_the_card_that_the_client_keeps(teacher: ServerProcess) -> None:
    pool = msgspec.convert(teacher.ok("GET", "/api/drills?language=fr"), study_shapes.DrillList)
    assert {one.theme for one in pool.drills} == {one.theme for one in pool.themes}
    key = pool.drills[0].drill
    drill = teacher.ok("GET", f"/api/drills/{key}")
    assert drill["names"][ord(drill["view"]["seat"]) - ord("A")] == "You"
    judged = [
        teacher.ok("POST", f"/api/drills/{key}/answer", {"move": move}) for move in drill["view"]["moves"]
    ]
    best = next(one for one in judged if one["grade"] == "best")
    worst = max(judged, key=lambda one: float(one["cost"]))
    assert best["played"] == best["best"] == worst["best"]
    assert not worst["good"]
    assert best["days"] > worst["days"] == 1
    again = teacher.ok("POST", f"/api/drills/{key}/answer", {"move": best["best"], "card": best["card"]})
    assert again["days"] >= best["days"]
    assert teacher.refused("POST", f"/api/drills/{key}/answer", {"move": "t99"})[1] == "illegal_move"
    spoilt = best["card"] | {"due": "tomorrow"}
    assert teacher.refused("POST", f"/api/drills/{key}/answer", {"move": best["best"], "card": spoilt}) == (
        400,
        "bad_message",
    )
    assert teacher.refused("GET", "/api/drills/000000000000") == (404, "not_found")


def test_todays_ten_are_summed_up_in_a_line(teacher: ServerProcess) -> None:
    ten = teacher.ok("GET", "/api/ten")
    moves = [one["view"]["moves"][0] for one in ten["drills"]]
    result = teacher.ok("POST", "/api/ten", {"date": ten["date"], "moves": moves})
    assert result["line"].startswith(
        f"Pickomino ten {ten['date']}: {result['good']}/10 · −{result['cost']} points"
    )
    assert sum(one["cost"] for one in result["answers"]) == result["cost"]
    assert result["bots"][0] == {"bot": "champion", "cost": 0}
    assert teacher.refused("POST", "/api/ten", {"date": "2026-02-31", "moves": moves})[1] == "bad_message"


def test_the_coach_speaks_when_all_agree(teacher: ServerProcess) -> None:
    anna, ben = teacher.guest("Anna"), teacher.guest("Ben")
    table = teacher.table(anna, start=False, seats=3, sit=["Anna"], bots=["cautious"], first="A")
    path = f"/api/tables/{table['id']}"
    teacher.ok("POST", f"{path}/seats", {}, ben)
    teacher.ok("POST", f"{path}/start", None, anna)
    assert not teacher.ok("PUT", f"{path}/coach", {"on": True}, anna)["table"]["coach"]
    assert teacher.refused("GET", f"{path}/coach?move=r", None, anna) == (403, "forbidden")
    agreed = teacher.ok("PUT", f"{path}/coach", {"on": True}, ben)["table"]
    assert agreed["coach"]
    assert [seat["coach"] for seat in agreed["seats"]] == [True, False, True]
    assert teacher.refused("GET", f"{path}/coach?move=r", None, ben)[1] == "not_your_turn"
    assert teacher.ok("GET", f"{path}/coach?move=roll", None, anna) == {"v": 0, "ask": False, "sentence": ""}
    stranger = teacher.guest()
    assert teacher.refused("PUT", f"{path}/coach", {"on": True}, stranger) == (403, "forbidden")
    assert not teacher.ok("PUT", f"{path}/coach", {"on": False}, ben)["table"]["coach"]
