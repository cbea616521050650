"""Resends, reorders, refusals: every message is answered, and counts at most once."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.server.parts import Client, ServerProcess, client


@pytest.fixture
def table(server: ServerProcess) -> tuple[str, str]:
    """A game of two that one device plays: table and token. A begins."""
    token = server.guest()
    return server.table(token, seats=2, sit=["Anna", "Ben"], first="A")["id"], token


def test_a_resend_gets_the_first_answer_and_counts_once(
    server: ServerProcess, table: tuple[str, str]
) -> None:
    async def play() -> None:
        async with client(server, table=table[0], token=table[1]) as one:
            message = one.move("roll")
            first = await one.ask(message)
            state = await one.wait_for("state")
            assert await one.ask(message) == first
            keep = one.move()
            kept = await one.ask(keep)
            assert await one.ask(message) == first, "also after the game has moved on"
            await one.wait_for("state") if not one.pushes else None
            reused = {**keep, "v": kept["v"], "d": {"move": "r", "nonce": "0123456789abcdef"}}
            assert await one.ask(reused) == kept, "the id decides, not what else it says"
        async with client(server, table=table[0], token=table[1], since=0) as again:
            assert await again.ask(message) == first, "and on another connection"
            assert again.state is not None
            assert again.state["v"] == state["v"] + 1

    asyncio.run(play())


def test_a_resend_is_known_after_a_restart_and_long_after(own_server: ServerProcess) -> None:
    token = own_server.guest()
    table = own_server.table(token, seats=2, sit=["Anna", "Ben"], first="A")["id"]

    async def first() -> tuple[dict[str, Any], dict[str, Any]]:
        async with client(own_server, table=table, token=token) as one:
            message = one.move("roll", seat="A")
            return message, await one.ask(message)

    async def again(message: dict[str, Any], *, play: bool) -> dict[str, Any]:
        async with client(own_server, table=table, token=token) as one:
            if play:
                await one.play_on()  # more ids than memory keeps
            return await one.ask(message)

    message, answer = asyncio.run(first())
    own_server.kill()
    own_server.start()
    assert asyncio.run(again(message, play=False)) == answer
    assert asyncio.run(again(message, play=True)) == answer


def test_a_refusal_is_remembered_too(server: ServerProcess, table: tuple[str, str]) -> None:
    async def play() -> None:
        async with client(server, table=table[0], token=table[1]) as one:
            early = one.move("kW", seat="B")
            refused = await one.ask(early)
            assert refused["code"] == "not_your_turn"
            assert await one.ask(early) == refused

    asyncio.run(play())


def test_messages_in_the_wrong_order_are_refused_with_the_version(
    server: ServerProcess, table: tuple[str, str]
) -> None:
    async def play() -> None:
        async with client(server, table=table[0], token=table[1]) as one:
            roll = one.move("roll")
            ahead = {**one.move("kW"), "v": 1}
            await one.send(ahead)
            await one.send(roll)
            answers: dict[str, Any] = {}
            while len(answers) < 2:
                message = await one.receive()
                if "id" in message:
                    answers[message["id"]] = message
            assert answers[ahead["id"]]["code"] == "stale_version"
            assert answers[ahead["id"]]["v"] == 0
            assert answers[roll["id"]]["t"] == "ok"
            stale = await one.ask({**roll, "id": "another"})
            assert (stale["code"], stale["v"]) == ("stale_version", 1)

    asyncio.run(play())


def test_many_at_once_for_the_same_move_and_one_wins(server: ServerProcess, table: tuple[str, str]) -> None:
    async def one_try(one: Client) -> str:
        answer = await one.ask(one.move("roll"))
        return str(answer.get("code", answer["t"]))

    async def race() -> list[str]:
        async with (
            client(server, table=table[0], token=table[1]) as a,
            client(server, table=table[0], token=table[1]) as b,
            client(server, table=table[0], token=table[1]) as c,
        ):
            return sorted(await asyncio.gather(*map(one_try, (a, b, c))))

    assert asyncio.run(race()) == ["ok", "stale_version", "stale_version"]


def test_refusals_by_name(server: ServerProcess, table: tuple[str, str]) -> None:
    waiting = server.table(table[1], start=False, seats=2, sit=["Anna"])["id"]

    async def ask(one: Client, **changes: Any) -> str:
        return str((await one.ask({**one.move("roll"), **changes}))["code"])

    async def play() -> None:
        async with client(server, table=table[0], token=table[1]) as one:
            assert await ask(one, d={"move": "roll"}) == "bad_message"  # no nonce
            assert await ask(one, d={"move": "roll", "nonce": "short"}) == "bad_message"
            assert await ask(one, d={"move": "jump"}) == "bad_message"
            assert await ask(one, v=None) == "bad_message"
            assert await ask(one, v=-1) == "bad_message"
            assert await ask(one, seat="Q") == "bad_message"
            assert await ask(one, seat="C") == "forbidden"
            assert await ask(one, seat="B") == "not_your_turn"
            assert await ask(one, v=7) == "stale_version"
            assert await ask(one, d={"move": "t36"}) == "illegal_move"
        async with client(server, table=table[0]) as watcher:
            assert await ask(watcher) == "unauthorized"
            assert await ask(watcher, seat="A") == "forbidden"
        async with client(server, table=waiting, token=table[1]) as early:
            message = {"t": "move", "id": "1", "v": 0, "d": {"move": "roll", "nonce": "0123456789abcdef"}}
            assert (await early.ask(message))["code"] == "not_started"
        async with client(server) as nobody:
            assert (await nobody.ask({"t": "state", "id": "1"}))["code"] == "unauthorized"
            assert (await nobody.hello(table="nowhere"))["code"] == "not_found"
            assert (await nobody.hello(table=table[0], token="g1.x.y"))["code"] == "unauthorized"
            assert (await nobody.hello())["code"] == "bad_message"
            assert (await nobody.ask({"t": "ping", "id": "p"}))["t"] == "ok"
            assert (await nobody.hello(table=table[0], token=table[1]))["t"] == "ok"

    asyncio.run(play())


def test_the_state_can_be_asked_for_since_any_version(server: ServerProcess, table: tuple[str, str]) -> None:
    async def play() -> None:
        async with client(server, table=table[0], token=table[1]) as one:
            told: list[dict[str, Any]] = []
            for _ in range(12):
                assert one.state is not None
                version = one.state["v"]
                await one.send(one.move(seat=one.state["seat"]))
                told += (await one.wait_for("state"))["d"]["entries"]
            newest = one.state
            assert newest is not None
            assert newest["v"] > version
            for since in range(newest["v"] + 1):
                answer = await one.ask({"t": "state", "id": f"s{since}", "d": {"since": since}})
                assert answer["d"]["state"]["entries"] == told[since:]
                assert answer["d"]["state"]["from"] == since
            plain = await one.ask({"t": "state", "id": "plain"})
            assert plain["d"]["state"]["position"] == newest["position"]

    asyncio.run(play())


def test_answers_come_as_texts_that_are_json(server: ServerProcess, table: tuple[str, str]) -> None:
    async def play() -> None:
        async with client(server) as one:
            await one.send("{")
            answer = json.loads(await one.socket.recv())
            assert answer == {"t": "error", "id": None, "code": "bad_message", "message": answer["message"]}
            await one.send('{"t": "dance", "id": "d1"}')
            assert (await one.receive())["id"] == "d1"

    asyncio.run(play())
