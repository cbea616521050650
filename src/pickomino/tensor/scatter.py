"""Games that begin somewhere in the middle: positions nobody chose, so that endings are learned too."""

from __future__ import annotations

from dataclasses import replace

from pickomino.tensor.arrays import Array
from pickomino.tensor.batch import Batch
from pickomino.tensor.rules import CROW, OUT, Rules


def scattered(rules: Rules, size: int) -> Batch:
    """Any grill and stacks, any specialist anywhere, any round worms."""
    start = Batch.start(rules, size)
    grill, heights = _stacks(rules, size)
    place, worms = _places(rules, grill, start.place != OUT), _round_worms(rules, size)
    return replace(start, grill=grill, heights=heights, place=place, round_worms=worms)


def _stacks(rules: Rules, size: int) -> tuple[Array, Array]:
    """Grill and heights: few or many tiles left, stacks of any height; in a third nothing is owned yet.

    In a third the grill lies within a window of neighbours, most of them there, so that small games are met as well.
    In half of them one seat is likelier to own a tile than the next one.
    """
    xp, tiles, seats = rules.xp, rules.tiles, rules.seats
    on_grill, flipped = xp.random(size, 1) ** 1.5, xp.random(size, 1) ** 2
    flipped = xp.fill(flipped, xp.random(size, 1) < 1 / 3, 1.0)
    width = xp.astype(xp.random(size, 1) * min(7, tiles - 1), xp.int64) + 2
    first = xp.astype(xp.random(size, 1) * (tiles - width + 1), xp.int64)
    number = xp.arange(tiles)
    everywhere = xp.random(size, 1) >= 1 / 3
    inside = (number >= first) & (number < first + width) | everywhere
    on_grill = xp.where(everywhere, on_grill, on_grill**0.3)
    draw = xp.fill(xp.random(size, tiles), ~inside, 2.0)
    grill = (draw < on_grill) | (draw == xp.amin(draw, -1, keepdims=True))  # never empty
    owned = ~grill & (xp.random(size, tiles) >= flipped)
    skew = 1 + 3 * xp.fill(xp.random(size, 1), xp.random(size, 1) < 1 / 2, 0.0)
    owner = xp.astype(xp.random(size, tiles) ** skew * seats, xp.int64) + xp.randint(seats, size, 1)
    mine = (owner[:, None] % seats == rules.seat[:, None]) & owned[:, None]
    order = xp.fill(xp.random(size, seats, tiles), ~mine, 2.0)
    heights = order.argsort(-1).argsort(-1) + 1
    return grill, xp.astype(xp.fill(heights, ~mine, 0), xp.int8)


def _places(rules: Rules, grill: Array, known: Array) -> Array:
    """Some of the specialists that the edition knows are in the game; four in ten are held, one by a seat at most."""
    xp, size, tiles, seats = rules.xp, len(grill), rules.tiles, rules.seats
    place = xp.full((size, rules.specialists), OUT, xp.int8)
    free, empty = xp.full((size, seats), True, xp.bool), grill
    some = xp.random(size, 1) + 0.3
    for who in range(rules.specialists):
        seat, spot = xp.randint(seats, size, 1), xp.argmax(xp.random(size, tiles) * empty, -1, keepdims=True)
        here, there = free & (rules.seat == seat), empty & (rules.numbers - 1 == spot)
        comes = known[:, who, None] & (xp.random(size, 1) < some)
        held = comes & (xp.random(size, 1) < (0 if who == CROW.start else 0.4)) & here.any(-1, keepdims=True)
        stands = comes & ~held & there.any(-1, keepdims=True)
        place[:, who] = xp.fill(xp.where(held, tiles + seat, spot), ~(held | stands), OUT)[:, 0]
        free, empty = free & ~(here & held), empty & ~(there & stands)
    return place


def _round_worms(rules: Rules, size: int) -> Array:
    """Any share of the supply, to anybody."""
    xp, supply = rules.xp, rules.edition.round_worms
    given = xp.random(size, supply) < xp.random(size, 1)
    owner = xp.fill(xp.randint(rules.seats, size, supply), ~given, rules.seats)
    return (owner[..., None] == rules.seat).sum(1, dtype=xp.int8)
