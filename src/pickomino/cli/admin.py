"""Look after a table server while it runs: who plays, close, ban, hand over a seat, delete a guest."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from pickomino.cli.common import demand_writable, one_line, print_json, reason
from pickomino.cli.parsing import CommandError, Parser
from pickomino.locale import local, t
from pickomino.protocol import ServerRefusal, TableHost


class _Want(NamedTuple):
    """How many names a command takes, and what they are."""

    least: int
    most: int
    names: str


_COMMANDS: Final = {
    "list": _Want(0, 0, ""),
    "stats": _Want(0, 0, ""),
    "close": _Want(1, 1000, "TABLE ..."),
    "seat": _Want(2, 3, "TABLE SEAT [GUEST]"),
    "ban": _Want(1, 1, "WHO"),
    "unban": _Want(1, 1, "WHO"),
    "bans": _Want(0, 0, ""),
    "export": _Want(1, 1, "GUEST"),
    "delete": _Want(1, 1, "GUEST"),
}


def add_arguments(parser: Parser) -> None:
    parser.explain(
        t(
            "Look after a table server while it runs: who plays, close, ban, hand over a seat, delete a guest."
        ),
        t("""commands:
  list                          open tables (--closed: closed ones too), with guests and addresses
  stats                         counts of guests, tables, games and connections
  close TABLE ...               close tables, by code or id; games in progress end there
  seat TABLE SEAT [GUEST]       give a person's seat to another guest, or to whoever opens the link shown
  ban WHO, unban WHO, bans      ban a guest or an address (--days N, otherwise for ever); bots play on
  export GUEST                  everything stored about a guest, as JSON (--output FILE)
  delete GUEST                  delete a guest and the games that nobody else played"""),
        t(
            "On the machine of a server with SQLite it uses a file beside the database; anyone who "
            "may not read that file needs the server's setting admin_token. What cannot be undone "
            "asks for confirmation, or needs --yes."
        ),
        examples=(
            ("pickomino admin list", ""),
            ("pickomino admin --database /var/lib/pickomino/pickomino.db close HPQ7KM", ""),
            (
                "pickomino admin --server https://play.example stats",
                t("the token from PICKOMINO_ADMIN_TOKEN"),
            ),
        ),
    )
    parser.add_argument("command", choices=_COMMANDS, metavar="COMMAND", help=t("see below"))
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=t("a table, guest, address or seat, see below")
    )
    parser.file("--database", t("the server's SQLite file (default: PICKOMINO_DATABASE, pickomino.db)"))
    parser.add_argument("--server", metavar="URL", help=t("a server elsewhere, such as https://play.example"))
    parser.flag("--closed", t("list: include closed tables"))
    parser.number("--days", 1, 36_500, t("ban: for this many days"))
    parser.file("--output", t("export: where to (default: stdout)"))
    parser.flag("--yes", t("do not ask"))
    parser.flag("--json", t("answer as JSON"))


class _Server(TableHost):
    """The running server, as its operator sees it."""

    def text(self, method: str, path: str, body: Any = None) -> str:
        try:
            return super().text(method, f"/api/admin/{path}", body)
        except ServerRefusal as error:
            if error.told:
                raise CommandError("refused: {error}", 1, error=error.told) from None
            raise CommandError(local(error), 1) from None


def _server(args: argparse.Namespace) -> _Server:
    token = os.environ.get("PICKOMINO_ADMIN_TOKEN", "")
    database = args.database or os.environ.get("PICKOMINO_DATABASE") or "pickomino.db"
    if args.server is not None:
        if not args.server.startswith(("http://", "https://")):
            raise CommandError(
                "--server {server!r}: expected an address such as https://play.example", server=args.server
            )
        if not token:
            raise CommandError(t("--server needs the server's admin_token in PICKOMINO_ADMIN_TOKEN"))
        return _Server(args.server, token)
    if token and args.database is None:
        return _Server(f"http://127.0.0.1:{os.environ.get('PICKOMINO_PORT') or 8000}", token)
    key = Path(f"{database}.admin")
    try:
        found = json.loads(key.read_text())
        return _Server(f"http://127.0.0.1:{found['port']}", found["token"])
    except FileNotFoundError:
        raise CommandError(
            "no server runs on {database!r}, since {key!r} is not there; name another with "
            "--database or --server",
            1,
            database=database,
            key=str(key),
        ) from None
    except OSError as error:
        raise CommandError(
            "cannot read {key!r}: {strerror}; its owner can", 1, key=str(key), strerror=reason(error)
        ) from None


def run(args: argparse.Namespace) -> int:
    want = _COMMANDS[args.command]
    if not want.least <= len(args.names) <= want.most:
        raise CommandError(
            "{command}: expected {names}", command=args.command, names=want.names or "nothing else"
        )
    if args.output is not None:
        demand_writable("--output", args.output)
    server, names = _server(args), [quote(name, safe="") for name in args.names]
    if args.command == "export":
        _export(server.text("GET", f"guests/{names[0]}/export"), args.output)
        return 0
    answer = _answer(server, args, names)
    if args.json:
        print_json(answer)
        return 0
    for line in _TOLD[args.command](answer):
        print(one_line(line))
    return 0


def _answer(server: _Server, args: argparse.Namespace, names: list[str]) -> Any:
    shown = " ".join(args.names)
    match args.command:
        case "list":
            return server.ask("GET", f"tables?closed={str(args.closed).lower()}")["tables"]
        case "stats":
            return server.ask("GET", "statistics")
        case "bans":
            return server.ask("GET", "bans")["bans"]
        case "unban":
            return server.ask("DELETE", f"bans/{names[0]}")["bans"]
        case "close":
            _confirm(args, t("Close {shown}? Games in progress there will end.", shown=shown))
            return [server.ask("POST", f"tables/{name}/close") for name in names]
        case "seat":
            _confirm(args, t("Hand over {shown}? Whoever has the seat now loses it.", shown=shown))
            to = {"guest": args.names[2]} if len(names) == 3 else {}
            found = server.ask("POST", f"tables/{names[0]}/seats/{names[1]}", to)
            return found | {"link": f"{server.url}/{found['link']}"}
        case "ban":
            _confirm(args, t("Ban {shown}? Bots will play on for them.", shown=shown))
            return server.ask("PUT", f"bans/{names[0]}", {"days": args.days})
        case _:
            _confirm(args, t("Delete guest {shown} for ever?", shown=shown))
            return server.ask("DELETE", f"guests/{names[0]}")


def _confirm(args: argparse.Namespace, question: str) -> None:
    if args.yes:
        return
    if not (sys.stdin is not None and sys.stdin.isatty()):
        raise CommandError("{command}: this cannot be undone; add --yes if you mean it", command=args.command)
    print(f"{one_line(question)} [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes", t("y"), t("yes")):
        raise CommandError(t("nothing done"), 1)


def _export(text: str, path: str | None) -> None:
    if path is None:
        sys.stdout.write(text + "\n")
    else:
        Path(path).write_bytes(text.encode())


# --- for people ---


def _tables(tables: Any) -> list[str]:
    lines = []
    for table in tables:
        kind = [t("public")] if table["public"] else []
        places = ", ".join(table["addresses"])
        where = "   " + t("from {addresses}", addresses=places) if places else ""
        edition = table["edition"] if "\n" not in table["edition"] else t("house edition")
        used = t("used {time} ago", time=_ago(table["used"]))
        facts = ", ".join([table["phase"], *kind, edition, used, f"id {table['id']}"])
        lines.append(f"{table['code']}  {facts}{where}")
        lines += [f"    {_seat(seat)}" for seat in table["seats"]]
    return lines or [t("no tables")]


def _seat(seat: Any) -> str:
    if seat["guest"] is None:
        return f"{seat['seat']}  {t('bot {name}', name=seat['bot']) if seat['bot'] else t('empty')}"
    there = t("here") if seat["connected"] else t("away")
    return f"{seat['seat']}  {seat['name']}, {there}, {t('guest {id}', id=seat['guest'])}"


def _statistics(found: Any) -> list[str]:
    phases = ", ".join(f"{count} {phase}" for phase, count in sorted(found["tables"].items())) or t("none")
    return [
        t("version {version}, up {time}", version=found["version"], time=_ago(found["started"])),
        t(
            "connections {n}, tables in memory {tables}",
            n=found["connections"],
            tables=found["tables_in_memory"],
        ),
        t("guests {n}, tables {tables}", n=found["guests"], tables=phases),
        t(
            "games {n}, finished {finished}, begun today {today}, log entries {entries}",
            n=found["games"],
            finished=found["games_finished"],
            today=found["games_today"],
            entries=found["entries"],
        ),
    ]


def _ago(when: float) -> str:
    seconds = max(0, round(time.time() - when))
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def _ban(ban: Any) -> str:
    if ban["until"] is None:
        return t("{who} is banned for ever", who=ban["who"])
    until = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(ban["until"]))
    return t("{who} is banned until {time}", who=ban["who"], time=until)


_TOLD: Final[dict[str, Callable[[Any], list[str]]]] = {
    "list": _tables,
    "stats": _statistics,
    "bans": lambda bans: list(map(_ban, bans)) or [t("nobody is banned")],
    "unban": lambda bans: list(map(_ban, bans)) or [t("nobody is banned any more")],
    "close": lambda tables: [t("{code} is closed", code=table["code"]) for table in tables],
    "seat": lambda found: [
        t("seat {seat} belongs to guest {guest} now; whoever opens this plays it:", **found),
        found["link"],
    ],
    "ban": lambda ban: [_ban(ban)],
    "delete": lambda erased: [
        t(
            "guest {guest} is deleted: {tables} tables left or closed, {games} games deleted, "
            "{kept} kept for others without the name",
            guest=erased["guest"],
            tables=erased["tables"],
            games=erased["games_deleted"],
            kept=erased["games_kept"],
        )
    ],
}
