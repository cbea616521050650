"""A position as one line of text, ``pkp1 …``: errors of the rules quote it, `pickomino.notation` reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pickomino.rules.edition import SEATS
from pickomino.rules.phase import Phase
from pickomino.rules.specialists import Specialists

if TYPE_CHECKING:
    from pickomino.rules.position import Position

__all__ = ["format_position", "format_tiles"]


def format_position(position: Position) -> str:
    """The canonical text of a position."""
    fields = [
        "pkp1",
        position.edition.key,
        format_tiles(position.grill),
        "/".join(",".join(f"{tile:02}" for tile in stack) or "-" for stack in position.stacks),
        position.seat_letter,
        f"{position.kept or '-'}:{_pending(position)}",
    ]
    if position.specialists is not None:
        fields += [
            ",".join(_places(position.specialists)) or "-",
            "/".join(map(str, position.specialists.round_worms)),
        ]
    return " ".join(fields)


def format_tiles(tiles: Sequence[int]) -> str:
    """Ascending tiles, a run of three or more as ``lo-hi``, none as ``-``."""
    runs: list[list[int]] = []
    for tile in tiles:
        if runs and tile == runs[-1][-1] + 1:
            runs[-1].append(tile)
        else:
            runs.append([tile])
    parts = [
        f"{run[0]:02}-{run[-1]:02}" if len(run) > 2 else ",".join(f"{tile:02}" for tile in run)
        for run in runs
    ]
    return ",".join(parts) or "-"


def _pending(position: Position) -> str:
    gold = "+" if position.dice_left[1] else ""
    match position.phase:
        case Phase.ROLL:
            return "?" + gold
        case Phase.KEEP:
            return position.rolled
        case Phase.GO:
            return "-" + gold
        case Phase.GOLD:
            return "+?"
        case Phase.GIVER:
            return "^" + gold
        case Phase.PUT_BACK:
            return "<"
        case _:  # over
            return "-"


def _places(specialists: Specialists) -> Iterator[str]:
    places = {name: f"{tile:02}" for tile, name in specialists.standing}
    for seat, names in enumerate(specialists.held):
        for name in names:
            places[name] = SEATS[seat] + "*" * (name == "weasel" and specialists.weasel_used)
    for name in sorted(places):
        yield f"{name}@{places[name]}"
