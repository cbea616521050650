"""The positions of a small game at turn starts, as integers in arrays: which there are and how turns lead on.

Stacks are seen from the seat to act: its own first, then clockwise. Turning the table does not change what a
position is worth, so one entry serves every seat to act, and one array of values serves every seat.

Each tile has a *digit*: 0 on the grill, 1 face down, ``2 + seat * tiles + height`` in a stack. The digits of
all tiles, read as one number, are the position's *code*: exact, and unpacked without a table.

A flipped tile never comes back (R4.2). So positions fall into *levels* by the number of face-down tiles, and
a level needs only itself and those with more tiles face down. Within a level positions are grouped by the
number of tiles in stacks: a take adds one, a steal none, and only a returned highest tile (R4.2) leads back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb, factorial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.rules import Edition, InvalidPositionError, Phase, PickominoError, Position
from pickomino.solver.whole.numbered import Group, Index, Rows
from pickomino.solver.whole.small import checked_tiles

__all__ = ["BUST", "Space", "count_bound"]

Codes: TypeAlias = NDArray[np.int64]
Digits: TypeAlias = NDArray[np.uint8]

BUST = (
    0  # column of the bust among a turn's endings; then the takes, then the steals: text order of the moves
)
_GRILL, _DOWN, _STACK = 0, 1, 2
_CHUNK = 1 << 17  # rows worked on at once: tens of megabytes


def count_bound(tiles: int, players: int) -> int:
    """No game has more turn starts: tiles face down, on a grill that is not empty, or in ordered stacks."""
    return sum(
        comb(tiles, k) * factorial(k) * comb(k + players - 1, players - 1) * (2 ** (tiles - k) - 1)
        for k in range(tiles)
    )


class Space:
    """Every turn start that the small game can reach, and where each turn can end.

    Positions are numbered by group: most tiles face down first, then most tiles in stacks first.
    """

    def __init__(
        self,
        edition: Edition,
        tiles: Sequence[int],
        players: int,
        known: tuple[Codes, tuple[Group, ...]] | None = None,
    ) -> None:
        """``known``: codes and groups as found before, to save the search."""
        self.edition = edition
        self.tiles = _checked(edition, tiles, players)
        self.players = players
        n = len(self.tiles)
        self.endings = 1 + n + players - 1  # bust, a take per tile, a steal per other seat
        self._base = _STACK + players * n
        self._powers = np.array([self._base**t for t in range(n)], dtype=np.int64)
        turned = [_GRILL, _DOWN]
        turned += [
            _STACK + (seat - 1) % players * n + height for seat in range(players) for height in range(n)
        ]
        self._turned = np.array(turned, dtype=np.int64)  # the same digit, seen from the next seat
        self._worms = np.array([edition.worms[tile] for tile in self.tiles], dtype=np.int64)
        self.codes, self.groups = known or self._reach()
        self.count = len(self.codes)
        self._group_of = {(group.face_down, group.stacked): group for group in self.groups}

    @property
    def start(self) -> int:
        """The number of the position where all tiles lie on the grill."""
        return self.count - 1  # the last group has no face-down tile and no stack, and only this position

    @property
    def levels(self) -> tuple[tuple[Group, ...], ...]:
        """The groups by number of face-down tiles, most first: the order in which they can be solved."""
        downs = sorted({group.face_down for group in self.groups}, reverse=True)
        return tuple(tuple(group for group in self.groups if group.face_down == down) for down in downs)

    def digits(self, codes: Codes) -> Digits:
        """The digit of every tile, one row a position."""
        return (codes[:, None] // self._powers % self._base).astype(np.uint8)

    def successors(self, rows: Rows) -> Index:
        """Where every ending of a turn leads, one row a position: bust, takes by tile, steals by seat.

        ``count``, a finished game without winners, marks an ending that the position does not have.
        """
        codes = self.codes[rows]
        result = np.full((len(codes), self.endings), self.count, dtype=np.int32)
        for first in range(0, len(codes), _CHUNK):
            digits = self.digits(codes[first : first + _CHUNK])
            for column, (at, after, shape) in enumerate(self._endings(digits)):
                grilled = len(self.tiles) - shape.sum(axis=1)
                numbers = np.empty(len(at), dtype=np.int32)
                going = grilled > 0
                numbers[going] = self._numbers(after[going], shape[going])
                if not going.all():
                    numbers[~going] = self.count + self._winners(self.digits(after[~going]))
                result[first + at, column] = numbers
        return result

    def tops(self, digits: Digits) -> NDArray[np.bool_]:
        """What can be stolen from whom (R3.6), (positions, other seats, tiles)."""
        n = len(self.tiles)
        result = np.zeros((len(digits), self.players - 1, n), dtype=np.bool_)
        stealable = np.array([tile not in self.edition.exact_only for tile in self.tiles])
        for seat in range(1, self.players):
            low = _STACK + seat * n
            stacked = np.where((digits >= low) & (digits < low + n), digits, 0)
            result[:, seat - 1] = (stacked > 0) & (stacked == stacked.max(axis=1, keepdims=True)) & stealable
        return result

    def number(self, position: Position) -> int:
        """The number of a position at a turn start or within a turn, whichever seat is to act."""
        if position.edition != self.edition or len(position.stacks) != self.players or position.over:
            raise InvalidPositionError(f"position {str(position)!r} is not one of {self}")
        digits = dict.fromkeys(self.tiles, _DOWN) | dict.fromkeys(position.grill, _GRILL)
        for seat in range(self.players):
            for height, tile in enumerate(position.stacks[(position.seat + seat) % self.players]):
                digits[tile] = _STACK + seat * len(self.tiles) + height
        if len(digits) == len(self.tiles):
            row = np.array([[digits[tile] for tile in self.tiles]], dtype=np.int64)
            shape = np.array([[(row == _DOWN).sum(), (row >= _STACK).sum()]])
            code, group = int(row[0] @ self._powers), self._group_of.get((int(shape[0, 0]), int(shape[0, 1])))
            if group is not None:
                at = group.first + int(np.searchsorted(self.codes[group.rows], code))
                if at < group.last and self.codes[at] == code:
                    return at
        raise InvalidPositionError(f"position {str(position)!r} does not arise in {self}")

    def position(self, number: int, seat: int = 0) -> Position:
        """The position of that number, at the start of the turn of that seat."""
        (digits,) = self.digits(self.codes[number : number + 1]).tolist()
        stacks: list[dict[int, int]] = [{} for _ in range(self.players)]
        for tile, digit in zip(self.tiles, digits, strict=True):
            if digit >= _STACK:
                owner, height = divmod(digit - _STACK, len(self.tiles))
                stacks[(seat + owner) % self.players][height] = tile
        ordered = tuple(tuple(stack[height] for height in range(len(stack))) for stack in stacks)
        grill = tuple(tile for tile, digit in zip(self.tiles, digits, strict=True) if digit == _GRILL)
        return Position(self.edition, grill, ordered, seat, Phase.ROLL)

    def __str__(self) -> str:
        return f"the small game {self.edition.key} {','.join(map(str, self.tiles))} for {self.players}"

    def _reach(self) -> tuple[Codes, tuple[Group, ...]]:
        """From the start, whatever turns can lead to. Codes of a group are sorted, to be looked up."""
        found: dict[tuple[int, int], Codes] = {}
        frontier = {(0, 0): np.zeros(1, dtype=np.int64)}
        while frontier:
            nexts: dict[tuple[int, int], list[Codes]] = {}
            for key, codes in frontier.items():
                found[key] = np.union1d(found[key], codes) if key in found else codes
            for codes in frontier.values():
                for first in range(0, len(codes), _CHUNK):
                    for _, after, shape in self._endings(self.digits(codes[first : first + _CHUNK])):
                        for down, stacked in {tuple(row) for row in np.unique(shape, axis=0).tolist()}:
                            if down + stacked < len(self.tiles):  # else the game is over (R5.1)
                                at = (shape[:, 0] == down) & (shape[:, 1] == stacked)
                                nexts.setdefault((down, stacked), []).append(np.unique(after[at]))
            frontier = {}
            for key, parts in nexts.items():
                codes = np.unique(np.concatenate(parts))
                if key in found:
                    codes = np.setdiff1d(codes, found[key], assume_unique=True)
                if len(codes):
                    frontier[key] = codes
        groups, first = [], 0
        for key in sorted(found, reverse=True):
            groups.append(Group(*key, first, first + len(found[key])))
            first += len(found[key])
        return np.concatenate([found[group[:2]] for group in groups]), tuple(groups)

    def _endings(self, digits: Digits) -> Iterator[tuple[NDArray[np.intp], Codes, NDArray[np.int64]]]:
        """Column by column: rows that have this ending, codes afterwards, and their (face down, stacked)."""
        n, players = len(self.tiles), self.players
        everyone = np.arange(len(digits))
        codes = self._turned[digits] @ self._powers
        shape = np.stack([(digits == _DOWN).sum(axis=1), (digits >= _STACK).sum(axis=1)], axis=1)
        owner = np.where(digits >= _STACK, (digits.astype(np.int64) - _STACK) // n, -1)
        heights = np.stack([(owner == seat).sum(axis=1) for seat in range(players)], axis=1)
        tops = [self._top(digits, seat, heights[:, seat]) for seat in range(players)]

        # Bust: the own top tile goes back (R4.1), then perhaps the highest is flipped (R4.2 to R4.4).
        returned = tops[0]
        has_tile = returned >= 0
        after, after_shape = codes.copy(), shape.copy()
        rows, tile = everyone[has_tile], returned[has_tile]
        after[rows] -= self._powers[tile] * self._turned[digits[rows, tile]]
        after_shape[rows, 1] -= 1
        on_grill = digits == _GRILL
        on_grill[rows, tile] = True
        highest = n - 1 - on_grill[:, ::-1].argmax(axis=1)
        edition = self.edition
        flips = np.where(has_tile, edition.fast | (highest != returned), edition.flip_when_nothing_returned)
        after += np.where(flips, self._powers[highest] * _DOWN, 0)
        after_shape[:, 0] += flips
        yield everyone, after, after_shape

        own = self._turned[
            _STACK + np.minimum(heights[:, 0], n - 1)
        ]  # the digit of a tile that is claimed (R3.6)
        for t in range(n):
            rows = np.flatnonzero(digits[:, t] == _GRILL)
            yield rows, codes[rows] + self._powers[t] * own[rows], shape[rows] + np.array([0, 1])
        for seat in range(1, players):
            stealable = np.array([value not in edition.exact_only for value in self.tiles])
            rows = np.flatnonzero((tops[seat] >= 0) & stealable[tops[seat]])
            tile = tops[seat][rows]
            moved = own[rows] - self._turned[digits[rows, tile]]
            yield rows, codes[rows] + self._powers[tile] * moved, shape[rows]

    def _top(self, digits: Digits, seat: int, height: NDArray[np.int64]) -> NDArray[np.intp]:
        """The tile on top of a seat's stack, -1 for none."""
        top = digits == (_STACK + seat * len(self.tiles) + height - 1)[:, None]
        return np.where(height > 0, top.argmax(axis=1), -1)

    def _numbers(self, codes: Codes, shape: NDArray[np.int64]) -> Index:
        numbers = np.empty(len(codes), dtype=np.int32)
        keys = shape[:, 0] * (len(self.tiles) + 1) + shape[:, 1]
        for key in np.unique(keys).tolist():
            group = self._group_of[divmod(key, len(self.tiles) + 1)]
            at = keys == key
            numbers[at] = group.first + np.searchsorted(self.codes[group.rows], codes[at])
        return numbers

    def _winners(self, digits: Digits) -> Index:
        """Bit j: seat j wins (R5.2, R5.3)."""
        n = len(self.tiles)
        owner = np.where(digits >= _STACK, (digits.astype(np.int64) - _STACK) // n, -1)
        keys = []
        for seat in range(self.players):
            mine = owner == seat
            highest = np.where(mine, np.arange(1, n + 1), 0).max(axis=1)
            if self.edition.tie_break == "shared":
                highest[:] = 0
            keys.append((mine @ self._worms) * (n + 1) + highest)
        best = np.max(keys, axis=0)
        return sum(
            ((key == best) << seat for seat, key in enumerate(keys)), np.zeros(len(digits), dtype=np.int32)
        )


def _checked(edition: Edition, tiles: Sequence[int], players: int) -> tuple[int, ...]:
    if edition.specialists:
        raise PickominoError(f"edition {edition.key!r} has specialists: it takes a start position")
    grill = checked_tiles(edition, tiles, players)
    if (2 + players * len(tiles)) ** len(tiles) >= 2**63:
        raise PickominoError(f"{len(tiles)} tiles for {players} players: too many to number the positions")
    return grill
