"""Tiny editions, and their small games solved the slow way: by the rules engine, ply by ply, seat by seat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from pickomino.rules import WORM, Edition, Face, Ply, Position
from pickomino.rules.events import TurnStarted

__all__ = ["TINY", "Naive", "tiny_edition"]

TIE = 1e-12  # the rule for three and more seats: closer values are equal, the first in text order is played

Values = tuple[float, ...]


def tiny_edition(
    name: str, tiles: dict[int, int], dice: int, faces: dict[str, int], **switches: object
) -> Edition:
    """An edition of a few tiles (with worms) and faces (with pips)."""
    signs = tuple(Face(sign, pips) for sign, pips in faces.items())
    return Edition(name, tuple(tiles.items()), dice=dice, faces=signs, **switches)  # type: ignore[arg-type]


def _editions() -> Iterator[Edition]:
    """All combinations of the switches; tiles with ties in worms, and totals above the highest of them."""
    games: list[tuple[dict[int, int], int, dict[str, int]]] = [
        ({3: 1, 4: 1, 5: 2}, 3, {"1": 1, WORM: 2}),
        ({2: 1, 3: 1}, 2, {"1": 1, "2": 2, WORM: 2}),
        ({3: 1, 4: 1, 5: 1}, 2, {"1": 1, "2": 2, WORM: 3}),
    ]
    switches = product(
        ("optional", "mandatory"),
        ("nearest", "any"),
        ("keep", "flip"),
        ("slow", "fast"),
        ("highest_tile", "shared"),
    )
    for steal, lower, flip, pace, tie_break in switches:
        for number, (tiles, dice, faces) in enumerate(games):
            name = "-".join((f"tiny{number}", steal, lower, flip, pace, tie_break))
            yield tiny_edition(
                name,
                tiles,
                dice,
                faces,
                steal=steal,
                lower=lower,
                flip_when_nothing_returned=flip == "flip",
                fast=pace == "fast",
                tie_break=tie_break,
            )


TINY = {edition.key: edition for edition in _editions()}


@dataclass(eq=False)
class _Node:
    """A position within a turn and what can come of it; the next turn and the end have nothing below."""

    position: Position
    chances: list[tuple[float, _Node]] = field(default_factory=list)
    choices: list[_Node] = field(default_factory=list)


class Naive:
    """Values by repeated enumeration of turns. Knows nothing of symmetry, classes of totals or levels."""

    def __init__(self, edition: Edition, players: int, start: Position | None = None) -> None:
        self.start = start or Position.start(edition, players)
        self.players = players
        self.margin = TIE if players > 2 else 0.0
        self._turns: dict[Position, _Node] = {}
        waiting = [self.start]
        while waiting:
            start = waiting.pop()
            if start not in self._turns:
                self._turns[start] = self._grow(start, waiting)
        self.values = dict.fromkeys(self._turns, (1 / players,) * players)

    @property
    def distinct(self) -> int:
        """Number of turn starts, those that differ by a turn of the table counted once."""
        return len({(p.grill, p.stacks[p.seat :] + p.stacks[: p.seat]) for p in self.values})

    def solve(self, sweeps: int = 3000) -> bool:
        """Value iteration; False if it does not settle."""
        return any(self.sweep() < 1e-15 for _ in range(sweeps))

    def sweep(self) -> float:
        """Play every turn once more; gives the largest change."""
        change = 0.0
        for position in self.values:
            new = self.play(position)
            change = max([change, *(abs(a - b) for a, b in zip(new, self.values[position], strict=True))])
            self.values[position] = new
        return change

    def play(self, position: Position) -> Values:
        """What a turn start is worth to every seat, from the values of the next turn starts."""
        return self._worth(self._turns[position])

    def points(self) -> Iterator[tuple[Position, Values, list[Values]]]:
        """Every position, also within turns, with its values and those of its moves."""
        for turn in self._turns.values():
            waiting, seen = [turn], set()
            while waiting:
                node = waiting.pop()
                if node.position in seen:
                    continue
                seen.add(node.position)
                if node.chances or node.choices:
                    yield node.position, self._worth(node), [self._worth(choice) for choice in node.choices]
                waiting += [*node.choices, *(after for _, after in node.chances)]

    def _worth(self, node: _Node) -> Values:
        position = node.position
        if position.over:
            winners = position.standings.winners
            return tuple((seat in winners) / len(winners) for seat in range(self.players))
        if node.chances:
            parts = [(prob, self._worth(after)) for prob, after in node.chances]
            return tuple(sum(prob * values[seat] for prob, values in parts) for seat in range(self.players))
        if not node.choices:
            return self.values[position]  # the next turn
        best = self._worth(node.choices[0])
        for choice in node.choices[1:]:
            values = self._worth(choice)
            if values[position.seat] > best[position.seat] + self.margin:
                best = values
        return best

    def _grow(self, position: Position, next_turns: list[Position]) -> _Node:
        node = _Node(position)
        rolls = position.rolls()
        for roll, weight in rolls.items():
            node.chances.append((weight / sum(rolls.values()), self._after(position, roll, next_turns)))
        node.choices = [self._after(position, move, next_turns) for move in position.moves()]
        return node

    def _after(self, position: Position, ply: Ply, next_turns: list[Position]) -> _Node:
        after, events = position.apply(ply)
        if after.over:
            return _Node(after)
        if events and isinstance(events[-1], TurnStarted):
            next_turns.append(after)
            return _Node(after)
        return self._grow(after, next_turns)
