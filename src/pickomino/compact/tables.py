"""An edition as one record of numbers: what the kernels know of it, so that none is compiled for one
edition."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.moves import move_table
from pickomino.compact.packed import MAX_TILES, NONE, check_packable, dice_word
from pickomino.rules import SPECIALISTS, WORM, Edition, InvalidEditionError

Tables: TypeAlias = NDArray[Any]
"""One row of dtype `TABLES`."""

TOTALS: Final = 101  # tiles end at 99, so every total from 100 on claims the same tiles
GOLD_FACES: Final = 10  # the signs that a face may have
_CHUNK: Final = 4  # most dice that fall with one number, see `_rolls`
_ROLLS: Final = 6 + 6**2 + 6**3 + 6**4  # one to four dice of six sides, 12 kB: stays in the fastest cache


def _fingerprint() -> str:
    """Keeps numba's cache on disk honest, which looks at the file of the outermost function only.

    A field of the tables is named after the text of all kernels: whatever of them changes, the signature
    does, and machine code from the cache is never older than the sources. So kernels that call into other
    files take the tables as an argument.
    """
    package = Path(__file__).parents[1]
    sources = [source for part in ("compact", "simulate") for source in sorted((package / part).glob("*.py"))]
    return sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]


TABLES: Final = np.dtype(
    [
        ("rolls", np.int64, _ROLLS),  # dice words: all ordered rolls of one die, of two, …
        ("roll_first", np.int64, _CHUNK + 1),  # where the rolls of so many dice begin
        ("roll_count", np.int64, _CHUNK + 1),  # how many there are
        ("chunk", np.int64),  # the longest
        ("dice", np.int64),
        ("all_faces", np.int64),  # bit mask
        ("worm", np.int64),  # the bit of the worm
        ("worm_pips", np.int64),
        ("one", np.int64),  # the face 1, or NONE (D8.4)
        ("pips", np.int64, GOLD_FACES),
        ("gold_sides", np.int64),  # all sides of the golden die; 0 without one
        ("gold_face_sides", np.int64, GOLD_FACES),  # those of every face
        ("tiles", np.int64),
        ("worms", np.int64, MAX_TILES),
        ("tile_at", np.int64, TOTALS),  # the tile that a total names, or NONE
        ("lower", np.int64, TOTALS),  # tiles below a total, less those of `exact_only` (R3.4, D9.4)
        ("exact_only", np.int64),  # tiles
        ("mandatory_steal", np.int64),
        ("any_lower", np.int64),
        ("flip_empty", np.int64),
        ("fast", np.int64),
        ("shared_ties", np.int64),
        ("specialists", np.int64),  # whether there are any
        ("round_worms", np.int64),
        # Where the move table has what: the first of a run, or the one move; NONE where there is none.
        ("moves", np.int64),
        ("keep", np.int64),
        ("roll_on", np.int64),
        ("stop", np.int64),
        ("take", np.int64),
        ("steal", np.int64),
        ("use_gold", np.int64),
        ("reroll", np.int64),
        ("leave_gold", np.int64),
        ("giver", np.int64),
        ("put_back", np.int64, len(SPECIALISTS)),
        (f"sources_{_fingerprint()}", np.int64),
    ],
    align=True,
)
"""The fields of an edition's tables."""


@lru_cache(maxsize=256)  # house editions come and go
def edition_tables(edition: Edition) -> Tables:
    """The tables of an edition; an edition that does not fit raises `InvalidEditionError`."""
    check_packable(edition)
    tables = np.zeros(1, dtype=TABLES)
    row: Any = tables[0]
    _dice(row, edition)
    _tiles(row, edition)
    _moves(row, edition)
    row["mandatory_steal"] = edition.steal == "mandatory"
    row["any_lower"] = edition.lower == "any"
    row["flip_empty"] = edition.flip_when_nothing_returned
    row["fast"] = edition.fast
    row["shared_ties"] = edition.tie_break == "shared"
    row["specialists"] = bool(edition.specialists)
    row["round_worms"] = edition.round_worms
    return tables


def _dice(row: Any, edition: Edition) -> None:
    signs = [face.sign for face in edition.faces]
    row["dice"] = edition.dice
    row["all_faces"] = (1 << len(signs)) - 1
    row["worm"] = 1 << signs.index(WORM)
    row["worm_pips"] = edition.pips[WORM]
    row["one"] = signs.index("1") if "1" in signs else NONE
    row["pips"][: len(signs)] = [face.pips for face in edition.faces]
    for face in edition.golden_die:
        row["gold_face_sides"][signs.index(face.sign)] = face.sides
    row["gold_sides"] = sum(face.sides for face in edition.golden_die)
    _rolls(row, edition)


def _rolls(row: Any, edition: Edition) -> None:
    """All ordered rolls of up to four dice: one number below their count rolls them, weighted as it
    should."""
    sides = [face.sign for face in edition.faces for _ in range(face.sides)]
    if len(sides) > _ROLLS:
        raise InvalidEditionError(
            f"edition {edition.key!r} does not fit the simulator: {len(sides)} sides, at most {_ROLLS}"
        )
    first = 0
    for size in range(1, min(_CHUNK, edition.dice) + 1):
        count = len(sides) ** size
        if first + count > _ROLLS:
            break
        row["rolls"][first : first + count] = [
            dice_word(edition, "".join(dice)) for dice in product(sides, repeat=size)
        ]
        row["roll_first"][size], row["roll_count"][size], row["chunk"] = first, count, size
        first += count


def _tiles(row: Any, edition: Edition) -> None:
    row["tiles"] = len(edition.tiles)
    row["worms"][: len(edition.tiles)] = [worms for _, worms in edition.tiles]
    row["tile_at"][:] = NONE
    for index, tile in enumerate(edition.values):
        row["tile_at"][tile] = index
        if tile in edition.exact_only:
            row["exact_only"] |= 1 << index
        else:
            row["lower"][tile + 1 :] |= 1 << index


def _moves(row: Any, edition: Edition) -> None:
    table = move_table(edition)
    row["moves"] = len(table)
    lowest = edition.values[0]
    for name, text in {
        "keep": f"k{edition.faces[0].sign}",
        "roll_on": "r",
        "stop": "s",
        "take": f"t{lowest:02}",
        "steal": f"x{lowest:02}",
        "use_gold": "g",
        "leave_gold": "n",
        "reroll": "w",
        "giver": "^A",
    }.items():
        row[name] = table.find(text)
    row["put_back"][:] = [table.find(f"<{name}") for name in SPECIALISTS]
