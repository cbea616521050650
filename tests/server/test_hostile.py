"""Hostile and random input: an answer or a closed door, never a mistake of ours, never another's harm."""

from __future__ import annotations

import asyncio
import json
import random
import select
import socket
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect as connect_now

from tests.server.parts import Client, ServerProcess, client, memory_kb

SEEDS = [
    '{"t":"move","id":"1","v":0,"d":{"move":"roll","nonce":"0123456789abcdef"}}',
    '{"t":"hello","id":"h","d":{}}',
]


def _nasty(rng: random.Random) -> str | bytes:
    """A message that no client would send."""
    choice = rng.randrange(9)
    if choice == 0:
        return rng.randbytes(rng.randrange(1, 400))
    if choice == 1:
        return "[" * rng.randrange(1, 3000)
    if choice == 2:
        return json.dumps(
            {"t": rng.choice(["move", "hello", "state", "react", "ping", "resign"]), "id": _value(rng)}
        )
    if choice == 3:
        return json.dumps({_text(rng): _value(rng) for _ in range(rng.randrange(6))})
    if choice == 4:
        signs = list(rng.choice(SEEDS))
        for _ in range(rng.randrange(1, 8)):
            signs[rng.randrange(len(signs))] = chr(rng.choice([0, 34, 92, 123, 125, 233, 0x2028, 0x1F41B]))
        return "".join(signs)
    if choice == 5:
        move = rng.choice(["k9", "=111", "t99", "^A", "<hen", "roll", "r", "\x00", "k" * 16])
        return json.dumps(
            {"t": "move", "id": _text(rng), "v": rng.choice([0, 1, 10**9, 2**70]), "d": {"move": move}}
        )
    if choice == 6:
        return '{"t":"ping","id":"x","id":"y","d":1e999}'
    if choice == 7:
        return json.dumps({"t": "hello", "id": "h", "d": {"table": _text(rng), "seats": [_text(rng)] * 3}})
    return json.dumps({"t": "state", "id": "s", "d": {"since": _value(rng)}})


def _text(rng: random.Random) -> str:
    return "".join(
        chr(rng.choice([65, 97, 46, 0, 10, 233, 0x202E, 0xFFFF])) for _ in range(rng.randrange(30))
    )


def _value(rng: random.Random) -> Any:
    return rng.choice([None, True, -1, 2**63, 1.5, "", "x" * 500, [], [[]], {}, {"d": {}}, _text(rng)])


def _check_close(closed: ConnectionClosed) -> None:
    assert closed.rcvd is None or closed.rcvd.code in (1007, 1008, 1009), closed


async def _closed(one: Client) -> int | None:
    """Read to the end; the code that the server closed with."""
    with suppress(ConnectionClosed):
        while True:
            await one.receive()
    return one.socket.close_code


def test_random_messages_are_answered_and_harm_nobody(server: ServerProcess) -> None:
    token = server.guest()
    table = server.table(token, seats=2, sit=["Anna", "Ben"], first="A")["id"]

    async def attack(seed: int, **hello: Any) -> int:
        rng = random.Random(seed)
        answered = 0
        for _ in range(6):
            try:
                async with client(server, **hello) as one:
                    for _ in range(40):
                        await one.socket.send(_nasty(rng))
                    await one.send({"t": "ping", "id": "the end"})
                    while (message := await one.receive(10)).get("id") != "the end":
                        answered += message["t"] in ("error", "ok")
            except ConnectionClosed as closed:
                _check_close(closed)
        return answered

    async def all_together() -> None:
        async with client(server, table=table, token=token) as one:
            attacks = [attack(1), attack(2, table=table), attack(3, table=table)]
            playing = asyncio.create_task(one.play_on())
            answered = await asyncio.gather(*attacks)
            assert sum(answered) > 100
            assert (await playing)["over"]

    asyncio.run(all_together())
    assert server.call("GET", "/healthz") == (200, {"status": "ok"})
    server.no_mistakes()


def test_every_nasty_message_with_text_gets_exactly_one_answer(server: ServerProcess) -> None:
    rng = random.Random(5)

    async def ask() -> None:
        for _ in range(10):
            async with client(server) as one:
                for number in range(19):
                    await one.socket.send(_nasty(rng) if number % 2 else json.dumps(_value(rng)))
                    end = f"end {number}"
                    await one.send({"t": "ping", "id": end})
                    answers = 0
                    while (message := await one.receive()).get("id") != end:
                        answers += message["t"] in ("ok", "error")
                    assert answers == 1

    try:
        asyncio.run(ask())
    except ConnectionClosed as closed:
        _check_close(closed)


