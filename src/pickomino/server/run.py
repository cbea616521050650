"""A server process: uvicorn with our settings, a farewell to clients, and nothing of theirs in its logs."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import uvicorn

from pickomino.rules import said
from pickomino.server.app import Server
from pickomino.server.arrival import BoundedSocket, bounded
from pickomino.server.bus import Bus
from pickomino.server.config import Config, ConfigError
from pickomino.server.limits import Limiter
from pickomino.server.logs import facts, log, set_up
from pickomino.server.storage.engine import Storage
from pickomino.server.storage.sqlite import SqliteStorage

SEND_BUFFER: Final = 131_072
"""What the kernel holds for a connection that does not read. Left to itself it takes megabytes of states that
will be old when they are read."""


class _Uvicorn(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, app: Server, drain_seconds: float) -> None:
        super().__init__(config)
        self._app = app
        self._drain_seconds = drain_seconds

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            addresses = [
                "{}:{}".format(*listener.getsockname()[:2])
                for server in self.servers
                for listener in server.sockets
            ]
            self._app.offer_admin(addresses[0].rpartition(":")[2])
            log.info(said("listening; Ctrl+C stops"), extra=facts(addresses=addresses))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # No new connections here, so that whoever is sent away is taken by another process.
        for server in self.servers:
            server.close()
        # Before uvicorn cuts the connections: let what is being stored be stored and answered, say goodbye.
        try:
            await asyncio.wait_for(self._app.drain(), self._drain_seconds)
        except TimeoutError:
            log.warning(said("some connections did not close in time"))
        await super().shutdown(sockets)


def is_address(database: str) -> bool:
    """Whether it names a PostgreSQL, and not a file."""
    return database.startswith(("postgresql://", "postgres://"))


def make_server(config: Config) -> Server:
    """The parts that the settings ask for; only those are imported."""
    storage: Storage
    bus = Bus()
    if is_address(config.database):
        from pickomino.server.storage.postgres import PostgresStorage

        storage = PostgresStorage(config.database, config.database_connections)
    else:
        storage = SqliteStorage(Path(config.database))
    if config.redis:
        if not storage.shared:
            raise ConfigError(
                "redis: hints are for processes that share a PostgreSQL database; set one as database"
            )
        from pickomino.server.redis_bus import RedisBus

        bus = RedisBus(config.redis)
    return Server(config, storage, bus)


def _is_open(host: str) -> bool:
    """Whether others than this machine can reach it there."""
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def serve(config: Config, *, at_home: bool = False) -> int:
    """Run until told to stop; gives the exit status. `at_home`: the network is meant to reach it as it is."""
    set_up(config.log_level, config.log)
    if _is_open(config.host) and not config.proxies and not at_home:
        log.warning(
            said("open to the network without a proxy: everything is sent in plain text, including tokens"),
            extra=facts(host=config.host, see="docs/hosting.md"),
        )
    app = make_server(config)
    connects = None if config.proxies else Limiter(config.limits.connects)
    settings = uvicorn.Config(
        app,
        host=config.host,
        port=config.port,
        loop="auto",
        # The parser that bounds what an unfinished request may hold; HTTP is not the hot path.
        http=bounded(config.request_seconds, config.response_seconds, connects),
        ws=BoundedSocket,
        # Compression costs 30 kB per connection and most of a core; states are about a kilobyte.
        ws_per_message_deflate=False,
        # Characters are checked against the limit in the handler; a character is at most four bytes.
        ws_max_size=4 * config.limits.message_bytes,
        ws_ping_interval=config.ping_seconds,
        ws_ping_timeout=config.ping_seconds,
        proxy_headers=bool(config.proxies),
        forwarded_allow_ips=list(config.proxies),
        access_log=False,
        log_config=None,
        server_header=False,
        date_header=True,
        timeout_keep_alive=20,
        timeout_graceful_shutdown=round(config.drain_seconds),
        h11_max_incomplete_event_size=16_384,
        backlog=1024,
        lifespan="on",
    )
    # The database's thread waits this long for Python's lock while the event loop is busy; 5 ms by default.
    sys.setswitchinterval(0.001)
    # Games are hundreds of thousands of small objects without cycles; looking through them all costs more than it
    # finds, so the collector looks at the young often and at the old seldom.
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
    # uvicorn shuts down in order and then raises the signal again; being told to stop is no failure.
    signal.signal(signal.SIGTERM, lambda number, frame: None)
    server = _Uvicorn(settings, app, config.drain_seconds)
    try:
        listener = settings.bind_socket()
    except SystemExit:  # uvicorn has said why
        return 1
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    server.run(sockets=[listener])
    return 0 if server.started else 1
