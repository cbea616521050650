"""Dice from every seat over real sockets: who adds, who sleeps, who cheats, and a server that dies in between."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from pickomino.chance import Contributor, DiceCheck, check_dice, compare_kept
from pickomino.notation import Record, parse_record
from tests.server.parts import Client, ServerProcess, client

PATIENT = "roll_seconds = 3.0\n"  # on a busy machine an honest client may be late by a second
NAMES = ("Anna", "Ben", "Cleo", "Dora")
OTHER = "0" * 64


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path_factory.mktemp("server"), settings=PATIENT).start()
    yield process
    assert process.stop() == 0
    process.no_mistakes()


@pytest.fixture
def patient(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that a test may kill, and that gives its clients a while to come back."""
    process = ServerProcess(tmp_path, settings=PATIENT, grace=10.0).start()
    yield process
    process.stop()
    process.no_mistakes()


def sit(server: ServerProcess, count: int, **settings: Any) -> tuple[str, list[str]]:
    """A table with people, not started yet."""
    tokens = [server.guest(name) for name in NAMES[:count]]
    seats = {"seats": count + len(settings.get("bots", []))} | settings
    table = server.table(tokens[0], start=False, sit=[NAMES[0]], **seats)["id"]
    for token in tokens[1:]:
        server.ok("POST", f"/api/tables/{table}/seats", {}, token)
    return str(table), tokens


class Party:
    """People at a table, each with a client that adds to the dice unless it is told not to."""

    def __init__(self, server: ServerProcess, table: str, tokens: list[str], nonces: str = "") -> None:
        self.server, self.table, self.tokens = server, table, tokens
        self.contributors: list[Contributor | None] = [
            None if letter in nonces else Contributor() for letter in "ABCD"[: len(tokens)]
        ]
        self.clients: list[Client] = []
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Party:
        for token, contributor in zip(self.tokens, self.contributors, strict=True):
            one = await self._stack.enter_async_context(client(self.server))
            answer = await one.hello(contributor, table=self.table, token=token, since=0)
            assert answer["t"] == "ok"
            self.clients.append(one)
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._stack.aclose()

    async def start(self) -> None:
        await asyncio.to_thread(
            self.server.ok, "POST", f"/api/tables/{self.table}/start", None, self.tokens[0]
        )

    async def end(self) -> tuple[Record, DiceCheck]:
        """Play to the end; gives the record and what checking it found."""
        ends = await asyncio.gather(*(one.play_on() for one in self.clients))
        text = await asyncio.to_thread(self.server.ok, "GET", f"/api/games/{ends[0]['game']}/record")
        record = parse_record(text)
        return record, check_dice(record)

    async def all_until(self, holds: Any, *, but: Client | None = None) -> None:
        """Everybody hears the server until something holds for them."""

        async def hear(one: Client) -> None:
            while not holds(one):
                await one.receive()

        await asyncio.gather(*(hear(one) for one in self.clients if one is not but))

    @property
    def by_seat(self) -> dict[str, Client]:
        return {one.seats[0]: one for one in self.clients}


def to_act(one: Client) -> Any:
    return None if one.state is None else one.state["seat"]


def rolls(one: Client) -> int:
    """How many rolls have fallen or are void, as far as a client knows."""
    assert one.state is not None
    return int(one.state["chains"]["next"] - (one.state["chains"]["ask"] is not None))


def test_a_whole_game_to_which_everybody_adds(server: ServerProcess) -> None:
    table, tokens = sit(server, 3, bots=["cautious"], pace_ms=0)

    async def play() -> None:
        async with Party(server, table, tokens) as party:
            await party.start()
            record, check = await party.end()
            assert check.good, check.problem
            assert (check.joint, check.first, check.alone, check.stand_ins) == (True, True, 0, 0)
            assert check.added == dict.fromkeys("ACD", check.rolls + 1)  # B is the bot
            for contributor in party.contributors:
                assert contributor is not None
                assert contributor.complaints == []
                compared = compare_kept(record, contributor.kept)
                assert (compared.problems, compared.tip, compared.values) == ([], True, check.rolls + 1)

    asyncio.run(play())


def test_clients_with_nonces_play_along(server: ServerProcess) -> None:
    table, tokens = sit(server, 3, first="B")

    async def play() -> None:
        async with Party(server, table, tokens, nonces="BC") as party:
            await party.start()
            await party.all_until(lambda one: to_act(one) == "B" and one.state["chains"]["tips"])
            _, check = await party.end()
            assert check.good, check.problem
            assert check.added == {"A": check.rolls}
            assert (check.first, check.stand_ins, check.alone) == (False, 0, 0)

    asyncio.run(play())