def test_a_frame_over_the_limit_closes_only_its_own_connection(server: ServerProcess) -> None:
    async def send(size: int) -> int | None:
        async with client(server) as one:
            with suppress(ConnectionClosed):
                await one.send("x" * size)
            return await _closed(one)

    assert asyncio.run(send(5_000)) == 1009
    assert asyncio.run(send(2_000_000)) == 1009


def test_bytes_that_are_not_http_and_half_requests(server: ServerProcess) -> None:
    for text in (
        b"\x16\x03\x01\x02\x00",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n",
        b"GET /" + b"a" * 100_000,
        b"\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", server.port), timeout=2) as raw:
            raw.sendall(text)
            raw.settimeout(0.3)
            with suppress(TimeoutError, ConnectionResetError):  # it may wait for more
                assert raw.recv(4096)[:13] in (b"HTTP/1.1 400 ", b"")
    assert server.call("GET", "/healthz")[0] == 200


def test_a_request_without_end_is_cut_off(server: ServerProcess) -> None:
    before = memory_kb(server.pid)
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as raw:
        raw.sendall(b"GET /")
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            raw.sendall(b"a" * 100_000_000)
    assert memory_kb(server.pid) - before < 10_000


HEAD = b"POST /api/guests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def trickle(server: ServerProcess, whole: bytes, rest: bytes) -> bytes:
    """Send some of a request, then byte after byte until the server has had enough; gives its last word."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as raw:
        raw.sendall(whole)
        with suppress(ConnectionError):
            for byte in rest:
                if select.select([raw], [], [], 0.05)[0]:
                    break
                raw.sendall(bytes([byte]))
            return raw.recv(4096)
        return b""


def test_a_request_that_trickles_is_cut_off_and_others_are_not(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, settings="request_seconds = 0.5\nhello_seconds = 60\n").start()
    try:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=20)
        with closing(connection) as kept, connect_now(server.ws) as live:
            kept.request("GET", "/healthz")
            assert kept.getresponse().read()
            for whole, rest in (
                (b"", HEAD * 10),
                (b"GET / HTTP/1.1\r\n", b"X: y\r\n" * 100),
                (HEAD + b"Content-Length: 500\r\n\r\n", b" " * 500),
                (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n" * 100),
            ):
                assert trickle(server, whole, rest).startswith(b"HTTP/1.1 408 "), whole
            # A connection that waits for its next request, and one that has become a WebSocket, go on.
            kept.request("GET", "/healthz")
            assert kept.getresponse().status == 200
            live.send('{"t":"ping","id":"1"}')
            assert json.loads(live.recv(20))["id"] == "1"
    finally:
        server.stop()
    server.no_mistakes()


@pytest.mark.parametrize(
    "path",
    [
        "/api/tables/..%2f..%2fetc",
        "/static/x/../../../etc/passwd",
        "/static/%2e%2e/x",
        "/%00",
        "/api//me",
        "/ws",
    ],
)
def test_odd_addresses_are_not_found(server: ServerProcess, path: str) -> None:
    status, answer = server.call("GET", path)
    assert (status, answer["code"]) == (404, "not_found")


ODD_PATHS = [
    "/api/tables/%00",
    "/api/games/%00",
    "/api/games/%0A/record",
    "/api/codes/ABC%00EF",
    "/api/tables/x%00y/advice",
]


@pytest.mark.parametrize("path", ODD_PATHS)
def test_odd_names_of_things_are_not_found(server: ServerProcess, path: str) -> None:
    status, answer = server.call("GET", path, None, server.guest())
    assert (status, answer["code"]) == (404, "not_found")


ODD_TEXTS = [
    {"id": "a\0b"},
    {"id": "a\n"},
    {"id": "1", "seat": "A\n"},
    {"id": "2", "d": {"move": "roll", "nonce": "0123456789abcdef\n"}},
    {"id": "3", "d": {"move": "roll\0", "nonce": "0123456789abcdef"}},
]


@pytest.mark.parametrize("odd", ODD_TEXTS)
def test_texts_that_a_database_or_a_record_cannot_hold_are_bad_messages(
    server: ServerProcess, odd: dict[str, Any]
) -> None:
    token = server.guest()
    table = server.table(token, seats=2, sit=["Anna", "Ben"], first="A")["id"]

    async def ask() -> tuple[str, int]:
        async with client(server, table=table, token=token) as one:
            await one.send(one.move("roll") | odd)
            refused = await one.wait_for("error")
            assert one.state is not None
            return refused["code"], one.state["v"]

    assert asyncio.run(ask()) == ("bad_message", 0)


def test_a_table_of_an_odd_name_is_not_found(server: ServerProcess) -> None:
    async def ask() -> str:
        async with client(server) as one:
            return str((await one.hello(table="\0"))["code"])

    assert asyncio.run(ask()) == "not_found"


def test_bodies_too_large_and_of_the_wrong_kind(server: ServerProcess) -> None:
    token = server.guest()
    assert server.call("POST", "/api/guests", b'{"name":"' + b"x" * 20_000 + b'"}')[0] == 413
    assert (
        server.call("POST", "/api/replay", b"x" * 300_000, headers={"Content-Type": "text/plain"})[0] == 413
    )
    assert (
        server.call("POST", "/api/guests", b'{"name":"x"}', headers={"Content-Type": "text/html"})[0] == 400
    )
    assert server.call("POST", "/api/guests", b"\xff\xfe")[0] == 400
    assert server.call("POST", "/api/tables", b"[" * 5000, token)[0] == 400


def test_tokens_that_are_not_ours(server: ServerProcess) -> None:
    token = server.guest()
    forged = [
        "",
        "x",
        "g1",
        "g1..",
        token[:-1],
        token + "A",
        token.upper(),
        "s1.a.b.c.d",
        "g1.ü.x",
        token.replace("g1", "g2"),
    ]
    for wrong in forged:
        headers = {"Authorization": f"Bearer {wrong}".encode().decode("latin-1")}
        assert server.call("GET", "/api/me", headers=headers)[0] == 401, wrong


def test_origins(server: ServerProcess) -> None:
    async def door(origin: str | None) -> int:
        try:
            async with connect(server.ws, origin=origin, compression=None) as one:  # type: ignore[arg-type]  # any text
                await Client(one).ask({"t": "ping", "id": "1"})
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code

    assert asyncio.run(door(None)) == 101
    assert asyncio.run(door(server.url)) == 101
    assert asyncio.run(door("https://elsewhere.example")) == 403
    assert asyncio.run(door("null")) == 403
    body = b'{"name":"x"}'
    headers = {"Origin": "https://elsewhere.example"}
    assert server.call("POST", "/api/guests", body, headers=headers)[1]["code"] == "forbidden"


def test_headers_of_every_answer(server: ServerProcess) -> None:
    import urllib.request

    with urllib.request.urlopen(server.url + "/api/about") as answer:
        headers = answer.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Server"] is None


def test_limits_of_rate_and_number(tmp_path: Path) -> None:
    settings = """
