"""A game in this process's memory: a copy of its rows, brought to life. It may be thrown away at any time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Set
from typing import Final

from pickomino.chance import DiceChain, GameSoFar, bot_nonce, mix, who_starts
from pickomino.game import Game
from pickomino.play import (
    CameIn,
    Change,
    DiceFell,
    Entry,
    FirstFell,
    Match,
    MoveMade,
    Refusal,
    RollAsked,
    RollVoided,
    Seat,
    TipGiven,
    format_entry,
    parse_entry,
)
from pickomino.protocol.shapes import EventFrame, Maker, ResultInfo, State
from pickomino.rules import SEATS, Position, Reroll, RollOn
from pickomino.rules.events import Busted, Event, Stole
from pickomino.server.advance import PLIES, Advance
from pickomino.server.contributions import Contributions
from pickomino.server.describe import describe_entry, describe_event, describe_result
from pickomino.server.errors import Refused, parsed_move
from pickomino.server.storage.base import EntryRow, GameRow
from pickomino.views import frames, view

KNOWN_IDS: Final = 32
"""Message ids kept in memory per game; older ones are looked up in the log when it matters."""

REMEMBERED: Final = 32
"""Entries kept in memory per game when a turn ends, or half of them: an entry with its position is half a kilobyte, a
game has hundreds, and who comes back after a moment has missed a few. What is asked for beyond is read again."""

WAKE_SECONDS: Final = 1.0
"""When somebody looks after a roll that waits for guests' values, if nobody else has: `roll_seconds` by default."""

_ROLLING: Final = (RollOn, Reroll)
_MAKERS: Final[dict[int, Maker]] = {ord("p"): "person", ord("b"): "bot", ord("c"): "clock"}


