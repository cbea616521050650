"""What docs/ says about the protocol is what the server does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from pickomino.play.entries import Entry
from pickomino.protocol import bodies, shapes
from pickomino.rules.events import Event
from pickomino.server.api import ROUTES
from pickomino.server.config import Config, Limits
from pickomino.server.describe import _SHAPES
from pickomino.server.errors import Code
from pickomino.views import View
from tests.server.parts import ServerProcess

DOCS = Path(__file__).parents[2] / "docs"
PROTOCOL = (DOCS / "protocol.md").read_text()


def _examples() -> list[dict[str, Any]]:
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PROTOCOL, re.DOTALL)]


def test_examples_of_messages_have_the_right_shape() -> None:
    kinds = set()
    for example in _examples():
        if "id" in example and example.get("t") in (
            "hello",
            "move",
            "resign",
            "react",
            "ping",
            "tip",
            "value",
        ):
            if example["t"] == "hello":
                example["d"]["seats"] = []
            msgspec.convert(example, shapes.ClientMessage)
            kinds.add(example["t"])
    assert kinds == {"hello", "move", "resign", "react", "ping", "tip", "value"}


def test_examples_of_objects_have_the_right_fields() -> None:
    table = next(example for example in _examples() if "code" in example and "rev" in example)
    msgspec.convert(table, shapes.TableInfo)
    assert set(table) == {field.name for field in msgspec.structs.fields(shapes.TableInfo)}
    summary = next(example for example in _examples() if "players" in example)
    msgspec.convert(summary, shapes.Summary)
    settings = next(example for example in _examples() if "sit" in example)
    msgspec.convert(settings, bodies.NewTable)
    assert set(settings) == {field.name for field in msgspec.structs.fields(bodies.NewTable)}
    chains = next(example for example in _examples() if "chains" in example)["chains"]
    msgspec.convert(chains, shapes.ChainsInfo)
    assert set(chains) == {field.name for field in msgspec.structs.fields(shapes.ChainsInfo)}
    state = next(example for example in _examples() if example.get("t") == "state")["d"]
    assert set(state) == {field.encode_name for field in msgspec.structs.fields(shapes.State)}


@pytest.mark.parametrize(
    "code", [code for code in get_args(Code) if code not in ("internal", "method_not_allowed")]
)
def test_every_code_is_told(code: str) -> None:
    assert f"`{code}`" in PROTOCOL


def test_every_operation_event_entry_and_field_is_told() -> None:
    for route in ROUTES:
        assert f"`{route.method} {route.path}" in PROTOCOL, route.path
    for name, fields in _SHAPES.values():
        assert f"`{name}`" in PROTOCOL
        if name != "game_over":
            assert all(f"`{field}`" in PROTOCOL for field, _ in fields)
    assert len(_SHAPES) == len(get_args(Event))
    assert len(get_args(Entry)) == 11
    for field in View.__annotations__:
        assert f"`{field}`" in PROTOCOL, field
    for reaction in get_args(shapes.Reaction):
        assert f"`{reaction}`" in PROTOCOL


def test_the_example_client_plays_a_game_in_forty_lines(server: ServerProcess) -> None:
    script = DOCS / "example_client.py"
    assert len(script.read_text().splitlines()) <= 40
    done = subprocess.run(
        [sys.executable, str(script), server.url], capture_output=True, text=True, timeout=60, check=True
    )
    assert re.fullmatch(r"winners: \[.*\] scores: \[.*\]\n", done.stdout)


def test_every_setting_and_figure_is_told(server: ServerProcess) -> None:
    text = (DOCS / "operations.md").read_text()
    for field in msgspec.structs.fields(Config):
        assert field.name == "limits" or f"`{field.name}`" in text, field.name
    for field in msgspec.structs.fields(Limits):
        assert f"`{field.name}`" in text, field.name
    for name in set(re.findall(r"^# TYPE (\w+)", server.ok("GET", "/metrics"), re.MULTILINE)):
        assert name in text or name == "pickomino_start_time_seconds", name
