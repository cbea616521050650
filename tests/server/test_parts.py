"""Tokens, limits, settings, figures, the page: the small parts one by one."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from pickomino.chance import check_dice
from pickomino.notation import parse_record
from pickomino.server import config as settings
from pickomino.server.connection import MAX_STATES, Connection
from pickomino.server.errors import Refused
from pickomino.server.limits import Bucket, Counter, Limiter, Rate
from pickomino.server.metrics import Figures
from pickomino.server.static import Static
from pickomino.server.tokens import Signer, new_code, new_id
from pickomino.server.wire import Message
from tests.server.parts import ServerProcess, client, until


def test_tokens_hold_and_forgeries_do_not() -> None:
    signer, other = Signer(b"k" * 32), Signer(b"x" * 32)
    token = signer.guest_token("abc")
    assert signer.guest_of(token) == "abc"
    assert other.guest_of(token) is None
    secret = signer.seat_secret("t1", 2, 7)
    assert signer.seat_of(secret) == ("t1", 2, 7)
    assert signer.guest_of(secret) is None
    assert signer.seat_of(token) is None
    for place in range(len(secret)):
        changed = secret[:place] + ("x" if secret[place] != "x" else "y") + secret[place + 1 :]
        assert signer.seat_of(changed) is None
    assert len({new_id() for _ in range(1000)}) == 1000
    assert set("".join(new_code() for _ in range(500))).isdisjoint("01OILS")


def test_a_bucket_lets_a_burst_through_and_then_the_rate() -> None:
    bucket = Bucket(Rate(2.0, 3.0), 0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [0, 0, 0, 0.5]
    assert bucket.take(0.5) == 0
    assert bucket.take(0.5) == pytest.approx(0.5)
    assert [bucket.take(100.0) for _ in range(4)][:3] == [0, 0, 0]


def test_a_limiter_tells_senders_apart_and_forgets_the_quiet() -> None:
    now = 0.0
    limiter = Limiter(Rate(1.0, 1.0), lambda: now)
    limiter.check("a")
    limiter.check("b")
    with pytest.raises(Refused) as refused:
        limiter.check("a")
    assert refused.value.code == "rate_limited"
    assert refused.value.retry == pytest.approx(1.0)
    for number in range(3 * Limiter.SWEEP):
        now += 0.01
        limiter.check(number)
    assert len(limiter._buckets) < 2 * Limiter.SWEEP
    counter = Counter(2)
    assert [counter.enter("a") for _ in range(3)] == [True, True, False]
    counter.leave("a")
    assert counter.enter("a")


def test_settings_file_then_environment_then_flags(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text('port = 1\nhost = "::1"\nexpire_hours = 2\n[limits]\nbody_bytes = 5\n')
    found = settings.load(
        file, {"PICKOMINO_PORT": "2", "PICKOMINO_ORIGINS": "https://a,https://b"}, {"port": 3}
    )
    assert (found.port, found.host, found.expire_hours) == (3, "::1", 2.0)
    assert found.origins == ("https://a", "https://b")
    assert found.limits.body_bytes == 5
    assert settings.load(None, {"PICKOMINO_PORT": "2"}, {"port": None}).port == 2
    assert settings.load(None, {}, {}) == settings.Config()
    for text in ("colour = 1", "port = 'x'", "[limits]\nnothing = 1", "port = "):
        file.write_text(text)
        with pytest.raises(settings.ConfigError):
            settings.load(file, {}, {})
    with pytest.raises(settings.ConfigError):
        settings.load(tmp_path / "missing.toml", {}, {})


def test_figures_in_the_text_format() -> None:
    figures = Figures()
    figures.gauge("tables", "Tables", lambda: 3)
    figures.messages.inc("move", "ok")
    figures.messages.inc("move", "ok")
    figures.store_seconds.observe(0.004)
    figures.store_seconds.observe(99.0)
    lines = figures.text().decode().splitlines()
    assert 'pickomino_messages_total{code="ok",kind="move"} 2.0' in lines
    assert "pickomino_tables 3.0" in lines
    assert 'pickomino_store_seconds_bucket{le="0.005"} 1.0' in lines
    assert 'pickomino_store_seconds_bucket{le="+Inf"} 2.0' in lines
    assert not [line for line in lines if "_created" in line]


def test_a_blocked_connection_keeps_answers_and_the_newest_states() -> None:
    sent: list[str] = []

    async def play() -> None:
        gate = asyncio.Event()

        async def send(message: Message) -> None:
            await gate.wait()
            sent.append(message["text"])

        connection = Connection(send, "a", Bucket(Rate(0, 0), 0), Bucket(Rate(0, 0), 0))
        for number in range(50):
            connection.push(f"state {number}".encode(), state=True)
            await asyncio.sleep(0)
        connection.push(b"answer")
        connection.push(b"state 50", state=True)
        gate.set()
        async with asyncio.timeout(60):
            while "state 50" not in sent:
                await asyncio.sleep(0)
            connection.push(b"state 51", state=True)
            while "state 51" not in sent:
                await asyncio.sleep(0)

    asyncio.run(play())
    assert sent[0] == "state 0"
    assert sent[-3:] == ["answer", "state 50", "state 51"]
    assert len(sent) <= MAX_STATES + 4
    numbers = [int(text.split()[1]) for text in sent if text != "answer"]
    assert numbers == sorted(numbers)


def test_a_connection_that_never_drains_is_given_up() -> None:
    async def play() -> bool:
        async def send(message: Message) -> None:
            await asyncio.Event().wait()

        connection = Connection(send, "a", Bucket(Rate(0, 0), 0), Bucket(Rate(0, 0), 0))
        for number in range(1000):
            connection.push(f"answer {number}".encode())
        await asyncio.sleep(0)
        return connection.open

    assert asyncio.run(play()) is False


def test_a_connection_whose_client_has_gone_is_silent() -> None:
    async def play() -> bool:
        async def send(message: Message) -> None:
            raise OSError("gone")

        connection = Connection(send, "a", Bucket(Rate(0, 0), 0), Bucket(Rate(0, 0), 0))
        connection.push(b"a")
        connection.push(b"b")
        await connection.close(1000)
        return connection.open

    assert asyncio.run(play()) is False


def _page(folder: Path) -> Any:
    static = Static(folder)
    return static, Starlette(
        routes=[
            Route("/static/{version}/{path:path}", static.file),
            Route("/", static.page),
            Route("/{name}", static.page),
        ]
    )


def _get(app: Any, path: str, headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], bytes]:
    """One request straight to an ASGI application."""
    out: list[Message] = []

    async def ask() -> None:
        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            out.append(message)

        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()],
            "root_path": "",
            "scheme": "http",
            "server": ("x", 80),
        }
        await app(scope, receive, send)

    asyncio.run(ask())
    found = {name.decode(): value.decode() for name, value in out[0]["headers"]}
    return out[0]["status"], found, b"".join(message.get("body", b"") for message in out[1:])


def test_the_page_is_served_under_a_versioned_address(tmp_path: Path) -> None:
    (tmp_path / "js").mkdir()
    (tmp_path / "root").mkdir()
    (tmp_path / "index.html").write_text('<script type="module" src="__STATIC__/js/main.js"></script>')
    (tmp_path / "js" / "main.js").write_text("export const x = 1;\n" * 100)
    (tmp_path / "root" / "sw.js").write_text("const version = '__VERSION__';")
    static, app = _page(tmp_path)
    status, headers, body = _get(app, "/")
    first = static.version
    assert (status, headers["cache-control"]) == (200, "no-cache")
    assert body.decode() == f'<script type="module" src="/static/{first}/js/main.js"></script>'
    status, headers, body = _get(app, f"/static/{first}/js/main.js")
    assert status == 200
    assert headers["content-type"] == "text/javascript; charset=utf-8"
    assert "immutable" in headers["cache-control"]
    zipped = _get(app, f"/static/{first}/js/main.js", {"Accept-Encoding": "gzip"})
    assert zipped[1]["content-encoding"] == "gzip"
    assert len(zipped[2]) < len(body)
    assert _get(app, f"/static/{first}/js/main.js", {"If-None-Match": headers["etag"]})[0] == 304
    assert _get(app, "/sw.js")[2] == f"const version = '{first}';".encode()
    (tmp_path / "js" / "main.js").write_text("export const x = 2;\n" * 100)
    assert first.encode() not in _get(app, "/")[2], "an edited file makes a new version"
    assert _get(app, f"/static/{first}/js/main.js")[0] == 404, "never half old"
    for odd in (
        "/static/x/../index.html",
        f"/static/{static.version}/../../secret",
        "/nothing",
        "/js/main.js",
    ):
        assert _get(app, odd)[0] == 404


def test_health_readiness_figures_and_about(server: ServerProcess) -> None:
    assert server.call("GET", "/healthz") == (200, {"status": "ok"})
    assert server.call("GET", "/readyz") == (200, {"status": "ok"})
    text = server.ok("GET", "/metrics")
    assert "pickomino_connections 0.0" in text
    proxied = server.call("GET", "/metrics", headers={"X-Forwarded-For": "203.0.113.5"})
    assert proxied[0] == 403
    about = server.ok("GET", "/api/about")
    assert "cautious" in about["bots"]
    assert "classic" in [edition["key"] for edition in about["editions"]]
    assert "worm" in about["reactions"]
    status, answer = server.call("DELETE", "/api/about")
    assert (status, answer["code"]) == (405, "method_not_allowed")


def test_a_backup_can_be_made_while_the_server_runs(server: ServerProcess, tmp_path: Path) -> None:
    from pickomino.cli import main

    table = server.table(server.guest("Anna"), seats=2, sit=["Anna", "Ben"])
    copy = tmp_path / "copy.db"
    assert main(["serve", "--database", str(server.database), "--backup", str(copy)]) == 0
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert ("Anna",) in db.execute("SELECT name FROM guests").fetchall()
        found = db.execute("SELECT id FROM games WHERE tbl = ?", (table["id"],)).fetchall()
    assert found == [(table["game"],)], "the last thing written before the copy is in it"
    assert main(["serve", "--database", str(tmp_path / "none.db"), "--backup", str(copy)]) == 1


def test_upkeep_closes_and_archives(tmp_path: Path) -> None:
    text = "housekeeping_seconds = 0.1\nexpire_hours = 0.0001\n"  # a third of a second
    server = ServerProcess(tmp_path, limits=True, settings=text).start()
    try:
        unused = server.table(server.guest(), seats=2, sit=["Anna", "Ben"])
        server.table(server.guest(), seats=2, sit=["Cleo", "Dan"])

        def entries() -> int:
            with closing(sqlite3.connect(server.database)) as db:
                return int(
                    db.execute("SELECT count(*) FROM entries WHERE game = ?", (unused["game"],)).fetchone()[0]
                )

        async def roll() -> None:
            async with client(server, seats=[unused["secrets"]["A"], unused["secrets"]["B"]]) as one:
                assert (await one.ask(one.move("roll")))["t"] == "ok"

        asyncio.run(roll())
        assert entries() == 1
        table = f"/api/tables/{unused['id']}"
        until(lambda: server.ok("GET", table)["table"]["phase"] == "closed", "the table stays open")
        until(lambda: not entries(), "the game does not become a record")
        record = parse_record(server.ok("GET", f"/api/games/{unused['game']}/record"))
        assert (len(record.game), record.headers["Termination"]) == (1, "abandoned")
        assert check_dice(record).good
    finally:
        server.stop()
    server.no_mistakes()