class LiveGame:
    """The match, and what the server adds to it: dice that can be checked, times, ids already answered.

    Commands change it at once. Whoever calls them stores the step before anybody is informed; if storing
    fails the whole object is dropped and read again.
    """

    def __init__(
        self,
        row: GameRow,
        rows: Iterable[EntryRow] = (),
        chain: DiceChain | None = None,
        *,
        whole: bool = False,
    ) -> None:
        """`whole`: nothing of the past is forgotten."""
        seats = tuple(Seat(player.name, player.bot) for player in row.players)
        game = Game.new(row.edition, len(seats), max(0, row.first))
        self.row: Final = row
        self.match: Final = Match(game, seats, undecided=row.undecided)
        self.stored_wake = row.wake
        self.last_at = row.started
        self.turn_at = row.started
        self.answers: Final[dict[str, int | Refused]] = {}  # message id -> version after it
        self.asked_at = row.started  # when the roll that waits for values was asked for
        self._asked_seq = 0
        self.contributions: Final = Contributions(row, self.match)
        self._by = bytearray()  # who made each entry: the first letter of person, bot, clock; - for others
        self._so_far = GameSoFar(game)
        self._chain = chain
        self._remembers: Final = math.inf if whole else REMEMBERED
        self._stolen, self._busted = [0] * len(seats), [0] * len(seats)
        self.follow(rows)

    def anew(self, rows: Iterable[EntryRow]) -> LiveGame:
        """The same game out of its rows; its dice need no hashing again."""
        game = LiveGame(self.row, rows, self._chain)
        game.stored_wake = math.nan  # not known
        return game

    # --- what it is ---

    @property
    def version(self) -> int:
        return self.match.version

    @property
    def position(self) -> Position:
        return self.match.game.position

    @property
    def chain(self) -> DiceChain:
        """The dice of this game; some milliseconds of hashing when first asked for."""
        if self._chain is None:
            self._chain = chain_of(self.row)
        return self._chain

    def set_clock(self, now: float) -> None:
        """What was stored later than now was stored by a clock that has been set back since: it happened just now."""
        self.last_at, self.turn_at = min(self.last_at, now), min(self.turn_at, now)
        self.asked_at = min(self.asked_at, now)

    @property
    def waits(self) -> bool:
        """Whether something is on its way that only the clock ends: guests' values, or who starts."""
        return not self.match.over and (self.match.undecided or self.match.ask is not None)

    @property
    def deadline(self) -> float | None:
        """When the turn's time runs out; None without a clock, and where a bot plays anyway."""
        seat = self.match.turn_of
        if self.row.timer is None or seat is None or self.match.played_by(seat) is not None:
            return None
        return self.turn_at + self.row.timer

    @property
    def wake(self) -> float | None:
        """When a bot or the clock has something to do, if nobody acts before."""
        if self.waits:
            return self.asked_at + WAKE_SECONDS
        seat = self.match.turn_of
        if seat is None:
            return None
        if self.match.played_by(seat) is not None:
            return self.last_at + self.row.pace_ms / 1000
        return self.deadline

    # --- commands: each checks, changes the match, and gives the step to store ---

    def move(
        self,
        seat: int,
        text: str,
        version: int,
        nonce: str | None,
        at: float,
        *,
        bot: bool = False,
        there: Set[int] = frozenset(),
    ) -> Advance:
        """A move from a seat, with the dice that it makes fall or the guests that it asks to add to them; `bot`: from
        whoever plays for the seat; `there`: guests who are connected."""
        move = None if text == "roll" else parsed_move(text)
        rolls = move is None or isinstance(move, _ROLLING)
        adding = self.adding(there)
        if rolls and not bot and nonce is None and self.row.guest_of(seat) not in adding:
            raise Refused(
                "bad_message", "a move that rolls dice needs a nonce of 16 to 64 characters in d.nonce"
            )
        match = self.match
        match.demand(seat, version, bot=bot)
        if match.ask is not None:
            raise Refusal("illegal_move", f"{text}: the dice are falling")
        if match.dice_due != (move is None):
            expected = "roll" if match.dice_due else ", ".join(map(str, self.position.moves()))
            raise Refusal("illegal_move", f"{text}: expected {expected}")
        step = Advance(self.version)
        if move is not None:
            self._add(step, MoveMade(seat, move), seat, at)
        if rolls:
            self._roll(step, at, adding, None if bot else nonce)
        return step

    def change(self, entry: Change | TipGiven | CameIn, at: float) -> Advance:
        """A time-out, a resignation, a stand-in or a return; a guest's tip, or that it adds to the dice again."""
        step = Advance(self.version)
        said_again = isinstance(entry, TipGiven) and self.contributions.tip_of(entry.seat) == entry.tip
        if not said_again:
            self._add(step, entry, entry.seat, at)
        return step

    # --- rolls ---

    def adding(self, there: Set[int]) -> tuple[int, ...]:
        """Who is asked to add to the next roll. Nobody where the server's chain ends: that value is shown with the
        roll, which must not become void."""
        rolls = self.match.adding
        ready = tuple(guest for guest in rolls.ready if guest in there) if there else ()
        return () if not ready or self.chain.hand_over(rolls.next) is not None else ready

    def begin(self, there: Set[int], at: float) -> Advance:
        """Let it fall who starts."""
        step = Advance(self.version)
        self._roll(step, at, self.adding(there), None)
        return step

    def finish(self, values: Mapping[int, str], at: float) -> Advance:
        """All values are in: the roll falls."""
        step, ask = Advance(self.version), self._demand_ask()
        self._fall(step, at, ask.k, {SEATS[guest]: values[guest] for guest in ask.seats}, ask.nonce)
        return step

    def void(self, missing: tuple[int, ...], at: float) -> Advance:
        """Some values are missing: the roll is void, and the next one follows with the rest."""
        step, ask = Advance(self.version), self._demand_ask()
        self._add(step, RollVoided(ask.k, missing), self.match.turn_of, at)
        self._roll(step, at, self.adding(set(ask.seats)), ask.nonce)
        return step

    def _demand_ask(self) -> RollAsked:
        if self.match.ask is None:
            raise Refusal("illegal_move", "no roll waits for values")
        return self.match.ask

    def _roll(self, step: Advance, at: float, adding: tuple[int, ...], nonce: str | None) -> None:
        k = self.match.adding.next
        if adding:
            self._add(step, RollAsked(k, adding, nonce), self.match.turn_of, at)
        else:
            self._fall(step, at, k, {}, nonce)

    def _fall(self, step: Advance, at: float, k: int, values: Mapping[str, str], nonce: str | None) -> None:
        so_far = self._so_far.at()
        mixed = mix(values, nonce) or bot_nonce(so_far)
        if self.match.undecided:
            value = self.chain.value(k)
            first = who_starts(value, self.row.id, k, mixed, len(self.row.players))
            self._add(step, FirstFell(first), first, at, f"{k} {value.hex()} {mixed}")
            return
        fallen = self.chain.roll(k, mixed, so_far, *self.position.dice_to_roll)
        self._add(step, DiceFell(fallen.roll), self.match.turn_of, at, f"{k} {fallen.value} {mixed}")

    # --- entries ---

    def follow(self, rows: Iterable[EntryRow], step: Advance | None = None) -> None:
        """Take what somebody else has stored; what is known already is passed by. `step` is told of it."""
        for stored in rows:
            if stored.seq != self.version + 1:
                continue
            entry = parse_entry(stored.entry)
            seat = getattr(entry, "seat", self.match.turn_of)
            before = self.position
            events = self._take(entry, stored.at)
            if stored.cid is not None:
                self.remember(stored.cid, stored.seq)
            if step is not None:
                maker = self._maker(stored.seq)
                step.entries.append(describe_entry(stored.seq, entry, seat, maker, stored.proof))
                step.tell(before, entry, self.position, events)

    def _add(
        self, step: Advance, entry: Entry, seat: int | None, at: float, proof: str | None = None
    ) -> None:
        """`seat`: whose entry it is; dice do not say."""
        before = self.position
        events = self._take(entry, at)
        version = self.match.version
        step.rows.append(EntryRow(version, at, format_entry(entry), None, proof))
        step.entries.append(describe_entry(version, entry, seat, self._maker(version), proof))
        step.tell(before, entry, self.position, events)

    def _take(self, entry: Entry, at: float) -> tuple[Event, ...]:
        match = self.match
        by = self._who(entry.seat) if isinstance(entry, MoveMade) else "-"
        events = match.submit(entry)
        self._by += by.encode()
        self.last_at = at
        if isinstance(entry, RollAsked):
            self.asked_at, self._asked_seq = at, match.version
        elif isinstance(entry, FirstFell):
            self._so_far = GameSoFar(match.game)
        if match.turn_version == match.version:
            self.turn_at = at
            self._end_turn(events)
        return events

    def _end_turn(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, Stole | Busted):
                (self._stolen if isinstance(event, Stole) else self._busted)[event.seat] += 1
        if self.version - self.match.past > self._remembers:
            self._so_far.at()
            self.match.forget(REMEMBERED // 2)
            self._so_far.go_on(self.match.game)

    def _who(self, seat: int) -> str:
        if self.match.timed_out:
            return "c"
        return "p" if self.match.played_by(seat) is None else "b"

    def _maker(self, seq: int) -> Maker | None:
        return _MAKERS.get(self._by[seq - 1])

    def made_for_persons(self) -> list[str]:
        """Of every ply what moved for a person: ``clock``, ``stand-in``, or empty."""
        made = {ord("c"): "clock", ord("b"): "stand-in"}
        return [
            made.get(by, "")
            if isinstance(entry, MoveMade) and self.row.players[entry.seat].bot is None
            else ""
            for entry, by in zip(self.match.entries(), self._by, strict=True)
            if isinstance(entry, PLIES)
        ]

    def remember(self, key: str, answer: int | Refused) -> None:
        """For a resend. Refusals only here: after a restart the version shows that a message is old."""
        self.answers[key] = answer
        if len(self.answers) > KNOWN_IDS:
            del self.answers[next(iter(self.answers))]

    # --- what clients are sent ---

    def state(self, step: Advance, now: float) -> State:
        """The game as it stands, and what the step brought."""
        match, position = self.match, self.position
        told = [frame for ply in step.plies for frame in frames(*ply)]
        last = step.plies[-1][2] if step.plies else None  # it may have no events
        ended_here = last is not None and last.events and last.position == position
        shown = told[-1].view if ended_here else view(position, passing=match.undecided)
        if match.undecided:
            shown["seat"] = None
        over, deadline = match.over, self.deadline
        happened = [describe_event(event) for event in step.events]
        shown_in_motion = happened[len(happened) - len(told) :]
        moves = [] if over or self.waits else ["roll"] if match.dice_due else shown["moves"]
        return State(
            game=self.row.id,
            v=self.version,
            from_=step.start,
            position=shown["position"],
            view=shown,
            seat=None if over or self.waits else shown["seat"],
            moves=moves,
            entries=step.entries,
            events=happened,
            frames=[
                EventFrame(event, None if seen is shown else seen)
                for event, (_, seen) in zip(shown_in_motion, told, strict=True)
            ],
            left_ms=None if deadline is None else max(0, round((deadline - now) * 1000)),
            dice=self.row.dice_text,
            chains=self.contributions.info(self._asked_seq) if self.row.joint else None,
            over=over,
            result=self.result,
        )

    @property
    def result(self) -> ResultInfo | None:
        """How it ended; None while it goes on."""
        result = self.match.result
        return None if result is None else describe_result(result, self._stolen, self._busted)

    def first_row(self, version: int) -> int:
        """The version behind which `since` needs the rows: a past that is forgotten is played again."""
        return version if version >= self.match.past else 0

    def since(self, version: int, rows: Iterable[EntryRow]) -> Advance:
        """What happened after a version, out of the rows behind `first_row`; more may have been stored meanwhile."""
        step = Advance(version)
        if version < self.match.past:
            rows = list(rows)[: self.version]
            again = LiveGame(self.row, rows[:version])
            again.follow(rows[version:], step)
            return step
        log = self.match.entries()
        positions, events = self.match.game.positions, self.match.game.events
        before = version - self.match.past
        ply = sum(isinstance(entry, PLIES) for entry in log[:before])
        proofs = {row.seq: row.proof for row in rows}
        first = any(isinstance(entry, FirstFell) for entry in log[before:])
        decided = not self.match.undecided and not first
        for seq, entry in enumerate(log[before:], version + 1):
            seat = getattr(entry, "seat", positions[ply].seat if decided else None)
            decided = decided or isinstance(entry, FirstFell)
            step.entries.append(describe_entry(seq, entry, seat, self._maker(seq), proofs.get(seq)))
            if isinstance(entry, PLIES):
                step.tell(positions[ply], entry, positions[ply + 1], events[ply])
                ply += 1
        return step


def chain_of(row: GameRow) -> DiceChain:
    start = Position.start(row.edition, len(row.players), max(0, row.first))
    return DiceChain.create(
        row.id,
        row.edition,
        [player.name for player in row.players],
        row.secret,
        start=str(start) if row.first > 0 else "",
        bots="".join(SEATS[seat] for seat, player in enumerate(row.players) if player.bot is not None),
        joint=row.joint,
    )
