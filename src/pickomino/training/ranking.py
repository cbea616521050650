"""Positions of a small game for two as whole numbers, without a table of them: from a number to the tiles and back.

All turn starts are counted, also those that no game comes to: tiles face down, tiles on a grill that is not empty, and
tiles in stacks. With k tiles in stacks their order, the stack of the seat to act from its bottom up and then the other
one, is one of k! permutations, and that stack is any of the k + 1 beginnings of it. *Groups* share the number of tiles
face down and in stacks; a number is

    first of the group + (tiles of the seat to act * sets + which set) * k! + which permutation

Groups with more tiles face down come first, then those with more in stacks, as in `pickomino.solver.whole.space`: so
values of a level need only those before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations
from math import factorial
from typing import NamedTuple

import numpy as np

from pickomino.rules import Edition, PickominoError
from pickomino.tensor import Array, Arrays, Batch, Rules

_GRILL, _DOWN, _STACK = range(3)
_MOST_TILES = 11  # the numbers of twelve do not fit 32 bits


class RankingGroup(NamedTuple):
    """Positions first to last - 1."""

    down: int
    stacked: int
    first: int
    last: int
    sets: int  # ways to choose the tiles face down and in stacks


def small_edition(edition: Edition, tiles: tuple[int, ...]) -> Edition:
    """The edition with these tiles only: all others face down from the start."""
    if edition.specialists:
        raise PickominoError(f"{edition.key}: small games on a GPU are for editions without specialists")
    kept = tuple((tile, worms) for tile, worms in edition.tiles if tile in tiles)
    if len(kept) != len(set(tiles)) or len(kept) != len(tiles) or not 1 <= len(kept) <= _MOST_TILES:
        raise PickominoError(f"tiles {tiles}: expected 1 to {_MOST_TILES} of {edition.key}, none twice")
    key = f"{edition.key} {','.join(map(str, sorted(tiles)))}"
    return replace(edition, key=key, tiles=kept, exact_only=edition.exact_only & set(tiles))


class Ranking:
    """The numbers of all positions, and what each of them is. Finished games have the three numbers after the last:
    the seat that would be next to act has lost, shared or won."""

    def __init__(self, edition: Edition, xp: Arrays) -> None:
        self.edition, self.xp = edition, xp
        self.rules = Rules(edition, 2, xp)
        n = len(edition.tiles)
        groups, first, sets = [], 0, []
        for down in range(n - 1, -1, -1):
            for stacked in range(n - 1 - down, -1, -1):
                chosen = list(_sets(n, down, stacked))
                size = len(chosen) * factorial(stacked) * (stacked + 1)
                groups.append(RankingGroup(down, stacked, first, first + size, len(chosen)))
                sets.append(np.array(chosen, dtype=np.int8))
                first += size
        self.groups, self.count = tuple(groups), first
        if self.count >= 2**31:
            raise PickominoError(f"{edition.key}: {self.count:,} positions, more than 32 bits can number")
        # By the tiles' states, read as one number to the base 3: the place of the set in its group, and the group.
        code = [3**tile for tile in range(n)]
        place, group_of = np.zeros(3**n, dtype=np.int64), np.zeros(3**n, dtype=np.int64)
        for index, chosen_sets in enumerate(sets):
            at = chosen_sets.astype(np.int64) @ code
            place[at], group_of[at] = np.arange(len(at)), index
        self._code, self._place = xp.asarray(code, xp.int64), xp.asarray(place, xp.int64)
        begins = np.array([group.first for group in groups])
        counts = np.array([group.sets for group in groups])
        self._first, self._count = (xp.asarray(part[group_of], xp.int64) for part in (begins, counts))
        self._sets = [xp.asarray(chosen_sets, xp.int8) for chosen_sets in sets]
        self._places = [xp.asarray(_inverses(k), xp.int8) for k in range(n)]
        self._factorial = xp.asarray([factorial(k) for k in range(n + 1)], xp.int64)
        self._lower = xp.asarray(np.tri(n, k=-1, dtype=np.bool_), xp.bool)  # [a, b]: b is lower than a

    @property
    def levels(self) -> list[list[RankingGroup]]:
        """Groups with the same tiles face down, in the order in which they can be solved."""
        found: dict[int, list[RankingGroup]] = {}
        for group in self.groups:
            found.setdefault(group.down, []).append(group)
        return list(found.values())

    def batch(self, group: RankingGroup, numbers: Array) -> Batch:
        """The positions of some numbers of a group."""
        xp, rules, k = self.xp, self.rules, group.stacked
        index = self.groups.index(group)
        numbers = numbers - group.first
        order, rest = numbers % factorial(k), numbers // factorial(k)
        tiles, own = self._sets[index][rest % group.sets], (rest // group.sets)[:, None]
        stacked = tiles == _STACK
        if k:
            rank = xp.clip(stacked.cumsum(1) - 1, 0, None)  # which of the tiles in stacks
            at = xp.take(self._places[k][order], rank)
        else:
            at = xp.zeros_like(tiles)
        mine = stacked & (at < own)
        heights = xp.stack(
            ((at + 1) * mine, (at - own + 1) * (stacked & ~mine)),
            1,
        )
        size = len(numbers)
        return Batch(
            rules,
            tiles == _GRILL,
            xp.astype(heights, xp.int8),
            xp.full((size, 0), 0, xp.int8),
            xp.full((size, 2), 0, xp.int8),
            xp.broadcast_to(rules.switches, (size, rules.switches.shape[1])),
        )

    def numbers(self, batch: Batch) -> Array:
        """The numbers of positions, the seat to act first: (positions,)."""
        xp = self.xp
        own, other = batch.heights[:, 0], batch.heights[:, 1]
        size = (own > 0).sum(-1, keepdims=True)
        stacked = (own > 0) | (other > 0)
        at = xp.where(own > 0, own - 1, other - 1 + size)  # (positions, tiles), in the order of both stacks
        later = at[:, None] > at[..., None]  # [a, b]: b is later than a
        below = (later & self._lower & stacked[:, None]).sum(-1)
        count = stacked.sum(-1, keepdims=True)
        weight = self._factorial[xp.clip(count - 1 - at, 0, None)]
        order = (below * weight * stacked).sum(-1)
        code = (xp.astype(~batch.grill, xp.int64) * (1 + xp.astype(stacked, xp.int64)) * self._code).sum(-1)
        sets = size[:, 0] * self._count[code] + self._place[code]
        running = self._first[code] + sets * self._factorial[count[:, 0]] + order
        over = self.count + xp.astype(2 * batch.tally().shares[:, 0], xp.int64)
        return xp.where(batch.over, over, running)


def _sets(n: int, down: int, stacked: int) -> Iterator[list[int]]:
    """Every way to lay so many tiles face down and so many into stacks, the others on the grill."""
    for first in combinations(range(n), stacked):
        rest = [tile for tile in range(n) if tile not in first]
        for second in combinations(rest, down):
            yield [_STACK if tile in first else _DOWN if tile in second else _GRILL for tile in range(n)]


def _inverses(k: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    """(k!, k): for every permutation, in lexical order, where each of k tiles lies in it."""
    orders = np.array(list(permutations(range(k))), dtype=np.int8).reshape(factorial(k), k)
    return np.argsort(orders, axis=1).astype(np.int8)
