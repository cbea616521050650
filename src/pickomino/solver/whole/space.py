"""The positions of a small game at turn starts, as integers in arrays: which there are and how turns lead on.

Stacks are seen from the seat to act: its own first, then clockwise. Turning the table does not change what a
position is worth, so one entry serves every seat to act, and one array of values serves every seat.

A position is a row of *digits*: for every tile 0 on the grill, 1 face down, ``2 + seat * tiles + height`` in a stack;
for every specialist 0 out of the game, ``1 + tile`` or ``1 + tiles + seat``; and the round worms of every seat. The
digits, read as one number, are the position's *code*: exact, and unpacked without a table.

Three things never come back: a round worm from a seat to the supply (D11.1), a specialist that left the game
(D13.1), a flipped tile (R4.2). So positions fall into *levels* by them, and a level needs only itself and those
before it. Within a level positions are grouped by the number of tiles in stacks: a take adds one, a steal none,
and only a returned highest tile (R4.2) leads back.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, groupby
from math import comb, factorial, perm
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.compact import bulk
from pickomino.compact.loops import STEAL, TAKE
from pickomino.compact.packed import (
    GOLD,
    HELD,
    NONE,
    PACKED,
    PHASE_GOLD,
    PHASE_ROLL,
    Packed,
    check_packable,
    pack,
    unpack,
)
from pickomino.rules import SPECIALISTS, InvalidPositionError, PickominoError, Position, Take
from pickomino.solver.point import at_start, in_turn
from pickomino.solver.position import TurnSolver

Codes: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Index: TypeAlias = NDArray[np.int32]
Rows: TypeAlias = "slice | NDArray[np.intp]"

BUST = 0  # the first of a turn's endings; then the takes by tile, then the steals by seat
_GRILL, _DOWN, _STACK = 0, 1, 2
_GONE = 0
_FIELD = 5  # bits: there are fewer than 32 tiles
_CHUNK = 1 << 14  # positions worked on at once: their ends are some tens of megabytes


def count_bound(tiles: int, players: int) -> int:
    """No game without specialists has more turn starts.

    Tiles are face down, on a grill that is not empty, or in ordered stacks.
    """
    return sum(
        comb(tiles, k) * factorial(k) * comb(k + players - 1, players - 1) * (2 ** (tiles - k) - 1)
        for k in range(tiles)
    )


def position_bound(start: Position) -> int:
    """No game that begins there has more turn starts."""
    players = len(start.stacks)
    tiles = len(start.grill) + sum(map(len, start.stacks))
    bound = count_bound(tiles, players)
    specialists = start.specialists
    if specialists is None:
        return bound
    names = len(specialists.standing) + sum(map(len, specialists.held))
    given = sum(specialists.round_worms)
    worms = sum(
        comb(given + more + players - 1, players - 1) for more in range(specialists.supply(start.edition) + 1)
    )
    places = sum(comb(names, here) * perm(tiles + players, here) for here in range(names + 1))
    return bound * worms * places


class Group(NamedTuple):
    """The positions of one shape, a slice of all of them.

    A shape is one number, highest first: round worms given, specialists gone, tiles face down, tiles in stacks.
    """

    shape: int
    first: int
    last: int

    @property
    def rows(self) -> slice:
        return slice(self.first, self.last)


class Space:
    """Every turn start that can follow a start position, and where each turn can end.

    Positions are numbered by shape, what never comes back first; ``count`` is how many there are. The numbers
    ``count + winners`` stand for finished games, where bit j of ``winners`` is the seat j places behind the one
    whose turn it would be; without winners it marks an end that a position does not have.

    A turn's ends are columns, (*variants*, *endings*, *choices*): without and with a round worm earned on the way,
    for each seat that could give it (D8.4, D11.1); the bust, a take per tile, a steal per other seat; and what the
    seat may choose after its claim (D10.4, D11.1), the first repeated where there is less to choose.
    """

    def __init__(
        self, start: Position, known: NDArray[Any] | None = None, report: Callable[[int], None] | None = None
    ) -> None:
        """``known``: codes, or rows of digits, as found before; ``report`` hears how many positions are found."""
        self.begin = start = turn_start(start)
        self.edition, self.players = start.edition, len(start.stacks)
        check_packable(self.edition)
        self.tiles = tuple(sorted(chain(start.grill, *start.stacks)))
        self.tile_index = np.array([self.edition.values.index(tile) for tile in self.tiles])
        specialists = start.specialists
        self.names: tuple[str, ...] = ()
        if specialists is not None:
            self.names = tuple(sorted(chain((name for _, name in specialists.standing), *specialists.held)))
        n, names = len(self.tiles), len(self.names)
        self.variants = 1 + (self.players - 1 if self.edition.round_worms else 0)
        self.endings = n + self.players
        self.choices = max(2, self.players - 1) if names else 1  # two specialists, or who gives for the crow
        self.columns = self.variants * self.endings * self.choices
        bases = [_STACK + self.players * n] * n + [1 + n + self.players] * names
        bases += [self.edition.round_worms + 1] * (self.players if self.edition.round_worms else 0)
        powers = [1]
        for base in bases:
            powers.append(powers[-1] * base)
        if powers[-1] >= 2**63:
            raise PickominoError("{value}: too large to number its positions", value=self)
        self._bases = np.array(bases, dtype=np.int64)
        self._powers = np.array(powers[:-1], dtype=np.int64)
        self._index = np.array([SPECIALISTS.index(name) for name in self.names], dtype=np.intp)
        self.codes, self.groups = self._grouped(self._search(report) if known is None else self.coded(known))
        self.count = len(self.codes)
        self._group_of = {group.shape: group for group in self.groups}
        self.start = self.number(start)

    @property
    def levels(self) -> tuple[tuple[Group, ...], ...]:
        """Turns never lead from a level to a later one: the order in which they can be solved."""
        return tuple(tuple(level) for _, level in groupby(self.groups, lambda group: group.shape >> _FIELD))

    def successors(self, rows: Rows) -> Index:
        """Where every end of a turn leads: (positions, columns)."""
        codes = self.codes[rows]
        result = np.full((len(codes), self.columns), self.count, dtype=np.int32)
        for first in range(0, len(codes), _CHUNK):
            at, column, ended = self._ends(codes[first : first + _CHUNK])
            number = np.empty(len(at), dtype=np.int32)
            going = ended["grill"] != 0
            number[going] = self._numbers(*self._encode(ended[going]))
            if not going.all():
                number[~going] = self.count + self._winners(ended[~going])
            result[first + at, column] = number
        if self.choices > 1:
            by_choice = result.reshape(len(codes), -1, self.choices)
            missing = by_choice == self.count
            by_choice[:] = np.where(missing, by_choice[:, :, :1], by_choice)
        return result

    def packed(self, rows: Rows) -> Packed:
        """The positions, seat A to act."""
        return self._decode(self.codes[rows])

    def number(self, position: Position) -> int:
        """The number of a position at a turn start or within a turn, whichever seat is to act."""
        known = set(chain(self.tiles, self.names))
        specialists = position.specialists
        names = (
            ()
            if specialists is None
            else chain((name for _, name in specialists.standing), *specialists.held)
        )
        if (
            position.edition == self.edition
            and len(position.stacks) == self.players
            and in_turn(position)
            and known.issuperset(chain(position.grill, *position.stacks, names))
        ):
            (code,), (shape,) = self._encode(pack([turn_start(position)]))
            group = self._group_of.get(int(shape))
            if group is not None:
                at = group.first + int(np.searchsorted(self.codes[group.rows], code))
                if at < group.last and self.codes[at] == code:
                    return at
        raise InvalidPositionError(
            "position {position!r} does not arise in {value}", position=str(position), value=self
        )

    def position(self, number: int, seat: int = 0) -> Position:
        """The position of that number, at the start of the turn of that seat."""
        return unpack(self._decode(self.codes[number : number + 1], seat)[0], self.edition)

    def column(self, variant: int, ending: int, choice: int) -> int:
        return (variant * self.endings + ending) * self.choices + choice

    def endings_of(self, solver: TurnSolver) -> list[tuple[int, int]]:
        """For each ending of a solver, its place among the endings and its variant."""
        position, places = solver.position, {tile: place for place, tile in enumerate(self.tiles)}
        found = []
        for claim, giver in solver.endings:
            ending = BUST
            if isinstance(claim, Take):
                ending = 1 + places[claim.tile]
            elif claim is not None:
                ending = len(self.tiles) + (position.tops.index(claim.tile) - position.seat) % self.players
            lanes = sorted(solver.turn.givers, key=lambda seat: self._behind(position, seat))
            found.append((ending, 0 if giver is None else 1 + lanes.index(giver)))
        return found

    def _behind(self, position: Position, giver: int | None) -> int:
        return -1 if giver is None or giver < 0 else (giver - position.seat) % self.players

    def __str__(self) -> str:
        if self.names or self.begin.grill != self.tiles:
            return f"the small game from {str(self.begin)!r}"
        return f"the small game {self.edition.key} {','.join(map(str, self.tiles))} for {self.players}"

    # --- codes ---

    def coded(self, known: NDArray[Any]) -> Codes:
        """Codes of rows of digits; codes as they are."""
        return known if known.ndim == 1 else known.astype(np.int64) @ self._powers

    def _digits(self, codes: Codes) -> NDArray[np.int64]:
        digits: NDArray[np.int64] = codes[:, None] // self._powers % self._bases
        return digits

    def _shapes(self, digits: NDArray[np.int64]) -> NDArray[np.int64]:
        n, names = len(self.tiles), len(self.names)
        tiles, places, worms = digits[:, :n], digits[:, n : n + names], digits[:, n + names :]
        shape: NDArray[np.int64] = worms.sum(axis=1)
        for part in (places == _GONE, tiles == _DOWN, tiles >= _STACK):
            shape = shape << _FIELD | part.sum(axis=1)
        return shape

    def _decode(self, codes: Codes, seat: int = 0) -> Packed:
        n, players, names = len(self.tiles), self.players, len(self.names)
        digits, everyone = self._digits(codes), np.arange(len(codes))
        rows = np.zeros(len(codes), dtype=PACKED)
        rows["seats"], rows["seat"], rows["gold_rolled"] = players, seat, NONE
        for name in ("top", "below", "place"):
            rows[name] = NONE
        tiles = digits[:, :n]
        rows["grill"] = ((tiles == _GRILL) << self.tile_index).sum(axis=1)
        stacks = np.full((len(codes), players, n), NONE)  # by height
        at, tile = np.nonzero(tiles >= _STACK)
        owner, height = np.divmod(tiles[at, tile] - _STACK, n)
        stacks[at, owner, height] = self.tile_index[tile]
        below = stacks[at, owner, np.maximum(height - 1, 0)]
        rows["below"][at, self.tile_index[tile]] = np.where(height > 0, below, NONE)
        sizes = (stacks != NONE).sum(axis=2)
        for owner_seat in range(players):
            size = sizes[:, owner_seat]
            top = stacks[everyone, owner_seat, np.maximum(size - 1, 0)]
            rows["top"][:, (seat + owner_seat) % players] = np.where(size > 0, top, NONE)
        places = digits[:, n : n + names]
        held = HELD + (seat + places - 1 - n) % players
        on_tile = self.tile_index[np.clip(places - 1, 0, n - 1)]
        where = np.where(places > n, held, np.where(places == _GONE, NONE, on_tile))
        rows["place"][:, self._index] = where
        worms = digits[:, n + names :]
        for owner_seat in range(worms.shape[1]):
            rows["round_worms"][:, (seat + owner_seat) % players] = worms[:, owner_seat]
        rows["phase"] = np.where(rows["place"][:, GOLD] == HELD + seat, PHASE_GOLD, PHASE_ROLL)  # D8.1
        return rows

    def _encode(self, rows: Packed) -> tuple[Codes, NDArray[np.int64]]:
        """Codes and shapes of turn starts."""
        n, players = len(self.tiles), self.players
        everyone, seat = np.arange(len(rows)), rows["seat"].astype(np.int64)
        place_of = np.full(len(self.edition.tiles) + 1, 0)  # the last for no tile
        place_of[self.tile_index] = np.arange(n)
        grill = rows["grill"][:, None] >> self.tile_index & 1
        digits = np.zeros((len(rows), len(self._bases)), dtype=np.int64)
        digits[:, :n] = np.where(grill == 1, _GRILL, _DOWN)
        for behind in range(players):
            tile = rows["top"][everyone, (seat + behind) % players].astype(np.int64)
            depths = []
            at = everyone
            while len(at := at[tile != NONE]):
                tile = tile[tile != NONE]
                depths.append((at, place_of[tile]))
                tile = rows["below"][at, tile].astype(np.int64)
            size = np.zeros(len(rows), dtype=np.int64)
            for at, _ in depths:
                size[at] += 1
            for depth, (at, place) in enumerate(depths):
                digits[at, place] = _STACK + behind * n + size[at] - 1 - depth
        places = rows["place"][:, self._index].astype(np.int64)
        held = 1 + n + (places - HELD - seat[:, None]) % players
        standing = 1 + place_of[np.where(places < HELD, places, NONE)]
        where = np.where(places >= HELD, held, np.where(places == NONE, _GONE, standing))
        digits[:, n : n + len(self.names)] = where
        if self.edition.round_worms:
            turned = (seat[:, None] + np.arange(players)) % players
            digits[:, n + len(self.names) :] = np.take_along_axis(rows["round_worms"], turned, axis=1)
        return digits @ self._powers, self._shapes(digits)

    # --- turns ---

    def _ends(self, codes: Codes) -> tuple[NDArray[np.intp], NDArray[np.intp], Packed]:
        """All ends of the turns: of which position, in which column, and the packed position."""
        rows, turn, _ = bulk.turn_variants(self.edition, self._decode(codes))
        variant = np.zeros(len(rows), dtype=np.intp)  # a turn's variants with a round worm stand side by side
        earned = turn[len(codes) :]
        if len(earned):
            variant[len(codes) :] = 1 + np.arange(len(earned)) - np.searchsorted(earned, earned)
        ended, of, how, tile = bulk.end_turns(self.edition, rows)
        place_of = np.zeros(len(self.edition.tiles) + 1, dtype=np.intp)
        place_of[self.tile_index] = np.arange(len(self.tiles))
        tops = rows["top"][of]
        tops[:, 0] = NONE  # the seat to act robs nobody of its own tile
        victim = (tops == tile[:, None]).argmax(axis=1)
        ending = np.where(
            how == TAKE, 1 + place_of[tile], np.where(how == STEAL, len(self.tiles) + victim, BUST)
        )
        column = variant[of] * self.endings + ending
        same = np.flatnonzero(np.diff(of, prepend=-1) | np.diff(column, prepend=-1))  # where a new end begins
        choice = np.arange(len(of)) - np.repeat(same, np.diff(np.append(same, len(of))))
        return turn[of], column * self.choices + choice, ended

    def _winners(self, rows: Packed) -> Index:
        """Of finished games, seen from seat B, whose turn it would be."""
        leaders = bulk.worm_counts(self.edition, self.players, rows)[1].astype(np.int32)
        turned: Index = leaders >> 1 | (leaders & 1) << self.players - 1
        return turned

    def _numbers(self, codes: Codes, shapes: NDArray[np.int64]) -> Index:
        numbers = np.empty(len(codes), dtype=np.int32)
        for shape in np.unique(shapes).tolist():
            group, at = self._group_of[shape], np.flatnonzero(shapes == shape)
            numbers[at] = group.first + np.searchsorted(self.codes[group.rows], codes[at])
        return numbers

    def _search(self, report: Callable[[int], None] | None) -> Codes:
        """From the start, whatever turns lead to."""
        found = frontier = self._encode(pack([self.begin]))[0]
        while len(frontier):
            parts = []
            for first in range(0, len(frontier), _CHUNK):
                if report is not None:
                    report(len(found))
                ended = self._ends(frontier[first : first + _CHUNK])[2]
                parts.append(np.unique(self._encode(ended[ended["grill"] != 0])[0]))
            frontier = np.setdiff1d(np.unique(np.concatenate(parts)), found, assume_unique=True)
            found = np.union1d(found, frontier)
        return found

    def _grouped(self, codes: Codes) -> tuple[Codes, tuple[Group, ...]]:
        """By shape, the largest first; codes of a group are sorted, to be looked up."""
        shapes = self._shapes(self._digits(codes))
        order = np.lexsort((codes, -shapes))
        shapes = shapes[order]
        firsts = np.flatnonzero(np.diff(shapes, prepend=-1)).tolist()
        lasts = [*firsts[1:], len(codes)]
        return codes[order], tuple(map(Group, shapes[firsts].tolist(), firsts, lasts))


def turn_start(position: Position) -> Position:
    """The same table before the first roll; round worms earned on the way stay."""
    if not in_turn(position):
        raise PickominoError(
            "position {position!r}: a small game begins at the start of a turn", position=str(position)
        )
    return at_start(position)
