"""The types of what the page is sent:   python tools/page_types.py

Writes ``messages.d.ts`` from the schema of the server's messages and answers, where `tools/page/tsconfig.json` finds it
beside the page's modules; ``tsc --checkJs`` holds the page to it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from pickomino.protocol import bodies, shapes
from pickomino.server import study_shapes

_TYPES = Path(__file__).parent / "page/types/messages.d.ts"
_SENT = (
    *(shapes.StatePush, shapes.TablePush, shapes.ReactionPush, shapes.Bye, shapes.Ok, shapes.Failed),
    *(shapes.TableAndYou, shapes.TableList, shapes.GameList, bodies.ReplayPage, bodies.Advice, bodies.About),
    *(study_shapes.ReviewInfo, study_shapes.DrillList, study_shapes.Judged, study_shapes.Ten),
    *(study_shapes.TenResult, study_shapes.CoachWord),
)
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def page_types() -> str:
    """The text of the file."""
    return interfaces(_SENT)


def interfaces(types: Sequence[Any]) -> str:
    """The types, and those that they are made of, as TypeScript."""
    components = msgspec.json.schema_components(types, ref_template="{name}")[1]
    shown = []
    for name, schema in sorted(components.items()):
        required = schema.get("required", [])
        fields = [
            f"  {key}{'' if key in required else '?'}: {_type(kind)};"
            for key, kind in schema["properties"].items()
        ]
        shown.append("\n".join([f"export interface {name} {{", *fields, "}"]))
    return "\n\n".join(shown) + "\n"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(map(_type, schema["anyOf"]))
    kind = schema.get("type")
    if "prefixItems" in schema:
        return f"[{', '.join(map(_type, schema['prefixItems']))}]"
    if kind == "array":
        item = _type(schema["items"])
        return f"({item})[]" if " " in item else f"{item}[]"
    if kind == "object":
        return f"Record<string, {_type(schema.get('additionalProperties', {}))}>"
    return _PLAIN[kind] if kind else "any"


if __name__ == "__main__":
    _TYPES.parent.mkdir(exist_ok=True)
    _TYPES.write_text(page_types(), "utf-8")
