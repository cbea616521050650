"""Checkable dice in game records: written behind the rolls, and checked again from the record alone."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from pickomino.chance.checkable import (
    CHAIN_LENGTH,
    CheckableRoll,
    DiceChain,
    GameSoFar,
    HandOver,
    bot_nonce,
    chain_tip,
    fall,
    last_value,
    seal_nonces,
)
from pickomino.notation import Record, turn_lines
from pickomino.notation.record import seat_text
from pickomino.rules import SEATS, NotationError, Position, Roll

__all__ = ["DiceCheck", "Problem", "add_dice", "check_dice", "has_dice"]

_DICE: Final = re.compile(r"sha256-chain ([0-9a-f]{64})")
_ROLL: Final = re.compile(r"#([1-9][0-9]{0,5}) ([0-9a-f]{64}) ([A-Za-z0-9_-]{16,64})")
_NEXT: Final = re.compile(r"#next ([0-9a-f]{64}) ([0-9a-f]{64})")
_OURS: Final = re.compile(r"#([0-9]|next\b)")
_HEADERS: Final = ("Dice", "Table", "Bots", "Nonces")


class _Fallen(NamedTuple):
    """A roll of a game, and where the record has it."""

    ply: int
    turn: int
    token: int  # as `Record.comments` counts
    roll: Roll


def _rolls(record: Record) -> Iterator[_Fallen]:
    plies = record.game.plies
    for line in turn_lines(record.game):
        for token, ply in enumerate(line.origins, 2):
            # A bust shares its ply with the dice that brought it; the dice stand first.
            if ply >= 0 and isinstance(roll := plies[ply], Roll) and line.origins.index(ply) == token - 2:
                yield _Fallen(ply, line.number, token, roll)


def _start_text(record: Record) -> str:
    """The Position header, empty where a record has none."""
    start = record.game.start
    return "" if start == Position.start(start.edition, len(start.stacks)) else str(start)


def add_dice(record: Record, chain: DiceChain, rolls: Sequence[CheckableRoll]) -> Record:
    """The record with its rolls' values and nonces, and the headers that checking needs."""
    if (chain.edition, chain.seats, chain.start) != (
        record.game.start.edition.key,
        record.names,
        _start_text(record),
    ):
        raise NotationError(
            f"the tip is bound to {chain.edition}, {chain.seats} and start {chain.start!r}, the record has "
            f"{record.game.start.edition.key}, {record.names} and start {_start_text(record)!r}"
        )
    fallen = list(_rolls(record))
    if [roll.k for roll in rolls] != list(range(1, len(fallen) + 1)):
        raise NotationError(
            f"{len(rolls)} checkable rolls for the {len(fallen)} of the record, or out of order"
        )
    headers = {name: value for name, value in record.headers.items() if name not in _HEADERS}
    headers |= {"Dice": f"sha256-chain {chain.tip}", "Table": chain.table}
    if chain.bots:
        headers["Bots"] = chain.bots
    headers["Nonces"] = seal_nonces([roll.nonce for roll in rolls])
    comments = dict(record.comments)
    for place, roll in zip(fallen, rolls, strict=True):
        texts = [f"#{roll.k} {roll.value} {roll.nonce}"]
        if (over := chain.hand_over(roll.k)) is not None:
            texts.append(f"#next {over.tip} {over.seed}")
        key = (place.turn, place.token)
        comments[key] = (*texts, *(text for text in comments.get(key, ()) if not _OURS.match(text)))
    return replace(record, headers=headers, comments=comments)


