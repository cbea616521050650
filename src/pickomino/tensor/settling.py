"""Every way a turn can end, and the games after it: sections 3, 4 and 10 to 13 of the rules.

All seats move up first, so that whoever played the turn is the last seat; then masks say which tiles and specialists
change hands in which ending. For the numbers of the endings see `pickomino.tensor.rules`.
"""

from __future__ import annotations

from pickomino.tensor.arrays import Array
from pickomino.tensor.batch import FAST, FLIP_EMPTY, Batch
from pickomino.tensor.rules import HEN, OUT, Rules

__all__ = ["endings"]


def endings(batch: Batch, liking: Array | None = None) -> tuple[Batch, Array]:
    """The games after every ending, (batch, endings, …), and which endings there are, (batch, endings).

    `liking`: whose round worm the seat to act would rather have once the supply is empty (D11.1), (batch, seats);
    if not given, the leader's.
    """
    rules, xp = batch.rules, batch.rules.xp
    liking = batch.tally().scores if liking is None else liking
    moved, liking = batch.moved_up(), xp.roll(liking, -1, 1)
    tiles, last = rules.tiles, rules.seats - 1
    twice = 2 if rules.specialists else 1  # steals: with either of two specialists put back

    # Specialists: (batch, one per tile, ownable one, other seat …, specialists).
    place = moved.place[:, None]
    own, theirs = place == tiles + last, place == tiles + rules.seat[:last, None]
    on_tile = place == rules.numbers[:, None] - 1
    crow, comes = on_tile & rules.is_crow, on_tile & ~rules.is_crow
    left = moved.place[:, rules.ownable, None] == rules.numbers - 1  # (batch, ownable, tiles)
    hen = moved.holds(HEN)

    # Tiles that come to the own stack: (batch, endings, tiles).
    tops = moved.tops
    stealable = tops[:, :last] & rules.inexact  # D9.3
    stolen = stealable & ~hen[:, :last, None]  # D10.3
    every = xp.broadcast_to(rules.each_tile, (len(batch), tiles, tiles))
    none = xp.zeros_like(batch.grill)[:, None]
    gained = xp.concatenate((every, left, *[stolen] * twice, none), 1)
    grill = batch.grill[:, None] & ~gained
    higher = (xp.amax(moved.heights[:, last:], -1, keepdims=True) + 1) * rules.is_last[:, None]
    heights = xp.where(gained[:, :, None], higher[:, None], moved.heights[:, None])

    # A bust takes the top tile away, unless there is the hen (R4.1, D12.1).
    has_hen, has_tile = hen[:, last:], tops[:, last].any(-1, keepdims=True)
    lost = tops[:, last] & ~has_hen
    grill[:, -1] |= lost
    heights[:, -1, last] = xp.fill(moved.heights[:, last], lost, 0)

    # Who comes along (D10.1, D10.3), and who goes back (D10.2, D10.4, D12).
    stays = xp.zeros_like(own)
    parts = (comes, xp.broadcast_to(stays, (len(batch), len(rules.ownable), rules.specialists)), theirs)
    came = xp.concatenate((*parts, *[xp.zeros_like(theirs)] * (twice - 1), stays), 1)
    goes = xp.concatenate(
        (
            crow | own & comes.any(-1, keepdims=True),
            xp.broadcast_to(rules.left_behind, (len(batch), *rules.left_behind.shape)),
            own & theirs.any(-1, keepdims=True),
            *[theirs] * (twice - 1),
            own & ~(has_hen & ~has_tile)[..., None],
        ),
        1,
    )
    place = _put_back(rules, grill, xp.fill(xp.broadcast_to(place, came.shape), came, tiles + last), goes)

    # The highest tile is flipped after a bust (R4.2, R4.3, R4.4).
    highest = xp.amax(grill[:, -1] * rules.numbers, -1, keepdims=True)
    flips = xp.where(
        lost.any(-1, keepdims=True),
        ~(lost & (rules.numbers == highest)).any(-1, keepdims=True) | batch.switches[:, FAST, None],
        batch.switches[:, FLIP_EMPTY, None] & ~has_hen,
    )
    grill[:, -1] &= ~(flips & (rules.numbers == highest))
    place[:, -1] = _put_back(rules, grill[:, -1], place[:, -1], flips & (place[:, -1] == highest - 1))

    # Round worms, without and with one earned on the way (D8.4, D10.2).
    crow_taken = xp.concatenate((crow.any(-1), xp.zeros_like(gained[:, tiles:, 0])), 1)[..., None]
    worms, had = [], moved.round_worms
    for _ in range(rules.variants):
        got = _receive(rules, had, hen, liking)
        worms.append(xp.where(crow_taken, got[:, None], had[:, None]))
        had = got

    steals, holds = stealable.any(-1), own.any(-1)
    also = [steals & theirs.any(-1) & holds] * (twice - 1)
    possible = xp.concatenate((batch.grill, left.any(-1) & holds, steals, *also, xp.ones_like(holds)), 1)
    grill, heights, place, possible = (
        column if rules.variants == 1 else xp.concatenate([column] * rules.variants, 1)
        for column in (grill, heights, place, possible)
    )
    switches = xp.broadcast_to(batch.switches[:, None], (*possible.shape, batch.switches.shape[1]))
    return Batch(rules, grill, heights, place, xp.concatenate(worms, 1), switches), possible


def _put_back(rules: Rules, grill: Array, place: Array, goes: Array) -> Array:
    """D13.1: who goes takes the smallest free tile, or leaves the game."""
    xp, tiles = rules.xp, rules.tiles
    place = xp.fill(place, goes, OUT)
    free = grill & ~(place[..., None] == rules.numbers - 1).any(-2)
    spot = tiles - xp.amax(free * (tiles + 1 - rules.numbers), -1, keepdims=True)
    return xp.where(goes, xp.fill(spot, spot == tiles, OUT), place)


def _receive(rules: Rules, worms: Array, hen: Array, liking: Array) -> Array:
    """D11.1: the round worms after the last seat got one from the supply, from a giver, or from nobody."""
    xp = rules.xp
    supply = rules.edition.round_worms - worms.sum(-1, keepdims=True)
    may = (worms > 0) & ~hen & ~rules.is_last & (supply == 0)
    giver = xp.argmax(xp.fill(liking, ~may, -xp.inf), -1, keepdims=True)
    gets = rules.is_last & ((supply > 0) | may.any(-1, keepdims=True))
    return worms + xp.astype(gets, xp.int8) - xp.astype(may & (rules.seat == giver), xp.int8)
