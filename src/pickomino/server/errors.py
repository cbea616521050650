"""Refusals: a code for programs, a sentence for people, and the HTTP status that goes with the code."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from typing import Any, Final, Literal, TypeAlias, TypeVar, get_args

from pickomino.notation import parse_move
from pickomino.rules import Move, PickominoError
from pickomino.server.storage.base import Unavailable, Unsure

T = TypeVar("T")

Code: TypeAlias = Literal[
    "bad_message",
    "unauthorized",
    "forbidden",
    "not_found",
    "table_full",
    "seats_empty",
    "already_started",
    "not_started",
    "not_over",
    "game_over",
    "not_your_turn",
    "stale_version",
    "illegal_move",
    "too_large",
    "rate_limited",
    "unavailable",
    "method_not_allowed",
    "internal",
]

STATUS: Final[dict[Code, HTTPStatus]] = dict.fromkeys(get_args(Code), HTTPStatus.CONFLICT) | {
    "bad_message": HTTPStatus.BAD_REQUEST,
    "unauthorized": HTTPStatus.UNAUTHORIZED,
    "forbidden": HTTPStatus.FORBIDDEN,
    "not_found": HTTPStatus.NOT_FOUND,
    "too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "rate_limited": HTTPStatus.TOO_MANY_REQUESTS,
    "unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
    "method_not_allowed": HTTPStatus.METHOD_NOT_ALLOWED,
    "internal": HTTPStatus.INTERNAL_SERVER_ERROR,
}


class Refused(Exception):
    """Not done, and nothing has changed."""

    def __init__(
        self, code: Code, message: str, *, version: int | None = None, retry: float | None = None
    ) -> None:
        super().__init__(message)
        self.code: Final[Code] = code
        self.version: Final = version
        self.retry: Final = retry  # seconds

    def __reduce__(self) -> tuple[Any, ...]:
        """A worker may refuse, too."""
        return partial(Refused, version=self.version, retry=self.retry), (self.code, str(self))


@contextmanager
def refusing(code: Code) -> Iterator[None]:
    """What the rules, or the analysis, find wrong is refused in their words."""
    try:
        yield
    except PickominoError as error:
        raise Refused(code, str(error)) from None


def parsed_move(text: str) -> Move:
    """The move that a client names."""
    with refusing("bad_message"):
        return parse_move(text)


async def available(work: Awaitable[T]) -> T:
    """Storage's result, or the refusal that clients know."""
    try:
        return await work
    except Unsure as error:
        raise Refused(
            "unavailable", "the connection to the database was lost; check whether it has happened"
        ) from error
    except Unavailable as error:
        raise Refused("unavailable", "the database does not answer; nothing has happened") from error