def test_with_nonces_alone_nothing_is_waited_for(server: ServerProcess) -> None:
    table, tokens = sit(server, 2)

    async def play() -> None:
        async with Party(server, table, tokens, nonces="AB") as party:
            await party.start()
            await party.all_until(lambda one: to_act(one) is not None)
            one = party.by_seat[to_act(party.clients[0])]
            answer = await one.ask(one.move("roll"))
            assert (answer["t"], answer["v"]) == ("ok", 2), "who starts, and the dice: no values between"
            _, check = await party.end()
            assert (check.good, check.first, check.alone) == (True, True, 1)

    asyncio.run(play())


def test_one_person_with_bots_or_several_at_one_screen_is_as_before(server: ServerProcess) -> None:
    token = server.guest()
    several: list[dict[str, Any]] = [{"sit": ["Anna"], "bots": ["random"]}, {"sit": ["Anna", "Ben"]}]
    for settings in several:
        table = server.table(token, seats=2, first="A", **settings)["id"]

        async def look(table: str = table) -> dict[str, Any]:
            async with client(server, table=table, token=token, chains=True) as one:
                assert one.state is not None
                refused = await one.ask({"t": "tip", "id": "t", "seat": "A", "d": {"tip": OTHER}})
                assert refused["code"] == "illegal_move"
                return one.state

        state = asyncio.run(look())
        assert (state["dice"].split(" ")[0], state["chains"]) == ("sha256-chain", None)


def test_a_sleeping_phone_costs_one_second_once(server: ServerProcess) -> None:
    table, tokens = sit(server, 3, first="A")

    async def play() -> None:
        async with Party(server, table, tokens) as party:
            anna, _, cleo = party.clients
            await party.start()
            await party.all_until(lambda one: one.state and len(one.state["chains"]["tips"]) == 3)
            cleo.asleep = True
            await anna.ask(anna.move("roll"))
            await party.all_until(lambda one: rolls(one) == 3)
            state = (await anna.ask({"t": "state", "id": "s", "d": {"since": 0}}))["d"]["state"]
            kinds = [entry["kind"] for entry in state["entries"]]
            assert kinds == ["tip", "tip", "tip", "ask", "void", "ask", "dice"]
            asked, void, again, dice = state["entries"][3:]
            assert (asked["seats"], void["seats"], again["seats"]) == (["A", "B", "C"], ["C"], ["A", "B"])
            assert [asked["k"], void["k"], again["k"], dice["k"]] == [1, 1, 2, 2]
            assert (
                _stored(server, state["game"], void["seq"]) - _stored(server, state["game"], asked["seq"])
                >= 1.0
            )
            assert state["chains"]["out"] == {"C": 0}
            # From now on it is not asked, and nothing waits for it.
            before = state["v"]
            for _ in range(3):
                assert anna.state is not None
                await anna.ask(anna.move())
                await party.all_until(lambda one: to_act(one) is not None, but=cleo)
            state = (await anna.ask({"t": "state", "id": "s2", "d": {"since": before}}))["d"]["state"]
            assert all(entry["kind"] != "void" for entry in state["entries"])
            # It wakes up: in again, and asked again.
            cleo.asleep = False
            await cleo._give((await cleo.ask({"t": "state", "id": "s3", "d": {"since": 0}}))["d"]["state"])
            await party.all_until(lambda one: one.state and not one.state["chains"]["out"])
            record, check = await party.end()
            assert check.good, check.problem
            assert [(void.k, void.seats) for void in check.voids] == [(1, "C")]
            compared = compare_kept(record, cleo.contributor.kept if cleo.contributor else Contributor().kept)
            assert compared.problems == []

    asyncio.run(play())


def _stored(server: ServerProcess, game: str, seq: int) -> float:
    with closing(sqlite3.connect(server.database)) as db:
        found = db.execute("SELECT at FROM entries WHERE game = ? AND seq = ?", (game, seq)).fetchone()
    return float(found[0])


