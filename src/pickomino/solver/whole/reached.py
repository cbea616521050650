"""The positions of a small game with specialists: whatever the rules engine reaches from a start position.

A position is kept as a row of small integers, seen from the seat to act: for every tile 0 on the grill, 1
face down, ``2 + seat * tiles + height`` in a stack; for every specialist 0 out of the game, ``1 + tile`` or
``1 + tiles + seat``; and the round worms of every seat.

Three things never come back: a round worm from a seat to the supply (D11.1), a specialist that left the game
(D13.1), a flipped tile (R4.2). So positions fall into levels by supply, specialists and face-down tiles.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import chain, groupby
from math import comb, perm

import numpy as np
from numpy.typing import NDArray

from pickomino.rules import InvalidPositionError, Phase, PickominoError, Position
from pickomino.rules.specialists import Specialists
from pickomino.solver.endings import after
from pickomino.solver.point import in_turn
from pickomino.solver.whole.kinds import Kinds
from pickomino.solver.whole.numbered import Group, Index, Rows
from pickomino.solver.whole.space import count_bound

__all__ = ["Reached", "reached_bound", "turn_start"]

_GRILL, _DOWN, _STACK = 0, 1, 2
_GONE = 0
_MISSING = -1
_REPORT_EVERY = 1000


def reached_bound(start: Position) -> int:
    """No game that begins there has more turn starts."""
    players = len(start.stacks)
    tiles = len(start.grill) + sum(map(len, start.stacks))
    bound = count_bound(tiles, players)
    specialists = start.specialists
    if specialists is None:
        return bound
    names = len(_names(specialists))
    supply = specialists.supply(start.edition)
    given = sum(specialists.round_worms)
    worms = sum(comb(given + more + players - 1, players - 1) for more in range(supply + 1))
    places = sum(comb(names, here) * perm(tiles + players, here) for here in range(names + 1))
    return bound * worms * places


class Reached:
    """Every turn start that can follow a start position, and where each turn can end.

    A turn's ends are columns: ``kinds.endings`` of them, each with ``choices`` places for what the seat may
    choose after its claim (D10.4, D11.1); where there is less to choose the first is repeated.
    """

    def __init__(
        self,
        start: Position,
        known: tuple[NDArray[np.uint8], Index] | None = None,
        report: Callable[[int], None] | None = None,
    ) -> None:
        """``known``: rows and successors as found before; ``report`` hears how many positions are found."""
        self.begin = turn_start(start)
        self.edition, self.players = start.edition, len(start.stacks)
        self.tiles = tuple(sorted(chain(start.grill, *start.stacks)))
        self.names = () if start.specialists is None else _names(start.specialists)
        self.kinds = Kinds(self.edition, len(self.tiles), self.players)
        self._place = {tile: place for place, tile in enumerate(self.tiles)}
        self.rows, self.links = known or self._search(report)
        self.count = len(self.rows)
        self._numbers = {bytes(row): number for number, row in enumerate(self.rows)}
        self.levels = self._levels()
        self.start = self._numbers[self.encode(self.begin)]

    def successors(self, rows: Rows) -> Index:
        return self.links[rows]

    def number(self, position: Position) -> int:
        if position.edition == self.edition and len(position.stacks) == self.players and in_turn(position):
            number = self._numbers.get(self.encode(position))
            if number is not None:
                return number
        raise InvalidPositionError(f"position {str(position)!r} does not arise in {self}")

    def after(self, end: Position, seat: int) -> int:
        """The number of what follows a turn of that seat, a finished game included."""
        if not end.over:
            return self.number(end)
        winners = (1 << (winner - seat - 1) % self.players for winner in end.standings.winners)
        return self.count + sum(winners)

    def position(self, number: int, seat: int = 0) -> Position:
        return self._decode(self.rows[number].tolist(), seat)

    def __str__(self) -> str:
        return f"the small game from {str(self.begin)!r}"

    def encode(self, position: Position) -> bytes:
        """The row of a position; an unknown tile or specialist gives a row that no position has."""
        n, players, seat = len(self.tiles), self.players, position.seat
        digits = [_DOWN] * n
        try:
            for tile in position.grill:
                digits[self._place[tile]] = _GRILL
            for owner, stack in enumerate(position.stacks):
                first = _STACK + (owner - seat) % players * n
                for height, tile in enumerate(stack):
                    digits[self._place[tile]] = first + height
        except KeyError:
            return b""
        specialists = position.specialists
        if specialists is None:
            return bytes(digits)
        where = {name: 1 + self._place[tile] for tile, name in specialists.standing}
        for owner, held in enumerate(specialists.held):
            for name in held:
                where[name] = 1 + n + (owner - seat) % players
        worms = specialists.round_worms
        row = digits + [where.pop(name, _GONE) for name in self.names] + [*worms[seat:], *worms[:seat]]
        return b"" if where else bytes(row)

    def _decode(self, row: Sequence[int], seat: int = 0) -> Position:
        n, players = len(self.tiles), self.players
        stacks: list[dict[int, int]] = [{} for _ in range(players)]
        grill = []
        for tile, digit in zip(self.tiles, row, strict=False):
            if digit == _GRILL:
                grill.append(tile)
            elif digit >= _STACK:
                owner, height = divmod(digit - _STACK, n)
                stacks[(seat + owner) % players][height] = tile
        ordered = tuple(tuple(stack[height] for height in range(len(stack))) for stack in stacks)
        specialists = self._decode_specialists(row[n:], seat) if len(row) > n else None
        gold = specialists is not None and specialists.holds(seat, "gold")
        phase = Phase.GOLD if gold else Phase.ROLL  # D8.1
        return Position(self.edition, tuple(grill), ordered, seat, phase, specialists=specialists)

    def _decode_specialists(self, row: Sequence[int], seat: int) -> Specialists:
        n, players = len(self.tiles), self.players
        standing, held = [], [()] * players  # type: tuple[list[tuple[int, str]], list[tuple[str, ...]]]
        for name, place in zip(self.names, row, strict=False):
            if place > n:
                held[(seat + place - 1 - n) % players] = (name,)
            elif place != _GONE:
                standing.append((self.tiles[place - 1], name))
        worms = row[len(self.names) :]
        turned = tuple(worms[(owner - seat) % players] for owner in range(players))
        return Specialists(tuple(sorted(standing)), tuple(held), turned)

    def _search(self, report: Callable[[int], None] | None) -> tuple[NDArray[np.uint8], Index]:
        """From the start, whatever turns lead to; then sorted by level."""
        found = {self.encode(self.begin): 0}
        waiting = [self.begin]
        links = array("i")
        for number, position in enumerate(waiting):  # grows while it is read
            if report is not None and number % _REPORT_EVERY == 0:
                report(len(waiting))
            links.extend(self._links(position, found, waiting))
        rows = np.frombuffer(b"".join(found), dtype=np.uint8).reshape(len(found), -1)
        order = np.lexsort(self._sort_keys(rows))
        new = np.empty(len(order), dtype=np.int32)
        new[order] = np.arange(len(order))
        table = np.array(links, dtype=np.int32).reshape(len(found), -1)[order]
        return rows[order], np.where(table < 0, len(order) - 1 - table, new[np.maximum(table, 0)])

    def _links(self, position: Position, found: dict[bytes, int], waiting: list[Position]) -> list[int]:
        """Numbers in the order they are found; ``-1 - winners`` for finished games."""
        choices = self.kinds.choices
        row = [_MISSING] * (self.kinds.endings * choices)
        for place, ending in enumerate(self.kinds.of(position).solver.endings):
            numbers = []
            for end in after(position, ending):
                if end.over:
                    winners = (1 << (winner - 1) % self.players for winner in end.standings.winners)
                    numbers.append(-1 - sum(winners))
                    continue
                key = self.encode(end)
                number = found.setdefault(key, len(found))
                if number == len(waiting):
                    waiting.append(self._decode(key))
                numbers.append(number)
            numbers += numbers[:1] * (choices - len(numbers))
            row[place * choices : (place + 1) * choices] = numbers
        return row

    def _sort_keys(self, rows: NDArray[np.uint8]) -> tuple[NDArray[np.int64], ...]:
        """The last is the first to sort by: supply, specialists in the game, face-down, then stacked tiles."""
        n, names = len(self.tiles), len(self.names)
        digits = rows[:, :n]
        in_game = (rows[:, n : n + names] != _GONE).sum(axis=1)
        given = rows[:, n + names :].sum(axis=1, dtype=np.int64)
        return -(digits >= _STACK).sum(axis=1), -(digits == _DOWN).sum(axis=1), in_game, -given

    def _levels(self) -> tuple[tuple[Group, ...], ...]:
        keys = np.stack(self._sort_keys(self.rows)[::-1], axis=1).tolist()
        groups, first = [], 0
        for key, members in groupby(keys):
            last = first + len(list(members))
            groups.append((key[:3], Group(-key[2], -key[3], first, last)))
            first = last
        return tuple(tuple(group for _, group in level) for _, level in groupby(groups, lambda pair: pair[0]))


def turn_start(position: Position) -> Position:
    """The same table before the first roll; round worms earned on the way stay."""
    if not in_turn(position):
        raise PickominoError(f"position {str(position)!r}: a small game begins at the start of a turn")
    specialists = position.specialists
    if specialists is not None:
        specialists = specialists.turn_over()
    gold = specialists is not None and specialists.holds(position.seat, "gold")
    phase = Phase.GOLD if gold else Phase.ROLL
    return Position(
        position.edition, position.grill, position.stacks, position.seat, phase, specialists=specialists
    )


def _names(specialists: Specialists) -> tuple[str, ...]:
    return tuple(sorted(chain((name for _, name in specialists.standing), *specialists.held)))
