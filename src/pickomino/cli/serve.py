"""Run a table server: friends open a link, sit down and play."""

from __future__ import annotations

import argparse
import errno
import os
import socket
import sqlite3
from pathlib import Path

from pickomino.cli.parsing import CommandError, Parser
from pickomino.locale import t


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t("Run a table server: friends open a link, sit down and play."),
        t(
            "Settings come from the file, then from variables like PICKOMINO_PORT, then from these "
            "options; docs/operations.md lists them all."
        ),
        examples=(
            ("pickomino serve", t("on this machine, http://127.0.0.1:8000")),
            ("pickomino serve --open", t("the same, and open the page in the browser")),
            ("pickomino serve --lan", t("for the home network; phones scan the code that is shown")),
            ("pickomino serve --host 0.0.0.0 --port 9000", t("for the whole network")),
            ("pickomino serve --config server.toml", t("settings from a file")),
            (
                "pickomino serve --database games.db --backup copy.db",
                t("copy a database, even one in use, and exit"),
            ),
            (
                "pickomino serve --database games.db --backup copies/ --keep 14",
                t("the same, keeping the newest 14"),
            ),
            ("pickomino serve --database games.db --restore copy.db", t("restore a copy, and exit")),
            (
                "pickomino serve --database postgresql://host/games --redis redis://host",
                t("one of many processes"),
            ),
        ),
    )
    parser.add_argument("--host", metavar="ADDRESS", help=t("address to listen on (default: 127.0.0.1)"))
    parser.number("--port", 0, 65535, t("port (default: 8000; 0: any free one)"))
    parser.file(
        "--database", t("SQLite file (default: pickomino.db), or postgresql://… for a shared database")
    )
    parser.add_argument(
        "--redis", metavar="URL", help=t("redis://… for hints between processes that share a database")
    )
    parser.file("--config", t("settings file (TOML)"))
    parser.add_argument(
        "--origin",
        metavar="URL",
        action="append",
        dest="origins",
        help=t("also allow pages from this origin; may be repeated"),
    )
    parser.add_argument(
        "--proxy",
        metavar="ADDRESS",
        action="append",
        dest="proxies",
        help=t("trust X-Forwarded-For from this address; may be repeated"),
    )
    parser.add_argument(
        "--log", choices=("json", "plain"), help=t("how to log (default: plain at a terminal, else json)")
    )
    parser.add_argument(
        "--log-level", choices=("debug", "info", "warning", "error"), help=t("(default: info)")
    )
    parser.add_argument("--web", metavar="FOLDER", help=t("serve this page instead of the built-in one"))
    parser.flag("--lan", t("listen on the home network and show the address as a QR code"))
    parser.flag("--open", t("open the page in the browser"))
    parser.add_argument(
        "--backup", metavar="PATH", help=t("copy the database to this file, or into this folder, and exit")
    )
    parser.number("--keep", 1, 10_000, t("keep only the newest N copies in the folder"))
    parser.file("--restore", t("replace the database with this copy and exit"))


def run(args: argparse.Namespace) -> int:
    # Bots value some hundred positions at a time. Shared among the cores that is slower, and cores that wait for each
    # other do so in busy loops, while moves of others wait for them. NumPy reads it when it is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from pickomino.server import config as settings
        from pickomino.server.run import is_address, serve
        from pickomino.server.storage.copies import back_up, restore
    except ModuleNotFoundError as error:
        raise CommandError("serve needs {name}: install pickomino[table]", 1, name=error.name) from None
    own = ("config", "backup", "keep", "restore", "lan", "open", "lang")
    flags = {name: value for name, value in vars(args).items() if name not in own}
    if args.lan and flags.get("host") is None:
        flags["host"] = "0.0.0.0"
    try:
        config = settings.load(Path(args.config) if args.config else None, flags=flags)
    except settings.ConfigError as error:
        raise CommandError(str(error)) from None
    if args.backup is not None or args.restore is not None:
        if is_address(config.database):
            raise CommandError(t("--backup and --restore copy SQLite files; PostgreSQL has pg_dump"))
        try:
            if args.backup is not None:
                back_up(Path(config.database), Path(args.backup), args.keep)
            else:
                restore(Path(args.restore), Path(config.database))
        except (OSError, RuntimeError, sqlite3.Error) as error:
            raise CommandError(
                "cannot copy {restore!r}: {error}", 1, restore=args.restore or config.database, error=error
            ) from None
        return 0
    _demand_free(config.host, config.port)
    if args.lan or args.open:
        from pickomino.cli.inviting import invite

        invite(config.port, lan=args.lan, browser=args.open)
    try:
        return serve(config, at_home=args.lan)
    except settings.ConfigError as error:
        raise CommandError(str(error)) from None
    except ModuleNotFoundError as error:
        extra = {"psycopg": "postgres", "psycopg_pool": "postgres", "redis": "redis"}.get(error.name or "")
        if extra is None:
            raise
        raise CommandError(
            "serve needs {name}: install pickomino[table,{extra}]", 1, name=error.name, extra=extra
        ) from None


def _demand_free(host: str, port: int) -> None:
    """One clear line where somebody else listens already, before anything else is begun."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":  # elsewhere it would share the port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CommandError(
                "port {port} is taken; try --port {other}", 1, port=port, other=port + 1
            ) from None
