"""Recomputes every roll of a record from its headers and comments, as docs/dice.md says."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pickomino.chance.checkable import (
    GameSoFar,
    HandOver,
    bot_nonce,
    chain_tip,
    fall,
    last_value,
    seal_nonces,
)
from pickomino.chance.dice_record import VoidRoll, dice_texts, fallen_rolls, start_text
from pickomino.chance.guests import GuestLinks, GuestTip, parse_mix, who_starts
from pickomino.chance.links import CHAIN_LENGTH
from pickomino.notation import Record
from pickomino.notation.record import seat_text
from pickomino.rules import SEATS, NotationError, PickominoError, Position, said
from pickomino.rules.errors import quote

_DICE: Final = re.compile(r"sha256-chain(s?) ([0-9a-f]{64})")
_ROLL: Final = re.compile(r"#(0|[1-9][0-9]{0,5}) ([0-9a-f]{64}) ([A-Za-z0-9_:\- ]{16,})")
_VOID: Final = re.compile(r"#(0|[1-9][0-9]{0,5}) void ([A-G]{1,7})")
_NEXT: Final = re.compile(r"#next ([0-9a-f]{64}) ([0-9a-f]{64})")


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
    """What was checked and found right, up to the first problem; later rolls depend on earlier ones."""

    tip: bool = False  # the tip belongs to the first value, table, edition, seats, start and bots
    rolls: int = 0  # dice recomputed, values linked to the one before
    bot_nonces: int = 0  # nonces of bots that are the hash of the game so far
    stand_ins: int = 0  # rolls of other seats to which their guest gave nothing: time-outs, replaced seats
    hand_overs: int = 0  # tips of further chains that the last value of the chain before committed to
    nonces: bool = False  # the seal over all nonces
    joint: bool = False  # dice from every seat
    first: bool = False  # who starts was recomputed
    # Rolls that each guest added to, who starts included.
    added: Counter[str] = field(default_factory=Counter)
    alone: int = 0  # rolls of which the server knew all beforehand: nobody's value or nonce is in them
    voids: list[VoidRoll] = field(default_factory=list)  # rolls that did not fall, and for want of whom
    problem: Problem | None = None

    @property
    def good(self) -> bool:
        return self.problem is None


def check_dice(record: Record) -> DiceCheck:
    """Recompute every roll of a record from its headers and comments."""
    check = DiceCheck()
    try:
        _Checker(record, check).run()
    except _DiceError as wrong:
        check.problem = wrong.problem
    return check


class _DiceError(PickominoError):  # never leaves this module: it is an answer
    def __init__(
        self, text: str, turn: int | None = None, roll: int | None = None, /, **values: object
    ) -> None:
        super().__init__(text, **values)
        self.problem = Problem(self.args[0], turn, roll)


class _Written(NamedTuple):
    """What a record has of a roll."""

    k: int
    value: bytes
    nonce: str
    hand_over: HandOver | None = None


class _Checker:
    """Goes through a record once, roll after roll."""

    def __init__(self, record: Record, check: DiceCheck) -> None:
        headers = record.headers
        dice = _DICE.fullmatch(headers.get("Dice", ""))
        if not dice:
            raise _DiceError(
                said(
                    'header Dice: expected "sha256-chain" or "sha256-chains", a blank and 64 hexadecimal digits'
                )
            )
        if "Table" not in headers:
            raise _DiceError(said("no header Table, which the tip is bound to"))
        self._record, self._check = record, check
        self._table, self._bots = headers["Table"], headers.get("Bots", "")
        self._seats = len(record.names)
        check.joint = bool(dice[1])
        if not check.joint and (odd := [name for name in ("Tips", "First", "Void") if name in headers]):
            raise _DiceError("header {odd}: expected only with sha256-chains", odd=odd[0])
        bound = "" if "First" in headers else start_text(record)
        self._links = _Links(
            dice[2],
            check.joint,
            (self._table, record.game.start.edition.key, seat_text(record.names), bound, self._bots),
        )
        self._guests = _Guests(headers.get("Tips"), self._table, dice[2], self._seats)
        self._next = 0 if "First" in headers or headers.get("Void", "").startswith("#0 ") else 1
        self._story: list[str] = []

    def run(self) -> None:
        record, check, headers = self._record, self._check, self._record.headers
        if "First" in headers:
            self._who_starts(headers["First"])
        fallen = list(fallen_rolls(record))
        self._check_places({(place.turn, place.token) for place in fallen})
        so_far, positions = GameSoFar(record.game), record.game.positions
        for place in fallen:
            number = self._next
            try:
                texts = self._take_voids(
                    dice_texts(record.comments.get((place.turn, place.token), ())), place.turn
                )
                number = self._next
                written = _read(texts, self._next, check.joint)
                position, game_hash = positions[place.ply], so_far.at(place.ply)
                self._links.follow(written)
                found = fall(
                    written.value,
                    self._table,
                    written.k,
                    written.nonce,
                    game_hash,
                    *position.dice_to_roll,
                    position.edition,
                )
                if found != place.roll:
                    raise _DiceError(
                        "the dice are {dice}, value and nonce give {dice2}",
                        dice=place.roll.dice,
                        dice2=found.dice,
                    )
                self._contributions(written, position, game_hash, place.turn)
            except _DiceError as wrong:
                raise _DiceError(wrong.problem.reason, place.turn, number) from None
            self._done(written)
            check.rolls += 1
        if "Void" in headers and self._take_voids(headers["Void"].split("; "), len(positions)):
            raise _DiceError(
                "header Void: {headers}: expected void rolls after the last one",
                headers=quote(headers["Void"]),
            )
        if headers.get("Nonces") != seal_nonces(self._story):
            raise _DiceError(said("header Nonces is not the hash of all nonces"))
        check.nonces = True

    def _done(self, written: _Written) -> None:
        self._story.append(written.nonce)
        self._check.tip = True
        self._check.hand_overs = (written.k - 1 + self._check.joint) // CHAIN_LENGTH
        self._next += 1

    def _who_starts(self, text: str) -> None:
        record = self._record
        rest = self._take_voids(text.split("; "), 1)
        written = _read(rest, self._next, joint=True)
        self._links.follow(written)
        self._contributions(written, None, bot_nonce(GameSoFar(record.game).at(0)), 1)
        first = who_starts(written.value, self._table, written.k, written.nonce, self._seats)
        if record.game.start != Position.start(record.game.start.edition, self._seats, first):
            raise _DiceError(
                "roll {k} says that seat {seats} starts, the record does not", k=written.k, seats=SEATS[first]
            )
        self._done(written)
        self._check.first = True

    def _take_voids(self, texts: list[str], turn: int) -> list[str]:
        """What is left after the void rolls that stand first."""
        while texts and (found := _VOID.fullmatch(texts[0])):
            void = VoidRoll(int(found[1]), found[2])
            if not self._check.joint or void.k != self._next:
                raise _DiceError("{texts}: expected roll {next}", texts=quote(texts[0]), next=self._next)
            self._guests.missing(void, turn)
            self._check.voids.append(void)
            self._story.append(f"void {void.seats}")
            self._next += 1
            texts = texts[1:]
        return texts

    def _contributions(self, written: _Written, position: Position | None, game_hash: str, turn: int) -> None:
        """Who gave what to the roll; `position` is None where it says who starts."""
        check = self._check
        values, nonce = _parsed(written.nonce) if check.joint else ({}, written.nonce)
        for letter, value in values.items():
            self._guests.follow(letter, written.k, value, turn)
            check.added[letter] += 1
        alone = not values and nonce == bot_nonce(game_hash)
        check.alone += alone
        if position is None:
            return
        is_bot = SEATS[position.seat] in self._bots
        if is_bot and nonce is not None and not alone:
            raise _DiceError(said("the nonce of a bot is not the hash of the game so far"))
        check.bot_nonces += is_bot and alone
        own = self._guests.letter_of(SEATS[position.seat])
        check.stand_ins += not is_bot and (alone or (nonce is None and own not in values))

    def _check_places(self, places: set[tuple[int, int]]) -> None:
        """No value or nonce stands where no dice fell."""
        for (turn, token), texts in self._record.comments.items():
            if (turn, token) not in places and dice_texts(texts):
                raise _DiceError(said("a value and a nonce where no dice fell"), turn)


class _Links:
    """Follows the server's values from its tip on."""

    def __init__(self, tip: str, joint: bool, bound: tuple[str, str, str, str, str]) -> None:
        self._joint, self._bound = joint, bound
        self._before: bytes | str = tip  # the value before, or the tip that a chain begins with
        self._place = 0

    def follow(self, written: _Written) -> None:
        place = written.k + self._joint
        value = written.value
        for _ in range(place - self._place - 1):  # rolls that did not fall
            value = hashlib.sha256(value).digest()
        link = hashlib.sha256(value).digest()
        chain, offset = divmod(self._place, CHAIN_LENGTH)
        if (place - 1) // CHAIN_LENGTH != chain:
            raise _DiceError(said("a new chain begins after a void roll"))
        if offset:
            if link != self._before:
                raise _DiceError(said("the value does not hash to the value before it"))
        elif isinstance(self._before, bytes):
            raise _DiceError(said("a new chain begins: expected {{#next tip seed}} after the previous roll"))
        elif chain_tip(link, chain + 1, *self._bound, joint=self._joint) != self._before:
            raise _DiceError(
                said("the tip does not belong to this value, table, edition, seats, start and bots")
            )
        over = written.hand_over
        if over is not None and (
            place % CHAIN_LENGTH or last_value(bytes.fromhex(over.seed), over.tip) != written.value
        ):
            raise _DiceError(said("the value is not the hash of the seed and the next tip"))
        self._before, self._place = written.value if over is None else over.tip, place


