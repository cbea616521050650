"""Places, birds and colours by choice; a host who hands over, stands in for the absent, and invites."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import product
from typing import Any

import pytest

from pickomino import parse_record
from pickomino.rules import SEATS
from pickomino.rules.events import Busted, Stole
from pickomino.server.looks import is_free, looks_of, seated
from pickomino.server.storage.base import SeatRow
from tests.server.parts import ServerProcess, client


def shown(table: dict[str, Any]) -> list[str]:
    return [seat["bird"] + seat["colour"] for seat in table["seats"]]


@pytest.mark.parametrize("count", range(2, 8))
def test_no_two_have_the_same_bird_or_colour(count: int) -> None:
    seats: tuple[SeatRow, ...] = (SeatRow(),) * count
    assert looks_of(seats) == [letter * 2 for letter in SEATS[:count]]
    for number, wish in enumerate(["BC", None, "BD", "CB", None, "GA", None][:count]):
        seats = seated(seats, number, SeatRow("guest", "Name", None, 1), wish)
        for part in (0, 1):
            assert len({look[part] for look in looks_of(seats)}) == count
    assert seats[0].look == "BC"
    assert looks_of(seats) == [seat.look for seat in seats]
    everything = ["".join(pair) for pair in product(SEATS, repeat=2)]
    free = [look for look in everything if is_free(seats, 0, look)]
    assert len(free) == (len(SEATS) - count + 1) ** 2  # what the others have not


def test_places_birds_and_colours(server: ServerProcess) -> None:
    anna, ben = server.guest("Anna"), server.guest("Ben")
    made = server.ok("POST", "/api/tables", {"seats": 3, "sit": ["Anna"], "look": "BB"}, anna)["table"]
    path = f"/api/tables/{made['id']}/seats"
    assert shown(made) == ["BB", "AA", "CC"]  # the empty seat lends its bird and gets another
    table = server.ok("PUT", f"{path}/B", {"bot": "random"}, anna)["table"]
    assert server.refused("POST", path, {"look": "B"}, ben) == (400, "bad_message")
    table = server.ok("POST", path, {"look": "BG"}, ben)["table"]  # the owl is Anna's
    assert shown(table) == ["BB", "AA", "CC"]
    assert server.refused("PATCH", f"{path}/C", {"look": "CB"}, ben) == (403, "forbidden")
    assert server.refused("PATCH", f"{path}/A", {"look": "DD"}, ben) == (403, "forbidden")
    assert server.refused("PATCH", f"{path}/C", {"to": "A"}, ben) == (409, "table_full")
    assert server.refused("PATCH", f"{path}/C", {"to": "G"}, ben) == (404, "not_found")
    table = server.ok("PATCH", f"{path}/C", {"to": "B", "look": "DC"}, ben)["table"]
    assert [seat["name"] for seat in table["seats"]] == ["Anna", "Ben", "random"]  # the bot changed over
    assert shown(table) == ["BB", "DC", "AA"]
    table = server.ok("DELETE", f"{path}/A", None, anna)["table"]
    assert shown(table)[1:] == ["DC", "AA"]  # nobody else changes when somebody leaves
    assert table["host"] == "B"


def test_the_host_hands_over_and_lets_a_bot_play_for_the_absent(server: ServerProcess) -> None:
    anna, ben = server.guest("Anna"), server.guest("Ben")
    table = server.table(anna, start=False, seats=3, sit=["Anna"], first="B", pace_ms=0, away=3600)
    path = f"/api/tables/{table['id']}"
    server.ok("POST", f"{path}/seats", {}, ben)
    server.ok("PUT", f"{path}/seats/C", {"bot": "random"}, anna)
    assert server.refused("PUT", f"{path}/host", {"seat": "B"}, ben) == (403, "forbidden")
    assert server.refused("PUT", f"{path}/host", {"seat": "C"}, anna) == (400, "bad_message")
    assert server.ok("PUT", f"{path}/host", {"seat": "B"}, anna)["table"]["host"] == "B"
    server.ok("PUT", f"{path}/host", {"seat": "A"}, ben)
    server.ok("POST", f"{path}/start", None, anna)

    async def play() -> None:
        async with client(server, table=table["id"], token=anna) as one:
            async with client(server, table=table["id"], token=ben):
                assert server.refused("DELETE", f"{path}/seats/B", None, anna) == (409, "already_started")
                seats = server.ok("GET", path, None, anna)["table"]["seats"]
                assert [seat["bot_in_ms"] for seat in seats] == [None] * 3
            while one.table["seats"][1]["connected"]:
                await one.wait_for("table")
            wait = one.table["seats"][1]["bot_in_ms"]
            assert 3_500_000 < wait <= 3_600_000  # the hour that was agreed, less what has passed
            assert server.refused("DELETE", f"{path}/seats/C", None, anna) == (409, "already_started")
            table_now = server.ok("DELETE", f"{path}/seats/B", None, anna)["table"]
            assert table_now["seats"][1]["stand_in"] is not None
            assert table_now["seats"][1]["bot_in_ms"] is None
            await one.play_on()

    asyncio.run(play())
    summary = server.ok("GET", "/api/me/games", None, ben)["games"][0]
    assert summary["yours"] == ["B"]
    record = parse_record(server.ok("GET", f"/api/games/{summary['game']}/record"))
    happened = [event for events in record.game.events for event in events]
    for name, kind in (("steals", Stole), ("busts", Busted)):
        counted = Counter(event.seat for event in happened if isinstance(event, kind))
        assert summary["result"][name] == [counted[seat] for seat in range(3)]


def test_who_played_together_is_invited_again(server: ServerProcess) -> None:
    anna, ben, carla = server.guest("Anna"), server.guest("Ben"), server.guest("Carla")
    table = server.table(anna, start=False, seats=2, sit=["Anna"])
    server.ok("POST", f"/api/tables/{table['id']}/seats", {}, ben)
    server.ok("POST", f"/api/tables/{table['id']}/start", None, anna)
    game = server.ok("GET", "/api/me/games", None, anna)["games"][0]["game"]
    new = server.table(anna, start=False, seats=3, sit=["Anna"])
    path = f"/api/tables/{new['id']}"
    assert server.refused("POST", f"{path}/invitations", {"game": game}, ben) == (403, "forbidden")
    assert server.refused("POST", f"{path}/invitations", {"game": "x"}, anna) == (404, "not_found")
    server.ok("POST", f"{path}/invitations", {"game": game}, anna)
    server.ok("POST", f"{path}/invitations", {"game": game}, anna)  # twice is once
    listed = server.ok("GET", "/api/me/invitations", None, ben)["tables"]
    assert [item["id"] for item in listed] == [new["id"]]
    assert not server.ok("GET", "/api/me/invitations", None, carla)["tables"]
    own = server.table(carla, start=False, seats=2, sit=["Carla"])  # she was not there
    assert server.refused("POST", f"/api/tables/{own['id']}/invitations", {"game": game}, carla) == (
        404,
        "not_found",
    )
    server.ok("POST", f"{path}/seats", {}, ben)
    assert not server.ok("GET", "/api/me/invitations", None, ben)["tables"]  # he is there
