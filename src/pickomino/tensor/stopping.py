"""What stopping brings at every total: sections 3 and 9 of the rules, with the best of every choice made."""

from __future__ import annotations

from pickomino.tensor.arrays import Array
from pickomino.tensor.batch import ANY_LOWER, MANDATORY, Batch
from pickomino.tensor.rules import CAN


def claims(batch: Batch, max_total: int, mine: Array) -> Array:
    """The ending that stopping brings at every slot of the turn tables: (batch, slots).

    `mine`: what every ending is worth to the seat to act, (batch, endings).
    """
    rules, xp = batch.rules, batch.rules.xp
    totals = max_total + 1
    has_can = batch.holds(CAN)[:, :1]
    bust = xp.full((len(batch), totals), rules.bust, xp.int64)
    parts = []
    for first in range(0, rules.variants * rules.endings, rules.endings):
        claim = _with_worm(batch, totals + rules.can_pips, mine[:, first : first + rules.endings])
        with_can = xp.where(has_can, claim[:, rules.can_pips :], bust)  # R3.1, D9.1
        parts += [with_can + first, claim[:, :totals] + first]
    return xp.concatenate(parts, 1)


def _with_worm(batch: Batch, totals: int, mine: Array) -> Array:
    """With a worm among the dice: (batch, totals)."""
    rules, xp = batch.rules, batch.rules.xp
    take, steal = _takes(batch, mine), _steals(batch, mine)
    takes, steals = allowed(batch, xp.arange(totals))
    ending = xp.concatenate((take, steal), 1)
    liking = xp.take(mine, ending)[:, None]
    may = xp.concatenate((takes, steals), -1)
    best = xp.argmax(xp.fill(liking, ~may, -xp.inf), -1)  # of equal ones the first: a take
    return xp.fill(xp.take(ending, best), ~may.any(-1), rules.bust)  # R3.5, D9.5


def allowed(batch: Batch, totals: Array) -> tuple[Array, Array]:
    """What may be claimed with a worm and some totals, (totals,) for all games or (batch, totals).

    The tiles that may be taken, (batch, totals, tiles), and the other seats that may be robbed, (batch, totals, seats
    but the first): R3.2 to R3.4, D9.2 to D9.4.
    """
    rules, xp = batch.rules, batch.rules.xp
    total = totals[..., None]
    any_lower, mandatory = (batch.switches[:, column, None, None] for column in (ANY_LOWER, MANDATORY))
    exact = batch.grill[:, None] & (rules.values == total)
    has_exact = exact.any(-1, keepdims=True)
    top = xp.amax((batch.tops[:, 1:] & rules.inexact) * rules.values, -1)[:, None]  # 0 for none
    steals = (top == total) & (top > 0) & ~has_exact
    lower = (batch.grill & rules.inexact)[:, None] & (rules.values < total)
    highest = xp.amax(lower * rules.numbers, -1, keepdims=True)
    lower = lower & (any_lower | (rules.numbers == highest))
    lower = lower & ~(mandatory & steals.any(-1, keepdims=True))
    return xp.where(has_exact, exact, lower), steals


def _takes(batch: Batch, mine: Array) -> Array:
    """The ending of taking each tile, whoever is liked less put back (D10.4): (batch, tiles)."""
    rules, xp = batch.rules, batch.rules.xp
    leaves = rules.leave_at + xp.arange(len(rules.ownable))
    on_tile = batch.place[:, None, rules.ownable] == rules.numbers[:, None] - 1
    leave = (on_tile * leaves).sum(-1)  # 0 for none
    return _better(batch, mine, xp.arange(rules.tiles), leave)


def _steals(batch: Batch, mine: Array) -> Array:
    """The ending of stealing from each other seat, whoever is liked less put back (D10.4): (batch, other seats)."""
    rules, xp = batch.rules, batch.rules.xp
    steal = rules.steal_at + xp.arange(rules.seats - 1)
    brings = (batch.place[:, None] == rules.tiles + rules.seat[1:, None]).any(-1)
    return _better(batch, mine, steal, brings * (steal + rules.seats - 1))


def _better(batch: Batch, mine: Array, plain: Array, other: Array) -> Array:
    """Of two endings the better one; the second is 0 where there is none, and needs a specialist of one's own."""
    rules, xp = batch.rules, batch.rules.xp
    holds = (batch.place == rules.tiles).any(-1, keepdims=True)
    better = holds & (other > 0) & (xp.take(mine, other) > mine[:, plain])
    return xp.where(better, other, plain)
