"""Hash chains: values of which each is the hash of the one after it, so that showing one fixes those before it."""

from __future__ import annotations

import hashlib
from typing import Final

CHAIN_LENGTH: Final = 4096

_MARK: Final = 64  # every 64th value is kept, √4096: as many values kept as steps between them


def frame(*fields: str | bytes | int) -> bytes:
    """Fields joined so that no two lists of fields give the same bytes: each behind its length, four bytes
    big-endian. Text is UTF-8, a number its decimal text."""
    parts: list[bytes] = []
    for field in fields:
        part = field if isinstance(field, bytes) else str(field).encode()
        parts += (len(part).to_bytes(4, "big"), part)
    return b"".join(parts)


def hashed(value: bytes, times: int = 1) -> bytes:
    """The value so many places before this one."""
    sha256 = hashlib.sha256
    for _ in range(times):
        value = sha256(value).digest()
    return value


class HashChain:
    """4,096 values, each the hash of the one after it; some are kept, the rest is computed from those. Kept one behind
    the other in one piece: as objects they would take more than twice as much, and a server has one chain per game."""

    def __init__(self, last: bytes) -> None:
        marks = []
        value = last
        for _ in range(CHAIN_LENGTH // _MARK):
            marks.append(value)
            value = hashed(value, _MARK)
        self.anchor: Final = value
        self._marks: Final = b"".join(marks[::-1])
        self._stretch: tuple[int, bytes] = (-1, b"")

    def value(self, place: int) -> bytes:
        """The value at a place, 1 to 4,096."""
        stretch, offset = divmod(place - 1, _MARK)
        if self._stretch[0] != stretch:
            values = [_piece(self._marks, stretch)]
            for _ in range(_MARK - 1):
                values.append(hashed(values[-1]))
            self._stretch = (stretch, b"".join(values[::-1]))
        return _piece(self._stretch[1], offset)


def _piece(values: bytes, number: int) -> bytes:
    return values[32 * number : 32 * number + 32]
