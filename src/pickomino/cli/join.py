"""Play at a table on a server, with people in the browser."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import platformdirs

from pickomino.cli.parsing import CommandError, Parser
from pickomino.cli.play import add_theme, full_screen, theme_of
from pickomino.files import replacing
from pickomino.locale import spoken, t
from pickomino.protocol import ServerRefusal, TableAddress, TableHost, read_address
from pickomino.rules import find_edition


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t("Play at a table on a server, with people in the browser."),
        t(
            "Use the invitation link that the page shows; a link to a seat brings you back to it "
            "from any device. This machine remembers who you are, so the same command brings you "
            "back."
        ),
        examples=(
            ("pickomino join https://play.example/#table=k3v9xq2m7t4w8zbd --name Anna", ""),
            ("pickomino join localhost:8000/HPQ7KM", t("a server and the code of a table")),
        ),
    )
    parser.add_argument("url", metavar="URL", help=t("the link to a table or a seat, or server and code"))
    parser.add_argument("--name", metavar="NAME", help=t("your name at the table (default: Player)"))
    add_theme(parser)


def run(args: argparse.Namespace) -> int:
    address = read_address(args.url)
    args.plain = False
    if not full_screen(args):
        raise CommandError(t("join needs a terminal and Textual: pip install 'pickomino[terminal]'"), 1)
    host, table = sit_down(address, args.name or t("Player"))
    from pickomino.terminal.joining import JoinApp

    app = JoinApp(host, table, address.secret, theme=theme_of(args), language=spoken())
    app.run()
    print(t("The table is still there: {command}", command=f"pickomino join {args.url}"), file=sys.stderr)
    return 0


def sit_down(address: TableAddress, name: str) -> tuple[TableHost, str]:
    """Be a guest of the server, old or new, and take a seat unless one has one already or brings a secret."""
    known = _guests()
    host = TableHost(address.server, known.get(address.server, ""))
    if host.token:
        try:
            host.ask("GET", "/api/me")
        except ServerRefusal as error:
            if error.code != "unauthorized":
                raise
            host.token = ""
    table = address.table or host.ask("GET", f"/api/codes/{address.code}")["table"]
    if address.secret:
        host.token = ""
        _learn_edition(host.ask("GET", f"/api/tables/{table}")["table"])
        return host, table
    if not host.token:
        host.token = host.ask("POST", "/api/guests", {"name": name})["token"]
        _remember(known | {address.server: host.token})
    found = host.ask("GET", f"/api/tables/{table}")
    _learn_edition(found["table"])
    you = found["you"]
    if not you or not you["seats"]:
        host.ask("POST", f"/api/tables/{table}/seats", {"name": name})
    return host, table


def _learn_edition(table: dict[str, Any]) -> None:
    """A house edition comes with its table; a name that is unknown here says so before one sits down."""
    if table["house"] is not None:
        find_edition(table["house"]["text"])
    find_edition(table["edition"])


def _file() -> Path:
    return Path(platformdirs.user_state_dir("pickomino", appauthor=False)) / "guests.json"


def _guests() -> dict[str, str]:
    """Server -> the token of the guest that one is there."""
    try:
        found = json.loads(_file().read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(server): str(token) for server, token in found.items()} if isinstance(found, dict) else {}


def _remember(guests: dict[str, str]) -> None:
    try:
        _file().parent.mkdir(parents=True, exist_ok=True)
        with replacing(_file(), mode=0o600) as file:
            file.write(json.dumps(guests, indent=0).encode())
    except OSError:
        return  # then the seat's link is the way back
