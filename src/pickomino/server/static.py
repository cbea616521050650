"""The page: files under an address that changes with their content, so that an update is never half old.

``index.html`` is served at ``/`` and what lies in ``root/`` at ``/<name>`` (a service worker or a manifest
must stand there). In these, ``__STATIC__`` becomes ``/static/<version>`` and ``__VERSION__`` the version. All
else is at ``/static/<version>/<path>``, to be cached for ever; an address of another version is not found.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from pathlib import Path
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from pickomino.server.errors import Refused
from pickomino.server.http import refusal_response

_TEXT: Final = frozenset({".css", ".html", ".js", ".json", ".mjs", ".svg", ".txt", ".webmanifest", ".md"})
_TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_FOR_EVER: Final = "public, max-age=31536000, immutable"


class _File(NamedTuple):
    body: bytes
    zipped: bytes | None
    media_type: str
    tag: str


class Static:
    """Reads a folder whole; a changed file is noticed when the page is asked for again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamp: tuple[tuple[str, int, int], ...] = ()
        self._files: dict[str, _File] = {}
        self._top: dict[str, _File] = {}
        self.version = "none"

    async def page(self, request: Request) -> Response:
        """``/`` and ``/<name>`` of ``root/``."""
        self._refresh()
        found = self._top.get(request.path_params.get("name", "index.html"))
        return self._respond(request, found, "no-cache")

    async def file(self, request: Request) -> Response:
        if not self._files:
            self._refresh()
        found = None
        if request.path_params["version"] == self.version:
            found = self._files.get(request.path_params["path"])
        return self._respond(request, found, _FOR_EVER)

    @staticmethod
    def _respond(request: Request, found: _File | None, cache: str) -> Response:
        if found is None:
            return refusal_response(Refused("not_found", "no such file"))
        headers = {"Cache-Control": cache, "ETag": found.tag, "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == found.tag:
            return Response(status_code=304, headers=headers)
        body = found.body
        if found.zipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            body = found.zipped
            headers["Content-Encoding"] = "gzip"
        return Response(body, headers=headers, media_type=found.media_type)

    def _refresh(self) -> None:
        paths = (
            sorted(path for path in self._folder.rglob("*") if path.is_file())
            if self._folder.is_dir()
            else []
        )
        stamp = tuple((str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in paths)
        if stamp == self._stamp:
            return
        names = {path.relative_to(self._folder).as_posix(): path for path in paths}
        bodies = {name: path.read_bytes() for name, path in names.items()}
        digest = hashlib.sha256()
        for name, body in bodies.items():
            digest.update(f"{name}\0{len(body)}\0".encode() + body)
        self.version = digest.hexdigest()[:12]
        self._files = {name: _file(name, body) for name, body in bodies.items()}
        self._top = {
            name.removeprefix("root/"): _file(name, self._filled(name, body))
            for name, body in bodies.items()
            if name == "index.html" or (name.startswith("root/") and name.count("/") == 1)
        }
        self._stamp = stamp

    def _filled(self, name: str, body: bytes) -> bytes:
        if Path(name).suffix not in _TEXT:
            return body
        static = f"/static/{self.version}".encode()
        return body.replace(b"__STATIC__", static).replace(b"__VERSION__", self.version.encode())


def _file(name: str, body: bytes) -> _File:
    suffix = Path(name).suffix
    media_type = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    zipped = gzip.compress(body, 9, mtime=0) if suffix in _TEXT and len(body) > 600 else None
    return _File(body, zipped, media_type, f'"{hashlib.sha256(body).hexdigest()[:16]}"')
