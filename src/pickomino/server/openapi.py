"""The OpenAPI 3.1 description, made from the routes themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final

import msgspec

from pickomino import __version__
from pickomino.protocol.bodies import Error
from pickomino.server.errors import STATUS, Code
from pickomino.server.http import Route

_PATH_SHAPES: Final = {
    "table": {"type": "string", "pattern": "^[0-9a-z]{20}$"},
    "game": {"type": "string", "pattern": "^[0-9a-z]{20}$"},
    "seat": {"type": "string", "pattern": "^[A-G]$"},
    "drill": {"type": "string", "pattern": "^[0-9a-f]{12}$"},
    "code": {"type": "string", "pattern": "^[0-9A-Za-z]{6}$"},
}
_ALWAYS: Final[tuple[Code, ...]] = ("rate_limited", "unavailable")


def describe_api(routes: Sequence[Route]) -> dict[str, Any]:
    shapes = {
        shape for route in routes for shape in (route.answer, route.body, route.query) if _is_struct(shape)
    }
    wanted = [Error, *sorted(shapes, key=lambda shape: shape.__name__)]
    found, components = msgspec.json.schema_components(wanted, ref_template="#/components/schemas/{name}")
    schemas = dict(zip(wanted, found, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas, components)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Pickomino table server",
            "version": __version__,
            "description": "What is not live; moves and dice go over the WebSocket (docs/protocol.md).",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "guest": {"type": "http", "scheme": "bearer", "description": "A guest's token"}
            },
        },
    }


def _is_struct(shape: Any) -> bool:
    return isinstance(shape, type) and issubclass(shape, msgspec.Struct)


def _operation(route: Route, schemas: dict[Any, Any], components: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "summary": route.summary,
        "operationId": route.handler.__name__,
        "parameters": [*_path_parameters(route), *_query_parameters(route, components)],
        "responses": {str(route.status): _content(route.summary, route.answer, schemas)},
    }
    if route.body is not None:
        operation["requestBody"] = {"required": True, **_content("", route.body, schemas)}
        del operation["requestBody"]["description"]
    if route.auth == "guest":
        operation["security"] = [{"guest": []}]
    elif route.auth == "optional":
        operation["security"] = [{}, {"guest": []}]
    for status, codes in _refusals(route).items():
        error = _content(f"Refused: {', '.join(codes)}", Error, schemas)
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            error["headers"] = {"Retry-After": {"schema": {"type": "integer"}, "description": "seconds"}}
        operation["responses"][str(status)] = error
    return operation


def _refusals(route: Route) -> dict[int, list[Code]]:
    codes: list[Code] = [*route.refusals, *_ALWAYS]
    if route.auth != "none":
        codes.append("unauthorized")
    if route.body is not None:
        codes += ["bad_message", "too_large"]
    if route.query is not None:
        codes.append("bad_message")
    found: dict[int, list[Code]] = {}
    for code in dict.fromkeys(codes):
        found.setdefault(int(STATUS[code]), []).append(code)
    return dict(sorted(found.items()))


def _path_parameters(route: Route) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": _PATH_SHAPES[name]}
        for name in re.findall(r"{(\w+)}", route.path)
    ]


def _query_parameters(route: Route, components: dict[str, Any]) -> list[dict[str, Any]]:
    if route.query is None:
        return []
    schema = (
        components.pop(route.query.__name__, None) or msgspec.json.schema(route.query)["$defs"].popitem()[1]
    )
    return [
        {"name": name, "in": "query", "required": False, "schema": shape}
        for name, shape in schema["properties"].items()
    ]


def _content(description: str, shape: Any, schemas: dict[Any, Any]) -> dict[str, Any]:
    if shape is str:
        return {"description": description, "content": {"text/plain": {"schema": {"type": "string"}}}}
    return {"description": description, "content": {"application/json": {"schema": schemas[shape]}}}
