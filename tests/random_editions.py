"""House editions by the hundred: a number fixes each of them, and hardly two have the same material."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pickomino.rules import (
    SPECIALISTS,
    SWITCHES,
    Edition,
    Face,
    InvalidEditionError,
    format_edition,
    load_edition,
)
from pickomino.rules.edition import switched

__all__ = ["random_edition", "random_editions"]


def random_edition(number: int, *, dice: int = 8, tiles: int = 20) -> Edition:
    """The house edition of that number: at most so many dice and tiles, specialists in two out of three."""
    rng = random.Random(f"edition {number}")
    while True:
        try:
            return load_edition(format_edition(_drawn(rng, number, dice, tiles)))
        except InvalidEditionError:
            continue  # a tile that the dice do not reach


def random_editions(count: int) -> Iterator[Edition]:
    return map(random_edition, range(count))


def _drawn(rng: random.Random, number: int, dice: int, tiles: int) -> Edition:
    signs = sorted(rng.sample("123456789", rng.randint(1, 6)))
    faces = [Face(sign, _pips(rng, sign), _sides(rng)) for sign in signs]
    faces.append(Face("W", rng.randint(1, 8), _sides(rng)))
    count = rng.randint(2, dice)
    high = count * max(face.pips for face in faces)
    values = sorted(rng.sample(range(1, min(high, 99) + 1), min(high, rng.randint(1, tiles))))
    specialists = rng.sample(SPECIALISTS, min(len(values), rng.choice([0, rng.randint(1, 3), 6])))
    homes = tuple(zip(sorted(specialists), rng.sample(values, len(specialists)), strict=True))
    golden = rng.sample(faces, rng.randint(1, len(faces))) if "gold" in specialists else []
    return Edition(
        "drawn",
        tuple((value, rng.randint(0, 5)) for value in values),
        count,
        tuple(faces),
        exact_only=frozenset(rng.sample(values, rng.choice([0, 0, len(values) // 4]))),
        specialists=homes,
        golden_die=tuple(sorted(face._replace(sides=_sides(rng)) for face in golden)),
        round_worms=rng.choice([0, rng.randint(1, 9)]) if homes else 0,
        name=f'number {number}, "so-called" \\ 50 % wörms',
        **switched(rng.sample(list(SWITCHES), rng.randint(0, len(SWITCHES)))),
    )


def _pips(rng: random.Random, sign: str) -> int:
    return rng.choice([int(sign), int(sign), rng.randint(0, 9)])


def _sides(rng: random.Random) -> int:
    return rng.choice([1, 1, 2])
