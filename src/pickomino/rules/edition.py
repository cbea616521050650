"""Editions are data: a tile table, dice and switches under one key (rules, section 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations
from typing import Any, Final, Literal, NamedTuple

from pickomino.rules.errors import InvalidEditionError, said

WORM: Final = "W"
FACES: Final = "123456789W"  # the signs that a die may show, in their order
SEATS: Final = "ABCDEFG"  # R1.1
MIN_SEATS: Final = 2
MAX_SEATS: Final = len(SEATS)
SPECIALISTS: Final = ("apple", "can", "crow", "gold", "hen", "weasel")  # D7.2, sorted by name


class Face(NamedTuple):
    """One face of a die: its sign, what it counts, and how many of the die's sides show it."""

    sign: str
    pips: int
    sides: int = 1


@dataclass(frozen=True, slots=True, repr=False)
class Edition:
    """Everything that differs between editions. Make your own for tiny games."""

    key: str
    tiles: tuple[tuple[int, int], ...]  # (value, worms), ascending
    dice: int = 8
    faces: tuple[Face, ...] = (
        Face("1", 1),
        Face("2", 2),
        Face("3", 3),
        Face("4", 4),
        Face("5", 5),
        Face(WORM, 5),
    )
    steal: Literal["mandatory", "optional"] = "optional"  # section 3
    lower: Literal["nearest", "any"] = "nearest"  # R3.4
    flip_when_nothing_returned: bool = False  # R4.3
    fast: bool = False  # R4.4
    tie_break: Literal["highest_tile", "shared"] = "highest_tile"  # R5.2
    exact_only: frozenset[int] = frozenset()  # tiles that only the exact total takes and nobody steals (D9)
    specialists: tuple[tuple[str, int], ...] = ()  # (name, tile it starts on), sorted by name (D7.2)
    golden_die: tuple[Face, ...] = ()  # D7.5
    round_worms: int = 0  # D7.3
    name: str = ""  # of a house edition, for people
    worms: dict[int, int] = field(init=False, compare=False)  # tile -> worms
    pips: dict[str, int] = field(init=False, compare=False)  # sign -> pips; "+" separates, counts 0

    def __post_init__(self) -> None:
        _check(self)
        object.__setattr__(self, "worms", dict(self.tiles))
        object.__setattr__(self, "pips", {face.sign: face.pips for face in self.faces} | {"+": 0})

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"<Edition {self.key!r} of {len(self.tiles)} tiles and {self.dice} dice>"

    @property
    def values(self) -> tuple[int, ...]:
        """The tiles, ascending."""
        return tuple(value for value, _ in self.tiles)

    @property
    def switches(self) -> tuple[str, ...]:
        """The switches in the key, as ``fast`` in ``classic+fast``."""
        return tuple(self.key.split("+")[1:])


def _check(edition: Edition) -> None:
    def demand(part: str, holds: bool, expected: str) -> None:
        if not holds:
            raise InvalidEditionError(
                "edition {key!r}: expected {expected}", part, key=edition.key, expected=expected
            )

    values = [value for value, _ in edition.tiles]
    signs = [face.sign for face in edition.faces]
    names = [name for name, _ in edition.specialists]
    homes = [tile for _, tile in edition.specialists]
    demand(
        "tiles",
        bool(values) and values == sorted(set(values)),
        said("at least one tile, ascending, none twice"),
    )
    demand("tiles", values[0] > 0 and values[-1] <= 99, said("tiles between 1 and 99"))
    demand("tiles", all(worms >= 0 for _, worms in edition.tiles), said("no tile with negative worms"))
    demand("dice", 1 <= edition.dice <= 12, said("1 to 12 dice"))
    demand("faces", signs == sorted(set(signs)), said("faces in the order of their signs, none twice"))
    demand(
        "faces",
        set(signs) <= set(FACES) and WORM in signs,
        said("face signs 1 to 9 and W, with W among them"),
    )
    faces = edition.faces + edition.golden_die
    demand("faces", all(f.sides > 0 and f.pips >= 0 for f in faces), said("faces with sides"))
    demand("switches", edition.steal in ("mandatory", "optional"), said("steal 'mandatory' or 'optional'"))
    demand("switches", edition.lower in ("nearest", "any"), said("lower 'nearest' or 'any'"))
    demand(
        "switches",
        edition.tie_break in ("highest_tile", "shared"),
        said("tie_break 'highest_tile' or 'shared'"),
    )
    demand("exact_only", edition.exact_only <= set(values), said("exact_only among the tiles"))
    demand(
        "specialists",
        names == sorted(set(names)) and set(names) <= set(SPECIALISTS),
        said("specialists of {specialists}, sorted", specialists=SPECIALISTS),
    )
    demand(
        "specialists",
        len(set(homes)) == len(homes) and set(homes) <= set(values),
        said("one specialist per tile"),
    )
    demand(
        "golden_die",
        {(f.sign, f.pips) for f in edition.golden_die} <= {(f.sign, f.pips) for f in edition.faces},
        said("golden faces among the faces"),
    )
    demand(
        "golden_die",
        ("gold" in names) == bool(edition.golden_die),
        said("a golden die if and only if 'gold' is a specialist"),
    )
    demand("round_worms", edition.round_worms >= 0, said("no negative supply of round worms"))
    demand("round_worms", bool(names) or not edition.round_worms, said("round worms only with specialists"))


