"""What the end of a turn does: sections 3, 4 and 10 to 13 of the rules.

`claimed`, `busted` and `received` are its parts, for any seat that acts; `pickomino.tensor.deciding` plays single
decisions with them. `endings` gives every way a turn can end at once: all seats move up first, so that whoever played
the turn is the last seat; then masks say which tiles and specialists change hands in which ending. For the numbers of
the endings see `pickomino.tensor.rules`.
"""

from __future__ import annotations

from dataclasses import replace

from pickomino.tensor.arrays import Array
from pickomino.tensor.batch import FAST, FLIP_EMPTY, Batch
from pickomino.tensor.rules import HEN, OUT, Rules


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

    # Tiles that come onto the stack of the seat to act: (batch, endings, tiles).
    tops = moved.tops
    stealable = tops[:, :last] & rules.inexact  # D9.3
    stolen = stealable & ~hen[:, :last, None]  # D10.3
    every = xp.broadcast_to(rules.each_tile, (len(batch), tiles, tiles))
    none = xp.zeros_like(batch.grill)[:, None]
    gained = xp.concatenate((every, left, *[stolen] * twice, none), 1)

    # Who comes along (D10.1, D10.3), and who goes back (D10.2, D10.4).
    stays = xp.zeros_like(own)
    parts = (comes, xp.broadcast_to(stays, (len(batch), len(rules.ownable), rules.specialists)), theirs)
    came = xp.concatenate((*parts, *[xp.zeros_like(theirs)] * (twice - 1), stays), 1)
    goes = xp.concatenate(
        (
            crow | own & comes.any(-1, keepdims=True),
            xp.broadcast_to(rules.left_behind, (len(batch), *rules.left_behind.shape)),
            own & theirs.any(-1, keepdims=True),
            *[theirs] * (twice - 1),
            stays,
        ),
        1,
    )
    one = moved.map(lambda column: column[:, None])
    ends = claimed(replace(one, place=xp.broadcast_to(one.place, came.shape)), last, gained, came, goes)
    grill, heights, place = ends.grill, ends.heights, ends.place
    bust = busted(moved, last)
    grill[:, -1], heights[:, -1], place[:, -1] = bust.grill, bust.heights, bust.place

    # Round worms, without and with one earned on the way (D8.4, D10.2).
    crow_taken = xp.concatenate((crow.any(-1), xp.zeros_like(gained[:, tiles:, 0])), 1)[..., None]
    worms, had = [], moved.round_worms
    for _ in range(rules.variants):
        got = received(rules, last, had, hen, liking)
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


def claimed(batch: Batch, seat: int, gained: Array, came: Array, goes: Array) -> Batch:
    """The games once a seat has gained tiles (…, tiles); specialists came to it, or went back (…, specialists)."""
    rules, xp = batch.rules, batch.rules.xp
    grill = batch.grill & ~gained
    height = xp.amax(batch.heights[..., seat, :], -1, keepdims=True) + 1
    higher = (height * (rules.seat == seat))[..., None]
    heights = xp.where(gained[..., None, :], higher, batch.heights)
    place = _put_back(rules, grill, xp.fill(batch.place, came, rules.tiles + seat), goes)
    return replace(batch, grill=grill, heights=heights, place=place)


def busted(batch: Batch, seat: int) -> Batch:
    """The games once a seat has failed: section 4 and D12."""
    rules, xp = batch.rules, batch.rules.xp
    top = batch.tops[:, seat]
    has_hen, has_tile = batch.holds(HEN)[:, seat, None], top.any(-1, keepdims=True)
    lost = top & ~has_hen  # R4.1, D12.1
    grill = batch.grill | lost
    heights = xp.fill(batch.heights, lost[:, None] & (rules.seat == seat)[:, None], 0)
    own = batch.place == rules.tiles + seat
    place = _put_back(rules, grill, batch.place, own & ~(has_hen & ~has_tile))
    highest = xp.amax(grill * rules.numbers, -1, keepdims=True)
    flips = xp.where(
        has_tile & ~has_hen,
        ~(lost & (rules.numbers == highest)).any(-1, keepdims=True) | batch.switches[:, FAST, None],
        batch.switches[:, FLIP_EMPTY, None] & ~has_hen,
    )  # R4.2, R4.3, R4.4
    grill = grill & ~(flips & (rules.numbers == highest))
    place = _put_back(rules, grill, place, flips & (place == highest - 1))
    return replace(batch, grill=grill, heights=heights, place=place)


def received(rules: Rules, seat: int, worms: Array, hen: Array, liking: Array) -> Array:
    """D11.1: the round worms after a seat got one from the supply, from the giver it likes best, or from nobody."""
    xp = rules.xp
    me = rules.seat == seat
    may = givers(rules, seat, worms, hen)
    giver = xp.argmax(xp.fill(liking, ~may, -xp.inf), -1, keepdims=True)
    gets = me & (_supply(rules, worms) | may.any(-1, keepdims=True))
    return worms + xp.astype(gets, xp.int8) - xp.astype(may & (rules.seat == giver), xp.int8)


def givers(rules: Rules, seat: int, worms: Array, hen: Array) -> Array:
    """D11.1: who could give a seat a round worm; nobody while the supply lasts: (batch, seats)."""
    return (worms > 0) & ~hen & (rules.seat != seat) & ~_supply(rules, worms)


def _supply(rules: Rules, worms: Array) -> Array:
    """Whether there are round worms that nobody has yet: (batch, 1)."""
    return rules.edition.round_worms > worms.sum(-1, keepdims=True)


def _put_back(rules: Rules, grill: Array, place: Array, goes: Array) -> Array:
    """D13.1: who goes takes the smallest free tile, or leaves the game."""
    xp, tiles = rules.xp, rules.tiles
    place = xp.fill(place, goes, OUT)
    free = grill & ~(place[..., None] == rules.numbers - 1).any(-2)
    spot = tiles - xp.amax(free * (tiles + 1 - rules.numbers), -1, keepdims=True)
    return xp.where(goes, xp.fill(spot, spot == tiles, OUT), place)