hello_seconds = 0.5
[limits]
messages = {per_second = 5, burst = 10}
requests = {per_second = 50, burst = 60}
new_guests = {per_second = 0.1, burst = 3}
connections_per_address = 4
connections_per_guest = 2
"""
    server = ServerProcess(tmp_path, limits=True, settings=settings).start()
    try:
        token = server.guest()
        server.guest()
        server.guest()
        status, answer = server.call("POST", "/api/guests", {"name": "x"})
        assert (status, answer["code"]) == (429, "rate_limited")
        table = server.table(token, seats=2, sit=["Anna", "Ben"])["id"]

        async def connections() -> None:
            async with (
                client(server, table=table, token=token) as one,
                client(server, table=table, token=token),
            ):
                for number in range(30):
                    await one.send({"t": "ping", "id": str(number)})
                answers = [await one.receive() for _ in range(30)]
                refused = [answer for answer in answers if answer["t"] == "error"]
                assert len(refused) > 15
                assert refused[0]["code"] == "rate_limited"
                assert refused[0]["retry_ms"] > 0
                async with client(server) as third:
                    refusal = await third.hello(table=table, token=token)
                    assert refusal["code"] == "rate_limited"
                    async with client(server, table=table):
                        with pytest.raises(InvalidStatus):
                            async with client(server):
                                pass
                    assert await _closed(third) == 1008  # no hello that counted

        asyncio.run(connections())
    finally:
        server.stop()
    server.no_mistakes()


def test_logs_hold_no_secrets(own_server: ServerProcess) -> None:
    token = own_server.guest("Rumpelstilz")
    table = own_server.table(token, seats=2, sit=["Rumpelstilz"], bots=["random"], first="A")

    async def play() -> None:
        async with client(own_server, seats=[table["secrets"]["A"]]) as one:
            await one.ask(one.move("roll"))
            await one.ask({"t": "hello", "id": "x", "d": {"token": "g1.wrong.token"}})

    asyncio.run(play())
    own_server.call("GET", f"/api/tables/{table['id']}?token={token}")
    own_server.stop()
    log = own_server.log()
    for line in log.splitlines():
        json.loads(line)
    for secret in (token, table["secrets"]["A"], table["id"], table["code"], "Rumpelstilz", "g1.wrong"):
        assert secret not in log
