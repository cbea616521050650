"""Tables over HTTP and the WebSocket: sitting down, playing, leaving, coming back, playing again."""

from __future__ import annotations

import asyncio

import pytest

from pickomino import parse_record
from pickomino.chance import check_dice
from tests.server.parts import ServerProcess, client


def test_two_people_play_a_game_to_its_end(server: ServerProcess) -> None:
    anna, ben = server.guest("Anna"), server.guest("Ben")
    table = server.table(anna, start=False, seats=2, sit=["Anna"])
    found = server.ok("GET", f"/api/codes/{table['code'].lower()}")
    assert found == {"table": table["id"]}
    sat = server.ok("POST", f"/api/tables/{table['id']}/seats", {}, ben)
    assert [seat["name"] for seat in sat["table"]["seats"]] == ["Anna", "Ben"]
    assert sat["you"]["host"] is False

    async def play() -> list[dict[str, object]]:
        async with (
            client(server, table=table["id"], token=anna) as one,
            client(server, table=table["id"], token=ben) as two,
        ):
            assert (one.seats, two.seats, one.state) == (["A"], ["B"], None)
            server.ok("POST", f"/api/tables/{table['id']}/start", None, anna)
            return list(await asyncio.gather(one.play_on(), two.play_on()))

    ends = asyncio.run(play())
    assert ends[0]["result"] == ends[1]["result"]
    game = str(ends[0]["game"])
    summary = server.ok("GET", f"/api/games/{game}")
    assert summary["result"] == ends[0]["result"]
    assert summary["finished"] >= summary["started"]
    text = server.ok("GET", f"/api/games/{game}/record")
    record = parse_record(text)
    assert record.names == ("Anna", "Ben")
    assert str(record.game.position) == ends[0]["position"]
    check = check_dice(record)
    assert check.problem is None
    assert check.rolls > 0
    assert server.ok("GET", "/api/me/games", None, ben)["games"][0]["game"] == game


def test_one_device_many_players_in_deluxe(server: ServerProcess) -> None:
    token = server.guest()
    table = server.table(token, edition="deluxe", seats=3, sit=["Anna", "Ben", "Carla"])

    async def play() -> dict[str, object]:
        async with client(server, table=table["id"], token=token) as one:
            assert one.seats == ["A", "B", "C"]
            return await one.play_on()

    assert asyncio.run(play())["over"] is True


def test_bots_alone_finish_while_somebody_watches(server: ServerProcess) -> None:
    table = server.table(
        server.guest(), seats=4, bots=["cautious", "random", "cautious", "random"], pace_ms=0
    )

    async def watch() -> dict[str, object]:
        async with client(server, table=table["id"]) as one:
            assert one.seats == []
            return await one.play_on()

    assert asyncio.run(watch())["result"] is not None


def test_a_seat_is_taken_up_again_with_its_secret_alone(server: ServerProcess) -> None:
    token = server.guest()
    table = server.table(token, seats=2, sit=["Anna", "Ben"], first="B")

    async def play() -> None:
        async with client(server, seats=[table["secrets"]["B"]]) as one:
            assert one.table["id"] == table["id"]
            assert one.seats == ["B"]
            assert (await one.ask(one.move("roll")))["v"] == 1
            await one.wait_for("state")
        async with client(server, seats=[table["secrets"]["B"]], since=0) as again:
            assert again.state is not None
            assert again.state["v"] == 1
            assert [entry["kind"] for entry in again.state["entries"]] == ["dice"]
            assert [event["event"] for event in again.state["events"]] == ["rolled"]
            stranger = table["secrets"]["B"][:-1] + ("A" if table["secrets"]["B"][-1] != "A" else "B")
            assert (await again.hello(seats=[stranger]))["code"] == "unauthorized"

    asyncio.run(play())


def test_the_host_removes_a_guest_whose_secret_is_then_worthless(server: ServerProcess) -> None:
    anna, ben = server.guest("Anna"), server.guest("Ben")
    table = server.table(anna, start=False, seats=2, sit=["Anna"])
    secret = server.ok("POST", f"/api/tables/{table['id']}/seats", {"name": "Benno"}, ben)["you"]["seats"][0]
    path = f"/api/tables/{table['id']}/seats"

    async def removed() -> None:
        async with client(server, seats=[secret["secret"]]) as one:
            assert one.seats == ["B"]
            assert server.refused("DELETE", f"{path}/A", None, ben) == (403, "forbidden")
            server.ok("DELETE", f"{path}/B", None, anna)
            await one.wait_for("table")
            assert one.seats == []
            assert (await one.hello(seats=[secret["secret"]]))["code"] == "unauthorized"

    asyncio.run(removed())
    assert server.refused("POST", f"/api/tables/{table['id']}/start", None, anna) == (409, "seats_empty")
    server.ok("PUT", f"{path}/B", {"bot": "random"}, anna)
    assert server.refused("POST", path, {}, ben) == (409, "table_full")
    server.ok("POST", f"/api/tables/{table['id']}/start", None, anna)
    assert server.refused("POST", path, {}, ben) == (409, "already_started")
    assert server.refused("DELETE", f"{path}/B", None, anna) == (409, "already_started")


