"""Where the turns of many games can end, as packed positions, specialists and all.

`turn_ends` plays every claim and the bust of every turn, with each choice that may follow (D10.4, D11.1), without and
with a round worm on the way (D8.4). What the positions are worth is for a bot to say: `TurnValueBot.end_values`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.bots.packed_settle import (
    bust,
    copied,
    finish,
    give,
    give_to,
    givers,
    put_back,
    steal,
    supply,
    take,
)
from pickomino.bots.payoffs import Payoffs, stealable, takeable
from pickomino.compact.packed import HELD, NONE, Packed, unpack
from pickomino.rules import MAX_SEATS, SPECIALISTS, Edition, Steal, Take
from pickomino.solver import SUPPLY, Ending, Objective

__all__ = [
    "BUST",
    "CHOICE",
    "NO_GIVER",
    "STEAL",
    "TAKE",
    "Ends",
    "TurnEnds",
    "choice_ends",
    "objective_values",
    "turn_ends",
]

Indices = NDArray[np.intp]

BUST, TAKE, STEAL, CHOICE = range(4)
"""How a turn ended; `CHOICE`: the claim was made before, and this is what is chosen after it."""

NO_GIVER: Final = -2  # no round worm was earned on the way


class Ends(NamedTuple):
    """Positions after turns, or over; all arrays but `starts` have one entry for each."""

    starts: Packed  # what they are measured from: turns about to begin, or points of choice after a claim
    turn: Indices  # which of the starts
    rows: Packed
    how: Indices  # BUST, TAKE, STEAL or CHOICE
    tile: Indices  # the one claimed, or NONE
    giver: Indices  # of the round worm earned on the way (D8.4): a seat, SUPPLY or NO_GIVER

    @property
    def seats(self) -> NDArray[np.int8]:
        """Whose turn it was."""
        seats: NDArray[np.int8] = self.starts["seat"][self.turn]
        return seats


class TurnEnds(NamedTuple):
    """The ends of some turns, ordered: a *variant* is a turn with what it earned on the way.

    Variant ``i`` is turn ``i`` without a round worm; those with one follow.
    """

    rows: Packed  # one for each variant
    ends: Ends
    place: Indices  # per end its variant and way: choices after one claim share a place
    lanes: Indices  # (turns,): how many could give the round worm, 1 if there is no choice
    variant: Indices  # (turns, seats): for every lane the variant with a round worm

    def payoffs(self, edition: Edition, values: NDArray[np.float64]) -> Payoffs:
        """Values of the ends as values of claims and busts, a row for each variant: the best of every choice."""
        tiles = len(edition.tiles)
        best = np.full((len(self.rows), 2 * tiles + 1), -np.inf)
        np.maximum.at(best.reshape(-1), self.place, values)
        best[best == -np.inf] = 0.0  # what cannot happen
        return Payoffs(best[:, :tiles], best[:, tiles:-1], best[:, -1].copy())


def turn_ends(edition: Edition, starts: Packed) -> TurnEnds:
    """Every end of every turn; `starts` as `pickomino.bots.payoffs.turn_starts` makes them."""
    turn, giver = _variants(edition, starts)
    rows = copied(starts, turn)
    earned = np.flatnonzero(giver != NO_GIVER)
    give(rows, earned, giver[earned])
    tiles, every = len(edition.tiles), np.arange(len(rows))
    take_row, take_tile = np.nonzero(takeable(edition, rows))
    steal_row, steal_tile = np.nonzero(stealable(edition, rows))
    of = np.concatenate([take_row, steal_row, every])
    tile = np.concatenate([take_tile, steal_tile, np.full(len(rows), NONE)])
    how = np.repeat([TAKE, STEAL, BUST], [len(take_row), len(steal_row), len(rows)])
    column = np.concatenate([take_tile, tiles + steal_tile, np.full(len(rows), 2 * tiles)])
    ended, chosen = _settle(edition, copied(rows, of), how, tile)
    of, column = of[chosen], column[chosen]
    ends = Ends(starts, turn[of], ended, how[chosen], tile[chosen], giver[of])
    return TurnEnds(rows, ends, of * (2 * tiles + 1) + column, *_lanes(len(starts), turn))


def _variants(edition: Edition, starts: Packed) -> tuple[Indices, Indices]:
    """Turns and givers: first every turn without a round worm, then those that earn one, by lane."""
    open_ = starts["kept"] == 0  # else it was earned already
    stocked = open_ & (supply(edition, starts) > 0)
    from_supply = np.flatnonzero(stocked)
    from_seat, seat = np.nonzero(givers(edition, starts) & open_[:, None])
    turn = np.concatenate([np.arange(len(starts)), from_supply, from_seat])
    giver = np.concatenate([np.full(len(starts), NO_GIVER), np.full(len(from_supply), SUPPLY), seat])
    return turn, giver


def _lanes(turns: int, turn: Indices) -> tuple[Indices, Indices]:
    """Lanes of every turn, and their variants; lanes too many repeat the first."""
    earning = turn[turns:]
    order = np.argsort(earning, kind="stable")
    count = np.bincount(earning, minlength=turns)
    lane = np.arange(len(earning)) - np.repeat(np.cumsum(count) - count, count)
    variant = np.full((turns, MAX_SEATS - 1), -1)
    variant[earning[order], lane] = turns + order
    first = np.where(count > 0, variant[:, 0], np.arange(turns))
    return np.maximum(count, 1), np.where(variant < 0, first[:, None], variant)


def _settle(edition: Edition, rows: Packed, how: Indices, tile: Indices) -> tuple[Packed, Indices]:
    """Play the claims and busts; for every position that follows, which of the rows it comes from."""
    takes, steals, busts = (np.flatnonzero(how == kind) for kind in (TAKE, STEAL, BUST))
    gained = np.full(len(rows), NONE)
    gained[takes] = take(rows, takes, tile[takes])
    gained[steals] = steal(rows, steals, tile[steals])
    bust(edition, rows, busts)
    asks_giver = np.flatnonzero(gained == SPECIALISTS.index("crow"))
    put_back(rows, asks_giver, gained[asks_giver])  # D10.2
    asks_giver = give_to(edition, rows, asks_giver)
    own = np.flatnonzero((gained != NONE) & (gained != SPECIALISTS.index("crow")))
    held = rows["place"][own] == HELD + rows["seat"][own, None]
    rows["place"][own, gained[own]] = HELD + rows["seat"][own]
    two = held.any(axis=1)
    asks_back = own[two]
    plain = np.ones(len(rows), dtype=np.bool_)
    plain[asks_giver] = plain[asks_back] = False
    which, seat = np.nonzero(givers(edition, copied(rows, asks_giver)))
    backs = np.concatenate([held[two].argmax(axis=1), gained[asks_back]])
    of = np.concatenate([np.flatnonzero(plain), asks_giver[which], asks_back, asks_back])
    ended = copied(rows, of)
    first = int(plain.sum())
    give(ended, np.arange(first, first + len(which)), seat)
    put_back(ended, np.arange(first + len(which), len(of)), backs)  # D10.4
    finish(ended)
    return ended, of


def choice_ends(edition: Edition, rows: Packed, turn: Indices, giver: Indices, back: Indices) -> Ends:
    """After the claim: the positions that choices lead to, each of a row with a giver or a specialist, else NONE."""
    ended = copied(rows, turn)
    chosen = np.flatnonzero(giver != NONE)
    give(ended, chosen, giver[chosen])
    chosen = np.flatnonzero(back != NONE)
    put_back(ended, chosen, back[chosen])
    finish(ended)
    none = np.full(len(turn), NONE)
    return Ends(rows, turn, ended, np.full(len(turn), CHOICE), none, np.full(len(turn), NO_GIVER))


def objective_values(edition: Edition, ends: Ends, objective: Objective) -> NDArray[np.float64]:
    """The values of any objective, end by end: right for all, quick for none."""
    starts = [unpack(row, edition) for row in ends.starts]
    values = np.empty(len(ends.rows))
    for index, (turn, how) in enumerate(zip(ends.turn.tolist(), ends.how.tolist(), strict=True)):
        if how == CHOICE:
            values[index] = objective.choice(starts[turn], unpack(ends.rows[index], edition))
            continue
        tile = edition.values[ends.tile[index]]
        claim = None if how == BUST else Take(tile) if how == TAKE else Steal(tile)
        giver = int(ends.giver[index])
        ending = Ending(claim, None if giver == NO_GIVER else giver)
        values[index] = objective.payoff(starts[turn], [ending])[0]
    return values
