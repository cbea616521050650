"""Pages of the documentation that are made from the code: commands, the library, messages."""

from __future__ import annotations

import importlib
import inspect
import os
import re
from collections.abc import Mapping
from types import UnionType
from typing import Any, get_args

from pickomino import cli
from pickomino.protocol.shapes import ClientMessage
from pickomino.server.api import ROUTES
from pickomino.server.http import Route
from tools.page_types import interfaces, page_types

__all__ = ["api_pages", "commands_page", "messages_page"]

PACKAGES = (
    "",
    "analysis",
    "arena",
    "bots",
    "chance",
    "envs",
    "notation",
    "play",
    "rules",
    "simulate",
    "solver",
    "testing",
    "views",
)


def commands_page() -> str:
    """Every command's help, from its parser."""
    os.environ["COLUMNS"] = "100"
    shown = ["# Commands", "`pickomino COMMAND --help` says the same.", _block(cli.overview(), "text")]
    for command in cli.COMMANDS:
        shown += [f"## {command.name}", _block(cli.command_parser(command.name)[1].format_help(), "text")]
    return "\n\n".join(shown) + "\n"


def messages_page() -> str:
    """What goes over HTTP and the WebSocket, from the routes and shapes that the server itself checks against."""
    shown = [
        "# Messages",
        "Made from the server's own routes and shapes; [the protocol](../protocol.md) says what they mean.",
        "## HTTP",
        "\n".join(["| request | | refusals of its own |", "|---|---|---|", *map(_operation, ROUTES)]),
        "## What a client sends over the WebSocket",
        _block(interfaces(get_args(ClientMessage)), "typescript"),
        "## What the server sends and answers",
        _block(page_types(), "typescript"),
    ]
    return "\n\n".join(shown) + "\n"


def _operation(route: Route) -> str:
    refusals = ", ".join(f"`{code}`" for code in route.refusals)
    return f"| `{route.method} {route.path}` | {route.summary} | {refusals} |"


def api_pages() -> dict[str, str]:
    """A page per package: its public names with signatures and docstrings, each name once."""
    pages, known = {}, set[str]()
    for package in PACKAGES:
        name = f"pickomino.{package}" if package else "pickomino"
        module = importlib.import_module(name)
        names = [each for each in module.__all__ if each not in known]
        parts = [f"# {name}", _prose(module.__doc__)]
        for each in names:
            found = getattr(module, each)
            parts += [f"## {each}", *(_described(each, found) or [f"`{each}`: {_brief(found)}"])]
        if not package:
            known |= set(module.__all__)
        pages[f"{name}.md"] = "\n\n".join(part for part in parts if part) + "\n"
    return pages


def _described(name: str, found: Any) -> list[str]:
    if inspect.isclass(found):
        made = (found.__doc__ or "").startswith(f"{name}(")  # by `dataclass`: the signature once more
        prose = "" if made else _prose(found.__doc__)
        return [_block(f"class {name}{_signature(found)}"), prose, *_members(found)]
    if callable(found) and inspect.isroutine(inspect.unwrap(found)):
        return [_block(f"{name}{_signature(found)}"), _prose(found.__doc__)]
    return []


def _members(found: type) -> list[str]:
    """Methods and properties that have something to say."""
    lines = []
    for name, member in vars(found).items():
        inner = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if name.startswith("_") or not inspect.isfunction(inner) or not inner.__doc__:
            continue
        shape = name if isinstance(member, property) else f"{name}{_signature(inner)}"
        lines.append(f"- `{shape}`: {_prose(inspect.cleandoc(inner.__doc__).split(chr(10) * 2)[0])}")
    return ["\n".join(lines)] if lines else []


def _signature(found: Any) -> str:
    try:
        text = str(inspect.signature(found))
    except (TypeError, ValueError):
        return ""
    return re.sub(r"<[^<>]*>", "…", text.replace("'", ""))


def _brief(found: Any) -> str:
    if isinstance(found, Mapping):
        return ", ".join(f"`{key}`" for key in found)
    if isinstance(found, UnionType):
        return "one of " + ", ".join(f"`{each.__name__}`" for each in get_args(found))
    text = repr(found)
    return f"`{text}`" if len(text) < 80 and "`" not in text else f"a `{type(found).__name__}`"


def _block(text: str, language: str = "python") -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def _prose(text: str | None) -> str:
    """A docstring as Markdown: examples become blocks of code, the rest is safe from being taken for markup."""
    shown, block = [], False
    for line in inspect.cleandoc(text or "").splitlines():
        code = line.startswith(">>>") or (block and line.strip() != "")
        if code != block:
            shown.append("```python" if code else "```")
        block = code
        shown.append(
            line if code or line.startswith("    ") else re.sub(r"<(?=\w)", "&lt;", line.replace("*", r"\*"))
        )
    return "\n".join([*shown, "```"] if block else shown)
