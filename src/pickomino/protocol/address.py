"""Where a table is: the links that the page shows, and the code that people say."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from pickomino.rules import PickominoError, quote

_CODE = re.compile(r"[A-Za-z0-9]{6}")


class TableAddress(NamedTuple):
    """A server, and one of its tables by id, by code, or by a seat's secret."""

    server: str
    table: str = ""
    code: str = ""
    secret: str = ""


def read_address(text: str) -> TableAddress:
    """``https://host/#table=…``, ``https://host/#seat=…``, ``host:8000/CODE``.

    >>> read_address("localhost:8000/HPQ7KM").code
    'HPQ7KM'
    """
    parts = urlsplit(text if "://" in text else f"http://{text}")
    server = f"{parts.scheme}://{parts.netloc}"
    told = {name: values[0] for name, values in parse_qs(parts.fragment).items()}
    if parts.scheme in ("http", "https") and parts.netloc:
        if "seat" in told:
            secret = told["seat"]
            return TableAddress(
                server, table=secret.split(".")[1] if secret.count(".") > 1 else "", secret=secret
            )
        if "table" in told:
            return TableAddress(server, table=told["table"])
        code = parts.path.strip("/")
        if _CODE.fullmatch(code):
            return TableAddress(server, code=code.upper())
    raise PickominoError(
        "{text}: expected the link to a table or to a seat, or a server and a code, as in localhost:8000/HPQ7KM",
        text=quote(text),
    )
