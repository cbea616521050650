"""Positions as rows of one NumPy record array, 80 bytes each, and back: what whole-game kernels work on.

One row type serves every edition and 2 to 7 seats, so a compiled kernel serves them too. What a number means:

tile        its place in the edition's tile table, 0 for the lowest; NONE for no tile
face        its place in ``edition.faces``
dice        one integer: bits 4i to 4i+3 count the dice of face i, bits 40 to 43 count all of them, bit 48+i
            says that face i is among them. The golden die is not in it
``below``   per tile in a stack, the tile under it; with ``top`` that makes every stack a linked list
``place``   per specialist: the tile it stands on, HELD + seat, or NONE once it left the game
``gold``    0: not in this turn, 1: in it and not kept, 2 + face: kept
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.moves import move_table
from pickomino.rules import (
    MAX_SEATS,
    SPECIALISTS,
    Edition,
    InvalidEditionError,
    InvalidPositionError,
    Phase,
    Position,
    Specialists,
)

Packed: TypeAlias = NDArray[Any]
"""Rows of dtype `PACKED`."""

PHASES: Final = tuple(Phase)
"""A packed phase is an index into this."""

PHASE_ROLL: Final = PHASES.index(Phase.ROLL)
PHASE_KEEP: Final = PHASES.index(Phase.KEEP)
PHASE_GO: Final = PHASES.index(Phase.GO)
PHASE_GOLD: Final = PHASES.index(Phase.GOLD)
PHASE_GIVER: Final = PHASES.index(Phase.GIVER)
PHASE_PUT_BACK: Final = PHASES.index(Phase.PUT_BACK)
PHASE_OVER: Final = PHASES.index(Phase.OVER)

APPLE, CAN, CROW, GOLD, HEN, WEASEL = map(
    SPECIALISTS.index, ("apple", "can", "crow", "gold", "hen", "weasel")
)
"""Places of the specialists in ``place``."""

MAX_MOVES: Final = 63  # legal moves are the bits of one signed 64-bit integer
# Take and steal of each, one face, roll and stop: 2 * 30 + 3 = 63, less room for the usual six faces.
MAX_TILES: Final = 27
NONE: Final = -1
HELD: Final = 32  # above every tile
COUNT_BITS: Final = 4  # an edition has at most 12 dice
SIZE_AT: Final = 40  # ten faces of four bits lie below
FACES_AT: Final = 48
GOLD_KEPT: Final = 2
_LARGEST: Final = 1 << 20  # pips and worms: sums of them stay far inside 32 bits

PACKED: Final = np.dtype(
    [
        ("kept", np.int64),  # dice
        ("rolled", np.int64),  # dice, while a keep is due
        ("grill", np.int32),  # bit i: tile i is face up
        ("total", np.int32),  # of the kept dice, golden one included; the can is no die (D9.1)
        ("seats", np.int8),
        ("seat", np.int8),  # to act; NOBODY once the game is over
        ("phase", np.int8),
        ("gold", np.int8),
        ("gold_rolled", np.int8),  # face, or NONE
        ("weasel_used", np.int8),
        ("top", np.int8, MAX_SEATS),
        ("round_worms", np.int8, MAX_SEATS),
        ("place", np.int8, len(SPECIALISTS)),
        ("below", np.int8, MAX_TILES),
    ],
    align=True,
)
"""The fields of a packed position."""


def check_packable(edition: Edition) -> None:
    """Raise `InvalidEditionError` where an edition does not fit the encoding."""

    def demand(holds: bool, limit: str) -> None:
        if not holds:
            raise InvalidEditionError(f"edition {edition.key!r} does not fit the packed encoding: {limit}")

    moves = len(move_table(edition))
    demand(len(edition.tiles) <= MAX_TILES, f"{len(edition.tiles)} tiles, at most {MAX_TILES}")
    demand(moves <= MAX_MOVES, f"{moves} moves, at most {MAX_MOVES}")
    demand(edition.round_worms < 128, f"{edition.round_worms} round worms, at most 127")
    numbers = [face.pips for face in edition.faces] + [worms for _, worms in edition.tiles]
    demand(max(numbers) < _LARGEST, f"pips or worms of {max(numbers)}, less than {_LARGEST} expected")


def dice_word(edition: Edition, dice: str) -> int:
    """White dice, as text, in one integer."""
    word = len(dice) << SIZE_AT
    for index, face in enumerate(edition.faces):
        if count := dice.count(face.sign):
            word |= count << COUNT_BITS * index | 1 << FACES_AT + index
    return word


def _dice_text(edition: Edition, word: int) -> str:
    return "".join(face.sign * (word >> COUNT_BITS * index & 15) for index, face in enumerate(edition.faces))


def dice_words(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """White dice by how many show each face, (…, faces), as such integers."""
    face = np.arange(counts.shape[-1])
    parts = counts << COUNT_BITS * face | (counts > 0).astype(np.int64) << FACES_AT + face
    words: NDArray[np.int64] = parts.sum(axis=-1) | counts.sum(axis=-1) << SIZE_AT
    return words


def dice_counts(words: NDArray[np.int64], faces: int) -> NDArray[np.int64]:
    """How many white dice of every face: shape of `words` with an axis of faces added."""
    return words[..., None] >> COUNT_BITS * np.arange(faces) & 15


def grill_mask(rows: Packed, tiles: int) -> NDArray[np.bool_]:
    """Face-up tiles: (rows, tiles)."""
    return (rows["grill"][:, None] >> np.arange(tiles) & 1).astype(np.bool_)


def gathered(rows: NDArray[Any], at: NDArray[np.integer[Any]]) -> NDArray[Any]:
    """``rows[at]``: NumPy copies plain bytes ten times as fast as records."""
    found: NDArray[Any] = rows.view(f"V{rows.itemsize}")[at].view(rows.dtype)
    return found


def pack(positions: Position | Iterable[Position]) -> Packed:
    """Positions of one edition as rows; one position gives one row."""
    listed = [positions] if isinstance(positions, Position) else list(positions)
    rows = np.zeros(len(listed), dtype=PACKED)
    for edition in {position.edition for position in listed}:
        check_packable(edition)
    for row, position in zip(rows, listed, strict=True):
        _pack(row, position)
    return rows


def _pack(row: Any, position: Position) -> None:
    edition = position.edition
    tile_at = {tile: index for index, tile in enumerate(edition.values)}
    face_at = {face.sign: index for index, face in enumerate(edition.faces)}
    white, _, gold = position.kept.partition("+")
    rolled, _, gold_rolled = position.rolled.partition("+")
    row["kept"], row["rolled"] = dice_word(edition, white), dice_word(edition, rolled)
    row["grill"] = sum(1 << tile_at[tile] for tile in position.grill)
    row["total"] = sum(map(edition.pips.__getitem__, position.kept))
    row["seats"], row["seat"] = len(position.stacks), position.seat
    row["phase"] = PHASES.index(position.phase)
    row["gold"] = GOLD_KEPT + face_at[gold] if gold else int(position.gold_joined)
    row["gold_rolled"] = face_at.get(gold_rolled, NONE)
    for name in ("top", "place", "below"):
        row[name][:] = NONE
    for seat, stack in enumerate(position.stacks):
        for tile in stack:
            row["below"][tile_at[tile]] = row["top"][seat]
            row["top"][seat] = tile_at[tile]
    specialists = position.specialists
    if specialists is None:
        return
    row["weasel_used"] = specialists.weasel_used
    row["round_worms"][: len(position.stacks)] = specialists.round_worms
    for tile, specialist in specialists.standing:
        row["place"][SPECIALISTS.index(specialist)] = tile_at[tile]
    for seat, held in enumerate(specialists.held):
        for specialist in held:
            row["place"][SPECIALISTS.index(specialist)] = HELD + seat


def unpack(row: Any, edition: Edition) -> Position:
    """One row as a position of that edition."""
    signs = [face.sign for face in edition.faces]
    gold, gold_rolled = int(row["gold"]), int(row["gold_rolled"])
    kept_gold = "+" + signs[gold - GOLD_KEPT] if gold >= GOLD_KEPT else ""
    rolled_gold = "+" + signs[gold_rolled] if gold_rolled != NONE else ""
    grill = int(row["grill"])
    return Position(
        edition,
        tuple(tile for index, tile in enumerate(edition.values) if grill >> index & 1),
        tuple(_stack(row, edition, seat) for seat in range(int(row["seats"]))),
        int(row["seat"]),
        PHASES[int(row["phase"])],
        _dice_text(edition, int(row["kept"])) + kept_gold,
        _dice_text(edition, int(row["rolled"])) + rolled_gold,
        _specialists(row, edition) if edition.specialists else None,
    )


def _stack(row: Any, edition: Edition, seat: int) -> tuple[int, ...]:
    stack = []
    tile = int(row["top"][seat])
    while tile != NONE:
        stack.append(edition.values[tile])
        if len(stack) > len(edition.tiles):
            raise InvalidPositionError(f"packed position: the stack of seat {seat} has no end")
        tile = int(row["below"][tile])
    return tuple(reversed(stack))


def _specialists(row: Any, edition: Edition) -> Specialists:
    seats = int(row["seats"])
    places = list(zip(SPECIALISTS, row["place"].tolist(), strict=True))
    return Specialists(
        tuple(sorted((edition.values[place], name) for name, place in places if 0 <= place < HELD)),
        tuple(tuple(name for name, place in places if place == HELD + seat) for seat in range(seats)),
        tuple(row["round_worms"][:seats].tolist()),
        gold_joined=bool(row["gold"]),
        weasel_used=bool(row["weasel_used"]),
    )
