"""Who is let in, by which name, and how often for what costs much."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from pickomino.locale import speaking
from pickomino.rules import said
from pickomino.server import config as settings
from pickomino.server.limits import Rate
from pickomino.server.logs import PlainLines
from tests.server.parts import Client, ServerProcess, client


@pytest.mark.parametrize("secret", ["x", "short and not random", "y" * 31])
def test_a_secret_that_can_be_guessed_is_refused(secret: str) -> None:
    with pytest.raises(settings.ConfigError, match="secret: expected at least 32 characters"):
        settings.load(None, {}, {"secret": secret})
    assert settings.load(None, {}, {"secret": "z" * 32}).secret == "z" * 32


def test_settings_of_the_environment_that_do_not_exist_are_errors() -> None:
    with pytest.raises(settings.ConfigError, match="PICKOMINO_PROT: no such setting"):
        settings.load(None, {"PICKOMINO_PROT": "9000", "PATH": "/bin"}, {})
    with pytest.raises(settings.ConfigError, match="PICKOMINO_LIMITS_MESAGES: no such setting"):
        settings.load(None, {"PICKOMINO_LIMITS_MESAGES": "1/1"}, {})


def test_limits_from_the_environment() -> None:
    found = settings.load(
        None, {"PICKOMINO_LIMITS_BODY_BYTES": "99", "PICKOMINO_LIMITS_REQUESTS": "5/50"}, {}
    )
    assert (found.limits.body_bytes, found.limits.requests) == (99, Rate(5, 50))
    for wrong in ("5", "5/", "a/b", "1/2/3"):
        with pytest.raises(settings.ConfigError, match="PICKOMINO_LIMITS_REQUESTS"):
            settings.load(None, {"PICKOMINO_LIMITS_REQUESTS": wrong}, {})


def _status(server: ServerProcess, head: str, body: bytes = b"") -> bytes:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as raw:
        raw.sendall(head.encode() + b"\r\n\r\n" + body)
        return raw.recv(4096).partition(b"\r\n")[0]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:80", "[::1]:8000", "192.168.1.7", "games.example"])
def test_names_that_the_server_answers_to(tmp_path: Path, host: str) -> None:
    server = ServerProcess(tmp_path, settings='origins = ["https://games.example"]\n').start()
    try:
        assert _status(server, f"GET /api/about HTTP/1.1\r\nHost: {host}") == b"HTTP/1.1 200 OK"
    finally:
        server.stop()


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "a_b"])
def test_another_name_is_a_page_that_means_another_server(server: ServerProcess, host: str) -> None:
    """DNS rebinding: a page of evil.example whose name points here now would pass for one of ours."""
    assert _status(server, f"GET /api/about HTTP/1.1\r\nHost: {host}") == b"HTTP/1.1 403 Forbidden"


def test_a_socket_by_another_name_is_refused(server: ServerProcess) -> None:
    async def door(name: str) -> int:
        page = f"http://{name}:{server.port}"
        uri = f"ws://{name}:{server.port}/ws"
        try:
            async with connect(uri, host="127.0.0.1", port=server.port, origin=page, compression=None) as one:  # type: ignore[arg-type]  # any text
                await Client(one).ask({"t": "ping", "id": "1"})
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code

    assert asyncio.run(door("localhost")) == 101
    assert asyncio.run(door("evil.example")) == 403


def test_a_request_with_two_lengths_is_refused(server: ServerProcess) -> None:
    """A proxy and a server that believe different ones see different requests."""
    head = "POST /api/guests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    body = b'c\r\n{"name":"x"}\r\n0\r\n\r\n'
    for first, second in (("Content-Length: 4", "Transfer-Encoding: chunked"),) * 2:
        assert _status(server, f"{head}{first}\r\n{second}", body) == b"HTTP/1.1 400 Bad Request"
        assert _status(server, f"{head}{second}\r\n{first}", body) == b"HTTP/1.1 400 Bad Request"
    assert _status(server, f"{head}Transfer-Encoding: chunked", body) == b"HTTP/1.1 201 Created"


def test_who_was_removed_by_the_host_does_not_sit_down_again(server: ServerProcess) -> None:
    host, guest = server.guest("Host"), server.guest("Guest")
    path = f"/api/tables/{server.table(host, start=False, seats=3, sit=['Host'])['id']}/seats"
    server.ok("POST", path, {}, guest)
    server.ok("DELETE", f"{path}/B", None, guest)  # who leaves may come back
    server.ok("POST", path, {}, guest)
    server.ok("DELETE", f"{path}/B", None, host)
    assert server.refused("POST", path, {}, guest) == (403, "forbidden")
    server.ok("POST", path, {}, server.guest("Another"))


def test_the_whole_history_again_and_again_is_limited(tmp_path: Path) -> None:
    server = ServerProcess(
        tmp_path, limits=True, settings="[limits]\nhistories = {per_second = 0.01, burst = 3}\n"
    )
    server.start()
    try:
        token = server.guest()
        table = server.table(token, seats=2, sit=["Anna", "Ben"])["id"]

        async def ask() -> list[str]:
            codes = []
            async with client(server, table=table, token=token) as one:
                while one.state is not None and one.state["v"] < 70:  # a long game has a long history
                    await asyncio.sleep(0.06)  # the limit of messages
                    assert (await one.ask(one.move(seat=one.state["seat"])))["t"] == "ok"
                    await one.wait_for("state") if not one.pushes else one.pushes.clear()
            async with client(server, table=table) as one:
                for number in range(5):
                    answer = await one.ask({"t": "state", "id": f"s{number}", "d": {"since": 0}})
                    codes.append(answer.get("code", "ok"))
                recent = await one.ask({"t": "state", "id": "recent", "d": {"since": 60}})
                codes.append(recent.get("code", "ok"))
            return codes

        assert asyncio.run(ask()) == ["ok", "ok", "ok", "rate_limited", "rate_limited", "ok"]
    finally:
        server.stop()
    server.no_mistakes()


@pytest.mark.parametrize(
    ("settings_text", "warned"),
    [
        ('host = "0.0.0.0"\n', True),
        ('host = "0.0.0.0"\nproxies = ["10.0.0.1"]\n', False),
        ("", False),
    ],
)
def test_a_server_that_is_open_without_a_proxy_says_so(
    tmp_path: Path, settings_text: str, warned: bool
) -> None:
    server = ServerProcess(tmp_path, settings=settings_text)
    server.start()
    server.stop()
    assert ("open to the network without a proxy" in server.log()) == warned


def test_an_address_that_connects_again_and_again_is_turned_away(tmp_path: Path) -> None:
    text = "[limits]\nconnects = {per_second = 0.01, burst = 20}\n"
    server = ServerProcess(tmp_path, limits=True, settings=text).start()
    try:
        answers = []
        for source in ["127.0.0.2"] * 25 + ["127.0.0.3"]:
            with socket.socket() as raw:
                raw.settimeout(20)
                raw.bind((source, 0))
                try:
                    raw.connect(("127.0.0.1", server.port))  # refused at once, or when it has said something
                    raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    answers.append(raw.recv(4096).startswith(b"HTTP/1.1 200"))
                except ConnectionError:
                    answers.append(False)
        assert answers == [True] * 20 + [False] * 5 + [True]
    finally:
        server.stop()
    server.no_mistakes()


def test_a_full_server_says_so_to_newcomers(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, limits=True, settings="[limits]\nconnections = 2\n").start()
    try:

        async def come() -> tuple[int, str, bytes]:
            async with client(server), client(server) as second:
                with pytest.raises(InvalidStatus) as refused:
                    async with client(server):
                        pass
                assert (await second.ask({"t": "ping", "id": "1"}))["t"] == "ok"
            async with client(server):  # there is room again
                answer = refused.value.response
                return answer.status_code, answer.headers["Retry-After"], bytes(answer.body or b"")

        status, retry, body = asyncio.run(come())
        assert (status, retry, b"the server is full" in body) == (503, "10", True)
    finally:
        server.stop()
    server.no_mistakes()


def test_figures_for_who_has_the_token(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, settings='metrics_token = "abc"\n').start()
    try:
        elsewhere = {"X-Forwarded-For": "203.0.113.5"}
        for token, status in (("abc", 200), ("abd", 403), ("", 403)):
            assert server.call("GET", "/metrics", token=token, headers=elsewhere)[0] == status
    finally:
        server.stop()
    server.no_mistakes()


def test_lines_for_people_are_in_the_language_of_the_command() -> None:
    with speaking("fr"):
        lines = PlainLines()
    made = logging.LogRecord("x", logging.WARNING, "", 0, said("the database cannot be written to"), (), None)
    assert lines.format(made).endswith(" avertissement: impossible d'écrire dans la base de données")
    made = logging.LogRecord("x", logging.INFO, "", 0, "of a %s {library}", ("named",), None)
    assert lines.format(made).endswith(" of a named {library}")


def test_a_terminal_gets_lines_for_people(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    command = [
        sys.executable,
        "-m",
        "pickomino",
        "serve",
        "--lang",
        "en",
        "--port",
        "0",
        "--database",
        str(tmp_path / "x.db"),
    ]
    with subprocess.Popen(command, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while b"listening" not in shown:
            shown += os.read(ours, 4096)
        process.send_signal(signal.SIGINT)
        with suppress(OSError):  # the other end is gone
            while more := os.read(ours, 4096):
                shown += more
    os.close(ours)
    lines = shown.decode().split("\r\n")
    assert re.fullmatch(r"\d\d:\d\d:\d\d ready \(version \S+\)", lines[0])
    assert re.fullmatch(r"\d\d:\d\d:\d\d listening; Ctrl\+C stops \(addresses 127\.0\.0\.1:\d+\)", lines[1])
    assert "{" not in shown.decode()
