"""Dice anyone can check: a hash chain on the table's side, a nonce on the roller's.

The k-th roll of a game falls from the k-th value of the chain, which was fixed before the game began, and
from a nonce that came with the roll. Neither side can choose or foresee what the two make together.
`docs/dice.md` defines every byte.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pickomino.chance.links import CHAIN_LENGTH, HashChain, frame
from pickomino.game import Game
from pickomino.notation import TurnWriter
from pickomino.notation.record import escape, seat_text
from pickomino.rules import (
    EDITIONS,
    MAX_SEATS,
    MIN_SEATS,
    SEATS,
    Edition,
    Face,
    IllegalMoveError,
    NotationError,
    Roll,
    find_edition,
    said,
)

CHAINS: Final = 2
"""Chains of a game. Each commits to the next, so all are computed before the first tip is known: 2.5 ms each.
Real games take a few hundred rolls, those of random bots up to two thousand."""
MAX_ROLLS: Final = CHAIN_LENGTH * CHAINS

_NONCE: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")


def fall(
    value: bytes,
    table: str,
    k: int,
    nonce: str,
    game_so_far: str,
    white: int,
    gold: bool,
    edition: Edition = EDITIONS["deluxe"],
) -> Roll:
    """The dice of the k-th roll."""
    dice = [sides(edition.faces)] * white + [sides(edition.golden_die)] * gold
    shown, counter = "", 0
    while len(shown) < len(dice):
        # Not hmac.digest: that one gives up Python's lock and must win it back, longer than the hash takes.
        block = hmac.new(value, frame(table, k, nonce, game_so_far, counter), "sha256").digest()
        for byte in block:
            die = dice[len(shown)]
            if byte < 256 - 256 % len(die):  # from the greatest multiple in a byte on it would not be fair
                shown += die[byte % len(die)]
                if len(shown) == len(dice):
                    break
        counter += 1
    return Roll(f"{shown[:white]}+{shown[white]}" if gold else shown)


@lru_cache(maxsize=64)
def sides(faces: tuple[Face, ...]) -> str:
    """A die side by side, as in ``12345W``."""
    return "".join(face.sign * face.sides for face in faces)


# --- the game so far ---


class GameSoFar:
    """The hash of a growing game's turn lines; every ply is written and every complete turn hashed once."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._writer = TurnWriter(game.start)
        self._complete = hashlib.sha256()
        self._ply = 0  # the first that is not written

    def go_on(self, game: Game) -> None:
        """The game has been cut to its last plies; all are written."""
        self._game, self._ply = game, len(game)

    def at(self, ply: int | None = None) -> str:
        """The hash after so many plies, by default after all; never fewer than before."""
        game, writer, first = self._game, self._writer, self._ply
        ply = len(game) if ply is None else ply
        if not first <= ply <= len(game):
            raise ValueError(
                said("ply {ply}: expected {first} to {game}", ply=ply, first=first, game=len(game))
            )
        for step in game.steps(first, ply):
            line = writer.write(*step)
            if line is not None:
                self._complete.update(f"{line}\n".encode())
        self._ply = ply
        whole = self._complete.copy()
        if writer.begun:
            whole.update(f"{writer.line}\n".encode())
        return whole.hexdigest()


def game_so_far(game: Game) -> str:
    """SHA-256 of the record's turn lines without comments, each with a line feed, in hexadecimal.

    For many hashes of one game keep a `GameSoFar`.
    """
    return GameSoFar(game).at()


def bot_nonce(game_so_far: str) -> str:
    """The nonce of a server-run bot, a time-out or a replaced seat: nothing that the server could choose."""
    return game_so_far


# --- the chain ---


@dataclass(frozen=True, slots=True)
class HandOver:
    """Opens the last value of a chain: it is the hash of this seed and the next tip."""

    tip: str
    seed: str


@dataclass(frozen=True, slots=True)
class CheckableRoll:
    """Fallen dice and what it takes to check them; the last roll of a chain also has the next tip."""

    roll: Roll
    value: str
    nonce: str
    k: int
    hand_over: HandOver | None = None


def chain_tip(
    anchor: bytes,
    chain: int,
    table: str,
    edition: str,
    seats: str,
    start: str = "",
    bots: str = "",
    *,
    joint: bool = False,
) -> str:
    """The tip of a game's first, second … chain: its anchor (the hash of its first value) bound to the game.

    `seats`, `start` and `bots` are the texts of the record's headers Seats, Position and Bots; `joint`: every
    seat adds to the dice.
    """
    scheme = 2 if joint else 1
    fields = frame(f"pickomino dice {scheme} tip", table, edition, seats, start, bots, chain, anchor)
    return hashlib.sha256(fields).hexdigest()


def last_value(seed: bytes, next_tip: str) -> bytes:
    """The last value of a chain; the very last chain of a game has no next tip, and the text is empty."""
    return hashlib.sha256(frame("pickomino dice 1 last", seed, next_tip)).digest()


