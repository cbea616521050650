"""Who moved for a person: written into the record behind the moves, so that a review charges nobody with them."""

from __future__ import annotations

from collections.abc import Sequence

from pickomino.game import Game
from pickomino.notation.turns import token_plies


def marks_of(game: Game, makers: Sequence[str]) -> dict[tuple[int, int], tuple[str, ...]]:
    """Comments ``{by clock}`` and ``{by stand-in}`` for a record; `makers` has one for each ply, empty for none."""
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    for turn, token, plies in token_plies(game):
        made = next((makers[ply] for ply in plies if makers[ply]), "")
        if made:
            found[turn, token] = (f"by {made}",)
    return found
