"""Dice as sorted text: white faces, then ``+`` and the golden die's face, as in ``1124+W``.

Sorted text is the canonical multiset: equal rolls are equal strings, ``dice.count(face)`` counts white and
golden dice alike (D8.3), and the notation needs no translation.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial

from pickomino.rules.edition import WORM, Edition, Face
from pickomino.rules.moves import Roll


def size(dice: str) -> int:
    """How many dice the text names."""
    return len(dice) - ("+" in dice)


def add(kept: str, rolled: str, face: str) -> str:
    """The kept dice after setting aside all dice of a face (R2.2, D8.3)."""
    if "+" not in kept and "+" not in rolled:
        return "".join(sorted(kept + face * rolled.count(face)))
    white, plus, gold = kept.partition("+")
    rolled_white, _, rolled_gold = rolled.partition("+")
    if rolled_gold == face:
        plus, gold = "+", face
    return "".join(sorted(white + face * rolled_white.count(face))) + plus + gold


def dice_to_roll(edition: Edition, kept: str, gold_joined: bool) -> tuple[int, bool]:
    """What the next roll throws: how many white dice, and whether the golden one."""
    if not gold_joined:
        return edition.dice - len(kept), False
    white, plus, _ = kept.partition("+")
    return edition.dice - len(white), not plus


def all_faces_kept(edition: Edition, kept: str) -> bool:
    """R2.4: nothing that a roll could show may still be kept."""
    return len(set(kept)) - ("+" in kept) == len(edition.faces)


@lru_cache(maxsize=65536)  # a few thousand sets of kept dice per edition
def may_roll(edition: Edition, kept: str, gold_joined: bool) -> bool:
    """R2.4: a die is left, and a face that was not kept yet."""
    return size(kept) < edition.dice + gold_joined and not all_faces_kept(edition, kept)


def tally(edition: Edition, kept: str, can: bool) -> tuple[int, bool]:
    """The total and whether a worm is in it (R2.6, R3.1); the can counts as one worm where none is kept (D9.1)."""
    total = sum(map(edition.pips.__getitem__, kept))
    if WORM in kept:
        return total, True
    if can:
        return total + edition.pips[WORM], True
    return total, False


@lru_cache(maxsize=512)  # 16 per edition; house editions come and go
def chances(edition: Edition, white: int, gold: bool) -> dict[Roll, int]:
    """Every roll of so many dice with its integer weight; the weights sum to sides ** dice."""
    rolls = _multisets(edition.faces, white)
    if not gold:
        return {Roll(dice): weight for dice, weight in rolls if dice}
    return {
        Roll(f"{dice}+{face.sign}"): weight * face.sides
        for dice, weight in rolls
        for face in edition.golden_die
    }


def _multisets(faces: tuple[Face, ...], count: int) -> Iterator[tuple[str, int]]:
    sides = {face.sign: face.sides for face in faces}
    for signs in combinations_with_replacement(sides, count):
        weight = factorial(count)
        for sign in set(signs):
            times = signs.count(sign)
            weight = weight // factorial(times) * sides[sign] ** times
        yield "".join(signs), weight
