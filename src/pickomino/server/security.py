"""Headers that every answer carries, and who may talk to the server from a browser."""

from __future__ import annotations

import re
import socket
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from pickomino.server.config import Config
from pickomino.server.errors import Refused
from pickomino.server.http import refusal_response
from pickomino.server.wire import Message, Receive, Send

_HOST: Final = re.compile(rb"[A-Za-z0-9.:\[\]-]{1,255}")
_FIXED: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def _policy(host: bytes) -> bytes:
    """Scripts, styles and pictures from here only, nothing inline. Some browsers do not count a WebSocket of
    the same host as 'self', so it is named."""
    sockets = b" ws://%b wss://%b" % (host, host) if _HOST.fullmatch(host) else b""
    return (
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        b"media-src 'self'; manifest-src 'self'; worker-src 'self'; connect-src 'self'" + sockets + b"; "
        b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _header(scope: Any, wanted: bytes) -> bytes | None:
    return next((value for name, value in scope["headers"] if name == wanted), None)


def origin_allowed(scope: Any, origins: Sequence[str]) -> bool:
    """A browser says where its page is from: this host, or one of those allowed. Tools say nothing."""
    origin = _header(scope, b"origin")
    if origin is None:
        return True
    text = origin.decode("latin-1")
    if text in origins:
        return True
    host = (_header(scope, b"host") or b"").decode("latin-1")
    return bool(host) and urlsplit(text).netloc.lower() == host.lower()


class Hosts:
    """The names that a server answers to. A page of another name whose address has become ours (DNS rebinding) would
    pass for one of our own."""

    def __init__(self, config: Config) -> None:
        named = {urlsplit(origin).hostname or "" for origin in config.origins} | set(config.hosts)
        self._names = {name.lower() for name in named} | {"localhost", socket.gethostname().lower()}
        self._any = bool(config.proxies) and not config.hosts  # a proxy sends on what is meant for us

    def allowed(self, scope: Any) -> bool:
        given = (_header(scope, b"host") or b"").decode("latin-1").lower()
        name = urlsplit(f"//{given}").hostname if _HOST.fullmatch(given.encode("latin-1")) else None
        if name is None:
            return False
        try:
            return self._any or name in self._names or bool(ip_address(name))
        except ValueError:
            return False


class SecurityHeaders:
    """Wraps the HTTP application."""

    def __init__(self, app: Any, config: Config, hosts: Hosts) -> None:
        self._app = app
        self._origins = config.origins
        self._hosts = hosts

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        policy = _policy(_header(scope, b"host") or b"")
        secure = scope.get("scheme") == "https"

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message["headers"])
                given = {name for name, _ in headers}
                headers += _FIXED
                headers.append((b"content-security-policy", policy))
                if b"cache-control" not in given:
                    headers.append((b"cache-control", b"no-store"))
                if secure:
                    headers.append((b"strict-transport-security", b"max-age=31536000"))
                message["headers"] = headers
            await send(message)

        refused = self._refused(scope)
        answer = self._app if refused is None else refusal_response(refused)
        await answer(scope, receive, with_headers)

    def _refused(self, scope: Any) -> Refused | None:
        names = {name for name, _ in scope["headers"]}
        if {b"content-length", b"transfer-encoding"} <= names:
            return Refused("bad_message", "a request has one length: Content-Length or Transfer-Encoding")
        if not self._hosts.allowed(scope):
            return Refused("forbidden", "the server does not answer to this name: see the setting hosts")
        if scope["method"] not in _SAFE and not origin_allowed(scope, self._origins):
            return Refused("forbidden", "this origin is not allowed")
        return None
