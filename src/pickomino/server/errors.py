"""Refusals: a code for programs, a sentence for people, and the HTTP status that goes with the code."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final, Literal, TypeAlias, get_args

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
        return _again, (self.code, str(self), self.version, self.retry)


def _again(code: Code, message: str, version: int | None, retry: float | None) -> Refused:
    return Refused(code, message, version=version, retry=retry)
