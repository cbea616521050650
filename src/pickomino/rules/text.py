"""A position as one line of text, ``pkp1 …``: errors of the rules quote it, `pickomino.notation` reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from pickomino.rules.edition import SEATS
from pickomino.rules.phase import GO_DUE, KEEP_DUE, ROLL_DUE, Phase
from pickomino.rules.specialists import Specialists

if TYPE_CHECKING:
    from pickomino.rules.position import Position


def format_position(position: Position) -> str:
    """The canonical text of a position."""
    text = (
        f"pkp1 {position.edition.key} {_table(position.grill, position.stacks)} {position.seat_letter}"
        f" {position.kept or '-'}:{_pending(position)}"
    )
    specialists = position.specialists
    if specialists is None:
        return text
    places = ",".join(_places(specialists)) or "-"
    return f"{text} {places} {'/'.join(map(str, specialists.round_worms))}"


@lru_cache(maxsize=1024)  # it stays the same for a turn, and a turn is many positions
def _table(grill: tuple[int, ...], stacks: tuple[tuple[int, ...], ...]) -> str:
    held = "/".join(",".join(f"{tile:02}" for tile in stack) or "-" for stack in stacks)
    return f"{format_tiles(grill)} {held}"


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
    phase = position.phase
    if phase is KEEP_DUE:
        return position.rolled
    gold = "+" if position.specialists is not None and position.dice_to_roll[1] else ""
    if phase is ROLL_DUE:
        return "?" + gold
    if phase is GO_DUE:
        return "-" + gold
    match phase:
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
