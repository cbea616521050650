"""The server put together: one object per process, which is also the ASGI application."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute

import pickomino
from pickomino.files import replacing
from pickomino.protocol.bodies import Erased, Health
from pickomino.rules import said
from pickomino.server.admin import ADMIN_ROUTES
from pickomino.server.api import ROUTES
from pickomino.server.bus import Bus
from pickomino.server.config import Config, Limits
from pickomino.server.driver import Driver
from pickomino.server.errors import Refused, available
from pickomino.server.following import Following
from pickomino.server.guests import Guests
from pickomino.server.http import http_error, json_response, refusal_response, starlette_routes
from pickomino.server.limits import Counter, Limiter, Rate
from pickomino.server.logs import facts, log
from pickomino.server.metrics import CONTENT_TYPE, Figures
from pickomino.server.openapi import describe_api
from pickomino.server.playing import Playing
from pickomino.server.registry import Registry
from pickomino.server.reviews import Reviews
from pickomino.server.rolling import Rolling
from pickomino.server.seating import Seating
from pickomino.server.security import Hosts, SecurityHeaders
from pickomino.server.static import Static
from pickomino.server.storage.base import GuestRow, Unavailable
from pickomino.server.storage.engine import Storage
from pickomino.server.tasks import spawn
from pickomino.server.tokens import Signer, is_id
from pickomino.server.upkeep import Upkeep
from pickomino.server.wire import Receive, Send
from pickomino.server.worker import Worker
from pickomino.server.ws import WebSockets

T = TypeVar("T")

SLOW_SECONDS: Final = 60.0
"""How long the process for reviews and replays is kept for nothing: the champion takes some hundred megabytes."""
HINTS_SECONDS: Final = 900.0
"""The same for hints, the coach and drills, which people wait for: it takes a second to start."""
READY_SECONDS: Final = 1.0
"""How long having been able to store counts as being ready."""


class _Limiters:
    """What senders may do, counted by this process."""

    def __init__(self, limits: Limits) -> None:
        self.addresses: Final = Counter(limits.connections_per_address)
        self.guests: Final = Counter(limits.connections_per_guest)
        rates = msgspec.structs.asdict(limits).items()
        self.named: Final = {name: Limiter(rate) for name, rate in rates if isinstance(rate, Rate)}


class Server:
    """Everything that one process needs to serve any game. Made before the event loop, started inside it."""

    def __init__(self, config: Config, storage: Storage, bus: Bus) -> None:
        self.config: Final = config
        self.storage: Final = storage
        self.bus: Final = bus
        self.limits: Final = _Limiters(config.limits)
        self.hosts: Final = Hosts(config)
        self.draining = False
        self.figures: Final = Figures()
        self._ready = False
        self._ready_until = 0.0
        self._tasks: set[asyncio.Task[Any]] = set()
        self.started: Final = time.time()
        self._admin_token: Final = secrets.token_hex(32)  # of this process, for this machine
        self._admin_file: Final = storage.beside(".admin")
        self._bans: dict[str, float] = {}  # who is shut out until when
        self._aside = ThreadPoolExecutor(1, thread_name_prefix="aside")
        self.hints: Final = Worker(HINTS_SECONDS)
        self.slow: Final = Worker(SLOW_SECONDS)
        self.reviews: Final = Reviews(storage, self.limits.named["reviews"], self.slow)
        self._http = self._http_app()

    # --- life ---

    async def start(self) -> None:
        await self.storage.open()
        key = self.config.secret.encode() or await self.storage.secret()
        self.signer = Signer(key)
        self.registry = Registry(self.storage, self.signer, self.figures)
        self.playing = Playing(self.registry, self.config, self.aside)
        self.rolling = Rolling(self.registry, self.playing)
        self.seating = Seating(self.registry, self.playing, self.rolling, self.config)
        self.guests = Guests(self.registry, self.seating, self.aside)
        self.driver = Driver(self.registry, self.playing, self.rolling)
        self.following = Following(self.registry, self.playing, self.bus)
        self.registry.listeners.extend((self.driver, self.following))
        self.sockets = WebSockets(self)
        self._measure()
        await self.read_bans()
        upkeep = Upkeep(self.registry, self.config, self.read_bans)
        await upkeep.abandon_after_restore()
        await self.following.start()
        await self.driver.start()
        self.spawn(upkeep.run())
        self._ready = True
        log.info(said("ready"), extra=facts(version=pickomino.__version__))

    async def drain(self) -> None:
        """Stop taking messages, finish what is being stored, and send everybody away with a word."""
        if self.draining or not self._ready:
            return
        self.draining = True
        await self.driver.stop()
        await self.sockets.drain()
        await self.following.stop()

    async def stop(self) -> None:
        self._ready = False
        for task in self._tasks:
            task.cancel()
        self._aside.shutdown(wait=False, cancel_futures=True)
        self.hints.close()
        self.slow.close()
        await self.storage.close()
        if self._admin_file is not None:
            self._admin_file.unlink(missing_ok=True)
        log.info(said("stopped"))

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        spawn(self._tasks, work)

    # --- ASGI ---

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self.sockets(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self._lifespan(receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            await self.start()
        except Exception as error:
            log.error(said("cannot start"), extra=facts(reason=str(error)))
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.drain()
        await self.stop()
        await send({"type": "lifespan.shutdown.complete"})

    def _http_app(self) -> SecurityHeaders:
        default = Path(pickomino.__file__).parent / "web"
        static = Static(Path(self.config.web) if self.config.web else default)
        description = describe_api(ROUTES)

        async def openapi(request: Request) -> Response:
            return json_response(description)

        routes = [
            *starlette_routes(self, [*ROUTES, *ADMIN_ROUTES]),
            StarletteRoute("/api/openapi.json", openapi),
            StarletteRoute("/healthz", self._healthz),
            StarletteRoute("/readyz", self._readyz),
            StarletteRoute("/metrics", self._metrics),
            StarletteRoute("/static/{version}/{path:path}", static.file),
            StarletteRoute("/", static.page),
            StarletteRoute("/{name}", static.page),
        ]
        app = Starlette(routes=routes, exception_handlers={HTTPException: http_error})
        app.router.redirect_slashes = False
        return SecurityHeaders(app, self.config, self.hosts)

    async def _healthz(self, request: Request) -> Response:
        return json_response(Health("ok"))

    async def _readyz(self, request: Request) -> Response:
        try:
            if not self._ready or self.draining:
                raise Unavailable("not ready")
            if time.monotonic() > self._ready_until:  # each look writes, so not for everybody who asks
                await asyncio.wait_for(self.storage.ping(), 2.0)
                self._ready_until = time.monotonic() + READY_SECONDS
        except (Unavailable, TimeoutError):
            return refusal_response(Refused("unavailable", "not ready", retry=1.0))
        return json_response(Health("ok"))

    async def _metrics(self, request: Request) -> Response:
        """For this machine only by default: figures tell strangers too much."""
        known = _bears(request, self.config.metrics_token)
        if not known and not self.config.public_metrics and not _is_here(request):
            return refusal_response(Refused("forbidden", "metrics are only shown on this machine"))
        return Response(self.figures.text(), headers={"Content-Type": CONTENT_TYPE})

    # --- who may ---

    def offer_admin(self, port: str) -> None:
        """`pickomino admin` on this machine reads beside the database how to get in."""
        if (file := self._admin_file) is not None:
            with replacing(file, mode=0o600) as key:
                key.write(msgspec.json.encode({"port": int(port), "token": self._admin_token}))

    def demand_admin(self, request: Request) -> None:
        here = _is_here(request) and _bears(request, self._admin_token)
        if not here and not _bears(request, self.config.admin_token):
            raise Refused("forbidden", "this is only for the operator of the server")

    def demand_welcome(self, address: str) -> None:
        if self._bans and self._bans.get(address, 0.0) > time.time():
            raise Refused("forbidden", "you are banned from this server")

    async def read_bans(self) -> None:
        """Of addresses; guests are looked up anyway."""
        self._bans = dict(await self.storage.bans())

    async def shut_out(self, who: str) -> None:
        """A guest or an address is not welcome any more: bots play on, connections end."""
        if is_id(who):
            await self.guests.leave_all(who)
        self.sockets.show_out(who)

    # --- what handlers ask for ---

    async def aside(self, work: Callable[..., T], *args: Any) -> T:
        """Something that takes long, while the event loop goes on; one at a time, since they would share a core."""
        return await asyncio.get_running_loop().run_in_executor(self._aside, work, *args)

    async def guest_of(self, token: str) -> GuestRow:
        guest = self.signer.guest_of(token)
        row = None if guest is None else await available(self.storage.guest(guest))
        if row is None:
            raise Refused("unauthorized", "the token is not valid here")
        return row

    async def erase(self, guest: str) -> Erased:
        """Delete a guest, who is shown out."""
        erased = await self.guests.erase(guest)
        self.sockets.show_out(guest)
        return erased

    def count_request(self, route: str, status: int, seconds: float) -> None:
        self.figures.requests.inc(route, str(status))
        self.figures.request_seconds.observe(seconds)
        if log.isEnabledFor(10):
            log.debug("request", extra=facts(route=route, status=status, ms=round(seconds * 1000, 2)))

    def _measure(self) -> None:
        gauge = self.figures.gauge
        gauge("connections", "Open WebSockets", lambda: len(self.sockets.open))
        gauge("tables_in_memory", "Tables in memory", lambda: len(self.registry.tables))
        gauge("wakes", "Tables where a bot or a clock is awaited", lambda: self.driver.scheduled)
        gauge("start_time_seconds", "When the process started", lambda: self.started)
        gauge("storage_commits", "Transactions committed", lambda: self.storage.commits)
        gauge("storage_jobs", "Changes that they held", lambda: self.storage.jobs)
        gauge("bus_up", "Whether hints arrive", lambda: float(self.bus.up))
        gauge("tables_followed", "Tables with connections here", lambda: self.following.followed)


def _is_here(request: Request) -> bool:
    """Whether it comes from this machine, and no proxy stands before it."""
    local = request.client is not None and request.client.host in ("127.0.0.1", "::1")
    return local and "x-forwarded-for" not in request.headers and "forwarded" not in request.headers


def _bears(request: Request, token: str) -> bool:
    given = request.headers.get("authorization", "").removeprefix("Bearer ").encode()
    return bool(token) and hmac.compare_digest(given, token.encode())
