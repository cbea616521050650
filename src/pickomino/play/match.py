"""`Match`: seats and a log of entries around one game. Pure: a command in, an entry or a refusal out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from pickomino.game import Game
from pickomino.notation.turns import ends_turn
from pickomino.play.adding import Adding
from pickomino.play.entries import (
    CameBack,
    CameIn,
    Change,
    DiceFell,
    Entry,
    FirstFell,
    MoveMade,
    Replaced,
    Resigned,
    RollAsked,
    RollStep,
    RollVoided,
    TimedOut,
    TipGiven,
)
from pickomino.play.result import Result, result_of
from pickomino.rules import SEATS, IllegalMoveError, InvalidPositionError, Move, Roll
from pickomino.rules.events import Event
from pickomino.rules.phase import ROLL_DUE

STAND_IN: Final = "cautious"
"""The bot that finishes the turn of a seat whose time ran out, and plays on for one that resigned."""

_WORDS_ABOUT_DICE: Final = (TipGiven, CameIn)

Code: TypeAlias = Literal["game_over", "not_your_turn", "stale_version", "illegal_move"]


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there: a person, a bot named as the bot registry names it, or nobody yet."""

    name: str
    bot: str | None = None


class Refusal(IllegalMoveError):
    """A command that the match does not take, with a code for programs."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code: Code = code


class Match:
    """One game with its seats. Entries are inputs and are what gets stored; events are derived from them.

    >>> from pickomino import Game, Roll
    >>> match = Match(Game.new(seats=2), (Seat("Anna"), Seat("Ben")))
    >>> match.submit(DiceFell(Roll("112345WW")))
    (Rolled(seat=0, dice='112345WW'),)
    >>> match.version, match.to_act
    (1, 0)
    """

    def __init__(self, game: Game, seats: tuple[Seat, ...], *, undecided: bool = False) -> None:
        """`undecided`: who starts is yet to fall, and the game is put in its place then."""
        if len(seats) != len(game.start.stacks):
            raise InvalidPositionError(f"{len(seats)} seats for a game of {len(game.start.stacks)}")
        self._game = game
        self.seats: Final = seats
        self.adding: Final = Adding(len(seats), 0 if undecided else 1)
        self._undecided = undecided
        self._turns = 0  # that have ended
        self._moved = 0  # the version after the last entry that was more than a guest's word about the dice
        self._log: list[Entry] = []
        self._past = 0  # how many entries came before those
        self._resigned: set[int] = set()
        self._stand_ins: dict[int, str] = {}
        self._timed_out = False
        self._turn_version = 0
        self._over = game.over
        for position, ply, events in game.steps():  # a game that goes on
            self._log.append(DiceFell(ply) if isinstance(ply, Roll) else MoveMade(position.seat, ply))
            if isinstance(ply, Roll):
                self.adding.fell()
            self._note_turn(events)
        self._moved = self.version

    # --- where it stands ---

    @property
    def game(self) -> Game:
        """The game as far back as it is remembered."""
        return self._game

    @property
    def undecided(self) -> bool:
        """Whether it is still to be decided who starts."""
        return self._undecided

    @property
    def turn(self) -> int:
        """How many turns have ended."""
        return self._turns

    @property
    def version(self) -> int:
        """How many entries there are."""
        return self._past + len(self._log)

    @property
    def past(self) -> int:
        """How many of them are forgotten."""
        return self._past

    @property
    def turn_version(self) -> int:
        """The version at which the turn being played began."""
        return self._turn_version

    @property
    def over(self) -> bool:
        """The rules say so, or at most one seat that can win is left."""
        return self._over

    @property
    def result(self) -> Result | None:
        """How the match ended; None while it goes on."""
        return result_of(self.game.position, self._resigned) if self.over else None

    @property
    def resigned(self) -> frozenset[int]:
        return frozenset(self._resigned)

    @property
    def to_act(self) -> int | None:
        """The seat whose decision is due; None when dice are due or the game is over."""
        return None if self.dice_due else self.turn_of

    @property
    def turn_of(self) -> int | None:
        """The seat whose turn it is, also while its dice are due; None once it is over, and before it is known."""
        return None if self._over or self._undecided else self._game.position.seat

    @property
    def ask(self) -> RollAsked | None:
        """The roll that waits for guests' values."""
        return None if self._over else self.adding.ask

    @property
    def dice_due(self) -> bool:
        return self._game.position.phase is ROLL_DUE

    @property
    def timed_out(self) -> bool:
        """Whether a bot finishes the turn being played because the time ran out."""
        return self._timed_out

    def stand_in(self, seat: int) -> str | None:
        """The bot that plays for a person who is away or has resigned."""
        if self.seats[seat].bot is not None:
            return None
        return STAND_IN if seat in self._resigned else self._stand_ins.get(seat)

    def replaced(self, seat: int) -> bool:
        """Whether a bot plays for a person who is away and may come back."""
        return seat in self._stand_ins

    def played_by(self, seat: int) -> str | None:
        """The bot that decides for the seat now, for whichever reason; None where a person does."""
        if self._timed_out and seat == self.turn_of:
            return STAND_IN
        if seat in self._resigned:
            return STAND_IN
        return self.seats[seat].bot or self._stand_ins.get(seat)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people play themselves."""
        return tuple(
            seat
            for seat, row in enumerate(self.seats)
            if row.bot is None and seat not in self._resigned and seat not in self._stand_ins
        )

    def entries(self) -> tuple[Entry, ...]:
        """The log so far, without what is forgotten."""
        return tuple(self._log)

    def forget(self, keep: int) -> None:
        """Forget all but the last entries, and the positions before them; whoever needs them has stored them."""
        self._past += max(0, len(self._log) - keep)
        self._log = self._log[-keep:]
        self._game = self._game.tail(sum(isinstance(entry, MoveMade | DiceFell) for entry in self._log))

    # --- commands ---

    def demand(self, seat: int | None, version: int | None = None, *, bot: bool | None = None) -> None:
        """Raise a `Refusal` unless something may happen now: by a seat if one is named, to a version if one is
        named. `bot`: by the bot, or by the person, who plays the seat now."""
        if self._over:
            raise Refusal("game_over", f"the game is over in {str(self.game.position)!r}")
        if seat is not None:
            if seat != self.turn_of:
                turn = f"it is the turn of seat {self.game.position.seat_letter}"
                who = "who starts is not known yet" if self._undecided else turn
                asked = SEATS[seat] if 0 <= seat < len(self.seats) else str(seat)
                raise Refusal("not_your_turn", f"seat {asked}: {who}")
            if bot is not None and bot != (self.played_by(seat) is not None):
                who = "a person" if bot else "a bot"
                raise Refusal("not_your_turn", f"seat {SEATS[seat]}: {who} plays it now")
        if version is not None and not self._moved <= version <= self.version:
            raise Refusal("stale_version", f"version {version}: the match is at {self.version}")

    def submit(self, entry: Entry, version: int | None = None) -> tuple[Event, ...]:
        """Take an entry and return its events, or raise a `Refusal` and change nothing."""
        self.demand(entry.seat if isinstance(entry, MoveMade) else None, version)
        match entry:
            case DiceFell(roll):
                if self._undecided:
                    raise Refusal("illegal_move", "who starts is not known yet")
                events = self._apply(roll)
                self.adding.fell()
            case MoveMade(_, move):
                events = self._apply(move)
            case TimedOut() | Resigned() | Replaced() | CameBack():
                self._change(entry)
                events = ()
            case _:
                self._roll_step(entry)
                events = ()
        self._log.append(entry)
        self._note_turn(events)
        if isinstance(entry, FirstFell):
            self._turn_version = self.version
        if not isinstance(entry, _WORDS_ABOUT_DICE):
            self._moved = self.version
        return events

    def _roll_step(self, entry: RollStep) -> None:
        """What leads to dice that every seat adds to."""
        if isinstance(entry, FirstFell):
            start = self.game.start
            if not self._undecided or not 0 <= entry.seat < len(self.seats):
                raise Refusal(
                    "illegal_move",
                    f"seat {entry.seat} starts: that is already decided, or there is no such seat",
                )
            self._game = Game.new(start.edition, len(self.seats), entry.seat)
            self._undecided = False
            self.adding.fell()
            return
        fault = self.adding.fault(entry, self._turns)
        if isinstance(entry, RollAsked) and not (self._undecided or self.dice_due):
            fault = f"roll {entry.k}: no dice are due"
        if not isinstance(entry, RollAsked | RollVoided) and not self._is_person(entry.seat):
            fault = "expected a person's seat"
        if fault is not None:
            raise Refusal("illegal_move", fault)
        self.adding.take(entry, self._turns)

    def _is_person(self, seat: int) -> bool:
        return 0 <= seat < len(self.seats) and self.seats[seat].bot is None

    def _apply(self, ply: Move | Roll) -> tuple[Event, ...]:
        try:
            return self._game.apply(ply).events
        except IllegalMoveError as error:
            raise Refusal("illegal_move", str(error)) from None

    def _change(self, entry: Change) -> None:
        """What changes who plays a seat, not the position."""
        seat = entry.seat
        if not self._is_person(seat):
            raise Refusal("illegal_move", f"seat {seat}: expected a person's seat")

        def demand(holds: bool, why: str, code: Code = "illegal_move") -> None:
            if not holds:
                raise Refusal(code, f"seat {SEATS[seat]}: {why}")

        match entry:
            case TimedOut():
                demand(seat == self.turn_of, "it is another's turn", "not_your_turn")
                demand(self.played_by(seat) is None, "a bot plays it already")
                self._timed_out = True
            case Resigned():
                demand(seat not in self._resigned, "it has resigned before")
                self._resigned.add(seat)
                self._stand_ins.pop(seat, None)
            case Replaced(_, bot):
                demand(seat not in self._resigned and seat not in self._stand_ins, "a bot plays it already")
                self._stand_ins[seat] = bot
            case CameBack():
                demand(seat in self._stand_ins, "nobody stands in for it")
                del self._stand_ins[seat]

    def _note_turn(self, events: tuple[Event, ...]) -> None:
        if ends_turn(events):
            self._timed_out = False
            self._turns += 1
            self._turn_version = self.version
        self._over = self._game.over or len(self._resigned) >= len(self.seats) - 1