def test_values_that_are_not_right_are_refused(server: ServerProcess) -> None:
    """Grinding and replaying: a value must be the one that was committed to, for the roll that waits."""
    table, tokens = sit(server, 2, first="A")

    async def play() -> None:
        async with Party(server, table, tokens) as party:
            anna, ben = party.clients
            await party.start()
            await party.all_until(lambda one: one.state and len(one.state["chains"]["tips"]) == 2)
            ben.asleep = True
            await anna.ask(anna.move("roll"))
            while to_act(ben) is not None:
                await ben.receive()
            await _refused(ben, "value", {"k": 1, "value": OTHER}, "illegal_move")
            await _refused(ben, "value", {"k": 2, "value": OTHER}, "stale_version")
            own = ben.contributor
            assert own is not None
            assert ben.state is not None
            (right,) = own.hear(ben.state, ["B"])
            assert (await ben.ask({"id": "v1", **right}))["t"] == "ok"
            assert (await ben.ask({"id": "v2", **right}))["t"] == "ok", (
                "the same again, also once it has fallen"
            )
            await party.all_until(lambda one: rolls(one) == 2)
            await _refused(ben, "value", {"k": 1, "value": OTHER}, "stale_version")
            await _refused(ben, "in", None, "illegal_move")
            ben.asleep = False

    asyncio.run(play())


async def _refused(one: Client, kind: str, data: dict[str, Any] | None, code: str) -> None:
    answer = await one.ask({"t": kind, "id": one.next_id(), **({} if data is None else {"d": data})})
    assert (answer["t"], answer["code"]) == ("error", code), answer


def test_who_withholds_comes_in_again_once_per_round(server: ServerProcess) -> None:
    table, tokens = sit(server, 2, first="A")

    async def play() -> None:
        async with Party(server, table, tokens) as party:
            anna, ben = party.clients
            await party.start()
            await party.all_until(lambda one: one.state and len(one.state["chains"]["tips"]) == 2)
            ben.asleep = True
            for waits in (0, 2):  # turns of two seats
                await anna.ask(anna.move("roll" if waits == 0 else None))
                await party.all_until(lambda one: to_act(one) and one.state["chains"]["out"], but=ben)
                assert anna.state is not None
                assert anna.state["chains"]["out"] == {"B": waits}
                answer = await ben.ask({"t": "in", "id": ben.next_id()})
                assert answer["t"] == ("ok" if waits == 0 else "error")
                while waits == 0 and anna.state["moves"] != ["r"] and "r" not in anna.state["moves"]:
                    await anna.ask(anna.move(anna.state["moves"][0]))
                    await party.all_until(lambda one: to_act(one) is not None, but=ben)

    asyncio.run(play())


def test_a_second_device_takes_over(server: ServerProcess) -> None:
    table, tokens = sit(server, 2, first="A")

    async def play() -> None:
        async with Party(server, table, tokens) as party:
            await party.start()
            await party.all_until(lambda one: one.state and len(one.state["chains"]["tips"]) == 2)
            async with client(server) as phone:
                own = Contributor()
                await phone.hello(own, table=table, token=tokens[1], since=0)
                party.clients.append(phone)
                tip = (await phone.wait_for("state"))["d"]["chains"]["tips"]["B"]["tip"]
                assert own.kept.tips == [f"B:{tip}@1"]
                _, check = await party.end()
                assert (check.good, check.voids) == (True, [])

    asyncio.run(play())


def test_a_crash_in_the_middle_of_a_roll(patient: ServerProcess) -> None:
    table, tokens = sit(patient, 2, first="A")

    async def ask() -> list[Contributor | None]:
        async with Party(patient, table, tokens) as party:
            anna, ben = party.clients
            await party.start()
            await party.all_until(lambda one: one.state and len(one.state["chains"]["tips"]) == 2)
            ben.asleep = True
            await anna.ask(anna.move("roll"))
            while not (anna.contributor and anna.contributor.kept.taken):
                await anna.receive()
            patient.kill()
            return party.contributors

    contributors = asyncio.run(ask())
    patient.start()

    async def go_on() -> None:
        party = Party(patient, table, tokens)
        party.contributors = contributors
        async with party:
            record, check = await party.end()
            assert (check.good, check.voids) == (True, []), "who reconnects in time is asked again"
            for contributor in contributors:
                assert contributor is not None
                assert compare_kept(record, contributor.kept).problems == []

    asyncio.run(go_on())


def test_it_falls_without_people_who_never_come(own_server: ServerProcess) -> None:
    table, tokens = sit(own_server, 2)
    own_server.ok("POST", f"/api/tables/{table}/start", None, tokens[0])

    async def look() -> dict[str, Any]:
        async with client(own_server, table=table, token=tokens[0], since=0) as one:
            while one.state is None or one.state["seat"] is None:
                await one.receive()
            return dict(
                (await one.ask({"t": "state", "id": "s", "d": {"since": 0}}))["d"]["state"]["entries"][0]
            )

    first = asyncio.run(look())
    assert (first["kind"], first["k"]) == ("first", 0)
    assert "values" not in first