def test_who_leaves_is_replaced_and_comes_back(server: ServerProcess) -> None:
    anna, ben = server.guest("Anna"), server.guest("Ben")
    table = server.table(anna, start=False, seats=2, sit=["Anna"], first="B", pace_ms=0)
    server.ok("POST", f"/api/tables/{table['id']}/seats", {}, ben)
    server.ok("POST", f"/api/tables/{table['id']}/start", None, anna)

    async def play() -> None:
        async with client(server, table=table["id"], token=anna) as one:
            server.ok("DELETE", f"/api/tables/{table['id']}/seats/B", None, ben)
            while one.state is None or one.state["seat"] != "A":  # a bot plays B's turn
                await one.receive()
            shown = server.ok("GET", f"/api/tables/{table['id']}")["table"]["seats"][1]
            assert (shown["name"], shown["stand_in"], shown["connected"]) == ("Ben", "cautious", False)
            async with client(server, table=table["id"], token=ben) as two:
                assert two.state is not None
                assert two.table["seats"][1]["stand_in"] is None
                await asyncio.gather(one.play_on(), two.play_on())

    asyncio.run(play())


def test_a_lost_connection_is_waited_for_and_then_replaced(server: ServerProcess) -> None:
    anna, ben = server.guest("Anna"), server.guest("Ben")
    table = server.table(anna, start=False, seats=2, sit=["Anna"], first="B", pace_ms=0, away=5)
    server.ok("POST", f"/api/tables/{table['id']}/seats", {}, ben)

    async def play() -> None:
        async with client(server, table=table["id"], token=anna) as one:
            async with client(server, table=table["id"], token=ben):
                server.ok("POST", f"/api/tables/{table['id']}/start", None, anna)
            while one.state is None or not one.state["entries"]:
                await one.receive()
            assert one.state["entries"][0]["kind"] == "replaced"

    asyncio.run(play())


def test_a_turn_whose_time_runs_out_is_finished_by_a_bot(server: ServerProcess) -> None:
    token = server.guest()
    table = server.table(token, seats=2, sit=["Anna", "Ben"], first="A", timer=5, pace_ms=0)

    async def play() -> list[str]:
        kinds = []
        async with client(server, table=table["id"], token=token) as one:
            assert one.state is not None
            assert 0 < one.state["left_ms"] <= 5000
            while one.state["seat"] == "A":
                await one.wait_for("state")
                kinds += [entry.get("by", entry["kind"]) for entry in one.state["entries"]]
        return kinds

    kinds = asyncio.run(play())
    assert kinds[0] == "timeout"
    assert set(kinds[1:]) == {"clock", "dice"}


def test_resigning_at_a_table_of_two_ends_the_game_and_a_rematch_begins_another(
    server: ServerProcess,
) -> None:
    token = server.guest()
    table = server.table(token, seats=2, sit=["Anna", "Ben"], first="A")

    async def play() -> None:
        async with client(server, table=table["id"], token=token) as one:
            answer = await one.ask({"t": "resign", "id": "r", "seat": "A"})
            assert answer == {"t": "ok", "id": "r", "v": 1}
            state = (await one.wait_for("state"))["d"]
            assert state["result"] == {
                "winners": ["B"],
                "scores": [0, 0],
                "ranks": [2, 1],
                "reason": "resignation",
                "steals": [0, 0],
                "busts": [0, 0],
            }
            late = await one.ask(one.move("roll", seat="B"))
            assert late["code"] == "game_over"
            server.ok("POST", f"/api/tables/{table['id']}/rematch", None, token)
            assert (await one.wait_for("table"))["d"]["table"]["phase"] == "open"
            server.ok("POST", f"/api/tables/{table['id']}/start", None, token)
            fresh = (await one.wait_for("state"))["d"]
            assert (fresh["v"], fresh["over"]) == (0, False)
            assert fresh["game"] != table["game"]

    asyncio.run(play())
    record = parse_record(server.ok("GET", f"/api/games/{table['game']}/record"))
    assert record.headers["Termination"] == "resigned: A"


