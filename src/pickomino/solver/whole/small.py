"""Where a small game begins: the tiles in play, who stands on them, and the round worms that are given away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pickomino.rules import MAX_SEATS, MIN_SEATS, Edition, Phase, PickominoError, Position, said
from pickomino.rules.specialists import Specialists


def small_start(
    edition: Edition,
    tiles: Sequence[int],
    players: int = 2,
    specialists: Mapping[str, int] | None = None,
    round_worms: Sequence[int] | None = None,
) -> Position:
    """All these tiles on the grill, the others out of the game.

    specialists: name -> tile; by default each on its own tile (D7.2) if that is among them. round_worms: of
    every seat, none by default; the supply has the rest.
    """
    grill = checked_tiles(edition, tiles, players)
    if not edition.specialists:
        if specialists or round_worms:
            raise PickominoError("edition {key!r} has no specialists and no round worms", key=edition.key)
        return Position(edition, grill, ((),) * players, 0, Phase.ROLL)
    homes = dict(edition.specialists)
    if specialists is None:
        specialists = {name: tile for name, tile in homes.items() if tile in grill}
    for name, tile in specialists.items():
        if name not in homes:
            raise PickominoError(
                "specialist {name!r}: {key} has {homes}", name=name, key=edition.key, homes=", ".join(homes)
            )
        if tile not in grill:
            raise PickominoError(
                "specialist {name!r} on {tile}: the game has the tiles {grill}",
                name=name,
                tile=tile,
                grill=_list(grill),
            )
    if len(set(specialists.values())) < len(specialists):
        raise PickominoError(said("specialists: expected one on a tile (D7.2)"))
    worms = tuple(round_worms or (0,) * players)
    if len(worms) != players or min(worms) < 0 or sum(worms) > edition.round_worms:
        raise PickominoError(
            "round worms {worms}: expected {players} numbers, at most {round_worms} in all",
            worms=_list(worms),
            players=players,
            round_worms=edition.round_worms,
        )
    standing = tuple(sorted((tile, name) for name, tile in specialists.items()))
    placed = Specialists(standing, ((),) * players, worms)
    return Position(edition, grill, ((),) * players, 0, Phase.ROLL, specialists=placed)


def checked_tiles(edition: Edition, tiles: Sequence[int], players: int) -> tuple[int, ...]:
    """The tiles in order, if there can be such a game."""
    if not MIN_SEATS <= players <= MAX_SEATS:
        raise PickominoError(
            "{players} players: expected {low} to {high}", players=players, low=MIN_SEATS, high=MAX_SEATS
        )
    for tile in tiles:
        if tile not in edition.worms:
            raise PickominoError("{key} has no tile {tile}", key=edition.key, tile=tile)
    if not tiles or len(set(tiles)) != len(tiles):
        raise PickominoError("tiles {tiles}: expected at least one, none twice", tiles=_list(tiles) or "none")
    return tuple(sorted(tiles))


def _list(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))
