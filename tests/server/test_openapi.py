"""The OpenAPI description is true: schemathesis makes requests from it and holds the answers against it."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.server.parts import ServerProcess

# What a schema cannot say: which bots exist, that a record follows the rules, that a name is printable. These
# are refused with a described 400.
NOT_CHECKED = [positive_data_acceptance]


@pytest.fixture(scope="module")
def known(server: ServerProcess) -> dict[str, str]:
    """Things that exist, so that not every made-up address is simply not found."""
    token = server.guest()
    waiting = server.table(token, start=False, seats=4, sit=["Anna"], public=True)
    playing = server.table(token, seats=2, sit=["Anna"], bots=["random"], first="A", public=True)
    over = server.table(token, seats=2, bots=["cautious", "cautious"], pace_ms=0)
    return {
        "token": token,
        "waiting": waiting["id"],
        "playing": playing["id"],
        "game": playing["game"],
        "over": over["game"],
        "code": waiting["code"],
    }


def test_every_operation_is_as_described(server: ServerProcess, known: dict[str, str]) -> None:
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    operations = 0
    for result in schema.get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr]  # an error fails the test
        operations += 1
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            if (
                mode is GenerationMode.POSITIVE
                or operation.body
                or operation.query
                or operation.path_parameters
            ):
                _try(operation, known, mode)
    assert operations == 33
    server.no_mistakes()


def _try(operation: Any, known: dict[str, str], mode: GenerationMode) -> None:
    real = {
        "table": [known["waiting"], known["playing"]],
        "game": [known["game"], known["over"]],
        "code": [known["code"]],
    }
    count = 0

    @settings(
        max_examples=15,
        phases=[Phase.explicit, Phase.generate],
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def attempt(case: Any) -> None:
        nonlocal count
        count += 1
        parameters = dict(case.path_parameters or {})
        for name, values in real.items():
            if name in parameters and count % 3 and mode is GenerationMode.POSITIVE:
                parameters[name] = values[count % len(values)]
        case.path_parameters = parameters
        headers = {"Authorization": f"Bearer {known['token']}"} if count % 4 else {}
        response = case.call(headers=headers)
        assert response.status_code < 500, response.text
        case.validate_response(response, excluded_checks=NOT_CHECKED)

    attempt()
    assert count > 0


def test_the_checks_are_those_meant() -> None:
    names = set(CHECKS.get_all_names())
    assert {"not_a_server_error", "status_code_conformance", "response_schema_conformance"} <= names


def test_the_description_is_whole(server: ServerProcess) -> None:
    description = server.ok("GET", "/api/openapi.json")
    assert description["openapi"] == "3.1.0"
    names = [op["operationId"] for path in description["paths"].values() for op in path.values()]
    assert len(names) == len(set(names))
    text = str(description)
    for reference in set(_references(description)):
        assert reference.removeprefix("#/components/schemas/") in description["components"]["schemas"]
    assert "secret" in text


def _references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [found for item in value.values() for found in _references(item)]
    if isinstance(value, list):
        return [found for item in value for found in _references(item)]
    return []