def test_at_a_larger_table_who_resigned_cannot_win(server: ServerProcess) -> None:
    token = server.guest()
    table = server.table(token, seats=3, sit=["Anna"], bots=["random", "random"], first="A", pace_ms=0)

    async def play() -> dict[str, object]:
        async with client(server, table=table["id"], token=token) as one:
            await one.ask({"t": "resign", "id": "r"})
            one.seats = []  # a bot plays on
            return await one.play_on()

    end = asyncio.run(play())
    result = end["result"]
    assert isinstance(result, dict)
    assert "A" not in result["winners"]
    assert result["ranks"][0] == 3
    assert result["reason"] != "resignation"


def test_reactions_reach_everybody_and_come_from_the_fixed_set(server: ServerProcess) -> None:
    token = server.guest()
    table = server.table(token, seats=2, sit=["Anna"], bots=["random"], first="A")

    async def react() -> None:
        async with (
            client(server, table=table["id"], token=token) as one,
            client(server, table=table["id"]) as two,
        ):
            answer = await one.ask({"t": "react", "id": "1", "d": {"reaction": "worm"}})
            assert answer == {"t": "ok", "id": "1"}
            assert (await two.wait_for("reaction"))["d"] == {"seat": "A", "reaction": "worm"}
            assert (await one.ask({"t": "react", "id": "2", "d": {"reaction": "rude"}}))[
                "code"
            ] == "bad_message"
            assert (await two.ask({"t": "react", "id": "3", "d": {"reaction": "wow"}}))[
                "code"
            ] == "unauthorized"

    asyncio.run(react())


def test_the_lobby_shows_public_tables_only(server: ServerProcess) -> None:
    token = server.guest()
    shown = server.table(token, start=False, public=True)["id"]
    hidden = server.table(token, start=False)["id"]
    lobby = [table["id"] for table in server.ok("GET", "/api/tables")["tables"]]
    assert shown in lobby
    assert hidden not in lobby
    mine = [table["id"] for table in server.ok("GET", "/api/me/tables", None, token)["tables"]]
    assert {shown, hidden} <= set(mine)


def test_advice_where_the_table_allows_it(server: ServerProcess) -> None:
    token = server.guest()
    with_hints = server.table(token, seats=2, sit=["Anna"], bots=["random"], first="A")
    without = server.table(token, seats=2, sit=["Anna"], bots=["random"], first="A", hints=False)
    assert server.refused("GET", f"/api/tables/{without['id']}/advice", None, token) == (403, "forbidden")
    assert server.refused("GET", f"/api/tables/{with_hints['id']}/advice", None, server.guest())[0] == 403

    async def roll() -> list[str]:
        async with client(server, table=with_hints["id"], token=token) as one:
            await one.ask(one.move("roll"))
            return list((await one.wait_for("state"))["d"]["moves"])

    moves = asyncio.run(roll())
    advice = server.ok("GET", f"/api/tables/{with_hints['id']}/advice", None, token)
    assert sorted(found["move"] for found in advice["moves"]) == moves
    assert advice["v"] == 1
    assert advice["sentences"][0].startswith("Keeping")  # after a first roll there is nothing else to do
    french = server.ok("GET", f"/api/tables/{with_hints['id']}/advice?language=fr", None, token)
    assert french["moves"] == advice["moves"]
    assert french["sentences"][0].startswith("Garder")


RECORD = """[PKGN "1"]
[Edition "classic"]
[Seats "A:red B:blue"]
[Result "*"]

1 A 112345WW/W 445WWW/4 2224/2 t24
2 B 12223345/3 344455/4 125/5 15/1 4 !
"""


def test_an_uploaded_record_is_replayed(server: ServerProcess) -> None:
    status, answer = server.call(
        "POST", "/api/replay", RECORD.encode(), headers={"Content-Type": "text/plain"}
    )
    assert status == 200
    frames = answer["frames"]
    assert frames[0]["ply"] is None
    assert [frame["ply"] for frame in frames[1:5]] == ["=112345WW", "kW", "r", "=445WWW"][:4]
    assert frames[-1]["turn"] == 2
    assert frames[-1]["events"][0]["event"] == "rolled"
    broken = RECORD.replace("t24", "t25").encode()
    status, answer = server.call("POST", "/api/replay", broken, headers={"Content-Type": "text/plain"})
    assert (status, answer["code"]) == (400, "bad_message")


@pytest.mark.parametrize(
    "settings",
    [
        {"seats": 8},
        {"edition": "chess"},
        {"timer": 1},
        {"sit": ["A", "B", "C"]},
        {"bots": ["nobody"]},
        {"bots": ["random:x=1"]},
        {"first": "C"},
        {"colour": "red"},
        {"sit": ["\u0007"]},
        {"sit": [""]},
    ],
)
def test_settings_that_cannot_be(server: ServerProcess, settings: dict[str, object]) -> None:
    assert server.refused("POST", "/api/tables", settings, server.guest()) == (400, "bad_message")
