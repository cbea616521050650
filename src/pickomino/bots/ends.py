"""Where the turns of many games can end, as packed positions.

`turn_ends` has every claim and the bust of every turn, with each choice that may follow (D10.4, D11.1), without and
with a round worm on the way (D8.4). What the positions are worth is for a bot to say: `TurnValueBot.end_values`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino.compact import bulk
from pickomino.compact.bulk import Floats, Indices
from pickomino.compact.loops import BUST, NO_GIVER, TAKE
from pickomino.compact.packed import NONE, PACKED, PHASE_ROLL, Packed, gathered, unpack
from pickomino.rules import Edition, Steal, Take
from pickomino.solver import Ending, Objective

# Beside BUST, TAKE and STEAL: the claim was made before, and this is what is chosen after it.
CHOICE: Final = 3
# All that outlasts a turn.
_LASTING: Final = ("grill", "seats", "seat", "top", "round_worms", "place", "below")


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
    """The ends of some turns. A *variant* is a turn with what it earned on the way, see `bulk.turn_variants`."""

    variants: Packed
    turn: Indices  # per variant
    giver: Indices  # per variant
    variant: Indices  # per end
    ends: Ends

    def claims(self, edition: Edition, values: Floats) -> bulk.ClaimValues:
        """Values of the ends as values of claims and busts, a row for each variant: the best of every choice."""
        return bulk.claim_values(
            edition, len(self.variants), values, self.variant, self.ends.how, self.ends.tile
        )


def turn_starts(rows: Packed) -> Packed:
    """The same games at the beginning of the turn that is being played: no dice kept, a roll due."""
    starts = np.zeros(len(rows), dtype=PACKED)  # filled field by field: copies leave chance bytes in the gaps
    for name in _LASTING:
        starts[name] = rows[name]
    starts["phase"] = PHASE_ROLL
    starts["gold_rolled"] = NONE
    return starts


def turn_ends(edition: Edition, starts: Packed) -> TurnEnds:
    """Every end of every turn; where ``kept`` is set in a start, no round worm can be earned any more."""
    variants, turn, giver = bulk.turn_variants(edition, starts)
    rows, of, how, tile = bulk.end_turns(edition, variants)
    return TurnEnds(variants, turn, giver, of, Ends(starts, turn[of], rows, how, tile, giver[of]))


def choice_ends(edition: Edition, rows: Packed, turn: Indices, moves: Indices) -> Ends:
    """After the claim: the positions that choices lead to, each by a move in one of the rows."""
    ended = bulk.choose_rows(edition, gathered(rows, turn), moves)
    none = np.full(len(turn), NONE)
    return Ends(rows, turn, ended, np.full(len(turn), CHOICE), none, np.full(len(turn), NO_GIVER))


def objective_values(edition: Edition, ends: Ends, objective: Objective) -> Floats:
    """The values of any objective, turn by turn: right for all, quick for none."""
    values = np.empty(len(ends.rows))
    for turn, row in enumerate(ends.starts):
        start, at = unpack(row, edition), np.flatnonzero(ends.turn == turn)
        if (ends.how[at] == CHOICE).all():
            values[at] = [objective.choice(start, unpack(ends.rows[index], edition)) for index in at.tolist()]
        else:
            values[at] = objective.payoff(start, [_ending(edition, ends, index) for index in at.tolist()])
    return values


def _ending(edition: Edition, ends: Ends, index: int) -> Ending:
    how, tile, giver = int(ends.how[index]), edition.values[ends.tile[index]], int(ends.giver[index])
    claim = None if how == BUST else Take(tile) if how == TAKE else Steal(tile)
    return Ending(claim, None if giver == NO_GIVER else giver)
