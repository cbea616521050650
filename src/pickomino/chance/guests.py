"""Dice from every seat: each person's client has a hash chain of its own and adds a value of it to every roll.

A roll then falls from the server's value and all that was added (`mix`), so that nobody who holds back one of
them can be foreseen or steered. `docs/dice.md` defines every byte.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pickomino.chance.links import CHAIN_LENGTH, HashChain, frame, hashed
from pickomino.rules import NotationError
from pickomino.rules.errors import quote

_TIP: Final = re.compile(r"([A-G]{1,7}):([0-9a-f]{64})(?:@([1-9][0-9]{0,5}))?")
_MIX: Final = re.compile(r"((?:[A-G]:[0-9a-f]{64} ?)*)([A-Za-z0-9_-]{16,64})?")
NO_GAME: Final = hashlib.sha256(b"").hexdigest()
"""The game so far before its first roll."""


def guest_tip(anchor: bytes, table: str, seats: str, server_tip: str) -> str:
    """The tip of a guest's chain: its anchor bound to the game, the guest's seats (``AC``) and the server's tip, which
    is bound to edition, names and bots."""
    return hashlib.sha256(frame("pickomino dice 2 guest", table, seats, server_tip, anchor)).hexdigest()


@dataclass(frozen=True, slots=True)
class GuestTip:
    """What a guest committed to, and the first roll that it holds for."""

    seats: str
    tip: str
    k: int = 0

    @property
    def letter(self) -> str:
        """The guest's first seat, which stands for the guest."""
        return self.seats[0]

    def __str__(self) -> str:
        """``AC:<tip>``, or ``AC:<tip>@17`` for one that came later."""
        return f"{self.seats}:{self.tip}{f'@{self.k}' if self.k else ''}"

    @classmethod
    def parse(cls, text: str) -> GuestTip:
        found = _TIP.fullmatch(text)
        if not found or list(found[1]) != sorted(set(found[1])):
            raise NotationError(
                "tip {text}: expected seats, a colon and 64 hexadecimal digits", text=quote(text)
            )
        return cls(found[1], found[2], int(found[3] or 0))


class GuestChain:
    """A client's side: 4,096 values that nobody else knows until they are shown."""

    def __init__(self, table: str, seats: str, server_tip: str, secret: bytes | None = None) -> None:
        """`secret`: 32 bytes, the chain's last value; the same again give the same chain."""
        self.secret: Final = secrets.token_bytes(32) if secret is None else secret
        if len(self.secret) != 32:
            raise NotationError(
                "a guest's chain: expected 32 bytes of secret, not {secret}", secret=len(self.secret)
            )
        self.seats: Final = seats
        self._chain: Final = HashChain(self.secret)
        self.tip: Final = guest_tip(self._chain.anchor, table, seats, server_tip)

    def value(self, k: int, since: int) -> str | None:
        """What it adds to roll k, where the tip holds from roll `since` on; None before that and when it is used up."""
        place = k - since + 1
        return self._chain.value(place).hex() if 1 <= place <= CHAIN_LENGTH else None

    def __repr__(self) -> str:
        return f"<GuestChain of {self.seats}, tip {self.tip}>"  # never the secret


class GuestLinks:
    """Follows what a guest shows, from its tip on; rolls that it was not part of are hashed over."""

    def __init__(self, tip: GuestTip, table: str, server_tip: str) -> None:
        self.tip: Final = tip
        self._game = (table, tip.seats, server_tip)
        self._last: tuple[int, bytes] | None = None

    def holds(self, k: int, value: str) -> bool:
        """Whether it is the guest's value for roll k."""
        raw, place = bytes.fromhex(value), k - self.tip.k + 1
        if not 1 <= place <= CHAIN_LENGTH:
            return False
        if self._last is not None and self._last[0] <= k:
            good = hashed(raw, k - self._last[0]) == self._last[1]
        else:
            good = guest_tip(hashed(raw, place), *self._game) == self.tip.tip
        if good and (self._last is None or k > self._last[0]):
            self._last = k, raw
        return good


def mix(values: Mapping[str, str], nonce: str | None = None) -> str:
    """What a roll is computed from besides the server's value: ``A:<value> C:<value> nonce``, in the order of seats."""
    parts = [f"{letter}:{values[letter]}" for letter in sorted(values)]
    return " ".join([*parts, nonce] if nonce else parts)


def parse_mix(text: str) -> tuple[dict[str, str], str | None]:
    """Values by letter, and the nonce if there is one."""
    found = _MIX.fullmatch(text)
    values = dict(part.split(":") for part in found[1].split()) if found else {}
    nonce = found[2] if found else None
    if not text or mix(values, nonce) != text:
        raise NotationError(
            "{text}: expected values as A:<64 hexadecimal digits>, or a nonce, or both", text=quote(text)
        )
    return values, nonce


def who_starts(value: bytes, table: str, k: int, mixed: str, seats: int) -> int:
    """The seat that starts, out of roll k: the first byte below the greatest multiple of `seats` decides."""
    counter = 0
    while True:
        for byte in hmac.new(value, frame(table, k, mixed, NO_GAME, counter), "sha256").digest():
            if byte < 256 - 256 % seats:
                return byte % seats
        counter += 1
