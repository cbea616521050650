"""What the ends of many turns are worth, as arrays: from values of claims to values of totals.

Where there are no specialists a turn ends in a take, a steal or a bust, and nothing else matters; with them see
`pickomino.bots.ends`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.compact.packed import NONE, PACKED, PHASES, Packed, unpack
from pickomino.rules import Edition, Phase, Take
from pickomino.solver import Objective, TurnSolver

__all__ = ["Payoffs", "objective_payoffs", "scales", "stealable", "stop_values", "takeable", "turn_starts"]

_ROLL: Final = PHASES.index(Phase.ROLL)
_TABLE: Final = ("grill", "seats", "seat", "top", "round_worms", "place", "below")  # all that outlasts a turn


class Payoffs(NamedTuple):
    """Values of the ways a turn can end, to the seat whose turn it is; rows are turns, columns tiles.

    Only what can happen is looked at (`takeable`, `stealable`); elsewhere any finite number will do.
    """

    take: NDArray[np.float64]  # (turns, tiles): taking a tile from the grill
    steal: NDArray[np.float64]  # (turns, tiles): stealing a tile
    bust: NDArray[np.float64]  # (turns,)


def turn_starts(rows: Packed) -> Packed:
    """The same games at the beginning of the turn that is being played: no dice kept, a roll due."""
    starts = np.zeros(len(rows), dtype=PACKED)  # filled field by field: copies leave chance bytes in the gaps
    for name in _TABLE:
        starts[name] = rows[name]
    starts["phase"] = _ROLL
    starts["gold_rolled"] = NONE
    return starts


def takeable(edition: Edition, rows: Packed) -> NDArray[np.bool_]:
    """Tiles on the grill: (turns, tiles)."""
    return (rows["grill"][:, None] >> np.arange(len(edition.tiles)) & 1).astype(np.bool_)


def stealable(edition: Edition, rows: Packed) -> NDArray[np.bool_]:
    """Tiles on top of another seat's stack that may be stolen (R3.3, D9.4): (turns, tiles)."""
    tops = rows["top"].copy()
    tops[np.arange(len(rows)), rows["seat"]] = -1
    exact_only = [tile in edition.exact_only for tile in edition.values]
    tiles = np.where(exact_only, -2, np.arange(len(edition.tiles)))
    found: NDArray[np.bool_] = (tops[:, :, None] == tiles).any(axis=1)
    return found


def stop_values(edition: Edition, rows: Packed, payoffs: Payoffs, totals: int) -> NDArray[np.float64]:
    """The value of stopping with a worm: (turns, totals), the best claim of each total (section 3)."""
    take, steal = takeable(edition, rows), stealable(edition, rows)
    steal_value = np.where(steal, payoffs.steal, -np.inf)
    stop = np.empty((len(rows), totals))
    lower = np.full(len(rows), -np.inf)  # the best take of a lower tile, none yet (R3.4)
    tile_at = {tile: index for index, tile in enumerate(edition.values)}
    for total in range(totals):
        index = tile_at.get(total)
        if index is None:
            stop[:, total] = np.where(lower > -np.inf, lower, payoffs.bust)  # R3.5
            continue
        other = steal_value[:, index]
        mandatory = edition.steal == "mandatory"
        other = np.where(steal[:, index], other, lower) if mandatory else np.maximum(other, lower)
        other = np.where(other > -np.inf, other, payoffs.bust)
        stop[:, total] = np.where(take[:, index], payoffs.take[:, index], other)  # R3.2
        if total not in edition.exact_only:
            value = payoffs.take[:, index]
            better = np.maximum(lower, value) if edition.lower == "any" else value
            lower = np.where(take[:, index], better, lower)
    return stop


def scales(edition: Edition, rows: Packed, payoffs: Payoffs) -> NDArray[np.float64]:
    """The largest value of each turn, at least 1: what rounding errors are measured by."""
    take = np.where(takeable(edition, rows), np.abs(payoffs.take), 0.0).max(axis=1)
    steal = np.where(stealable(edition, rows), np.abs(payoffs.steal), 0.0).max(axis=1)
    scale: NDArray[np.float64] = np.maximum.reduce([take, steal, np.abs(payoffs.bust), np.ones(len(rows))])
    return scale


def objective_payoffs(edition: Edition, rows: Packed, objective: Objective) -> Payoffs:
    """The payoffs of any objective, turn by turn: right for all, quick for none."""
    shape = (len(rows), len(edition.tiles))
    payoffs = Payoffs(np.zeros(shape), np.zeros(shape), np.zeros(len(rows)))
    place = {tile: index for index, tile in enumerate(edition.values)}
    for row, position in enumerate(unpack(start, edition) for start in rows):
        endings = TurnSolver(position).endings
        for ending, value in zip(endings, objective.payoff(position, endings), strict=True):
            if ending.claim is None:
                payoffs.bust[row] = value
            else:
                column = payoffs.take if isinstance(ending.claim, Take) else payoffs.steal
                column[row, place[ending.claim.tile]] = value
    return payoffs