def seal_nonces(nonces: Sequence[str]) -> str:
    """One hash over all nonces. A single die may fall alike from two nonces, so dice do not pin them."""
    return hashlib.sha256(frame("pickomino dice 1 nonces", *nonces)).hexdigest()


def check_nonce(nonce: str) -> str:
    """The nonce, or an error that says what one looks like."""
    if not _NONCE.fullmatch(nonce):
        raise NotationError(
            "nonce {nonce!r}: expected 16 to 64 signs of A-Z, a-z, 0-9, - and _", nonce=nonce[:80]
        )
    return nonce


class DiceChain:
    """The table's side of checkable dice. Everything follows from the secret and what the tip is bound to."""

    def __init__(
        self,
        table: str,
        edition: str,
        seats: Sequence[str],
        secret: bytes,
        start: str = "",
        bots: str = "",
        joint: bool = False,
    ) -> None:
        names = seat_text(tuple(seats))
        if not table or len(secret) < 32 or not MIN_SEATS <= len(seats) <= MAX_SEATS:
            raise NotationError(
                said("checkable dice: expected a table's name, 2 to 7 seats and 32 bytes of secret")
            )
        if list(bots) != sorted(set(bots) & set(SEATS[: len(seats)])):
            raise NotationError("bots {bots!r}: expected seats in order, as in 'BC'", bots=bots)
        for text in (table, names, start):
            escape(text)  # they become headers
        self.table: Final = table
        self._rules: Final = find_edition(edition)
        self.edition: Final = self._rules.key
        self.seats: Final = tuple(seats)
        self.start: Final = start
        self.bots: Final = bots
        self.joint: Final = joint
        self.secret: Final = secret
        bound = (table, self.edition, names, start, bots)
        self._chains: list[HashChain] = []
        self._hand_overs: list[HandOver] = []
        tip = ""
        for number in range(CHAINS, 0, -1):
            seed = hmac.digest(secret, frame("pickomino dice 1 seed", *bound, number), "sha256")
            chain = HashChain(last_value(seed, tip))
            self._hand_overs.insert(0, HandOver(tip, seed.hex()))
            tip = chain_tip(chain.anchor, number, *bound, joint=joint)
            self._chains.insert(0, chain)
        self.tip: Final = tip

    @classmethod
    def create(
        cls,
        table: str,
        edition: str,
        seats: Sequence[str],
        secret: bytes | None = None,
        *,
        start: str = "",
        bots: str = "",
        joint: bool = False,
    ) -> DiceChain:
        """A chain for a new game; given the secret, the same chain again.

        `start` is the position's text if the game does not begin at the edition's start with seat A, `bots`
        the seats that the server itself plays, as in ``BC``. `joint`: persons' chains add to the dice, and rolls
        count from 0, which says who starts. A secret may serve many games if no two of them share the table's
        name.
        """
        secret = secrets.token_bytes(32) if secret is None else secret
        return cls(table, edition, seats, secret, start, bots, joint)

    def value(self, k: int) -> bytes:
        """The k-th value. Secret until the k-th roll is stored; asking again gives the same."""
        place = k + self.joint
        if not 1 <= place <= MAX_ROLLS:
            first, last = 1 - self.joint, MAX_ROLLS - self.joint
            raise IllegalMoveError(
                "roll {k}: checkable dice last for rolls {first} to {last} of a game",
                k=k,
                first=first,
                last=last,
            )
        chain, offset = divmod(place - 1, CHAIN_LENGTH)
        return self._chains[chain].value(offset + 1)

    def hand_over(self, k: int) -> HandOver | None:
        """What the k-th roll reveals of the next chain: nothing unless its value is the last of its own."""
        place = k + self.joint
        if place % CHAIN_LENGTH or not 0 < place < MAX_ROLLS:
            return None
        return self._hand_overs[place // CHAIN_LENGTH - 1]

    def roll(self, k: int, nonce: str, game_so_far: str, white: int, gold: bool) -> CheckableRoll:
        """The k-th roll of the game, k from 1.

        The caller stores nonce and roll before anything about them is shown, and takes one nonce for each k. Where
        seats add to the dice, the nonce is what `mix` makes of their values.
        """
        if not _HASH.fullmatch(game_so_far):
            raise NotationError(
                "game so far {game_so_far!r}: expected 64 hexadecimal digits", game_so_far=game_so_far[:80]
            )
        if white < 0 or not white + gold:
            raise IllegalMoveError("roll {k} of {white} white dice: expected dice", k=k, white=white)
        if gold and not self._rules.golden_die:
            raise IllegalMoveError("roll {k}: {edition} has no golden die", k=k, edition=self.edition)
        value = self.value(k)
        nonce = nonce if self.joint else check_nonce(nonce)
        roll = fall(value, self.table, k, nonce, game_so_far, white, gold, self._rules)
        return CheckableRoll(roll, value.hex(), nonce, k, self.hand_over(k))

    def __repr__(self) -> str:
        return f"<DiceChain of table {self.table!r}, tip {self.tip}>"  # never the secret
