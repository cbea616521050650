"""Identity without passwords: signed tokens. Only the key is kept; who holds a token is not.

A guest's token is ``g1.<guest>.<mac>``; a seat's secret is ``s1.<table>.<seat>.<serial>.<mac>``, and the
serial makes it worthless as soon as somebody else has the seat.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from typing import Final

from pickomino.rules import SEATS

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"  # base 32 without i, l, o, u
_CODE_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRTUVWXYZ"  # without 0 O, 1 I L and the S that looks like 5
ID_LENGTH: Final = 20
CODE_LENGTH: Final = 6  # 30 ** 6 = 7.3e8: with look-ups limited per address, not to be found by trying


def new_id(length: int = ID_LENGTH) -> str:
    """A name nobody can guess: five bits a sign, so 100 bits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def is_id(text: str) -> bool:
    """Whether it can be the name of a table or a game; no database is asked for another."""
    return len(text) == ID_LENGTH and set(_ALPHABET).issuperset(text)


def new_code() -> str:
    return "".join(secrets.choice(_CODE_ALPHABET) for _ in range(CODE_LENGTH))


def is_code(text: str) -> bool:
    return len(text) == CODE_LENGTH and set(_CODE_ALPHABET).issuperset(text)


class Signer:
    """Makes and checks tokens."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def guest_token(self, guest: str) -> str:
        return self._signed(f"g1.{guest}")

    def seat_secret(self, table: str, seat: int, serial: int) -> str:
        return self._signed(f"s1.{table}.{SEATS[seat]}.{serial}")

    def guest_of(self, token: str) -> str | None:
        """The guest whose token this is; None for anything else."""
        parts = self._checked(token)
        return parts[1] if len(parts) == 2 and parts[0] == "g1" else None

    def seat_of(self, secret: str) -> tuple[str, int, int] | None:
        """(table, seat, serial) of a genuine secret; whether the serial still holds is the table's to say."""
        parts = self._checked(secret)
        if len(parts) != 4 or parts[0] != "s1":
            return None
        return parts[1], SEATS.index(parts[2]), int(parts[3])

    def _signed(self, text: str) -> str:
        return f"{text}.{self._mac(text)}"

    def _checked(self, token: str) -> list[str]:
        text, _, mac = token.rpartition(".")
        if not token.isascii() or not hmac.compare_digest(mac, self._mac(text)):
            return []
        return text.split(".")

    def _mac(self, text: str) -> str:
        mac = hmac.digest(self._key, text.encode(), "sha256")
        return base64.urlsafe_b64encode(mac[:18]).decode()  # 144 bits
