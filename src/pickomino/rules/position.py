"""One frozen position, and the questions one asks of it: which moves, which rolls, and what comes next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple

from pickomino.rules import turn
from pickomino.rules.dice import chances, dice_to_roll, may_roll, tally
from pickomino.rules.edition import MAX_SEATS, MIN_SEATS, SEATS, Edition, Face
from pickomino.rules.errors import IllegalMoveError, InvalidPositionError, quote, said
from pickomino.rules.events import Event
from pickomino.rules.house import find_edition
from pickomino.rules.moves import Move, Ply, Roll
from pickomino.rules.outcome import Outcome, rank
from pickomino.rules.phase import GAME_OVER, ROLL_DUE, Phase
from pickomino.rules.plies import parse_ply
from pickomino.rules.specialists import APPLE_WORMS, Specialists
from pickomino.rules.text import format_position


@dataclass(frozen=True, slots=True)
class Position:
    """Everything that matters for the rest of the game; face-down tiles are simply missing.

    Positions come from `start`, from `apply` and from `pickomino.parse_position`; one put together by hand is
    not checked until `pickomino.rules.check` looks at it.
    """

    edition: Edition
    grill: tuple[int, ...]  # face-up tiles, ascending
    stacks: tuple[tuple[int, ...], ...]  # per seat, bottom first
    seat: int  # to act; NOBODY once the game is over
    phase: Phase
    kept: str = ""  # dice as in pickomino.rules.dice
    rolled: str = ""  # while a keep is due
    specialists: Specialists | None = None  # None in editions without them

    @classmethod
    def start(cls, edition: Edition | str = "classic", seats: int = 2, first: int = 0) -> Position:
        """The beginning of a game (R1.4); any seat may be the first (R1.1)."""
        if isinstance(edition, str):
            edition = find_edition(edition)
        if not MIN_SEATS <= seats <= MAX_SEATS:
            raise InvalidPositionError(
                "{seats} seats: expected {low} to {high}", seats=seats, low=MIN_SEATS, high=MAX_SEATS
            )
        if not 0 <= first < seats:
            raise InvalidPositionError(
                "first seat {first}: expected 0 to {seats}", first=first, seats=seats - 1
            )
        specialists = Specialists.start(edition, seats)
        return cls(edition, edition.values, ((),) * seats, first, Phase.ROLL, specialists=specialists)

    def moves(self) -> tuple[Move, ...]:
        """The legal moves, sorted by text; none when dice are due or the game is over."""
        return turn.moves(self)

    def rolls(self) -> Mapping[Roll, int]:
        """Where dice are due: every roll with its integer weight. Otherwise empty."""
        if self.phase is not Phase.ROLL:
            return {}
        return MappingProxyType(chances(self.edition, *self.dice_to_roll))  # all share it: to look at only

    def apply(self, ply: Ply | str, way: list[Position] | None = None) -> Step:
        """The position after a move or a roll, an object or its text, with all that follows from it by rule.

        `way`, if given, receives the position right after every event but the last, whose position is returned.
        Nobody can act in these.

        >>> str(Position.start().apply("=112345WW").position.apply("kW").position)
        'pkp1 classic 21-36 -/- A WW:-'
        """
        if type(ply) is Roll:
            if self.phase is not ROLL_DUE or ply not in chances(self.edition, *self.dice_to_roll):
                raise IllegalMoveError(
                    "roll {ply!r} does not fit {value!r}: {expected}",
                    ply=str(ply),
                    value=str(self),
                    expected=self._expected(),
                )
            return Step(*turn.fall(self, ply.dice, way))
        if ply in turn.moves(self):
            return Step(*turn.play(self, ply, way))
        if isinstance(ply, str):
            return self.apply(parse_ply(ply), way)
        if not isinstance(ply, Move):
            raise IllegalMoveError("{ply}: expected a move, a roll, or the text of one", ply=quote(ply))
        raise IllegalMoveError(
            "move {ply!r} is not legal in {value!r}: {expected}",
            ply=str(ply),
            value=str(self),
            expected=self._expected(),
        )

    def _expected(self) -> str:
        if self.phase is Phase.OVER:
            return said("the game is over")
        if self.phase is Phase.ROLL:
            white, gold = self.dice_to_roll
            faces, golden = _signs(self.edition.faces), _signs(self.edition.golden_die)
            if gold:
                return said(
                    "dice are due, {white} white ({faces}) and the golden one ({golden})",
                    white=white,
                    faces=faces,
                    golden=golden,
                )
            return said("dice are due, {white} white ({faces})", white=white, faces=faces)
        return said("expected {moves}", moves=", ".join(map(str, self.moves())))

    @property
    def over(self) -> bool:
        return self.phase is GAME_OVER

    @property
    def gold_joined(self) -> bool:
        """Whether the golden die is in this turn (D8.1)."""
        return self.specialists is not None and self.specialists.gold_joined

    @property
    def has_can(self) -> bool:
        """Whether the seat to act holds the can (D9.1)."""
        specialists = self.specialists
        return specialists is not None and not self.over and specialists.holds(self.seat, "can")

    @property
    def total(self) -> int:
        """The sum of the kept dice, with the can where it counts (R2.6, D9.1); 0 before the first keep."""
        return tally(self.edition, self.kept, self.has_can)[0] if self.kept else 0

    @property
    def has_worm(self) -> bool:
        """Whether a worm, or the can, is among the kept dice (R3.1)."""
        return bool(self.kept) and tally(self.edition, self.kept, self.has_can)[1]

    @property
    def dice_left(self) -> int:
        """How many dice are not yet kept, the golden one included; 0 once the game is over."""
        return 0 if self.over else sum(self.dice_to_roll)

    @property
    def dice_to_roll(self) -> tuple[int, bool]:
        """The dice not yet kept by kind: how many white ones, and whether the golden one."""
        return dice_to_roll(self.edition, self.kept, self.gold_joined)

    @property
    def can_roll(self) -> bool:
        """R2.4: dice are left, and a face that was not kept yet."""
        return may_roll(self.edition, self.kept, self.gold_joined)

    @property
    def tops(self) -> tuple[int | None, ...]:
        """The visible tile of every stack (R3.6)."""
        return tuple(stack[-1] if stack else None for stack in self.stacks)

    @property
    def flipped(self) -> tuple[int, ...]:
        """The tiles that are face down and out of the game (R4.2)."""
        seen = set(self.grill).union(*self.stacks)
        return tuple(tile for tile in self.edition.values if tile not in seen)

    @property
    def scores(self) -> tuple[int, ...]:
        """Worms of every seat (R5.2, D13.2)."""
        worms = self.edition.worms
        scores = [sum(map(worms.__getitem__, stack)) for stack in self.stacks]
        if self.specialists is not None:
            for seat, count in enumerate(self.specialists.round_worms):
                scores[seat] += count + APPLE_WORMS * self.specialists.holds(seat, "apple")
        return tuple(scores)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.standings if self.over else None

    @property
    def standings(self) -> Outcome:
        """How the game would end if it ended now."""
        highest = [max(stack, default=0) for stack in self.stacks]
        return rank(self.scores, highest, self.edition.tie_break == "shared")

    def __str__(self) -> str:
        return format_position(self)

    def __repr__(self) -> str:
        """The parser call that rebuilds the position."""
        return f"parse_position({str(self)!r})"

    def _repr_svg_(self) -> str:
        """The picture that notebooks show. It is drawn above the rules, hence found by name and only then."""
        picture: str = import_module("pickomino.drawing").svg(self)
        return picture

    @property
    def seat_letter(self) -> str:
        """``A`` to ``G``, ``-`` once the game is over; ``?`` for a seat that no table has."""
        if self.phase is GAME_OVER:
            return "-"
        return SEATS[self.seat] if 0 <= self.seat < MAX_SEATS else "?"


def _signs(faces: tuple[Face, ...]) -> str:
    return "".join(face.sign for face in faces)


class Step(NamedTuple):
    """What `Position.apply` returns."""

    position: Position
    events: tuple[Event, ...]