def _worms_of(value: int) -> int:
    return 1 if value < 21 else 1 + (value - 21) // 4  # R1.2, D7.1


_TILES = tuple((value, _worms_of(value)) for value in range(21, 37))

_CLASSIC = Edition("classic", _TILES)
_DELUXE = Edition(
    "deluxe",
    tuple((value, _worms_of(value)) for value in (11, 13)) + _TILES,
    steal="mandatory",
    exact_only=frozenset({11, 13}),
    specialists=(("apple", 29), ("can", 11), ("crow", 23), ("gold", 27), ("hen", 21), ("weasel", 25)),
    golden_die=(Face("1", 1, 3), Face(WORM, 5, 3)),
    round_worms=7,
)

EDITIONS: Final[dict[str, Edition]] = {
    edition.key: edition
    for edition in (
        _CLASSIC,
        replace(_CLASSIC, key="summary", steal="mandatory", lower="any", flip_when_nothing_returned=True),
        replace(
            _CLASSIC, key="course", steal="mandatory", flip_when_nothing_returned=True, tie_break="shared"
        ),
        _DELUXE,
        replace(
            _DELUXE, key="extrawurm", specialists=tuple(s for s in _DELUXE.specialists if s[0] != "apple")
        ),
    )
}
"""The printed editions by key. `find_edition` also knows some of them with switches, and house editions."""

SWITCHES: Final[dict[str, dict[str, object]]] = {
    "any-lower": {"lower": "any"},
    "fast": {"fast": True},
    "flip-empty": {"flip_when_nothing_returned": True},
    "mandatory-steal": {"steal": "mandatory"},
    "shared-ties": {"tie_break": "shared"},
}
"""Switch name -> what it changes in an edition."""

SWITCHES_OF: Final[dict[str, tuple[str, ...]]] = {
    "classic": tuple(SWITCHES),
    "deluxe": tuple(name for name in SWITCHES if name != "mandatory-steal"),  # D9.3: it has that already
    "extrawurm": tuple(name for name in SWITCHES if name != "mandatory-steal"),
}
"""Printed edition -> the switches that its key may carry (section 6)."""


@cache  # 66 keys at most
def printed_edition(key: str) -> Edition:
    """The edition of a key: ``classic``, ``deluxe+fast``, ``classic+fast+shared-ties`` …"""
    base, *names = key.split("+")
    if base not in EDITIONS:
        raise InvalidEditionError(
            "edition {key!r}: expected one of {editions}, with or without +switches",
            key=key,
            editions=", ".join(EDITIONS),
        )
    known = SWITCHES_OF.get(base, ())
    if names and not known:
        raise InvalidEditionError(
            "edition {key!r}: only {switches_of} take switches", key=key, switches_of=", ".join(SWITCHES_OF)
        )
    if names != sorted(set(names)) or not set(names) <= set(known):
        raise InvalidEditionError(
            "edition {key!r}: expected switches of {known} in that order, none twice",
            key=key,
            known=", ".join(known),
        )
    return replace(EDITIONS[base], key=key, **switched(names))


def switched(names: Iterable[str]) -> dict[str, Any]:
    """What these switches change in an edition."""
    return {part: value for name in names for part, value in SWITCHES[name].items()}


def all_keys() -> Iterator[str]:
    """Every printed key there is: the editions, and each set of switches that one of them takes."""
    yield from EDITIONS
    for base, switches in SWITCHES_OF.items():
        for count in range(1, len(switches) + 1):
            for names in combinations(switches, count):
                yield "+".join((base, *names))