class _Guests:
    """Follows what each guest added, and how often it was let in again after it was missing."""

    def __init__(self, tips: str | None, table: str, server_tip: str, seats: int) -> None:
        self._seats = seats
        self._links: dict[str, list[GuestLinks]] = {}
        self._out: dict[str, int] = {}  # letter -> the turn in which it was missing
        # Letter -> the turn in which it had been missing, before it came again.
        self._let_in: dict[str, int] = {}
        self._letters: dict[str, str] = {}
        try:
            found = [GuestTip.parse(text) for text in tips.split(" ")] if tips is not None else []
        except NotationError as error:
            raise _DiceError("header Tips: {error}", error=error) from None
        for tip in found:
            links = self._links.setdefault(tip.letter, [])
            if links and tip.k < links[-1].tip.k:
                raise _DiceError(
                    "header Tips: {letter}: expected tips in the order in which they came", letter=tip.letter
                )
            links.append(GuestLinks(tip, table, server_tip))
            self._letters |= dict.fromkeys(tip.seats, tip.letter)

    def letter_of(self, seat: str) -> str:
        return self._letters.get(seat, seat)

    def _back(self, letter: str, turn: int) -> None:
        """A guest that had been missing takes part again: at most once per round."""
        if letter not in self._out:
            return
        missed = self._out.pop(letter)
        # It came in again after its first miss, and once more until now: both within these turns.
        if letter in self._let_in and turn - self._let_in[letter] < self._seats:
            raise _DiceError("{letter} was missing and let in again twice within one round", letter=letter)
        self._let_in[letter] = missed

    def follow(self, letter: str, k: int, value: str, turn: int) -> None:
        self._back(letter, turn)
        links = [links for links in self._links.get(letter, ()) if links.tip.k <= k]
        if not links or not links[-1].holds(k, value):
            raise _DiceError("the value of {letter} does not belong to its tip", letter=letter)

    def missing(self, void: VoidRoll, turn: int) -> None:
        for letter in void.seats:
            if letter not in self._links:
                raise _DiceError("{void}: {letter} has no tip", void=quote(str(void)), letter=letter)
            self._back(letter, turn)
            self._out[letter] = turn


def _parsed(text: str) -> tuple[dict[str, str], str | None]:
    try:
        return parse_mix(text)
    except NotationError as error:
        raise _DiceError(str(error)) from None


def _read(texts: Sequence[str], k: int, joint: bool) -> _Written:
    first, *more = texts or [""]
    wanted = f"{{#{k} value {'A:value … nonce' if joint else 'nonce'}}}"
    roll = _ROLL.fullmatch(first)
    if not roll or int(roll[1]) != k or (not joint and not re.fullmatch(r"[A-Za-z0-9_-]{16,64}", roll[3])):
        raise _DiceError(
            said("{first}: expected {wanted}", first=quote(first), wanted=wanted)
            if first
            else said("no {wanted}", wanted=wanted)
        )
    over = None
    if more:
        found = _NEXT.fullmatch(more[0])
        if not found or len(more) > 1 or (k + joint) % CHAIN_LENGTH:
            raise _DiceError(
                "{more}: more than {wanted}, or {{#next tip seed}} out of place",
                more=quote(more[0]),
                wanted=wanted,
            )
        over = HandOver(found[1], found[2])
    return _Written(k, bytes.fromhex(roll[2]), roll[3], over)
