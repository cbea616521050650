"""What stopping brings at every total: sections 3 and 9 of the rules, with the best of every choice made."""

from __future__ import annotations

from pickomino.tensor.arrays import Array
from pickomino.tensor.batch import ANY_LOWER, MANDATORY, Batch
from pickomino.tensor.rules import CAN

__all__ = ["claims"]


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
    total = xp.arange(totals)
    any_lower, mandatory = batch.switches[:, ANY_LOWER, None], batch.switches[:, MANDATORY, None]
    liking = xp.where(any_lower, xp.take(mine, take), rules.numbers)
    lower = (batch.grill & rules.inexact)[:, None] & (rules.values < total[:, None])  # (batch, totals, tiles)
    best = xp.argmax(xp.fill(liking[:, None], ~lower, -xp.inf), -1)
    has_lower = lower.any(-1)
    claim = xp.fill(xp.take(take, best), ~has_lower, rules.bust)  # R3.4, R3.5, D9.4, D9.5
    top = ((batch.tops[:, 1:] & rules.inexact) * rules.values).sum(-1)[:, None]  # 0 for none
    there = (top == total[:, None]) & (top > 0)  # R3.3, D9.3: (batch, totals, other seats)
    stolen = (there * steal[:, None]).sum(-1)
    wanted = mandatory | ~has_lower | (xp.take(mine, stolen) > xp.take(mine, claim))
    claim = xp.where((stolen > 0) & wanted, stolen, claim)
    exact = ((rules.values == total[:, None]) * rules.numbers).sum(-1)  # 0 for none
    tile = xp.clip(exact - 1, 0, None)
    return xp.where(batch.grill[:, tile] & (exact > 0), take[:, tile], claim)  # R3.2, D9.2


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
