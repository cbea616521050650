"""Kinds of turn in a game with specialists.

Positions are of one kind where their turns can end in the same ways: the same grill, the same tiles on top of
the other stacks, the same help at hand (can, golden die, weasel) and the same givers of a round worm. One
`TurnSolver` serves them all.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from pickomino.rules import Edition, Position
from pickomino.solver.position import TurnSolver

__all__ = ["Kind", "Kinds"]

_HELPERS = ("can", "gold", "weasel")  # who changes what a turn can do (D8.1, D8.2, D9.1)

Key: TypeAlias = tuple[object, ...]


class Kind(NamedTuple):
    """One kind of turn."""

    number: int
    solver: TurnSolver  # of the first position of the kind that was met


class Kinds:
    """The kinds of turn of a small game, as they are met."""

    def __init__(self, edition: Edition, tiles: int, players: int) -> None:
        self.edition = edition
        lanes = max(1, players - 1) if edition.round_worms else 0  # who may give a round worm (D11.1)
        self.endings = (tiles + players) * (1 + lanes)  # takes, steals, a bust: at most
        self.choices = (
            max(2, players - 1) if edition.specialists else 1
        )  # two specialists, or the crow's givers
        self.all: list[Kind] = []
        self._known: dict[Key, Kind] = {}

    def of(self, position: Position) -> Kind:
        """The kind of the turn that is about to begin."""
        key = _key(position)
        kind = self._known.get(key)
        if kind is None:
            kind = self._known[key] = Kind(len(self.all), TurnSolver(position, kernel="numpy"))
            self.all.append(kind)
        return kind


def _key(position: Position) -> Key:
    seat, specialists = position.seat, position.specialists
    tops = sorted(stack[-1] for other, stack in enumerate(position.stacks) if stack and other != seat)
    if specialists is None:
        return position.grill, *tops
    helpers = tuple(specialists.holds(seat, name) for name in _HELPERS)
    supply = specialists.supply(position.edition) > 0
    return position.grill, helpers, supply, specialists.givers(position.edition, seat), *tops
