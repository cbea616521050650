"""The turn tables: published counts, and the graph against the rules engine."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from pickomino import Edition, Face, Phase, Position
from pickomino.compact import TurnTables, turn_tables
from pickomino.rules.dice import add

ODD_DICE = Edition("odd", ((5, 1),), dice=3, faces=(Face("1", 1, 2), Face("4", 7, 3), Face("W", 0)))
EDITIONS = ["classic", "deluxe", ODD_DICE]


def rolls_of(tables: TurnTables) -> int:
    """Lumped outcomes of all states, rolls with nothing to keep included."""
    return sum(
        (pattern.states.stop - pattern.states.start) * (len(pattern.weight) + (pattern.dead_weight > 0))
        for pattern in tables.patterns
    )


def options_of(tables: TurnTables) -> int:
    return sum(
        (pattern.states.stop - pattern.states.start)
        * sum(len(set(column)) for column in pattern.options.T.tolist())
        for pattern in tables.patterns
    )


def test_eight_dice_make_the_published_graph() -> None:
    """1939 states: notation.md. Outcomes and options: counted when the project was designed."""
    tables = turn_tables("classic")
    assert tables.states == 1939
    assert rolls_of(tables) == 34_389
    assert options_of(tables) == 72_312
    assert tables.max_total == 40


def test_kept_dice_compress_to_the_states() -> None:
    """notation.md: 3003 kept multisets, 1939 states. Every multiset has a state, every state a multiset."""
    tables = turn_tables("classic")
    kept = ["".join(dice) for size in range(9) for dice in combinations_with_replacement("12345W", size)]
    assert len(kept) == 3003
    assert {tables.find(dice) for dice in kept} == set(range(tables.states))
    worms = [int(tables.worm[tables.find(dice)]) for dice in kept]
    assert worms == [int("W" in dice) for dice in kept]


def test_nodes_of_kept_dice_and_roll() -> None:
    """notation.md: 74,238 (kept, roll) nodes, 62,886 leave a choice, 11,352 are busts, 116,688 keep edges."""
    nodes = choices = busts = edges = 0
    for size in range(8):
        for kept in combinations_with_replacement("12345W", size):
            if len(set(kept)) == 6:
                continue
            for roll in combinations_with_replacement("12345W", 8 - size):
                new = len(set(roll) - set(kept))
                nodes += 1
                choices += new > 0
                busts += new == 0
                edges += new
    assert (nodes, choices, busts, edges) == (74_238, 62_886, 11_352, 116_688)


@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_edges_lead_to_fewer_dice_and_every_roll_is_counted(edition: Edition | str) -> None:
    tables = turn_tables(edition)
    parent = np.repeat(np.arange(tables.states), np.diff(tables.edge_first))
    assert (tables.edge_child > parent).all()
    dice = tables.white + tables.gold
    assert (dice[parent] - dice[tables.edge_child] == tables.edge_count).all()
    for dice_left in range(int(dice.max()) + 1):
        level = slice(tables.level_first[dice_left + 1], tables.level_first[dice_left])
        assert (dice[level] == dice_left).all()
    sides = sum(face.sides for face in tables.faces)
    for pattern, weight in zip(tables.patterns, tables.pattern_weight.tolist(), strict=True):
        golden = weight // sides ** int(tables.white[pattern.states.start])
        assert pattern.weight.sum() + pattern.dead_weight == weight
        assert golden == (6 if tables.gold[pattern.states.start] else 1)
        assert (
            len({int(tables.white[state]) for state in range(pattern.states.start, pattern.states.stop)}) == 1
        )


def test_rolls_and_keeps_are_those_of_the_rules() -> None:
    """From some kept dice of a deluxe turn: the weights of the rolls by what they let one keep."""
    tables = turn_tables("deluxe")
    start = Position.start("deluxe")
    specialists = start.specialists
    assert specialists is not None
    joined = type(specialists)(
        specialists.standing, specialists.held, specialists.round_worms, gold_joined=True
    )
    for kept in ("", "11", "1", "55WW", "2233", "W", "1+1", "44+W", "55"):
        position = Position(start.edition, start.grill, start.stacks, 0, Phase.ROLL, kept, specialists=joined)
        state = tables.find(kept, position.dice_to_roll[1])
        expected: dict[frozenset[int], int] = {}
        for roll, weight in position.rolls().items():
            faces = set(roll.dice) - set(kept) - {"+"}
            children = frozenset(
                tables.find(after, position.gold_joined and "+" not in after)
                for after in (add(kept, roll.dice, face) for face in faces)
            )
            expected[children] = expected.get(children, 0) + weight
        pattern = tables.patterns[tables.pattern[state]]
        children = pattern.children[:, state - pattern.states.start]
        found: dict[frozenset[int], int] = {frozenset(): pattern.dead_weight} if pattern.dead_weight else {}
        for options, weight in zip(pattern.options.T, pattern.weight.tolist(), strict=True):
            key = frozenset(children[options].tolist())
            found[key] = found.get(key, 0) + weight
        assert found == expected


def test_a_golden_die_alone_may_have_nothing_to_keep() -> None:
    """Both faces of the golden die are kept, others are not: rolling on is legal (R2.4) and sure to bust."""
    tables = turn_tables("deluxe")
    state = tables.find("111WWWWW", gold_left=True)
    pattern = tables.patterns[tables.pattern[state]]
    assert pattern.children.size == 0
    assert pattern.dead_prob == 1


def test_editions_with_the_same_dice_share_their_tables() -> None:
    assert turn_tables("classic") is turn_tables("summary") is turn_tables("classic+fast")
    assert turn_tables("deluxe") is turn_tables("extrawurm")
