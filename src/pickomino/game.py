"""A played game: where it started and the plies since. Records, match logs and episodes are all this."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pickomino.rules import Edition, IllegalMoveError, Outcome, Ply, Position, Step
from pickomino.rules.events import Event
from pickomino.rules.plies import parse_ply


class Game:
    """A start and plies, with every position on the way.

    >>> game = Game()
    >>> _ = game.apply("=112345WW")
    >>> game.apply("kW").events
    (Kept(seat=0, face='W', count=2, total=10),)
    >>> str(game.position)
    'pkp1 classic 21-36 -/- A WW:-'
    """

    def __init__(self, start: Position | None = None, plies: Iterable[Ply | str] = ()) -> None:
        self._positions: list[Position] = [Position.start() if start is None else start]
        self._plies: list[Ply] = []
        self._events: list[tuple[Event, ...]] = []
        for ply in plies:
            self.apply(ply)

    @classmethod
    def new(cls, edition: Edition | str = "classic", seats: int = 2, first: int = 0) -> Game:
        """A game at its beginning."""
        return cls(Position.start(edition, seats, first))

    @property
    def start(self) -> Position:
        return self._positions[0]

    @property
    def position(self) -> Position:
        """Where the game stands now."""
        return self._positions[-1]

    @property
    def plies(self) -> tuple[Ply, ...]:
        return tuple(self._plies)

    @property
    def positions(self) -> tuple[Position, ...]:
        """From the start to now: one more than there are plies."""
        return tuple(self._positions)

    @property
    def events(self) -> tuple[tuple[Event, ...], ...]:
        """The events of each ply."""
        return tuple(self._events)

    @property
    def over(self) -> bool:
        return self.position.over

    @property
    def outcome(self) -> Outcome | None:
        return self.position.outcome

    def apply(self, ply: Ply | str) -> Step:
        """Play a move or let dice fall, by its text or as an object; an illegal one raises and changes nothing."""
        if isinstance(ply, str):
            ply = parse_ply(ply)
        step = self.position.apply(ply)
        self._positions.append(step.position)
        self._plies.append(ply)
        self._events.append(step.events)
        return step

    def undo(self) -> Ply:
        """Undo the last ply."""
        if not self._plies:
            raise IllegalMoveError(f"nothing to undo at the start {str(self.start)!r}")
        self._positions.pop()
        self._events.pop()
        return self._plies.pop()

    def tail(self, plies: int) -> Game:
        """The last `plies` plies as a game of their own."""
        first = len(self) - plies
        last = Game(self._positions[first])
        last._positions = self._positions[first:]
        last._plies, last._events = self._plies[first:], self._events[first:]
        return last

    def steps(
        self, first: int = 0, end: int | None = None
    ) -> Iterator[tuple[Position, Ply, tuple[Event, ...]]]:
        """Every ply with the position before it and the events after it; or some of them, from `first` to `end`."""
        part = slice(first, len(self) if end is None else end)
        return zip(self._positions[part], self._plies[part], self._events[part], strict=True)

    def __len__(self) -> int:
        return len(self._plies)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.start == other.start and self._plies == other._plies

    __hash__ = None  # type: ignore[assignment]  # a game grows

    def __repr__(self) -> str:
        return f"<Game of {len(self)} plies at {str(self.position)!r}>"

    def _repr_svg_(self) -> str:
        """The position as a picture, for notebooks."""
        return self.position._repr_svg_()
