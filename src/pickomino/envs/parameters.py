"""An edition in one text, for where parameters are texts: OpenSpiel's games."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from pickomino.rules import EDITIONS, Edition, Face, InvalidEditionError, PickominoError, find_edition


def edition_parameter(edition: Edition) -> str:
    """The key of a known edition, or all that is not as in ``classic``, as JSON with ``;`` for ``,``.

    >>> edition_parameter(Edition("tiny", ((4, 1), (5, 2)), dice=3))
    '{"key":"tiny";"tiles":[[4;1];[5;2]];"dice":3}'
    """
    try:
        if find_edition(edition.key) == edition:
            return edition.key
    except InvalidEditionError:
        pass
    usual = EDITIONS["classic"]
    values = {item.name: getattr(edition, item.name) for item in fields(Edition) if item.init}
    other = {name: value for name, value in values.items() if value != getattr(usual, name)}
    return json.dumps(other, default=sorted, separators=(";", ":"))  # OpenSpiel ends a parameter at a comma


def read_edition(text: str) -> Edition:
    """The way back."""
    if not text.startswith("{"):
        return find_edition(text)
    try:
        values: dict[str, Any] = {"key": "own"} | json.loads(text.replace(";", ","))
        if "tiles" not in values:
            values["tiles"] = EDITIONS["classic"].tiles
        for name in ("tiles", "specialists"):
            if name in values:
                values[name] = tuple((first, second) for first, second in values[name])
        for name in ("faces", "golden_die"):
            if name in values:
                values[name] = tuple(Face(*face) for face in values[name])
        if "exact_only" in values:
            values["exact_only"] = frozenset(values["exact_only"])
        return Edition(**values)
    except PickominoError:
        raise
    except (TypeError, ValueError, AttributeError) as error:
        raise InvalidEditionError(
            f"edition {text!r}: expected what edition_parameter writes ({error})"
        ) from None
