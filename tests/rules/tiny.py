"""Editions small enough to visit every position of a game for two."""

from dataclasses import replace

from pickomino.rules import WORM, Edition, Face

PLAIN = Edition(
    "tiny",
    tiles=((3, 1), (4, 1), (6, 2)),
    dice=2,
    faces=(Face("1", 1), Face("2", 2), Face(WORM, 3)),
)
LOADED = Edition(  # a worm on two sides of four, and no choice of face
    "tiny-loaded",
    tiles=((2, 1), (4, 3)),
    dice=2,
    faces=(Face("1", 1, 2), Face(WORM, 2, 2)),
)
FLIPPING = replace(
    PLAIN, key="tiny-flipping", steal="mandatory", lower="any", flip_when_nothing_returned=True
)
FAST = replace(PLAIN, key="tiny-fast", fast=True, tie_break="shared")
THREE_DICE = replace(PLAIN, key="tiny-three", dice=3, tiles=((5, 1), (7, 2)))
SPECIALISTS = Edition(
    "tiny-deluxe",
    tiles=((3, 1), (4, 1), (6, 2)),
    dice=2,
    faces=(Face("1", 1), Face(WORM, 3)),
    steal="mandatory",
    exact_only=frozenset({3}),
    specialists=(("can", 3), ("hen", 6)),
    round_worms=1,
)
CROW = Edition(  # for three seats: both round worms are soon out, and a third seat must choose a giver
    "tiny-crow",
    tiles=((3, 1), (4, 1)),
    dice=2,
    faces=(Face("1", 1), Face(WORM, 3)),
    specialists=(("crow", 3),),
    round_worms=2,
)
GOLDEN = Edition(
    "tiny-golden",
    tiles=((3, 1), (4, 2)),
    dice=1,
    faces=(Face("1", 1), Face(WORM, 3)),
    steal="mandatory",
    specialists=(("apple", 4), ("gold", 3)),
    golden_die=(Face("1", 1, 3), Face(WORM, 3, 3)),
    round_worms=2,
)
WEASEL = replace(
    GOLDEN,
    key="tiny-weasel",
    dice=2,
    specialists=(("crow", 3), ("weasel", 4)),
    golden_die=(),
    round_worms=3,
)

TINY = (PLAIN, LOADED, FLIPPING, FAST, THREE_DICE, SPECIALISTS, CROW, GOLDEN, WEASEL)
