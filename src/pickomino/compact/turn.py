"""The turn as tables: states, rolls and keeps of an edition, ready for any kernel.

Of the kept dice only this matters for the rest of a turn: which faces are kept (R2.2), how many white dice
are left, whether the golden die is left (D8.1), the total (R2.6) and, where there are round worms, whether
two or more 1s were kept (D8.4). Those are the *states*: 1,939 for eight ordinary dice instead of 3,003 kept
multisets.

A state's roll is looked at through its unkept faces only; dice that show a kept face are lumped together as
dead. What is left of a roll depends on the state through a small *pattern*: how many dice, and the sides of
the unkept faces. All states of one pattern share their outcomes.

The outcomes of a pattern form a tree. The root is the roll without anything to keep (R2.3); a child adds one
more face that may be kept instead. So the best option of an outcome is ``max(best of the parent, value of the
one new edge)``: one comparison per outcome, not one per option.

    state --edge (keep a face)--> state with fewer dice left        values flow backwards along the edges
    state --pattern--> outcomes: (weight, parent outcome, new edge)

States are sorted by falling number of dice left, so edges lead from a lower index to a higher one, and one
loop from the last state to the first solves a turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.rules import WORM, Edition, Face, find_edition

Ints: TypeAlias = NDArray[np.intp]

_ONE = "1"  # the face that brings round worms (D8.4)
_NO_PATTERN = -1  # of a state that cannot roll: no dice left or every face kept (R2.4)


@dataclass(frozen=True, eq=False, repr=False)
class TurnTables:
    """The turn graph of an edition. Arrays over states, edges, patterns and outcomes; see the module's text.

    Edges and outcomes are stored one after the other: the outcomes of pattern ``p`` are
    ``pattern_first[p]:pattern_first[p + 1]``, the edges of state ``s`` are ``edge_first[s]:edge_first[s +
    1]``.
    """

    faces: tuple[Face, ...]
    dice: int  # white ones
    flags: int  # 2 where states know whether a round worm was earned (D8.4), else 1
    max_total: int
    # one entry per state
    mask: Ints  # bit i: faces[i] is kept
    white: Ints  # white dice left
    gold: Ints  # 1: the golden die is in the turn and left
    ones: Ints  # 1: two or more 1s are kept, where the edition has round worms
    total: Ints  # of the kept dice; the can is no die (D9.1)
    worm: Ints  # 1: a worm is among the kept dice (R3.1)
    pattern: Ints  # index of the roll pattern, -1 where the turn has to stop
    level_first: Ints  # states with n dice left: level_first[n + 1] : level_first[n]
    # one entry per edge of a state
    edge_first: Ints
    edge_child: Ints  # the state after the keep
    edge_face: Ints  # index of the face kept
    edge_count: Ints  # dice kept, white and golden
    # one entry per outcome of a pattern
    pattern_first: Ints
    pattern_weight: Ints  # sum of its outcomes' weights
    outcome_weight: Ints  # how many of the rolls look like this; 0 only at inner nodes of the tree
    outcome_parent: Ints  # within the pattern; -1 at the root, which comes first
    outcome_depth: Ints  # number of options; parents come before their children, see `_outcomes`
    outcome_edge: Ints  # the new edge, counted within the state's edges; -1 at the root
    _index: dict[tuple[int, int, int, int, int], int]

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.mask)

    @property
    def slots(self) -> int:
        """Length of an array of stop values: ``flags * 2 * (max_total + 1)``, see `slot`."""
        return self.flags * 2 * (self.max_total + 1)

    @cached_property
    def slot(self) -> Ints:
        """Where a state finds its value of stopping in an array of shape (flags, worm, total), flattened."""
        return (self.ones * 2 + self.worm) * (self.max_total + 1) + self.total

    @cached_property
    def edge_earns(self) -> Ints:
        """Edges whose keep earns a round worm (D8.4)."""
        parent = np.repeat(np.arange(self.states), np.diff(self.edge_first))
        return np.flatnonzero(self.ones[self.edge_child] > self.ones[parent])

    @cached_property
    def outcome_prob(self) -> NDArray[np.float64]:
        """Weight of every outcome over the weight of its pattern."""
        return self.outcome_weight / np.repeat(self.pattern_weight, np.diff(self.pattern_first))

    @cached_property
    def patterns(self) -> tuple[RollPattern, ...]:
        """The rolls, those with the most dice first, as whole arrays for kernels that gather."""
        return tuple(_pattern(self, index) for index in range(len(self.pattern_weight)))

    def start(self, gold: bool = False) -> int:
        """The state before the first roll, without or with the golden die in the turn."""
        return self._index[0, self.dice, int(gold), 0, 0]

    def find(self, kept: str, gold_left: bool = False) -> int:
        """The state of some kept dice, as ``55W`` or ``55W+1``."""
        signs = [face.sign for face in self.faces]
        mask = sum(1 << signs.index(sign) for sign in set(kept) - {"+"})
        ones = int(self.flags == 2 and kept.count(_ONE) >= 2)
        total = sum(self.faces[signs.index(sign)].pips for sign in kept if sign != "+")
        return self._index[mask, self.dice - len(kept.partition("+")[0]), int(gold_left), ones, total]


class RollPattern(NamedTuple):
    """Rolls with so many dice over so many unkept faces, and the states that make them.

    The value of a roll in every state is ``dead_prob * bust + prob @ value[children][options].max(axis=0)``;
    walking the ``tree`` from depth to depth comes to the same with far less gathering.
    """

    states: slice
    children: Ints  # (edges, states): the state after each keep
    # (most options, outcomes): edges in the order of their faces; a shorter list repeats an edge.
    options: Ints
    weight: Ints  # (outcomes,)
    prob: NDArray[np.float64]
    dead_weight: int  # of the rolls without anything to keep (R2.3)
    dead_prob: float
    tree: tuple[Depth, ...]  # the outcomes with one option, with two, …


class Depth(NamedTuple):
    """The outcomes of a pattern with one number of options, as the tree has them."""

    edge: Ints  # the newest option
    parent: Ints  # within the depth above; 0 at the first depth, whose parent is the root
    prob: NDArray[np.float64]  # 0 where no roll looks like this and only its children count


def turn_tables(edition: Edition | str = "classic", *, gold: bool = True) -> TurnTables:
    """The tables of an edition; made once for all editions with the same dice.

    Without ``gold`` they are those of turns into which no golden die can come: a third of the states.
    """
    if isinstance(edition, str):
        edition = find_edition(edition)
    return _compile(
        edition.faces, edition.dice, edition.golden_die if gold else (), bool(edition.round_worms)
    )


class _Shape(NamedTuple):
    """What the outcomes of a roll depend on. Sides count white and golden apart."""

    white: int
    gold: int
    live: tuple[tuple[int, int], ...]  # (white sides, golden sides) of the faces not kept
    dead: int
    dead_gold: int


class _RollOutcome(NamedTuple):
    weight: int
    parent: int
    depth: int
    edge: int


def _outcomes(shape: _Shape) -> list[_RollOutcome]:
    """The tree of outcomes, depth first.

    A node's children without children of their own come right behind it. Edges are numbered as `_levels`
    makes them: by face, then without and with the golden die, then by white dice.
    """
    most, dead, dead_gold = shape.white, shape.dead, shape.dead_gold
    first_edge = [0]
    for _, gold_sides in shape.live:
        first_edge.append(first_edge[-1] + most + (most + 1 if gold_sides and shape.gold else 0))
    # Faces of the golden die first: once its face is settled, only the white dice matter.
    order = sorted(range(len(shape.live)), key=lambda rank: not shape.live[rank][1])
    golden_to_come = [any(shape.live[rank][1] for rank in order[place:]) for place in range(len(order) + 1)]
    tree: list[_RollOutcome] = []

    def grow(place: int, white: int, gold: int, ways: int, parent: int, depth: int, edge: int) -> None:
        here = len(tree)
        tree.append(_RollOutcome(ways * dead**white * (dead_gold if gold else 1), parent, depth, edge))
        inner = []
        for next_place in range(place, len(order)):
            rank = order[next_place]
            white_sides, gold_sides = shape.live[rank]
            last, golden = next_place + 1 == len(order), golden_to_come[next_place + 1]
            for kept_gold in range(1 + (gold if gold_sides else 0)):
                gold_left = gold - kept_gold
                if gold_left and not dead_gold and not golden:
                    continue  # the golden die could show nothing: no such roll, nor one that adds to it
                more = ways * (gold_sides if kept_gold else 1)
                index = first_edge[rank] + kept_gold * most - 1 + kept_gold
                # The same for white.
                for kept in range(white if last and not dead else 1 - kept_gold, white + 1):
                    if not kept and not kept_gold:
                        continue
                    weight = more * comb(white, kept) * white_sides**kept
                    child = (next_place + 1, white - kept, gold_left, weight, here, depth + 1, index + kept)
                    if last or not (white - kept or (gold_left and golden)):
                        grow(*child)  # nothing can be added to it
                    else:
                        inner.append(child)
        for child in inner:
            grow(*child)

    grow(0, shape.white, shape.gold, 1, -1, 0, -1)
    return tree


_TOTAL_BITS = 32  # a state packed into one integer: mask, white, gold, ones, then the total in the low bits


def _pack(mask: Ints, white: Ints, gold: Ints, ones: Ints, total: Ints) -> Ints:
    return (((mask << 4 | white) << 1 | gold) << 1 | ones) << _TOTAL_BITS | total


def _unpack(key: Ints) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    head = key >> _TOTAL_BITS
    return head >> 6, head >> 2 & 15, head >> 1 & 1, head & 1, key & (1 << _TOTAL_BITS) - 1


class _Level(NamedTuple):
    """The states with one number of dice left, and the edges out of them."""

    key: Ints
    shape: Ints
    edge_count: Ints  # per state
    child_key: Ints
    face: Ints
    size: Ints  # dice kept


def _levels(
    faces: tuple[Face, ...], dice: int, golds: dict[str, int], round_worms: bool, shapes: dict[_Shape, int]
) -> Iterator[_Level]:
    """From the start of the turn to no dice left; numbers the shapes as they turn up."""
    most = dice + bool(golds)
    waiting: list[list[Ints]] = [[] for _ in range(most + 1)]
    for golden in (0, 1) if golds else (0,):
        waiting[dice + golden].append(_pack(*np.array((0, dice, golden, 0, 0), dtype=np.intp)[:, None]))
    for left in range(most, -1, -1):
        key = np.unique(np.concatenate([*waiting[left], np.empty(0, dtype=np.intp)]))
        shape = _shapes_of(faces, golds, key, shapes)
        order = np.argsort(shape, kind="stable")
        key, shape = key[order], shape[order]
        mask, white, gold, ones, total = _unpack(key)
        parents, children, kept_faces, counts = [], [], [], []
        for index, face in enumerate(faces):
            for golden in range(1 + (face.sign in golds)):
                for dice_white in range(1 - golden, min(dice, left - golden) + 1):
                    at = np.flatnonzero((mask >> index & 1 == 0) & (white >= dice_white) & (gold >= golden))
                    kept = dice_white + golden
                    earns = round_worms and face.sign == _ONE and kept >= 2
                    parents.append(at)
                    after, points = mask[at] | 1 << index, total[at] + kept * face.pips
                    child = _pack(after, white[at] - dice_white, gold[at] - golden, ones[at] | earns, points)
                    children.append(child)
                    waiting[left - kept].append(child)
                    kept_faces.append(np.full(len(at), index))
                    counts.append(np.full(len(at), kept))
        if not parents:
            yield _Level(key, shape, np.zeros_like(key), *([np.empty(0, dtype=np.intp)] * 3))
            continue
        parent = np.concatenate(parents)
        by_parent = np.argsort(parent, kind="stable")  # the order within a state is that of the loops above
        yield _Level(
            key,
            shape,
            np.bincount(parent, minlength=len(key)),
            np.concatenate(children)[by_parent],
            np.concatenate(kept_faces)[by_parent],
            np.concatenate(counts)[by_parent],
        )


def _shapes_of(faces: tuple[Face, ...], golds: dict[str, int], key: Ints, shapes: dict[_Shape, int]) -> Ints:
    heads, inverse = np.unique(key >> _TOTAL_BITS + 1, return_inverse=True)  # without total and ones
    numbers = []
    for head in heads.tolist():
        mask, white, gold = head >> 5, head >> 1 & 15, head & 1
        sides = [(face.sides, golds.get(face.sign, 0)) for face in faces]
        live = tuple(side for index, side in enumerate(sides) if not mask >> index & 1)
        if not live or not white + gold:
            numbers.append(_NO_PATTERN)
            continue
        if not gold:
            live = tuple((side, 0) for side, _ in live)
        dead = sum(face.sides for face in faces) - sum(side for side, _ in live)
        dead_gold = sum(golds.values()) - sum(side for _, side in live) if gold else 0
        numbers.append(shapes.setdefault(_Shape(white, gold, live, dead, dead_gold), len(shapes)))
    return np.array(numbers, dtype=np.intp)[inverse]


@lru_cache(maxsize=16)  # house editions come and go: 60 MB for the largest that a server takes
def _compile(
    faces: tuple[Face, ...], dice: int, golden_die: tuple[Face, ...], round_worms: bool
) -> TurnTables:
    shapes: dict[_Shape, int] = {}
    levels = list(_levels(faces, dice, {face.sign: face.sides for face in golden_die}, round_worms, shapes))
    keys = np.concatenate([level.key for level in levels])
    mask, white, gold, ones, total = _unpack(keys)
    by_key = np.argsort(keys)
    children = np.concatenate([level.child_key for level in levels])
    trees = [_outcomes(shape) for shape in shapes]
    outcomes = np.array([outcome for tree in trees for outcome in tree], dtype=np.intp).reshape(-1, 4).T
    states = zip(*(column.tolist() for column in (mask, white, gold, ones, total)), strict=True)
    worm_bit = [face.sign for face in faces].index(WORM)
    return TurnTables(
        faces=faces,
        dice=dice,
        flags=1 + round_worms,
        max_total=int(total.max()),
        mask=mask,
        white=white,
        gold=gold,
        ones=ones,
        total=total,
        worm=mask >> worm_bit & 1,
        pattern=np.concatenate([level.shape for level in levels]),
        level_first=_offsets([len(level.key) for level in levels])[::-1].copy(),
        edge_first=_offsets(np.concatenate([level.edge_count for level in levels])),
        edge_child=by_key[np.searchsorted(keys[by_key], children)],
        edge_face=np.concatenate([level.face for level in levels]),
        edge_count=np.concatenate([level.size for level in levels]),
        pattern_first=_offsets([len(tree) for tree in trees]),
        pattern_weight=np.array([sum(outcome.weight for outcome in tree) for tree in trees], dtype=np.intp),
        outcome_weight=outcomes[0].copy(),
        outcome_parent=outcomes[1].copy(),
        outcome_depth=outcomes[2].copy(),
        outcome_edge=outcomes[3].copy(),
        _index={state: number for number, state in enumerate(states)},
    )


def _offsets(counts: Ints | list[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)


def _pattern(tables: TurnTables, index: int) -> RollPattern:
    first, last = tables.pattern_first[index : index + 2]
    states = np.flatnonzero(tables.pattern == index)
    begin, end = int(states[0]), int(states[-1]) + 1  # neighbours: `_levels` sorts by shape
    parent, edge = tables.outcome_parent[first:last], tables.outcome_edge[first:last]
    options = edge[None]
    up = parent
    # From a node to the root, one option a step.
    for _ in range(int(tables.outcome_depth[first:last].max()) - 1):
        options = np.concatenate([options, np.where(up > 0, edge[up], options[-1])[None]])
        up = np.where(up > 0, parent[up], 0)
    weight, prob = tables.outcome_weight[first:last], tables.outcome_prob[first:last]
    depth = tables.outcome_depth[first:last]
    place = np.zeros(last - first, dtype=np.intp)
    tree = []
    for level in range(1, int(depth.max()) + 1):
        at = np.flatnonzero(depth == level)
        place[at] = np.arange(len(at))
        tree.append(Depth(edge[at], place[parent[at]], prob[at]))
    rolls = np.flatnonzero(weight)
    rolls = rolls[rolls > 0]  # the root has nothing to keep
    return RollPattern(
        states=slice(begin, end),
        children=tables.edge_child[tables.edge_first[begin] : tables.edge_first[end]]
        .reshape(end - begin, -1)
        .T.copy(),
        options=np.sort(options[:, rolls], axis=0),
        weight=weight[rolls],
        prob=prob[rolls],
        dead_weight=int(weight[0]),
        dead_prob=float(prob[0]),
        tree=tuple(tree),
    )
