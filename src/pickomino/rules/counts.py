"""Counting sequences of plies and of turns: how an engine proves its move generator (notation, "Known numbers")."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pickomino.rules import settle
from pickomino.rules.errors import InvalidPositionError, PickominoError
from pickomino.rules.moves import Ply, Steal, Stop, Take
from pickomino.rules.phase import Phase
from pickomino.rules.position import Position


def perft(position: Position, depth: int) -> int:
    """How many sequences of `depth` plies there are; a ply is one roll, one keep or one choice."""
    _check_depth(depth)
    return _Counter(_after_ply, _ply_count).count(position, depth)


def perft_divide(position: Position, depth: int) -> dict[str, int]:
    """The same count split by first ply."""
    _check_depth(depth)
    counter = _Counter(_after_ply, _ply_count)
    return {str(ply): counter.count(after, depth - 1) for ply, after in _after_ply(position)} if depth else {}


def turn_perft(position: Position, depth: int) -> int:
    """How many sequences of `depth` turns; a turn takes any face-up tile, steals any top, or is a bust."""
    _check_depth(depth)
    _check_turn(position)
    return _Counter(_after_turn, _turn_count).count(position, depth)


def turn_perft_divide(position: Position, depth: int) -> dict[str, int]:
    """The same count split by first turn: ``t25``, ``x25``, or ``s`` for the bust."""
    _check_depth(depth)
    _check_turn(position)
    counter = _Counter(_after_turn, _turn_count)
    return (
        {str(end): counter.count(after, depth - 1) for end, after in _after_turn(position)} if depth else {}
    )


class _Counter:
    """Counts with one table of (position, depth): different ways to a position are counted once."""

    def __init__(
        self,
        successors: Callable[[Position], Iterator[tuple[Ply, Position]]],
        width: Callable[[Position], int],
    ) -> None:
        self._successors = successors
        self._width = width
        self._known: dict[tuple[Position, int], int] = {}

    def count(self, position: Position, depth: int) -> int:
        if depth == 0:
            return 1
        if depth == 1:
            return self._width(position)
        key = (position, depth)
        if key not in self._known:
            self._known[key] = sum(self.count(after, depth - 1) for _, after in self._successors(position))
        return self._known[key]


def _after_ply(position: Position) -> Iterator[tuple[Ply, Position]]:
    for ply in (*position.rolls(), *position.moves()):
        yield ply, position.apply(ply).position


def _ply_count(position: Position) -> int:
    return len(position.rolls()) or len(position.moves())


def _check_depth(depth: int) -> None:
    if depth < 0:
        raise PickominoError("depth {depth}: expected 0 or more", depth=depth)


def _check_turn(position: Position) -> None:
    if position.specialists is not None:
        raise InvalidPositionError(
            "turn perft is defined for editions without specialists, not {position!r}", position=str(position)
        )
    if not position.over and (position.kept or position.phase is not Phase.ROLL):
        raise InvalidPositionError(
            "turn perft begins at the start of a turn, not in {position!r}", position=str(position)
        )


def _after_turn(position: Position) -> Iterator[tuple[Ply, Position]]:
    if position.over:
        return
    yield Stop(), settle.bust(position)[0]
    for tile in position.grill:
        yield Take(tile), settle.take(position, tile)[0]
    others = ((top, seat) for seat, top in enumerate(position.tops) if top and seat != position.seat)
    for top, seat in sorted(others):
        yield Steal(top), settle.steal(position, top, seat)[0]


def _turn_count(position: Position) -> int:
    """As many as `_after_turn` yields, without playing them."""
    if position.over:
        return 0
    others = sum(bool(stack) for seat, stack in enumerate(position.stacks) if seat != position.seat)
    return 1 + len(position.grill) + others
