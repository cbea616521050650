"""A server's HTTP side, with what a guest needs there."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any, Final

from pickomino.rules import PickominoError, said

PATIENCE: Final = 20.0  # seconds


class ServerRefusal(PickominoError):
    """The server said no; `code` is for programs, `told` is what it said itself."""

    def __init__(self, message: str, code: str, told: str = "") -> None:
        super().__init__(message)
        self.code: Final = code
        self.told: Final = told


class TableHost:
    """One server, as one guest sees it."""

    def __init__(self, url: str, token: str = "") -> None:
        self.url: Final = url.rstrip("/")
        self.token = token

    def text(self, method: str, path: str, body: Any = None) -> str:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return str(answer.read().decode())
        except urllib.error.HTTPError as error:
            raise _refusal(error) from None
        except (OSError, HTTPException, ValueError) as error:
            why = getattr(error, "reason", error)
            raise ServerRefusal(
                said("no server answers at {url}: {why}", url=self.url, why=str(why)), "unreachable"
            ) from None

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        try:
            return json.loads(self.text(method, path, body))
        except ValueError as error:
            if isinstance(error, PickominoError):
                raise
            raise ServerRefusal(said("{url} is no table server", url=self.url), "bad_answer") from None


def _refusal(error: urllib.error.HTTPError) -> ServerRefusal:
    try:
        told = json.load(error)
        code, message = str(told["code"]), str(told["message"])
    except (ValueError, KeyError, TypeError):
        code, message = "bad_answer", f"{error.code} {error.reason}"
    words = {
        "not_found": said("there is no such table"),
        "table_full": said("the table is full"),
        "already_started": said("the game has begun, and no seat is free"),
        "unauthorized": said("the server does not know this guest or this secret any more"),
        "rate_limited": said("too many requests; try again in a moment"),
        "unavailable": said("the server is busy; try again in a moment"),
    }
    return ServerRefusal(words.get(code) or message, code, message)
