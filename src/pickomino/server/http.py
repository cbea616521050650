"""HTTP with checked shapes: a route says what it takes and gives, and both the checks and the OpenAPI
description come from that one saying."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from ipaddress import IPv6Network
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar, get_type_hints

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.routing import Route as StarletteRoute

from pickomino.protocol.bodies import Error
from pickomino.server.errors import STATUS, Code, Refused
from pickomino.server.logs import facts, log
from pickomino.server.storage.base import GuestRow

if TYPE_CHECKING:
    from pickomino.server.app import Server

Method: TypeAlias = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Handler: TypeAlias = Callable[["Call"], Awaitable[Any]]
_Handler = TypeVar("_Handler", bound=Handler)
_ENCODER: Final = msgspec.json.Encoder()


class Call:
    """A request whose shape, limits and token have been checked."""

    def __init__(
        self, server: Server, request: Request, guest: GuestRow | None, body: Any, query: Any
    ) -> None:
        self.server: Final = server
        self.guest_row: Final = guest
        self.body: Final = body
        self.query: Final = query
        self.path: Final[dict[str, str]] = request.path_params
        self.address: Final = address_of(request.scope)
        self.takes_gzip: Final = "gzip" in request.headers.get("accept-encoding", "")

    @property
    def guest(self) -> GuestRow:
        if self.guest_row is None:
            raise Refused("unauthorized", "expected a guest's token: Authorization: Bearer g1.…")
        return self.guest_row


class Route(msgspec.Struct, frozen=True):
    """One operation of the API."""

    method: Method
    path: str
    handler: Handler
    summary: str
    answer: Any  # a Struct, or str for text
    status: int = 200
    body: Any = None  # a Struct, or str for text
    query: Any = None  # a Struct
    auth: Literal["none", "optional", "guest", "admin"] = "none"
    refusals: tuple[Code, ...] = ()
    limit: str = ""  # a further limit of the address, besides that of all requests


class Routes(list[Route]):
    """Operations, in the order in which they are described."""

    def add(self, method: Method, path: str, **more: Any) -> Callable[[_Handler], _Handler]:
        """Its summary is the handler's docstring, its answer what the handler says it returns."""

        def add(handler: _Handler) -> _Handler:
            said = {"summary": handler.__doc__, "answer": get_type_hints(handler)["return"]} | more
            self.append(Route(method, path, handler, **said))
            return handler

        return add

    def at_table(
        self, method: Method, path: str, *refusals: str, **more: Any
    ) -> Callable[[_Handler], _Handler]:
        """What a guest does at a table; not everybody may."""
        refused = ("not_found", "forbidden", *refusals)
        return self.add(method, f"/api/tables/{{table}}/{path}", auth="guest", refusals=refused, **more)


def starlette_routes(server: Server, routes: Sequence[Route]) -> list[BaseRoute]:
    """Grouped by path, so that a wrong method is answered with all the right ones."""
    paths: dict[str, dict[str, Route]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method] = route
    return [
        StarletteRoute(path, _endpoint(server, methods), methods=list(methods))
        for path, methods in paths.items()
    ]


def _endpoint(server: Server, methods: dict[str, Route]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        route = methods["GET" if request.method == "HEAD" else request.method]
        began = perf_counter()
        response = await _answer(server, route, request)
        server.count_request(f"{route.method} {route.path}", response.status_code, perf_counter() - began)
        return response

    return endpoint


async def _answer(server: Server, route: Route, request: Request) -> Response:
    try:
        address = address_of(request.scope)
        if route.auth != "admin":  # whoever runs the server may have shut out an address of their own
            server.demand_welcome(address)
        server.limits.named["requests"].check(address)
        if route.limit:
            server.limits.named[route.limit].check(address)
        guest = await _guest(server, route, request)
        query = None if route.query is None else _query(route.query, request)
        body = None if route.body is None else await _body(server, route, request)
        result = await route.handler(Call(server, request, guest, body, query))
    except Refused as refused:
        return refusal_response(refused)
    except ClientDisconnect:
        return Response(status_code=499)  # nobody reads it
    except Exception:
        log.exception("a request failed", extra=facts(route=f"{route.method} {route.path}"))
        return refusal_response(Refused("internal", "an error in the server; its log has the details"))
    if isinstance(result, Response):
        return result
    if route.answer is str:
        return Response(result, route.status, media_type="text/plain; charset=utf-8")
    return json_response(result, route.status)


async def _guest(server: Server, route: Route, request: Request) -> GuestRow | None:
    if route.auth == "admin":
        server.demand_admin(request)
        return None
    header = request.headers.get("authorization", "")
    if route.auth == "none" or (route.auth == "optional" and not header):
        return None
    kind, _, token = header.partition(" ")
    if kind.lower() != "bearer":
        raise Refused("unauthorized", "expected a guest's token: Authorization: Bearer g1.…")
    return await server.guest_of(token.strip())


def _query(shape: Any, request: Request) -> Any:
    try:
        return msgspec.convert(dict(request.query_params), shape, strict=False)
    except msgspec.ValidationError as error:
        raise Refused("bad_message", f"query: {error}") from None


async def _body(server: Server, route: Route, request: Request) -> Any:
    limits = server.config.limits
    text = route.body is str
    most = limits.record_bytes if text else limits.body_bytes
    received = bytearray()
    async for chunk in request.stream():
        received += chunk
        if len(received) > most:
            raise Refused("too_large", f"at most {most} bytes")
    wanted = "text/plain" if text else "application/json"
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != wanted:
        raise Refused("bad_message", f"content-type: expected {wanted}")
    if text:
        try:
            return received.decode()
        except UnicodeDecodeError:
            raise Refused("bad_message", "the body is not UTF-8") from None
    try:
        return msgspec.json.decode(received, type=route.body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("bad_message", f"body: {error}") from None


def json_response(value: Any, status: int = 200) -> Response:
    return Response(_ENCODER.encode(value), status, media_type="application/json")


def refusal_response(refused: Refused) -> Response:
    response = json_response(Error(refused.code, str(refused)), STATUS[refused.code])
    if refused.retry is not None:
        response.headers["Retry-After"] = str(max(1, math.ceil(refused.retry)))
    if refused.code == "unauthorized":
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


async def http_error(request: Request, error: Exception) -> Response:
    """What the router itself refuses: no such address, or not with this method."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == HTTPStatus.NOT_FOUND:
        return refusal_response(Refused("not_found", "no such address"))
    response = refusal_response(Refused("method_not_allowed", "this address does not accept that method"))
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response


def address_of(scope: Any) -> str:
    """Whom limits count: the peer, or who a trusted proxy says it is; of IPv6 the first 64 bits."""
    client = scope.get("client")
    host = str(client[0]) if client else "unknown"
    if ":" not in host:
        return host
    try:
        return str(IPv6Network((host.partition("%")[0], 64), strict=False))
    except ValueError:
        return host
