"""Checkable dice in game records: written behind the rolls, and checked again from the record alone."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
from pickomino.rules.errors import quote

__all__ = ["DiceCheck", "Problem", "add_dice", "check_dice"]

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
    problem: Problem | None = None

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
    def __init__(self, reason: str, turn: int | None = None, roll: int | None = None) -> None:
        super().__init__(reason)
        self.problem = Problem(reason, turn, roll)


class _Written(NamedTuple):
    """What a record has behind a roll."""

    value: bytes
    nonce: str
    hand_over: HandOver | None


def _check(record: Record, check: DiceCheck) -> None:
    game = record.game
    links = _Links(record)
    table, bots = links.table, links.bots
    so_far, positions = GameSoFar(game), game.positions
    nonces: list[str] = []
    fallen = list(_rolls(record))
    _check_places(record, fallen)
    for k, place in enumerate(fallen, 1):
        try:
            written = _read(record.comments.get((place.turn, place.token), ()), k)
            links.follow(k, written)
            game_hash = so_far.at(place.ply)
            position = positions[place.ply]
            found = fall(
                written.value, table, k, written.nonce, game_hash, *position.dice_to_roll, position.edition
            )
            if found != place.roll:
                raise _Wrong(f"the dice are {place.roll.dice}, value and nonce give {found.dice}")
            is_bot = SEATS[position.seat] in bots
            if written.nonce == bot_nonce(game_hash):
                check.bot_nonces += is_bot
                check.stand_ins += not is_bot
            elif is_bot:
                raise _Wrong("the nonce of a bot is not the hash of the game so far")
        except _Wrong as wrong:
            raise _Wrong(wrong.problem.reason, place.turn, k) from None
        nonces.append(written.nonce)
        check.rolls, check.tip, check.hand_overs = k, True, (k - 1) // CHAIN_LENGTH
    if record.headers.get("Nonces") != seal_nonces(nonces):
        raise _Wrong("header Nonces is not the hash of all nonces")
    check.nonces = True


class _Links:
    """Follows the values of a record from its tip on."""

    def __init__(self, record: Record) -> None:
        headers, edition = record.headers, record.game.start.edition
        dice = _DICE.fullmatch(headers.get("Dice", ""))
        if not dice:
            raise _Wrong('header Dice: expected "sha256-chain", a blank and 64 hexadecimal digits')
        if "Table" not in headers:
            raise _Wrong("no header Table, which the tip is bound to")
        self.table: Final = headers["Table"]
        self.bots: Final = headers.get("Bots", "")
        self._bound = (self.table, edition.key, seat_text(record.names), _start_text(record), self.bots)
        self._before: bytes | str = dice[1]  # the value before, or the tip that a chain begins with

    def follow(self, k: int, written: _Written) -> None:
        link = hashlib.sha256(written.value).digest()
        chain, place = divmod(k - 1, CHAIN_LENGTH)
        if place:
            if link != self._before:
                raise _Wrong("the value does not hash to the value before it")
        elif isinstance(self._before, bytes):
            raise _Wrong("a new chain begins: expected {#next tip seed} behind the roll before")
        elif chain_tip(link, chain + 1, *self._bound) != self._before:
            raise _Wrong("the tip does not belong to this value, table, edition, seats, start and bots")
        over = written.hand_over
        if over is not None and last_value(bytes.fromhex(over.seed), over.tip) != written.value:
            raise _Wrong("the value is not the hash of the seed and the next tip")
        self._before = written.value if over is None else over.tip


def _check_places(record: Record, fallen: list[_Fallen]) -> None:
    """No value or nonce stands where no dice fell."""
    places = {(place.turn, place.token) for place in fallen}
    for (turn, token), texts in record.comments.items():
        if (turn, token) not in places and any(map(_OURS.match, texts)):
            raise _Wrong("a value and a nonce where no dice fell", turn)


def _read(comments: Sequence[str], k: int) -> _Written:
    first, *more = [text for text in comments if _OURS.match(text)] or [""]
    roll = _ROLL.fullmatch(first)
    if not roll or int(roll[1]) != k:
        raise _Wrong(
            f"{quote(first)}: expected {{#{k} value nonce}}" if first else f"no {{#{k} value nonce}}"
        )
    over = None
    if more:
        found = _NEXT.fullmatch(more[0])
        if not found or len(more) > 1 or k % CHAIN_LENGTH:
            raise _Wrong(
                f"{quote(more[0])}: more than {{#{k} value nonce}}, or {{#next tip seed}} out of place"
            )
        over = HandOver(found[1], found[2])
    return _Written(bytes.fromhex(roll[2]), roll[3], over)