def has_dice(record: Record) -> bool:
    """Whether there is anything to check."""
    return "Dice" in record.headers


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and where: a turn and a roll, or neither if it is in the headers."""

    reason: str
    turn: int | None = None
    roll: int | None = None

    def __str__(self) -> str:
        places = {"turn": self.turn, "roll": self.roll}
        where = ", ".join(f"{name} {number}" for name, number in places.items() if number is not None)
        return f"{where}: {self.reason}" if where else self.reason


@dataclass(slots=True)
class DiceCheck:
    """What was checked and found right, up to the first problem; later rolls hang on earlier ones."""

    tip: bool = False  # the tip belongs to the first value, table, edition, seats, start and bots
    rolls: int = 0  # dice recomputed, values linked to the one before
    bot_nonces: int = 0  # nonces of bots that are the hash of the game so far
    stand_ins: int = 0  # rolls of other seats with a bot's nonce: time-outs, replaced seats
    hand_overs: int = 0  # tips of further chains that the last value of the chain before committed to
    nonces: bool = False  # the seal over all nonces
    problem: Problem | None = field(default=None)

    @property
    def good(self) -> bool:
        return self.problem is None


def check_dice(record: Record) -> DiceCheck:
    """Recompute every roll of a record from its headers and comments."""
    check = DiceCheck()
    try:
        _check(record, check)
    except _Wrong as wrong:
        check.problem = wrong.problem
    return check


class _Wrong(Exception):  # an answer, not an error
    def __init__(self, reason: str, place: _Fallen | None = None, k: int | None = None) -> None:
        super().__init__(reason)
        self.problem = Problem(reason, place.turn if place else None, k)


def _check(record: Record, check: DiceCheck) -> None:
    tip, table, bots = _headers(record)
    start = record.game.start
    bound = (table, start.edition.key, seat_text(record.names), _start_text(record), bots)
    so_far = GameSoFar(record.game)
    nonces: list[str] = []
    before = b""  # what the next value must hash to
    over: HandOver | None = None
    fallen = list(_rolls(record))
    _check_places(record, fallen)
    for k, place in enumerate(fallen, 1):
        value, nonce, following = _comment(record, place, k)
        link = hashlib.sha256(value).digest()
        chain, index = divmod(k - 1, CHAIN_LENGTH)
        if index:
            if link != before:
                raise _Wrong("its value does not hash to the value before it", place, k)
        elif chain and over is None:
            raise _Wrong("a new chain: expected {#next tip seed} behind the roll before", place, k)
        elif chain_tip(link, chain + 1, *bound) != (tip if over is None else over.tip):
            raise _Wrong(
                "the tip does not belong to this value, table, edition, seats, start and bots", place, k
            )
        elif chain:
            check.hand_overs += 1
        else:
            check.tip = True
        if following is not None and last_value(bytes.fromhex(following.seed), following.tip) != value:
            raise _Wrong("its value does not commit to the next tip", place, k)
        before, over = value, following
        position = record.game.positions[place.ply]
        game_hash = so_far.at(place.ply)
        found = fall(value, table, k, nonce, game_hash, *position.dice_left)
        if found != place.roll:
            raise _Wrong(f"the dice are {place.roll.dice}, value and nonce give {found.dice}", place, k)
        if nonce == bot_nonce(game_hash):
            check.bot_nonces += SEATS[position.seat] in bots
            check.stand_ins += SEATS[position.seat] not in bots
        elif SEATS[position.seat] in bots:
            raise _Wrong("a bot's nonce is not the hash of the game so far", place, k)
        nonces.append(nonce)
        check.rolls += 1
    if record.headers.get("Nonces") != seal_nonces(nonces):
        raise _Wrong("header Nonces is not the hash of the nonces")
    check.nonces = True


def _headers(record: Record) -> tuple[str, str, str]:
    headers = record.headers
    dice = _DICE.fullmatch(headers.get("Dice", ""))
    if not dice:
        raise _Wrong('no header Dice of the form "sha256-chain", a blank and 64 hexadecimal digits')
    if "Table" not in headers:
        raise _Wrong("no header Table, which the tip is bound to")
    return dice[1], headers["Table"], headers.get("Bots", "")


def _check_places(record: Record, fallen: list[_Fallen]) -> None:
    """No value or nonce stands where no dice fell."""
    places = {(place.turn, place.token) for place in fallen}
    for (turn, token), texts in record.comments.items():
        if (turn, token) not in places and any(map(_OURS.match, texts)):
            raise _Wrong(f"turn {turn}: a value and a nonce where no dice fell")


def _comment(record: Record, place: _Fallen, k: int) -> tuple[bytes, str, HandOver | None]:
    texts = [text for text in record.comments.get((place.turn, place.token), ()) if _OURS.match(text)]
    if not texts:
        raise _Wrong(f"no value and nonce, expected {{#{k} value nonce}}", place, k)
    roll = _ROLL.fullmatch(texts[0])
    if not roll or int(roll[1]) != k:
        raise _Wrong(f"{{{texts[0]}}}: expected {{#{k} value nonce}}", place, k)
    value, nonce = bytes.fromhex(roll[2]), roll[3]
    if len(texts) == 1:
        return value, nonce, None
    following = _NEXT.fullmatch(texts[1])
    if not following or len(texts) > 2 or k % CHAIN_LENGTH:
        raise _Wrong(f"{{{texts[1]}}}: only the last roll of a chain has more, {{#next tip seed}}", place, k)
    return value, nonce, HandOver(following[1], following[2])
